// Rotations: exponential, logarithm and their derivatives.
//
// Sola, Deray, Atchuthan 2018, "A micro Lie theory for state estimation in robotics", appendix B.
// The coefficients have 0/0 at zero angle; below `kSmallAngle2` their Taylor series serves.
#pragma once

#include "pantin/linalg/quat.hpp"

namespace pantin::PANTIN_ISA {

inline constexpr double kSmallAngle2 = 0.03;  // squared; five terms of a series then reach rounding

// What exponentials need of the angle t, from t^2.
template <class T>
struct ExpCoefficients {
  T sine;                     // sin t / t
  T first, second;            // (1 - cos t) / t^2, (t - sin t) / t^3
  T half_sine, half_cosine;   // sin(t/2) / t, cos(t/2)
};

template <class T>
inline ExpCoefficients<T> exp_coefficients(T t2) {
  const auto small = t2 < T(kSmallAngle2);
  const T s2 = select(small, T(1.0), t2);
  const T t = sqrt(s2);
  const SinCos<T> half = sincos(T(0.5) * t);
  const T sine = T(2.0) * half.s * half.c;
  const T versine = T(2.0) * half.s * half.s;
  const T x = t2;
  const T sine_series =
      T(1.0) - x * (T(1.0 / 6) - x * (T(1.0 / 120) - x * (T(1.0 / 5040) - x * T(1.0 / 362880))));
  const T first_series =
      T(0.5) - x * (T(1.0 / 24) - x * (T(1.0 / 720) - x * (T(1.0 / 40320) - x * T(1.0 / 3628800))));
  const T second_series =
      T(1.0 / 6) - x * (T(1.0 / 120) - x * (T(1.0 / 5040) - x * (T(1.0 / 362880) - x * T(1.0 / 39916800))));
  const T y = T(0.25) * x;
  const T half_sine_series =
      T(0.5) - y * (T(1.0 / 12) - y * (T(1.0 / 240) - y * (T(1.0 / 10080) - y * T(1.0 / 725760))));
  const T half_cosine_series =
      T(1.0) - y * (T(1.0 / 2) - y * (T(1.0 / 24) - y * (T(1.0 / 720) - y * T(1.0 / 40320))));
  const T inverse = T(1.0) / s2;
  return {select(small, sine_series, sine * (t * inverse)),
          select(small, first_series, versine * inverse),
          select(small, second_series, (t - sine) * inverse * (t * inverse)),
          select(small, half_sine_series, half.s * (t * inverse)),
          select(small, half_cosine_series, half.c)};
}

// 1 + a W + b W W with W = skew(w)
template <class T>
inline Mat3<T> skew_polynomial(const Vec3<T>& w, T a, T b) {
  const T xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;
  const T bxy = b * w.x * w.y, bxz = b * w.x * w.z, byz = b * w.y * w.z;
  const T ax = a * w.x, ay = a * w.y, az = a * w.z;
  return {{{T(1.0) - b * (yy + zz), bxy - az, bxz + ay},
           {bxy + az, T(1.0) - b * (xx + zz), byz - ax},
           {bxz - ay, byz + ax, T(1.0) - b * (xx + yy)}}};
}

// Rotation by the vector w (axis times angle); Rodrigues' formula.
template <class T>
inline Mat3<T> exp3(const Vec3<T>& w) {
  const ExpCoefficients<T> k = exp_coefficients(dot(w, w));
  return skew_polynomial(w, k.sine, k.first);
}

// The same as a quaternion, from the coefficients of its angle.
template <class T>
PANTIN_INLINE Quat<T> exp_quat(const Vec3<T>& w, const ExpCoefficients<T>& k) {
  return {k.half_sine * w, k.half_cosine};
}

// A rotation vector with what its logarithm already knows about the angle.
template <class T>
struct Log3 {
  Vec3<T> w;
  T angle2;  // |w|^2
  T beta;    // (1 - (t/2) cot(t/2)) / t^2, the second coefficient of the inverse Jacobian
};

template <class T>
inline Log3<T> log_quat(const Quat<T>& given) {
  // shortest turn; at exactly half a turn the first non-zero component of the axis is positive
  const T zero = T(0.0);
  const Vec3<T> v = given.v;
  const T first = select(v.x == zero, select(v.y == zero, v.z, v.y), v.x);
  const auto flip = (given.w < zero) | ((given.w == zero) & (first < zero));
  const Quat<T> q{select(flip, -v, v), abs(given.w)};

  const T s2 = dot(q.v, q.v);
  const auto small = s2 < T(1e-4);
  const T s = sqrt(select(small, T(1.0), s2));
  const T angle = T(2.0) * atan2(s, q.w);
  // atan(x)/x with x = |v|/w
  const T r2 = s2 / select(small, q.w * q.w, T(1.0));
  const T series =
      T(2.0) / select(small, q.w, T(1.0)) *
      (T(1.0) - r2 * (T(1.0 / 3) - r2 * (T(1.0 / 5) - r2 * (T(1.0 / 7) - r2 * T(1.0 / 9)))));
  const Vec3<T> w = select(small, series, angle / s) * q.v;
  const T t2 = dot(w, w);
  const auto flat = t2 < T(kSmallAngle2);
  const T beta_series =
      T(1.0 / 12) +
      t2 * (T(1.0 / 720) + t2 * (T(1.0 / 30240) + t2 * (T(1.0 / 1209600) + t2 * T(1.0 / 47900160))));
  const T beta = (T(1.0) - T(0.5) * angle * (q.w / s)) / select(flat, T(1.0), t2);
  return {w, t2, select(flat, beta_series, beta)};
}

// Rotation vector of R with angle in [0, pi].
template <class T>
inline Vec3<T> log3(const Mat3<T>& R) {
  return log_quat(quaternion(R)).w;
}

// Right Jacobian: exp3(w + d) = exp3(w) exp3(Jexp3(w) d) to first order. The left one is Jexp3(-w).
template <class T>
inline Mat3<T> Jexp3(const Vec3<T>& w) {
  const ExpCoefficients<T> k = exp_coefficients(dot(w, w));
  return skew_polynomial(w, -k.first, k.second);
}

// Inverse of the right Jacobian at the rotation vector l.w.
template <class T>
inline Mat3<T> Jlog3(const Log3<T>& l) {
  return skew_polynomial(l.w, T(0.5), l.beta);
}

}  // namespace pantin::PANTIN_ISA
