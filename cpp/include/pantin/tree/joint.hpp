// One joint: its number, and the screws of its motion (where it moves its frame: columns.hpp).
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

// Direction of the joint's axis seen through R.
template <class T>
PANTIN_INLINE Vec3<T> axis(const Mat3<T>& R, const Joint& joint) {
  if (joint.axis_kind == Axis::kAny) return R * broadcast<T>(joint.axis);
  return R.column(static_cast<int>(joint.axis_kind));
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
