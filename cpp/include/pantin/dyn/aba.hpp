// Forward dynamics: accelerations that torques produce, M ddq = tau - bias.
//
// The bias forces come from one outward pass as in inverse dynamics, so the articulated pass carries no velocity
// terms.
#pragma once

#include "pantin/dyn/articulated.hpp"
#include "pantin/dyn/crba.hpp"
#include "pantin/dyn/newton_euler.hpp"

namespace pantin::PANTIN_ISA {

template <class T>
PANTIN_INLINE Sym6<T>* articulated(const Tree& tree, T* data) {
  return reinterpret_cast<Sym6<T>*>(data + tree.layout.dynamics.inertias);
}

// Articulated inertias of placed joints; leaves U and the reciprocals of the pivots.
template <class T>
inline void articulated_inertias(const Tree& tree, T* data) {
  const SE3<T>* const M = oMi(tree, data);
  Sym6<T>* const A = articulated(tree, data);
  for (int i = 1; i < tree.njoints; ++i) A[i] = inertia_at_joint(tree.inertias[i], M[i].R);
  articulated_factor(tree, M, tree.armature, A, motions(data, tree.layout.dynamics.U),
                     data + tree.layout.dynamics.reciprocals);
}

// For a tree without mimics.
template <class T>
inline void aba(const Tree& tree, const T* q, const T* dq, const T* tau, const T* fext, T* data, T* ddq) {
  const auto& layout = tree.layout.dynamics;
  forward(tree, q, data);
  body_forces<T>(tree, dq, nullptr, fext, data);
  articulated_inertias(tree, data);
  for (int k = 0; k < tree.nv; ++k) ddq[k] = tau[k];
  articulated_solve(tree, oMi(tree, data), motions(data, layout.U), data + layout.reciprocals, wrenches(tree, data),
                    motions(data, layout.motion), ddq);
}

// Size of the terms that s' I s is the sum of.
template <class T>
PANTIN_INLINE T terms_of(const RigidInertia<T>& I, const Motion<T>& s) {
  return I.m * dot(s.v, s.v) + abs(I.J.xx + I.J.yy + I.J.zz) * dot(s.w, s.w);
}

// For any tree by its mass matrix, for which `room` (nv, nv) is used; it need not be zero.
template <class T>
inline void dense_forward_dynamics(const Tree& tree, const T* q, const T* dq, const T* tau, const T* fext, T* data,
                                   T* room, T* ddq) {
  T* const reciprocals = data + tree.layout.dynamics.reciprocals;
  rnea<T>(tree, q, dq, nullptr, fext, data, ddq);
  composite_bodies(tree, data);
  mass_matrix_of_mimics(tree, data, room);
  for (int k = 0; k < tree.nv; ++k) {
    ddq[k] = tau[k] - ddq[k];
    reciprocals[k] = T(0.0);
  }
  for (int i = 1; i < tree.njoints; ++i) {
    const Joint& joint = tree.joints[i];
    for (int k = 0; k < joint.nv; ++k)
      reciprocals[joint.v + k] += terms_of(composites(tree, data)[i], common_screws(tree, data)[joint.column + k]);
  }
  ldl_factor(tree.nv, room, reciprocals);
  ldl_solve(tree.nv, room, reciprocals, ddq);
}

}  // namespace pantin::PANTIN_ISA
