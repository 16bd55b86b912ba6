// Velocities, accelerations and the rate of the Jacobian, as world twists about the world's origin.
//
// A joint's screws are fixed in its moving frame, so their rate is v_i x S and
// a_i = a_parent + S ddq + v_i x S dq (Featherstone 2008, eq. 2.57 in one common frame).
#pragma once

#include "pantin/kin/jacobian.hpp"

namespace pantin::PANTIN_ISA {

// Velocities of all joints; screws are up to date.
template <class T>
inline void joint_velocities(const Tree& tree, const T* dq, T* data) {
  const Motion<T>* const S = screws(tree, data);
  Motion<T>* const v = motions(data, tree.layout.v);
  v[0] = zero_motion<T>();
  for (int i = 1; i < tree.njoints; ++i) {
    const Joint& joint = tree.joints[i];
    Motion<T> sum = v[joint.parent];
    for (int k = 0; k < joint.nv; ++k) sum = sum + dq[joint.v + k] * S[joint.column + k];
    v[i] = sum;
  }
}

// Spatial accelerations of all joints; velocities are up to date.
template <class T>
inline void joint_accelerations(const Tree& tree, const T* dq, const T* ddq, T* data) {
  const Motion<T>* const S = screws(tree, data);
  const Motion<T>* const v = motions(data, tree.layout.v);
  Motion<T>* const a = motions(data, tree.layout.a);
  a[0] = zero_motion<T>();
  for (int i = 1; i < tree.njoints; ++i) {
    const Joint& joint = tree.joints[i];
    Motion<T> own = zero_motion<T>(), sum = a[joint.parent];
    for (int k = 0; k < joint.nv; ++k) {
      own = own + dq[joint.v + k] * S[joint.column + k];
      sum = sum + ddq[joint.v + k] * S[joint.column + k];
    }
    a[i] = sum + cross(v[i], own);
  }
}

// Rates of all screws, one per column (several of a master's are added when gathered).
template <class T>
inline void screw_rates(const Tree& tree, T* data) {
  const Motion<T>* const S = screws(tree, data);
  const Motion<T>* const v = motions(data, tree.layout.v);
  Motion<T>* const rates = motions(data, tree.layout.screw_rates);
  for (int i = 1; i < tree.njoints; ++i) {
    const Joint& joint = tree.joints[i];
    for (int k = 0; k < joint.nv; ++k) rates[joint.column + k] = cross(v[i], S[joint.column + k]);
  }
  if (!tree.has_mimic) return;
  Motion<T>* const dJ = motions(data, tree.layout.dJ);
  for (int k = 0; k < tree.nv; ++k) dJ[k] = zero_motion<T>();
  for (int c = 0; c < tree.ncolumns; ++c) dJ[tree.column_v[c]] = dJ[tree.column_v[c]] + rates[c];
}

// Rate of the Jacobian of the pose M carried by `joint`, row-major (6, nv).
template <class T>
inline void jacobian_rate(const Tree& tree, const T* data, int joint, const SE3<T>& M, ReferenceFrame reference,
                          T* dJ) {
  const auto* const S = reinterpret_cast<const Motion<T>*>(data + tree.layout.screws);
  const auto* const rates = reinterpret_cast<const Motion<T>*>(data + tree.layout.screw_rates);
  const Motion<T> v = reinterpret_cast<const Motion<T>*>(data + tree.layout.v)[joint];
  const Vec3<T> velocity = v.v - cross(M.p, v.w);  // of the point M.p
  clear_matrix(dJ, 6 * tree.nv);
  for (int i = joint; i > 0; i = tree.joints[i].parent) {
    const Joint& support = tree.joints[i];
    for (int k = 0; k < support.nv; ++k) {
      const Motion<T>& s = S[support.column + k];
      Motion<T> rate = rates[support.column + k];
      if (reference == ReferenceFrame::kLocal) rate = rate - cross(v, s);
      rate = seen_from(reference, M, rate);
      if (reference == ReferenceFrame::kLocalWorldAligned) rate.v = rate.v + cross(s.w, velocity);
      add_column(dJ, tree.nv, support.v + k, rate);
    }
  }
}

}  // namespace pantin::PANTIN_ISA
