// Rigid transforms, twists (linear, angular), exponential, logarithm and their derivatives.
//
// Barfoot 2017, "State Estimation for Robotics", eq. 7.86 for the coupling block of the Jacobians.
#pragma once

#include "pantin/lie/so3.hpp"

namespace pantin::PANTIN_ISA {

template <class T>
struct SE3 {
  Mat3<T> R;
  Vec3<T> p;
};

template <class T>
struct Motion {
  Vec3<T> v, w;
};

template <class T>
struct Mat6 {
  Mat3<T> vv, vw, wv, ww;
};

template <class T>
PANTIN_INLINE SE3<T> identity_se3() {
  return {identity3<T>(), zero3<T>()};
}
template <class A, class B>
PANTIN_INLINE SE3<wider<A, B>> operator*(const SE3<A>& a, const SE3<B>& b) {
  return {a.R * b.R, a.p + a.R * b.p};
}
template <class T>
PANTIN_INLINE SE3<T> inverse(const SE3<T>& M) {
  return {transpose(M.R), -transposed_times(M.R, M.p)};
}
// a^-1 b
template <class T>
PANTIN_INLINE SE3<T> between(const SE3<T>& a, const SE3<T>& b) {
  return {transpose(a.R) * b.R, transposed_times(a.R, b.p - a.p)};
}

template <class T>
PANTIN_INLINE Motion<T> zero_motion() {
  return {zero3<T>(), zero3<T>()};
}
template <class T>
PANTIN_INLINE Motion<T> operator+(const Motion<T>& a, const Motion<T>& b) {
  return {a.v + b.v, a.w + b.w};
}
template <class T>
PANTIN_INLINE Motion<T> operator-(const Motion<T>& a, const Motion<T>& b) {
  return {a.v - b.v, a.w - b.w};
}
template <class T>
PANTIN_INLINE Motion<T> operator*(T s, const Motion<T>& a) {
  return {s * a.v, s * a.w};
}
template <class T>
PANTIN_INLINE T dot(const Motion<T>& a, const Motion<T>& b) {
  return dot(a.v, b.v) + dot(a.w, b.w);
}
// Lie bracket a x b of two twists.
template <class T>
PANTIN_INLINE Motion<T> cross(const Motion<T>& a, const Motion<T>& b) {
  return {cross(a.w, b.v) + cross(a.v, b.w), cross(a.w, b.w)};
}
// Dual a x* f of a twist and a force (linear force, moment).
template <class T>
PANTIN_INLINE Motion<T> cross_force(const Motion<T>& a, const Motion<T>& f) {
  return {cross(a.w, f.v), cross(a.w, f.w) + cross(a.v, f.v)};
}
// Twist in the frame M maps from.
template <class T>
PANTIN_INLINE Motion<T> act_inverse(const SE3<T>& M, const Motion<T>& a) {
  return {transposed_times(M.R, a.v - cross(M.p, a.w)), transposed_times(M.R, a.w)};
}
// Twist in the frame M maps to.
template <class T>
PANTIN_INLINE Motion<T> act(const SE3<T>& M, const Motion<T>& a) {
  const Vec3<T> w = M.R * a.w;
  return {M.R * a.v + cross(M.p, w), w};
}

template <class T>
inline SE3<T> exp6(const Motion<T>& nu) {
  const ExpCoefficients<T> k = exp_coefficients(dot(nu.w, nu.w));
  return {skew_polynomial(nu.w, k.sine, k.first), skew_polynomial(nu.w, k.first, k.second) * nu.v};
}

template <class T>
struct Log6 {
  Motion<T> nu;
  Log3<T> rotation;
};

template <class T>
inline Log6<T> log6(const Quat<T>& q, const Vec3<T>& p) {
  const Log3<T> l = log_quat(q);
  return {{skew_polynomial(l.w, T(-0.5), l.beta) * p, l.w}, l};
}
template <class T>
inline Log6<T> log6(const SE3<T>& M) {
  return log6(quaternion(M.R), M.p);
}

// Q of the left Jacobian [J Q; 0 J] of exp6 at the twist nu.
template <class T>
inline Mat3<T> left_coupling(const Motion<T>& nu) {
  const T t2 = dot(nu.w, nu.w);
  const ExpCoefficients<T> k = exp_coefficients(t2);
  const auto small = t2 < T(0.25);
  const T s2 = select(small, T(1.0), t2);
  const T x = t2;
  // (t^2/2 + cos t - 1)/t^4 and (t^3/6 + sin t - t)/t^5 lose digits early: longer series
  const T third_series =
      T(1.0 / 24) -
      x * (T(1.0 / 720) -
           x * (T(1.0 / 40320) - x * (T(1.0 / 3628800) - x * (T(1.0 / 479001600) - x * T(1.0 / 87178291200)))));
  const T fourth_series =
      T(1.0 / 120) -
      x * (T(1.0 / 5040) -
           x * (T(1.0 / 362880) - x * (T(1.0 / 39916800) - x * (T(1.0 / 6227020800) - x * T(1.0 / 1307674368000)))));
  const T third = select(small, third_series, (T(0.5) - k.first) / s2);
  const T fourth = select(small, fourth_series, (T(1.0 / 6) - k.second) / s2);

  const Mat3<T> V = skew(nu.v), W = skew(nu.w);
  const Mat3<T> WV = W * V, VW = V * W;
  const Mat3<T> WVW = WV * W;
  const Mat3<T> symmetric = W * WV + VW * W + T(-3.0) * WVW;
  return T(0.5) * V + k.second * (WV + VW + WVW) + third * symmetric +
         (T(0.5) * (third - T(3.0) * fourth)) * (WVW * W + W * WVW);
}

// Right Jacobian: exp6(nu + d) = exp6(nu) exp6(Jexp6(nu) d) to first order. The left one is Jexp6(-nu).
template <class T>
inline Mat6<T> Jexp6(const Motion<T>& nu) {
  const Mat3<T> J = Jexp3(nu.w);
  const Mat3<T> Q = left_coupling<T>({-nu.v, -nu.w});
  return {J, Q, T(0.0) * J, J};
}

// Inverse of the right Jacobian at the twist l.nu.
template <class T>
inline Mat6<T> Jlog6(const Log6<T>& l) {
  const Mat3<T> J = Jlog3(l.rotation);
  const Mat3<T> Q = left_coupling<T>({-l.nu.v, -l.nu.w});
  return {J, T(-1.0) * (J * (Q * J)), T(0.0) * J, J};
}

}  // namespace pantin::PANTIN_ISA
