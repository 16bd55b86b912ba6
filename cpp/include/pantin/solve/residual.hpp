// What is wanted of the frame, one struct a mode: `rows` errors and what of a twist each row sees.
//
// Rows are lengths over the chain's length and radians; the errors' derivative is minus the column. A mode
// also tells its squared position and rotation error in metres and radians, for the tolerances.
#pragma once

#include "pantin/lie/se3.hpp"

namespace pantin::PANTIN_ISA {

// Rotation vector that leads from R to `target`, in the frame both are seen from; angles up to pi.
template <class T>
PANTIN_INLINE Vec3<T> rotation_error(const Mat3<T>& target, const Mat3<T>& R) {
  const Mat3<T> E = target * transpose(R);
  const Vec3<T> sine2{E.m[2][1] - E.m[1][2], E.m[0][2] - E.m[2][0], E.m[1][0] - E.m[0][1]};  // 2 sin(angle) axis
  const T cosine = T(0.5) * (E.m[0][0] + E.m[1][1] + E.m[2][2] - T(1.0));
  const T s2 = T(0.25) * dot(sine2, sine2);
  const auto large = (s2 > T(0.01)) | (cosine < T(0.0));
  // angle over its sine
  T ratio = T(1.0) +
            s2 * (T(1.0 / 6) +
                  s2 * (T(3.0 / 40) +
                        s2 * (T(5.0 / 112) + s2 * (T(35.0 / 1152) + s2 * (T(63.0 / 2816) + s2 * T(231.0 / 13312))))));
  if (any(large)) {
    const T s = sqrt(select(large, s2, T(1.0)));
    ratio = select(large, atan2(s, cosine) / s, ratio);
  }
  Vec3<T> w = (T(0.5) * ratio) * sine2;
  const auto nearly_half_turn = cosine < T(-0.99);
  if (any(nearly_half_turn)) w = select(nearly_half_turn, log3(E), w);
  return w;
}

template <class T>
struct Remaining {
  T position2, rotation2;  // m^2, rad^2
};

struct PoseResidual {
  static constexpr int rows = 6;
  static constexpr bool asks_position = true, asks_rotation = true;
  template <class T>
  static PANTIN_INLINE Remaining<T> error(const SE3<T>& target, const SE3<T>& M, double per_length, T (&e)[rows]) {
    const Vec3<T> p = target.p - M.p;
    const Vec3<T> w = rotation_error(target.R, M.R);
    store3(e, T(per_length) * p);
    store3(e + 3, w);
    return {dot(p, p), dot(w, w)};
  }
  template <class T>
  static PANTIN_INLINE void column(const Motion<T>& s, T (&c)[rows]) {
    store3(c, s.v);
    store3(c + 3, s.w);
  }
};

struct PositionResidual {
  static constexpr int rows = 3;
  static constexpr bool asks_position = true, asks_rotation = false;
  template <class T>
  static PANTIN_INLINE Remaining<T> error(const SE3<T>& target, const SE3<T>& M, double per_length, T (&e)[rows]) {
    const Vec3<T> p = target.p - M.p;
    store3(e, T(per_length) * p);
    return {dot(p, p), T(0.0)};
  }
  template <class T>
  static PANTIN_INLINE void column(const Motion<T>& s, T (&c)[rows]) {
    store3(c, s.v);
  }
};

struct OrientationResidual {
  static constexpr int rows = 3;
  static constexpr bool asks_position = false, asks_rotation = true;
  template <class T>
  static PANTIN_INLINE Remaining<T> error(const SE3<T>& target, const SE3<T>& M, double, T (&e)[rows]) {
    const Vec3<T> w = rotation_error(target.R, M.R);
    store3(e, w);
    return {T(0.0), dot(w, w)};
  }
  template <class T>
  static PANTIN_INLINE void column(const Motion<T>& s, T (&c)[rows]) {
    store3(c, s.w);
  }
};

}  // namespace pantin::PANTIN_ISA
