// A pose by its columns, and what moves it: constant placements and joints.
//
// A column is a Vec3 of packs or, for one problem, a Quad; the text is the same for both.
#pragma once

#include "pantin/simd/quad.hpp"
#include "pantin/tree/joint.hpp"

namespace pantin::PANTIN_ISA {

template <class V>
struct Columns {
  V x, y, z, p;
};

template <class V>
struct ScalarOf;
template <class T>
struct ScalarOf<Vec3<T>> {
  using type = T;
};
template <>
struct ScalarOf<Quad> {
  using type = double;
};
template <class V>
using scalar_of = typename ScalarOf<V>::type;

template <class V>
PANTIN_INLINE Columns<V> identity_columns() {
  using S = scalar_of<V>;
  const S zero = S(0.0), one = S(1.0);
  return {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}, {zero, zero, zero}};
}
template <class T>
PANTIN_INLINE Columns<Vec3<T>> columns(const SE3<T>& M) {
  return {M.R.column(0), M.R.column(1), M.R.column(2), M.p};
}
PANTIN_INLINE Columns<Quad> quads(const double* pose) {
  return {{pose[0], pose[3], pose[6]}, {pose[1], pose[4], pose[7]}, {pose[2], pose[5], pose[8]},
          {pose[9], pose[10], pose[11]}};
}
template <class T>
PANTIN_INLINE void store(const Columns<Vec3<T>>& M, SE3<T>& to) {
  to.R.set_column(0, M.x);
  to.R.set_column(1, M.y);
  to.R.set_column(2, M.z);
  to.p = M.p;
}
PANTIN_INLINE void store(const Columns<Quad>& M, SE3<double>& to) {
  store_pose(M.x, M.y, M.z, M.p, &to.R.m[0][0]);
}

// Turns the columns a and b about the third.
template <class V, class S>
PANTIN_INLINE void turn(V& a, V& b, S s, S c) {
  const V turned = c * a + s * b;
  b = c * b - s * a;
  a = turned;
}

// M times the rotation R.
template <class V, class S>
PANTIN_INLINE void rotate(Columns<V>& M, const Mat3<S>& R) {
  const auto column = [&](int j) { return R.m[0][j] * M.x + R.m[1][j] * M.y + R.m[2][j] * M.z; };
  const V x = column(0), y = column(1), z = column(2);
  M.x = x;
  M.y = y;
  M.z = z;
}

// M times a placement, whose zeros and ones are left out.
template <class V>
PANTIN_INLINE void place(Columns<V>& M, const Placement& P) {
  using S = scalar_of<V>;
  if (P.p[0] != 0.0) M.p = M.p + S(P.p[0]) * M.x;
  if (P.p[1] != 0.0) M.p = M.p + S(P.p[1]) * M.y;
  if (P.p[2] != 0.0) M.p = M.p + S(P.p[2]) * M.z;
  switch (P.turn) {
    case Turn::kNone:
      break;
    case Turn::kX:
      turn(M.y, M.z, S(P.R[7]), S(P.R[4]));
      break;
    case Turn::kY:
      turn(M.z, M.x, S(P.R[2]), S(P.R[0]));
      break;
    case Turn::kZ:
      turn(M.x, M.y, S(P.R[3]), S(P.R[0]));
      break;
    case Turn::kAny:
      rotate(M, reinterpret_cast<const Mat3<double>&>(P.R));
      break;
  }
}

// Direction of the joint's axis in M.
template <class V>
PANTIN_INLINE V axis(const Columns<V>& M, const Joint& joint) {
  using S = scalar_of<V>;
  switch (joint.axis_kind) {
    case Axis::kX:
      return M.x;
    case Axis::kY:
      return M.y;
    case Axis::kZ:
      return M.z;
    case Axis::kAny:
      break;
  }
  return S(joint.axis[0]) * M.x + S(joint.axis[1]) * M.y + S(joint.axis[2]) * M.z;
}

// M turned about the joint's axis.
template <class V, class S>
PANTIN_INLINE void turn(Columns<V>& M, const Joint& joint, const SinCos<S>& k) {
  switch (joint.axis_kind) {
    case Axis::kX:
      return turn(M.y, M.z, k.s, k.c);
    case Axis::kY:
      return turn(M.z, M.x, k.s, k.c);
    case Axis::kZ:
      return turn(M.x, M.y, k.s, k.c);
    case Axis::kAny:
      return rotate(M, skew_polynomial(broadcast<S>(joint.axis), k.s, S(1.0) - k.c));
  }
}

// From the joint's resting frame to its moving one, for its entries q; `turned` holds the sine and cosine of
// the angle where the joint stores one.
template <class V, class S>
PANTIN_INLINE void move(Columns<V>& M, const Joint& joint, const S* q, const SinCos<S>& turned) {
  const auto unit = [](const S* pair) {
    const S scale = S(1.0) / sqrt(pair[0] * pair[0] + pair[1] * pair[1]);
    return SinCos<S>{scale * pair[1], scale * pair[0]};
  };
  switch (joint.kind) {
    case JointKind::kRevolute:
      turn(M, joint, turned);
      break;
    case JointKind::kPrismatic:
      M.p = M.p + coordinate(joint, q) * axis(M, joint);
      break;
    case JointKind::kHelical:
      M.p = M.p + (S(joint.pitch) * coordinate(joint, q)) * axis(M, joint);
      turn(M, joint, turned);
      break;
    case JointKind::kContinuous:
      turn(M, joint, unit(q));
      break;
    case JointKind::kSpherical:
      rotate(M, rotation(load_quat(q)));
      break;
    case JointKind::kPlanar:
      M.p = M.p + q[0] * M.x + q[1] * M.y;
      turn(M.x, M.y, unit(q + 2).s, unit(q + 2).c);
      break;
    case JointKind::kFreeFlyer:
      M.p = M.p + q[0] * M.x + q[1] * M.y + q[2] * M.z;
      rotate(M, rotation(load_quat(q + 3)));
      break;
    case JointKind::kUniverse:
      break;
  }
}

PANTIN_INLINE bool stores_angle(const Joint& joint) {
  return joint.kind == JointKind::kRevolute || joint.kind == JointKind::kHelical;
}

}  // namespace pantin::PANTIN_ISA
