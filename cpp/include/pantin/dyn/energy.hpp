// Energies and momenta of the moving bodies; joints are placed.
#pragma once

#include "pantin/dyn/crba.hpp"
#include "pantin/kin/jacobian.hpp"

namespace pantin::PANTIN_ISA {

// Sums over the bodies: kinetic energy, that of the rotors included, momentum and first moment of mass about the
// common point.
template <class T>
struct Totals {
  T kinetic_energy;
  Motion<T> momentum;
  Vec3<T> moment;
};

template <class T>
inline Totals<T> totals(const Tree& tree, const T* dq, T* data) {
  const SE3<T>* const M = oMi(tree, data);
  const Vec3<T> point = common_point(tree, M);
  Motion<T>* const v = motions(data, tree.layout.dynamics.motion);
  T twice = T(0.0);
  Motion<T> momentum = zero_motion<T>();
  Vec3<T> moment = zero3<T>();
  v[0] = zero_motion<T>();
  for (int i = 1; i < tree.njoints; ++i) {
    const Joint& joint = tree.joints[i];
    const Inertia& body = tree.inertias[i];
    Motion<T> sum = v[joint.parent];
    each_screw(joint, M[i], point, [&](int k, const Motion<T>& s) { sum = sum + dq[joint.v + k] * s; });
    v[i] = sum;

    const Vec3<T> c = center(body, M[i], point);
    const Vec3<T> velocity = sum.v + cross(sum.w, c), linear = T(body.mass) * velocity;
    const Vec3<T> w = transposed_times(M[i].R, sum.w), spin = broadcast_sym3<double>(body.about_com) * w;
    twice += dot(linear, velocity) + dot(spin, w);
    momentum = momentum + Motion<T>{linear, M[i].R * spin + cross(c, linear)};
    moment = moment + T(body.mass) * c;
  }
  for (int k = 0; k < tree.nv; ++k) twice += T(tree.armature[k]) * dq[k] * dq[k];
  return {T(0.5) * twice, momentum, moment};
}

// In uniform gravity, zero at the world's origin; `moment` is the first moment of mass about the common point.
template <class T>
PANTIN_INLINE T potential_energy(const Tree& tree, T* data, const Vec3<T>& moment) {
  const Vec3<T> point = common_point(tree, oMi(tree, data));
  return -dot(broadcast<T>(tree.gravity), moment + T(tree.total_mass) * point);
}

// Centre of mass seen from the common point; a model without mass has its centre there.
template <class T>
PANTIN_INLINE Vec3<T> relative_center(const Tree& tree, const Vec3<T>& moment) {
  return T(tree.total_mass > 0 ? 1.0 / tree.total_mass : 0.0) * moment;
}

// Momentum about the common point, about the point that is at `arm` from there.
template <class T>
PANTIN_INLINE Motion<T> about(const Vec3<T>& arm, const Motion<T>& h) {
  return {h.v, h.w - cross(arm, h.v)};
}

// Matrix (6, nv), row-major, that takes velocities to the momentum about the centre of mass (Orin, Goswami, Lee
// 2013); returns that centre seen from the common point.
template <class T>
inline Vec3<T> centroidal_map(const Tree& tree, T* data, T* Ag) {
  composite_bodies(tree, data);
  const RigidInertia<T>* const I = composites(tree, data);
  const Motion<T>* const S = common_screws(tree, data);
  const Vec3<T> arm = relative_center(tree, I[0].h);
  clear_matrix(Ag, 6 * tree.nv);
  for (int i = 1; i < tree.njoints; ++i) {
    const Joint& joint = tree.joints[i];
    for (int k = 0; k < joint.nv; ++k) add_column(Ag, tree.nv, joint.v + k, about(arm, I[i] * S[joint.column + k]));
  }
  return arm;
}

}  // namespace pantin::PANTIN_ISA
