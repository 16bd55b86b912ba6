// What is wanted of the frame, one struct a mode: `rows` errors, and what of a twist each row sees.
//
// Rows are lengths over the chain's length and radians; the errors' derivative is minus the column. A mode is looked at
// first, and keeps what its columns need. It also tells its squared position and rotation error in metres and radians.
#pragma once

#include "pantin/lie/se3.hpp"
#include "pantin/solve/problem.hpp"

namespace pantin::PANTIN_ISA {

// An angle up to pi over its sine, from the sine's square and the cosine.
template <class T>
PANTIN_INLINE T angle_over_sine(T s2, T cosine) {
  const auto large = (s2 > T(0.01)) | (cosine < T(0.0));
  T ratio = T(1.0) +
            s2 * (T(1.0 / 6) +
                  s2 * (T(3.0 / 40) +
                        s2 * (T(5.0 / 112) + s2 * (T(35.0 / 1152) + s2 * (T(63.0 / 2816) + s2 * T(231.0 / 13312))))));
  if (any(large)) {
    const T s = sqrt(select(large, s2, T(1.0)));
    ratio = select(large, atan2(s, cosine) / s, ratio);
  }
  return ratio;
}

// Rotation vector, along x and y of a frame, that takes its z to a direction of which a, b, c are the components along
// x, y, z. Where the two are opposite, it is half a turn about x.
template <class T>
PANTIN_INLINE void turn_aside(T a, T b, T c, T* turn) {
  const T s2 = a * a + b * b;
  const T ratio = angle_over_sine(s2, c);
  const auto opposite = (s2 < T(1e-24)) & (c < T(0.0));
  turn[0] = select(opposite, T(3.14159265358979323846), -(ratio * b));
  turn[1] = select(opposite, T(0.0), ratio * a);
}

// Rotation vector that leads from R to `target`, in the frame both are seen from; angles up to pi.
template <class T>
PANTIN_INLINE Vec3<T> rotation_error(const Mat3<T>& target, const Mat3<T>& R) {
  const Mat3<T> E = target * transpose(R);
  const Vec3<T> sine2{E.m[2][1] - E.m[1][2], E.m[0][2] - E.m[2][0], E.m[1][0] - E.m[0][1]};  // 2 sin(angle) axis
  const T cosine = T(0.5) * (E.m[0][0] + E.m[1][1] + E.m[2][2] - T(1.0));
  Vec3<T> w = (T(0.5) * angle_over_sine(T(0.25) * dot(sine2, sine2), cosine)) * sine2;
  const auto nearly_half_turn = cosine < T(-0.99);
  if (any(nearly_half_turn)) w = select(nearly_half_turn, log3(E), w);
  return w;
}

template <class T>
struct Remaining {
  T position2, rotation2;  // m^2, rad^2
};

// Tolerances on the whole distance and the whole angle.
template <class T>
struct WholeTolerances {
  PANTIN_INLINE mask_of<T> reached(const ReachSettings& settings, const Remaining<T>& left) const {
    return (left.position2 <= T(settings.position_tolerance * settings.position_tolerance)) &
           (left.rotation2 <= T(settings.rotation_tolerance * settings.rotation_tolerance));
  }
};

template <class T>
struct PoseResidual : WholeTolerances<T> {
  static constexpr int rows = 6;
  PANTIN_INLINE Remaining<T> look(const ReachProblem&, const SE3<T>& target, const SE3<T>& M, double per_length,
                                  T (&e)[rows]) {
    const Vec3<T> p = target.p - M.p;
    const Vec3<T> w = rotation_error(target.R, M.R);
    store3(e, T(per_length) * p);
    store3(e + 3, w);
    return {dot(p, p), dot(w, w)};
  }
  PANTIN_INLINE void column(const Motion<T>& s, T (&c)[rows]) const {
    store3(c, s.v);
    store3(c + 3, s.w);
  }
};

template <class T>
struct PositionResidual : WholeTolerances<T> {
  static constexpr int rows = 3;
  PANTIN_INLINE Remaining<T> look(const ReachProblem&, const SE3<T>& target, const SE3<T>& M, double per_length,
                                  T (&e)[rows]) {
    const Vec3<T> p = target.p - M.p;
    store3(e, T(per_length) * p);
    return {dot(p, p), T(0.0)};
  }
  PANTIN_INLINE void column(const Motion<T>& s, T (&c)[rows]) const { store3(c, s.v); }
};

template <class T>
struct OrientationResidual : WholeTolerances<T> {
  static constexpr int rows = 3;
  PANTIN_INLINE Remaining<T> look(const ReachProblem&, const SE3<T>& target, const SE3<T>& M, double, T (&e)[rows]) {
    const Vec3<T> w = rotation_error(target.R, M.R);
    store3(e, w);
    return {T(0.0), dot(w, w)};
  }
  PANTIN_INLINE void column(const Motion<T>& s, T (&c)[rows]) const { store3(c, s.w); }
};

// The tool's z axis against a direction: two rows, along the tool's x and y, of the rotation vector that leads there.
template <class T>
struct Aim {
  Vec3<T> x, y;
  PANTIN_INLINE T look(const ReachProblem& problem, const Vec3<T>& direction, const Mat3<T>& R, T* e) {
    const double* const t = problem.tip;
    x = R * Vec3<double>{t[0], t[3], t[6]};
    y = R * Vec3<double>{t[1], t[4], t[7]};
    turn_aside(dot(x, direction), dot(y, direction), dot(cross(x, y), direction), e);
    return e[0] * e[0] + e[1] * e[1];
  }
  PANTIN_INLINE void column(const Vec3<T>& w, T* c) const {
    c[0] = dot(x, w);
    c[1] = dot(y, w);
  }
};

// Position and direction of the tool's axis; the turn about it is free.
template <class T>
struct AxisResidual : WholeTolerances<T> {
  static constexpr int rows = 5;
  Aim<T> aim;
  PANTIN_INLINE Remaining<T> look(const ReachProblem& problem, const SE3<T>& target, const SE3<T>& M, double per_length,
                                  T (&e)[rows]) {
    const Vec3<T> p = target.p - M.p;
    store3(e, T(per_length) * p);
    return {dot(p, p), aim.look(problem, target.R.column(2), M.R, e + 3)};
  }
  PANTIN_INLINE void column(const Motion<T>& s, T (&c)[rows]) const {
    store3(c, s.v);
    aim.column(s.w, c + 3);
  }
};

template <class T>
struct DirectionResidual : WholeTolerances<T> {
  static constexpr int rows = 2;
  Aim<T> aim;
  PANTIN_INLINE Remaining<T> look(const ReachProblem& problem, const SE3<T>& target, const SE3<T>& M, double, T (&e)[rows]) {
    return {T(0.0), aim.look(problem, target.R.column(2), M.R, e)};
  }
  PANTIN_INLINE void column(const Motion<T>& s, T (&c)[rows]) const { aim.column(s.w, c); }
};

// The tool's axis aims at a point, whose direction turns as the frame moves.
template <class T>
struct PointingResidual : WholeTolerances<T> {
  static constexpr int rows = 2;
  Aim<T> aim;
  Vec3<T> turning;  // direction over distance, in lengths of the chain
  PANTIN_INLINE Remaining<T> look(const ReachProblem& problem, const SE3<T>& target, const SE3<T>& M, double per_length,
                                  T (&e)[rows]) {
    const Vec3<T> way = T(per_length) * (target.p - M.p);
    const T inverse = T(1.0) / sqrt(max(dot(way, way), T(1e-24)));
    turning = (inverse * inverse) * way;
    return {T(0.0), aim.look(problem, inverse * way, M.R, e)};
  }
  PANTIN_INLINE void column(const Motion<T>& s, T (&c)[rows]) const { aim.column(s.w + cross(turning, s.v), c); }
};

// Components of the pose error along the axes of the root or the tool, each with a weight (0: free) and a tolerance.
template <class T>
struct WeightedResidual {
  static constexpr int rows = 6;
  Mat3<T> axes;
  Vec3<T> p;  // error over length, in the root's axes
  Log3<T> turn;
  const double* weights;
  bool in_tool;
  T excess_position2, excess_rotation2;  // over the tolerances

