// One joint: where it moves its frame, and the screws of its motion.
#pragma once

#include "pantin/tree/view.hpp"

namespace pantin::PANTIN_ISA {

// Angle or length of a joint with one number; a mimic joint derives it from its master's.
template <class T>
PANTIN_INLINE T coordinate(const Joint& joint, const T* q) {
  if (!joint.mimic) return q[0];
  const T master = joint.master_continuous ? atan2(q[1], q[0]) : q[0];
  return T(joint.multiplier) * master + T(joint.offset);
}

// R times a turn about its own axis K.
template <int K, class T>
PANTIN_INLINE Mat3<T> turned_about(const Mat3<T>& R, T s, T c) {
  constexpr int i = (K + 1) % 3, j = (K + 2) % 3;
  const Vec3<T> x = R.column(i), y = R.column(j);
  Mat3<T> result = R;
  result.set_column(i, c * x + s * y);
  result.set_column(j, c * y - s * x);
  return result;
}

// R times a turn about the joint's axis.
template <class T>
PANTIN_INLINE Mat3<T> turned(const Mat3<T>& R, const Joint& joint, T s, T c) {
  switch (joint.axis_kind) {
    case Axis::kX:
      return turned_about<0>(R, s, c);
    case Axis::kY:
      return turned_about<1>(R, s, c);
    case Axis::kZ:
      return turned_about<2>(R, s, c);
    case Axis::kAny:
      break;
  }
  return R * skew_polynomial(broadcast<T>(joint.axis), s, T(1.0) - c);
}

// Direction of the joint's axis seen through R.
template <class T>
PANTIN_INLINE Vec3<T> axis(const Mat3<T>& R, const Joint& joint) {
  switch (joint.axis_kind) {
    case Axis::kX:
      return R.column(0);
    case Axis::kY:
      return R.column(1);
    case Axis::kZ:
      return R.column(2);
    case Axis::kAny:
      break;
  }
  return R * broadcast<T>(joint.axis);
}

// Pose of the joint's moving frame, from the pose of its resting frame and its entries q of the configuration.
template <class T>
PANTIN_INLINE SE3<T> moved(const Joint& joint, const T* q, const Mat3<T>& R, const Vec3<T>& p) {
  switch (joint.kind) {
    case JointKind::kRevolute: {
      const SinCos<T> k = sincos(coordinate(joint, q));
      return {turned(R, joint, k.s, k.c), p};
    }
    case JointKind::kPrismatic:
      return {R, p + coordinate(joint, q) * axis(R, joint)};
    case JointKind::kHelical: {
      const T angle = coordinate(joint, q);
      const SinCos<T> k = sincos(angle);
      return {turned(R, joint, k.s, k.c), p + (T(joint.pitch) * angle) * axis(R, joint)};
    }
    case JointKind::kContinuous: {
      const T scale = T(1.0) / sqrt(q[0] * q[0] + q[1] * q[1]);
      return {turned(R, joint, scale * q[1], scale * q[0]), p};
    }
    case JointKind::kSpherical:
      return {R * rotation(load_quat(q)), p};
    case JointKind::kPlanar: {
      const T scale = T(1.0) / sqrt(q[2] * q[2] + q[3] * q[3]);
      return {turned(R, joint, scale * q[3], scale * q[2]), p + q[0] * R.column(0) + q[1] * R.column(1)};
    }
    case JointKind::kFreeFlyer:
      return {R * rotation(load_quat(q + 3)), p + R * load3(q)};
    case JointKind::kUniverse:
      break;
  }
  return {R, p};
}

// Screws of the joint's motion, seen from the world, of the body point that is at `point` now.
// M is the pose of the moving frame; a mimic joint's screw carries its multiplier.
template <class T, class Emit>
PANTIN_INLINE void each_screw(const Joint& joint, const SE3<T>& M, const Vec3<T>& point, Emit&& emit) {
  const Vec3<T> arm = M.p - point;
  const auto turn = [&](const Vec3<T>& w) { return Motion<T>{cross(arm, w), w}; };
  const auto slide = [&](const Vec3<T>& v) { return Motion<T>{v, zero3<T>()}; };
  switch (joint.kind) {
    case JointKind::kRevolute:
    case JointKind::kContinuous: {
      const Vec3<T> w = axis(M.R, joint);
      emit(0, turn(joint.mimic ? T(joint.multiplier) * w : w));
      break;
    }
    case JointKind::kPrismatic: {
      const Vec3<T> v = axis(M.R, joint);
      emit(0, slide(joint.mimic ? T(joint.multiplier) * v : v));
      break;
    }
    case JointKind::kHelical: {
      const Vec3<T> w = T(joint.mimic ? joint.multiplier : 1.0) * axis(M.R, joint);
      Motion<T> screw = turn(w);
      screw.v = screw.v + T(joint.pitch) * w;
      emit(0, screw);
      break;
    }
    case JointKind::kSpherical:
      for (int k = 0; k < 3; ++k) emit(k, turn(M.R.column(k)));
      break;
    case JointKind::kPlanar:
      emit(0, slide(M.R.column(0)));
      emit(1, slide(M.R.column(1)));
      emit(2, turn(M.R.column(2)));
      break;
    case JointKind::kFreeFlyer:
      for (int k = 0; k < 3; ++k) emit(k, slide(M.R.column(k)));
      for (int k = 0; k < 3; ++k) emit(3 + k, turn(M.R.column(k)));
      break;
    case JointKind::kUniverse:
      break;
  }
}

}  // namespace pantin::PANTIN_ISA
