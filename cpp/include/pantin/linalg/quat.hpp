// Unit quaternions (x, y, z, w).
#pragma once

#include "pantin/linalg/mat3.hpp"

namespace pantin::PANTIN_ISA {

template <class T>
struct Quat {
  Vec3<T> v;
  T w;
};

template <class T>
PANTIN_INLINE Quat<T> load_quat(const T* q) {
  return {{q[0], q[1], q[2]}, q[3]};
}
template <class T>
PANTIN_INLINE void store_quat(T* q, const Quat<T>& a) {
  store3(q, a.v);
  q[3] = a.w;
}

template <class T>
PANTIN_INLINE Quat<T> operator*(const Quat<T>& a, const Quat<T>& b) {
  return {a.w * b.v + b.w * a.v + cross(a.v, b.v), a.w * b.w - dot(a.v, b.v)};
}
template <class T>
PANTIN_INLINE Quat<T> conjugate(const Quat<T>& a) {
  return {-a.v, a.w};
}
template <class T>
PANTIN_INLINE T squared_norm(const Quat<T>& a) {
  return dot(a.v, a.v) + a.w * a.w;
}
template <class T>
PANTIN_INLINE Quat<T> normalized(const Quat<T>& a) {
  const T scale = T(1.0) / sqrt(squared_norm(a));
  return {scale * a.v, scale * a.w};
}

// Rotation of a quaternion of any non-zero norm.
template <class T>
PANTIN_INLINE Mat3<T> rotation(const Quat<T>& q) {
  const T s = T(2.0) / squared_norm(q);
  const Vec3<T> t = s * q.v;
  const T xx = t.x * q.v.x, yy = t.y * q.v.y, zz = t.z * q.v.z;
  const T xy = t.x * q.v.y, xz = t.x * q.v.z, yz = t.y * q.v.z;
  const T wx = t.x * q.w, wy = t.y * q.w, wz = t.z * q.w;
  return {{{T(1.0) - (yy + zz), xy - wz, xz + wy},
           {xy + wz, T(1.0) - (xx + zz), yz - wx},
           {xz - wy, yz + wx, T(1.0) - (xx + yy)}}};
}

// Quaternion with w >= 0 of a rotation: of the four squared components the largest is the pivot
// (Shepperd 1978), so the result is accurate at every angle, half turns included.
template <class T>
inline Quat<T> quaternion(const Mat3<T>& R) {
  const T a = R.m[0][0], b = R.m[1][1], c = R.m[2][2], one = T(1.0);
  const T ww = one + a + b + c, xx = one + a - b - c, yy = one - a + b - c, zz = one - a - b + c;
  const T wx = R.m[2][1] - R.m[1][2], wy = R.m[0][2] - R.m[2][0], wz = R.m[1][0] - R.m[0][1];
  const T xy = R.m[1][0] + R.m[0][1], xz = R.m[0][2] + R.m[2][0], yz = R.m[2][1] + R.m[1][2];

  Quat<T> q{{wx, wy, wz}, ww};
  T pivot = ww;
  const auto take = [&](T candidate, const Quat<T>& row) {
    const auto larger = candidate > pivot;
    q = {select(larger, row.v, q.v), select(larger, row.w, q.w)};
    pivot = select(larger, candidate, pivot);
  };
  take(xx, {{xx, xy, xz}, wx});
  take(yy, {{xy, yy, yz}, wy});
  take(zz, {{xz, yz, zz}, wz});

  const T scale = T(0.5) / sqrt(pivot);
  const T sign = select(q.w < T(0.0), -scale, scale);
  return {sign * q.v, sign * q.w};
}

}  // namespace pantin::PANTIN_ISA
