// Motion and forces of all bodies, and the joint torques that produce them.
//
// Luh, Walker, Paul 1980, in world axes: angular velocities and accelerations, accelerations of the joints' origins,
// forces and moments about them. Gravity is an upward acceleration of the universe.
#pragma once

#include "pantin/dyn/inertia.hpp"
#include "pantin/dyn/wrench.hpp"

namespace pantin::PANTIN_ISA {

// How a joint's frame moves: a point of it at r from its origin accelerates by a + K r.
template <class T>
struct BodyMotion {
  Vec3<T> w, alpha, a;
  Mat3<T> K;
};

template <class T>
PANTIN_INLINE BodyMotion<T>* body_motions(const Tree& tree, T* data) {
  return reinterpret_cast<BodyMotion<T>*>(data + tree.layout.dynamics.motion);
}
// Forces and moments about the joints' origins.
template <class T>
PANTIN_INLINE Motion<T>* wrenches(const Tree& tree, T* data) {
  return motions(data, tree.layout.dynamics.wrenches);
}

// [alpha] + [w]^2
template <class T>
PANTIN_INLINE Mat3<T> acceleration_gradient(const Vec3<T>& w, const Vec3<T>& alpha) {
  const T xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;
  const T xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
  return {{{-yy - zz, xy - alpha.z, xz + alpha.y},
           {xy + alpha.z, -xx - zz, yz - alpha.x},
           {xz - alpha.y, yz + alpha.x, -xx - yy}}};
}

// Force that moves a body: Newton's law for its centre of mass, Euler's in its own axes.
template <class T>
PANTIN_INLINE Motion<T> moving_force(const Inertia& body, const Mat3<T>& R, const BodyMotion<T>& m) {
  const Vec3<T> c = R * broadcast<T>(body.lever);
  const Vec3<T> f = T(body.mass) * (m.a + m.K * c);
  const Sym3<double> I = broadcast_sym3<double>(body.about_com);
  const Vec3<T> w = transposed_times(R, m.w);
  const Vec3<T> moment = I * transposed_times(R, m.alpha) + cross(w, I * w);
  return {f, R * moment + cross(c, f)};
}

// Force on joint i's body that is given in its joint frame.
template <class T>
PANTIN_INLINE Motion<T> external_force(const T* fext, int i, const Mat3<T>& R) {
  return {R * load3(fext + 6 * i), R * load3(fext + 6 * i + 3)};
}

constexpr bool turns(JointKind kind) { return kind != JointKind::kPrismatic; }
constexpr bool slides(JointKind kind) {
  return kind == JointKind::kPrismatic || kind == JointKind::kHelical || kind == JointKind::kPlanar ||
         kind == JointKind::kFreeFlyer;
}

// Force on each body for velocities dq and accelerations ddq (null: zero), less the external one.
template <class T>
inline void body_forces(const Tree& tree, const T* dq, const T* ddq, const T* fext, T* data) {
  const SE3<T>* const M = oMi(tree, data);
  BodyMotion<T>* const m = body_motions(tree, data);
  Motion<T>* const f = wrenches(tree, data);
  f[0] = zero_motion<T>();
  m[0] = {zero3<T>(), zero3<T>(), -broadcast<T>(tree.gravity), T(0.0) * identity3<T>()};
  for (int i = 1; i < tree.njoints; ++i) {
    const Joint& joint = tree.joints[i];
    const BodyMotion<T>& parent = m[joint.parent];
    Vec3<T> w = parent.w, alpha = parent.alpha, a = parent.a + parent.K * (M[i].p - M[joint.parent].p);
    // the joint's own motion, and that its screws turn with the bodies
    Vec3<T> slide = zero3<T>(), turn = zero3<T>();
    each_axis(joint, M[i].R, [&](int k, const auto& s) PANTIN_LAMBDA {
      add_motion(dq[joint.v + k], s, slide, turn);
      if (ddq) add_motion(ddq[joint.v + k], s, a, alpha);
    });
    if (turns(joint.kind)) {
      alpha = alpha + cross(w, turn);
      w = w + turn;
    }
    if (slides(joint.kind)) a = a + cross(parent.w + w, slide);

    m[i] = {w, alpha, a, acceleration_gradient(w, alpha)};
    f[i] = moving_force(tree.inertias[i], M[i].R, m[i]);
    if (fext) f[i] = f[i] - external_force(fext, i, M[i].R);
  }
}

// Force that holds each body at rest against gravity and the external force.
template <class T>
inline void resting_forces(const Tree& tree, const T* fext, T* data) {
  const SE3<T>* const M = oMi(tree, data);
  Motion<T>* const f = wrenches(tree, data);
  const Vec3<T> lift = -broadcast<T>(tree.gravity);
  f[0] = zero_motion<T>();
  for (int i = 1; i < tree.njoints; ++i) {
    const Inertia& body = tree.inertias[i];
    f[i] = {T(body.mass) * lift, cross(M[i].R * broadcast<T>(body.first_moment), lift)};
    if (fext) f[i] = f[i] - external_force(fext, i, M[i].R);
  }
}

// Adds to tau what the joints do to produce the wrenches.
template <class T>
inline void add_joint_torques(const Tree& tree, T* data, T* tau) {
  const SE3<T>* const M = oMi(tree, data);
  WrenchSum<T> sum(M, wrenches(tree, data));
  for (int i = tree.njoints - 1; i > 0; --i) {
    const Joint& joint = tree.joints[i];
    const Motion<T> wrench = sum.at(i);
    each_axis(joint, M[i].R, [&](int k, const auto& s) PANTIN_LAMBDA { tau[joint.v + k] += dot(s, wrench); });
    sum.hand_on(wrench, i, joint.parent);
  }
}

// Torques for an acceleration; without one (ddq null) the bias of Coriolis, centrifugal and gravity forces.
template <class T>
inline void rnea(const Tree& tree, const T* q, const T* dq, const T* ddq, const T* fext, T* data, T* tau) {
  forward(tree, q, data);
  body_forces(tree, dq, ddq, fext, data);
  for (int k = 0; k < tree.nv; ++k) tau[k] = ddq ? T(tree.armature[k]) * ddq[k] : T(0.0);
  add_joint_torques(tree, data, tau);
}

// Torques that hold the tree at rest.
template <class T>
inline void static_torques(const Tree& tree, const T* q, const T* fext, T* data, T* tau) {
  forward(tree, q, data);
  resting_forces(tree, fext, data);
  for (int k = 0; k < tree.nv; ++k) tau[k] = T(0.0);
  add_joint_torques(tree, data, tau);
}

}  // namespace pantin::PANTIN_ISA
