// Symmetric matrices of three.
#pragma once

#include "pantin/linalg/mat3.hpp"

namespace pantin::PANTIN_ISA {

template <class T>
struct Sym3 {
  T xx, xy, xz, yy, yz, zz;
};

template <class T>
PANTIN_INLINE Sym3<T> zero_sym3() {
  return {T(0.0), T(0.0), T(0.0), T(0.0), T(0.0), T(0.0)};
}
template <class T>
PANTIN_INLINE Sym3<T> broadcast_sym3(const double* p) {
  return {T(p[0]), T(p[1]), T(p[2]), T(p[3]), T(p[4]), T(p[5])};
}
template <class T>
PANTIN_INLINE Sym3<T> operator+(const Sym3<T>& a, const Sym3<T>& b) {
  return {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}
template <class T>
PANTIN_INLINE Sym3<T> scaled(T s, const Sym3<T>& a) {
  return {s * a.xx, s * a.xy, s * a.xz, s * a.yy, s * a.yz, s * a.zz};
}
template <class A, class B>
PANTIN_INLINE Vec3<wider<A, B>> operator*(const Sym3<A>& S, const Vec3<B>& p) {
  return {S.xx * p.x + S.xy * p.y + S.xz * p.z, S.xy * p.x + S.yy * p.y + S.yz * p.z,
          S.xz * p.x + S.yz * p.y + S.zz * p.z};
}
// s a a'
template <class T>
PANTIN_INLINE Sym3<T> outer(T s, const Vec3<T>& a) {
  const Vec3<T> b = s * a;
  return {b.x * a.x, b.x * a.y, b.x * a.z, b.y * a.y, b.y * a.z, b.z * a.z};
}
// R S R'
template <class T>
PANTIN_INLINE Sym3<T> turned(const Mat3<T>& R, const Sym3<T>& S) {
  const Vec3<T> x = R * Vec3<T>{S.xx, S.xy, S.xz};
  const Vec3<T> y = R * Vec3<T>{S.xy, S.yy, S.yz};
  const Vec3<T> z = R * Vec3<T>{S.xz, S.yz, S.zz};
  const auto row = [&](const T& a, const T& b, const T& c, int i) {
    return a * R.m[i][0] + b * R.m[i][1] + c * R.m[i][2];
  };
  return {row(x.x, y.x, z.x, 0), row(x.x, y.x, z.x, 1), row(x.x, y.x, z.x, 2),
          row(x.y, y.y, z.y, 1), row(x.y, y.y, z.y, 2), row(x.z, y.z, z.z, 2)};
}

}  // namespace pantin::PANTIN_ISA
