// Where the chain puts its frame, and how each unknown moves it.
#pragma once

#include "pantin/solve/problem.hpp"
#include "pantin/tree/columns.hpp"

namespace pantin::PANTIN_ISA {

// Starts that one pack serves. More than four gain nothing where the processor halves its widest vectors, and one
// target alone cannot use them.
inline constexpr int kReachLanes = kLanes < 4 ? kLanes : 4;
using P = Pack<kReachLanes>;

// A joint's axis in the root frame, or the world; the unknowns of a ball have one each.
template <class T>
struct Line {
  Vec3<T> axis, point;
};

// A pose of twelve numbers, rotation by rows and translation, in every lane.
template <class T>
PANTIN_INLINE SE3<T> broadcast_pose(const double* R) {
  return {{{{T(R[0]), T(R[1]), T(R[2])}, {T(R[3]), T(R[4]), T(R[5])}, {T(R[6]), T(R[7]), T(R[8])}}},
          broadcast<T>(R + 9)};
}

// Columns i and j of R turned towards each other.
template <int I, int J, class T, class S>
PANTIN_INLINE void turn_columns(Mat3<T>& R, S s, S c) {
  const Vec3<T> x = R.column(I), y = R.column(J);
  R.set_column(I, c * x + s * y);
  R.set_column(J, c * y - s * x);
}

// Sine and cosine of a hinge, the offset of its next link's common normal included.
template <class T>
PANTIN_INLINE SinCos<T> hinge(const ReachLink& link, const T* x) {
  if (link.joint.kind != JointKind::kContinuous) return sincos_inline(coordinate(link.joint, x) + T(link.turn));
  const T scale = T(1.0) / sqrt(x[0] * x[0] + x[1] * x[1]);
  const T c = scale * x[0], s = scale * x[1];
  return {T(link.turn_cosine) * s + T(link.turn_sine) * c, T(link.turn_cosine) * c - T(link.turn_sine) * s};
}

// The rarer joints; apart, so that poses stay in registers where there are none.
template <class T>
__attribute__((noinline)) SE3<T> moved_rarely(const Joint& joint, const T* x, SE3<T> M) {
  Columns<Vec3<T>> at = columns(M);
  move(at, joint, x, stores_angle(joint) ? sincos(coordinate(joint, x)) : SinCos<T>{});
  store(at, M);
  return M;
}

template <class T>
PANTIN_INLINE void follow_way(const ReachLink& link, SE3<T>& M) {
  if (link.way != Way::kDenavit) {
    M.p = M.p + M.R * load3(link.next.p);
    if (link.way == Way::kGeneral) M.R = M.R * *reinterpret_cast<const Mat3<double>*>(link.next.R);
    return;
  }
  M.p = M.p + link.a * M.R.column(0) + link.d * M.R.column(2);
  const Vec3<T> y = M.R.column(1), z = M.R.column(2);
  switch (link.twist) {
    case ReachLink::Twist::kQuarter:
      M.R.set_column(1, z);
      M.R.set_column(2, -y);
      break;
    case ReachLink::Twist::kHalf:
      M.R.set_column(1, -y);
      M.R.set_column(2, -z);
      break;
    case ReachLink::Twist::kAny:
      turn_columns<1, 2>(M.R, link.twist_sine, link.twist_cosine);
      break;
    case ReachLink::Twist::kNone:
      break;
  }
}

inline bool is_hinge(const ReachLink& link) {
  return link.joint.kind == JointKind::kRevolute || link.joint.kind == JointKind::kContinuous;
}

// Links whose sines and cosines are computed before any of them turns the pose, which then stays in registers.
inline constexpr int kBlock = 8;

// Pose that the chain gives its frame for the numbers x, short of the frame's own rotation against the last joint
// (the tip); lines, link after link, go to `lines`.
template <class T>
PANTIN_INLINE SE3<T> place_chain(const ReachProblem& problem, const T* x, Line<T>* lines) {
  SE3<T> M = broadcast_pose<T>(problem.base.R);
  SinCos<T> turns[kBlock];
  for (int first = 0; first < problem.nlinks; first += kBlock) {
    const ReachLink* const links = problem.links + first;
    const int count = problem.nlinks - first < kBlock ? problem.nlinks - first : kBlock;
    for (int i = 0; i < count; ++i)
      if (is_hinge(links[i])) turns[i] = hinge(links[i], x + links[i].joint.q);
    for (int i = 0; i < count; ++i) {
      if (is_hinge(links[i]))
        turn_columns<0, 1>(M.R, turns[i].s, turns[i].c);
      else
        M = moved_rarely(links[i].joint, x + links[i].joint.q, M);
      if (links[i].joint.kind == JointKind::kSpherical) {
        *lines++ = {M.R.column(0), M.p};
        *lines++ = {M.R.column(1), M.p};
      }
      *lines++ = {M.R.column(2), M.p};
      follow_way(links[i], M);
    }
  }
  return M;
}

// Twist of the frame's point `tip` for each unknown in turn, emit(link, unknown, twist). Lengths are measured in
// `length`, those of the twists and those of unknowns that are lengths.
template <class T, class Emit>
PANTIN_INLINE void each_column(const ReachProblem& problem, const Line<T>* lines, const Vec3<T>& tip, double length,
                               Emit&& emit) {
  const double per_length = 1.0 / length;
  for (int i = 0; i < problem.nlinks; ++i) {
    const ReachLink& link = problem.links[i];
    const Joint& joint = link.joint;
    if (joint.kind == JointKind::kPrismatic) {
      // a slide moves by its own length, unless it follows an angle
      const double factor = joint.multiplier * (problem.is_length[joint.v] ? 1.0 : per_length);
      emit(link, joint.v, Motion<T>{joint.mimic ? T(factor) * lines->axis : lines->axis, zero3<T>()});
      ++lines;
      continue;
    }
    const double factor = joint.multiplier * (problem.is_length[joint.v] ? length : 1.0);
    const int count = joint.kind == JointKind::kSpherical ? 3 : 1;
    for (int k = 0; k < count; ++k, ++lines) {
      const Vec3<T> axis = joint.mimic ? T(factor) * lines->axis : lines->axis;
      Vec3<T> v = cross(axis, tip - lines->point);
      if (joint.kind == JointKind::kHelical) v = v + T(joint.pitch) * axis;
      emit(link, joint.v + k, Motion<T>{T(per_length) * v, axis});
    }
  }
}

}  // namespace pantin::PANTIN_ISA
