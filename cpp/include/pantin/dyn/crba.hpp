// Joint-space inertia matrix by composite bodies (Walker and Orin 1982; Featherstone 2008, table 6.2), about the
// common point.
#pragma once

#include "pantin/dyn/inertia.hpp"

namespace pantin::PANTIN_ISA {

template <class T>
PANTIN_INLINE RigidInertia<T>* composites(const Tree& tree, T* data) {
  return reinterpret_cast<RigidInertia<T>*>(data + tree.layout.dynamics.inertias);
}
template <class T>
PANTIN_INLINE Motion<T>* common_screws(const Tree& tree, T* data) {
  return motions(data, tree.layout.dynamics.screws);
}

// Screws of all joints, and the inertia of everything that each carries; entry 0 is that of the whole tree. Joints
// are placed.
template <class T>
inline void composite_bodies(const Tree& tree, T* data) {
  const SE3<T>* const M = oMi(tree, data);
  const Vec3<T> point = common_point(tree, M);
  Motion<T>* const S = common_screws(tree, data);
  RigidInertia<T>* const I = composites(tree, data);
  I[0] = {T(0.0), zero3<T>(), zero_sym3<T>()};
  for (int i = 1; i < tree.njoints; ++i) {
    const Joint& joint = tree.joints[i];
    each_screw(joint, M[i], point, [&](int k, const Motion<T>& s) { S[joint.column + k] = s; });
    I[i] = inertia_about(point, tree.inertias[i], M[i]);
  }
  for (int i = tree.njoints - 1; i > 0; --i) I[tree.joints[i].parent] = I[tree.joints[i].parent] + I[i];
}

// f(j, j's entry) for the columns that carry column c, itself included: runs of neighbours, leaf to root.
template <class T, class F>
PANTIN_INLINE void each_carrier(const Tree& tree, const Motion<T>* S, int c, const Motion<T>& momentum, F&& f) {
  for (int last = c; last >= 0;) {
    const int first = tree.column_run[last];
    for (int j = first; j <= last; ++j) f(j, dot(S[j], momentum));
    last = tree.column_parent[first];
  }
}

// Mass matrix (nv, nv), row-major and full. Entries of joints that do not carry each other are never written: they
// are zero from the start.
template <class T>
inline void mass_matrix(const Tree& tree, T* data, T* M) {
  const Motion<T>* const S = common_screws(tree, data);
  const RigidInertia<T>* const I = composites(tree, data);
  const int nv = tree.nv;
  for (int i = 1; i < tree.njoints; ++i) {
    const Joint& joint = tree.joints[i];
    for (int c = joint.column; c < joint.column + joint.nv; ++c) {
      T* const row = M + c * nv;
      each_carrier(tree, S, c, I[i] * S[c], [&](int j, const T& entry) PANTIN_LAMBDA {
        row[j] = entry;
        M[j * nv + c] = entry;
      });
      row[c] += T(tree.armature[c]);
    }
  }
}

// The same with mimics: the entries of several columns add up.
template <class T>
inline void mass_matrix_of_mimics(const Tree& tree, T* data, T* M) {
  const Motion<T>* const S = common_screws(tree, data);
  const RigidInertia<T>* const I = composites(tree, data);
  const int nv = tree.nv;
  for (int k = 0; k < nv * nv; ++k) M[k] = T(0.0);
  for (int k = 0; k < nv; ++k) M[k * nv + k] = T(tree.armature[k]);
  for (int i = 1; i < tree.njoints; ++i) {
    const Joint& joint = tree.joints[i];
    for (int c = joint.column; c < joint.column + joint.nv; ++c) {
      const int row = tree.column_v[c];
      each_carrier(tree, S, c, I[i] * S[c], [&](int j, const T& entry) PANTIN_LAMBDA {
        const int column = tree.column_v[j];
        M[row * nv + column] += entry;
        if (j != c) M[column * nv + row] += entry;
      });
    }
  }
}

template <class T>
inline void crba(const Tree& tree, const T* q, T* data, T* M) {
  forward(tree, q, data);
  composite_bodies(tree, data);
  tree.has_mimic ? mass_matrix_of_mimics(tree, data, M) : mass_matrix(tree, data, M);
}

}  // namespace pantin::PANTIN_ISA
