// Vectors and matrices of three, and the products a kinematic tree needs.
#pragma once

#include "pantin/simd/elementary.hpp"

namespace pantin::PANTIN_ISA {

template <class T>
struct Vec3 {
  T x, y, z;
};

// Row-major, as NumPy sees it.
template <class T>
struct Mat3 {
  T m[3][3];
  PANTIN_INLINE Vec3<T> column(int j) const { return {m[0][j], m[1][j], m[2][j]}; }
  PANTIN_INLINE void set_column(int j, const Vec3<T>& c) {
    m[0][j] = c.x;
    m[1][j] = c.y;
    m[2][j] = c.z;
  }
};

template <class T>
PANTIN_INLINE Vec3<T> zero3() {
  return {T(0.0), T(0.0), T(0.0)};
}
template <class T>
PANTIN_INLINE Mat3<T> identity3() {
  return {{{T(1.0), T(0.0), T(0.0)}, {T(0.0), T(1.0), T(0.0)}, {T(0.0), T(0.0), T(1.0)}}};
}
template <class T>
PANTIN_INLINE Vec3<T> broadcast(const double* p) {
  return {T(p[0]), T(p[1]), T(p[2])};
}
template <class T>
PANTIN_INLINE Vec3<T> load3(const T* p) {
  return {p[0], p[1], p[2]};
}
template <class T>
PANTIN_INLINE void store3(T* p, const Vec3<T>& a) {
  p[0] = a.x;
  p[1] = a.y;
  p[2] = a.z;
}

template <class T>
PANTIN_INLINE Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
PANTIN_INLINE Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
PANTIN_INLINE Vec3<T> operator-(const Vec3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class T, class S>
PANTIN_INLINE Vec3<wider<T, S>> operator*(S s, const Vec3<T>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class T>
PANTIN_INLINE T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class A, class B>
PANTIN_INLINE Vec3<wider<A, B>> cross(const Vec3<A>& a, const Vec3<B>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
PANTIN_INLINE Vec3<T> select(mask_of<T> mask, const Vec3<T>& yes, const Vec3<T>& no) {
  return {select(mask, yes.x, no.x), select(mask, yes.y, no.y), select(mask, yes.z, no.z)};
}

template <class A, class B>
PANTIN_INLINE Vec3<wider<A, B>> operator*(const Mat3<A>& R, const Vec3<B>& p) {
  return {R.m[0][0] * p.x + R.m[0][1] * p.y + R.m[0][2] * p.z,
          R.m[1][0] * p.x + R.m[1][1] * p.y + R.m[1][2] * p.z,
          R.m[2][0] * p.x + R.m[2][1] * p.y + R.m[2][2] * p.z};
}
// R' p
template <class A, class B>
PANTIN_INLINE Vec3<wider<A, B>> transposed_times(const Mat3<A>& R, const Vec3<B>& p) {
  return {R.m[0][0] * p.x + R.m[1][0] * p.y + R.m[2][0] * p.z,
          R.m[0][1] * p.x + R.m[1][1] * p.y + R.m[2][1] * p.z,
          R.m[0][2] * p.x + R.m[1][2] * p.y + R.m[2][2] * p.z};
}
template <class A, class B>
PANTIN_INLINE Mat3<wider<A, B>> operator*(const Mat3<A>& R, const Mat3<B>& Q) {
  Mat3<wider<A, B>> product;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      product.m[i][j] = R.m[i][0] * Q.m[0][j] + R.m[i][1] * Q.m[1][j] + R.m[i][2] * Q.m[2][j];
  return product;
}
template <class T>
PANTIN_INLINE Mat3<T> transpose(const Mat3<T>& R) {
  return {{{R.m[0][0], R.m[1][0], R.m[2][0]},
           {R.m[0][1], R.m[1][1], R.m[2][1]},
           {R.m[0][2], R.m[1][2], R.m[2][2]}}};
}
template <class T>
PANTIN_INLINE Mat3<T> operator+(const Mat3<T>& A, const Mat3<T>& B) {
  Mat3<T> sum;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) sum.m[i][j] = A.m[i][j] + B.m[i][j];
  return sum;
}
template <class T>
PANTIN_INLINE Mat3<T> operator*(T s, const Mat3<T>& A) {
  Mat3<T> scaled;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) scaled.m[i][j] = s * A.m[i][j];
  return scaled;
}
template <class T>
PANTIN_INLINE Mat3<T> skew(const Vec3<T>& a) {
  return {{{T(0.0), -a.z, a.y}, {a.z, T(0.0), -a.x}, {-a.y, a.x, T(0.0)}}};
}

}  // namespace pantin::PANTIN_ISA
