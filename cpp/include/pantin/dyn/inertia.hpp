// Inertias of bodies in world axes: about their joint's origin, or about one common point, where those of a subtree
// only add.
//
// The common point is the position of the first joint that carries mass, not the world's origin: a robot far
// from it loses no digits.
#pragma once

#include "pantin/kin/forward.hpp"
#include "pantin/linalg/sym6.hpp"

namespace pantin::PANTIN_ISA {

// Mass, first moment and rotational inertia about some point.
template <class T>
struct RigidInertia {
  T m;
  Vec3<T> h;
  Sym3<T> J;
};

template <class T>
PANTIN_INLINE RigidInertia<T> operator+(const RigidInertia<T>& a, const RigidInertia<T>& b) {
  return {a.m + b.m, a.h + b.h, a.J + b.J};
}
// Momentum of a twist, or force of an acceleration.
template <class T>
PANTIN_INLINE Motion<T> operator*(const RigidInertia<T>& I, const Motion<T>& s) {
  return {I.m * s.v + cross(s.w, I.h), cross(I.h, s.v) + I.J * s.w};
}

template <class T>
PANTIN_INLINE Vec3<T> common_point(const Tree& tree, const SE3<T>* oMi) {
  return oMi[tree.origin].p;
}
// Centre of mass of a body seen from the common point; M is the pose of its joint.
template <class T>
PANTIN_INLINE Vec3<T> center(const Inertia& body, const SE3<T>& M, const Vec3<T>& point) {
  return M.p - point + M.R * broadcast<T>(body.lever);
}

template <class T>
PANTIN_INLINE RigidInertia<T> inertia_about(const Vec3<T>& point, const Inertia& body, const SE3<T>& M) {
  const Vec3<T> c = center(body, M, point);
  const Vec3<T> h = T(body.mass) * c;
  const T hc = dot(h, c);
  Sym3<T> J = turned(M.R, broadcast_sym3<T>(body.about_com)) + outer(T(-body.mass), c);
  J.xx = J.xx + hc;
  J.yy = J.yy + hc;
  J.zz = J.zz + hc;
  return {T(body.mass), h, J};
}

// Inertia about the joint's origin, as a matrix.
template <class T>
PANTIN_INLINE Sym6<T> inertia_at_joint(const Inertia& body, const Mat3<T>& R) {
  const T m = T(body.mass), zero = T(0.0);
  const Vec3<T> h = R * broadcast<T>(body.first_moment);
  return {{m, zero, zero, m, zero, m},
          {{{zero, h.z, -h.y}, {-h.z, zero, h.x}, {h.y, -h.x, zero}}},
          turned(R, broadcast_sym3<T>(body.about_joint))};
}

}  // namespace pantin::PANTIN_ISA