  PANTIN_INLINE Remaining<T> look(const ReachProblem& problem, const SE3<T>& target, const SE3<T>& M, double per_length,
                                  T (&e)[rows]) {
    weights = problem.weights;
    in_tool = problem.in_tool;
    const Mat3<T> R = M.R * *reinterpret_cast<const Mat3<double>*>(problem.tip);
    axes = in_tool ? R : identity3<T>();
    const Vec3<T> away = target.p - M.p;
    p = T(per_length) * away;
    turn = log_quat(quaternion(target.R * transpose(R)));
    T own[rows];
    store3(own, transposed_times(axes, away));
    store3(own + 3, transposed_times(axes, turn.w));
    Remaining<T> left{T(0.0), T(0.0)};
    excess_position2 = excess_rotation2 = T(0.0);
    for (int i = 0; i < rows; ++i) {
      e[i] = T(i < 3 ? per_length * weights[i] : weights[i]) * own[i];
      if (weights[i] == 0.0) continue;
      const T excess = T(problem.per_tolerance[i]) * own[i];
      T& error2 = i < 3 ? left.position2 : left.rotation2;
      T& excess2 = i < 3 ? excess_position2 : excess_rotation2;
      error2 = error2 + own[i] * own[i];
      excess2 = excess2 + excess * excess;
    }
    return left;
  }
  PANTIN_INLINE void column(const Motion<T>& s, T (&c)[rows]) const {
    // the tool's axes turn along: its errors' derivatives are those of its own logarithm
    const Vec3<T> v = in_tool ? s.v + cross(s.w, p) : s.v;
    const Vec3<T> across = cross(turn.w, s.w);
    const Vec3<T> w = s.w + T(in_tool ? -0.5 : 0.5) * across + turn.beta * cross(turn.w, across);
    store3(c, transposed_times(axes, v));
    store3(c + 3, transposed_times(axes, w));
    for (int i = 0; i < rows; ++i) c[i] = T(weights[i]) * c[i];
  }
  PANTIN_INLINE mask_of<T> reached(const ReachSettings&, const Remaining<T>&) const {
    return (excess_position2 <= T(1.0)) & (excess_rotation2 <= T(1.0));
  }
};

}  // namespace pantin::PANTIN_ISA
