// One joint: where it moves its frame, and the screws of its motion.
#pragma once

#include "pantin/tree/screw.hpp"
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
  if (joint.axis_kind == Axis::kAny) return R * broadcast<T>(joint.axis);
  return R.column(static_cast<int>(joint.axis_kind));
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

enum class Order { kOutward, kInward };

// emit(k, screw) for the screws of the joint's motion about its own origin, in world axes, first to last (outward)
// or last to first; R is the rotation of the moving frame. A mimic joint's screw carries its multiplier.
template <Order kOrder = Order::kOutward, class T, class Emit>
PANTIN_INLINE void each_axis(const Joint& joint, const Mat3<T>& R, Emit&& emit) {
  constexpr bool kOutward = kOrder == Order::kOutward;
  const auto scaled = [&joint](const Vec3<T>& a) { return joint.mimic ? T(joint.multiplier) * a : a; };
  const auto slides = [&](int n) PANTIN_LAMBDA {
    for (int k = 0; k < n; ++k) {
      const int i = kOutward ? k : n - 1 - k;
      emit(i, SlideScrew<T>{R.column(i)});
    }
  };
  const auto turns = [&](int first) PANTIN_LAMBDA {
    for (int k = 0; k < 3; ++k) {
      const int i = kOutward ? k : 2 - k;
      emit(first + i, TurnScrew<T>{R.column(i)});
    }
  };
  switch (joint.kind) {
    case JointKind::kRevolute:
    case JointKind::kContinuous:
      emit(0, TurnScrew<T>{scaled(axis(R, joint))});
      break;
    case JointKind::kPrismatic:
      emit(0, SlideScrew<T>{scaled(axis(R, joint))});
      break;
    case JointKind::kHelical: {
      const Vec3<T> a = scaled(axis(R, joint));
      emit(0, Motion<T>{T(joint.pitch) * a, a});
      break;
    }
    case JointKind::kSpherical:
      turns(0);
      break;
    case JointKind::kPlanar:
      if (kOutward) slides(2);
      emit(2, TurnScrew<T>{R.column(2)});
      if (!kOutward) slides(2);
      break;
    case JointKind::kFreeFlyer:
      if (kOutward) slides(3);
      turns(3);
      if (!kOutward) slides(3);
      break;
    case JointKind::kUniverse:
      break;
  }
}

// emit(k, twist) for the screws of the joint's motion, seen from the world, of the body point that is at `point`
// now. M is the pose of the moving frame.
template <class T, class Emit>
PANTIN_INLINE void each_screw(const Joint& joint, const SE3<T>& M, const Vec3<T>& point, Emit&& emit) {
  const Vec3<T> arm = M.p - point;
  each_axis(joint, M.R, [&](int k, const auto& s) PANTIN_LAMBDA { emit(k, twist_at(arm, s)); });
}

}  // namespace pantin::PANTIN_ISA
