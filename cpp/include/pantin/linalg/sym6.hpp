// Symmetric matrices that take a twist to a wrench: articulated inertias, weights of residuals.
#pragma once

#include "pantin/linalg/sym3.hpp"
#include "pantin/tree/screw.hpp"

namespace pantin::PANTIN_ISA {

// [ vv   vw ]
// [ vw'  ww ]
template <class T>
struct Sym6 {
  Sym3<T> vv;
  Mat3<T> vw;
  Sym3<T> ww;
};

template <class T>
PANTIN_INLINE Sym6<T> operator+(const Sym6<T>& a, const Sym6<T>& b) {
  return {a.vv + b.vv, a.vw + b.vw, a.ww + b.ww};
}
template <class T>
PANTIN_INLINE Motion<T> operator*(const Sym6<T>& A, const Motion<T>& s) {
  return {A.vv * s.v + A.vw * s.w, transposed_times(A.vw, s.v) + A.ww * s.w};
}
template <class T>
PANTIN_INLINE Motion<T> operator*(const Sym6<T>& A, const TurnScrew<T>& s) {
  return {A.vw * s.w, A.ww * s.w};
}
template <class T>
PANTIN_INLINE Motion<T> operator*(const Sym6<T>& A, const SlideScrew<T>& s) {
  return {A.vv * s.v, transposed_times(A.vw, s.v)};
}

// A + s u u'
template <class T>
PANTIN_INLINE Sym6<T> plus_outer(const Sym6<T>& A, T s, const Motion<T>& u) {
  const Vec3<T> v = s * u.v;
  Sym6<T> sum{A.vv + outer(s, u.v), A.vw, A.ww + outer(s, u.w)};
  const T row[3] = {v.x, v.y, v.z}, column[3] = {u.w.x, u.w.y, u.w.z};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) sum.vw.m[i][j] = sum.vw.m[i][j] + row[i] * column[j];
  return sum;
}

// The same matrix for twists and wrenches about a point from which its own is at r:
// vw - vv [r] and ww + [r] (vw - vv [r]) - vw' [r].
template <class T>
PANTIN_INLINE Sym6<T> seen_from(const Vec3<T>& r, const Sym6<T>& A) {
  Mat3<T> vw;
  const Vec3<T> rows[3] = {{A.vv.xx, A.vv.xy, A.vv.xz}, {A.vv.xy, A.vv.yy, A.vv.yz}, {A.vv.xz, A.vv.yz, A.vv.zz}};
  for (int i = 0; i < 3; ++i) {
    const Vec3<T> shift = cross(rows[i], r);
    vw.m[i][0] = A.vw.m[i][0] - shift.x;
    vw.m[i][1] = A.vw.m[i][1] - shift.y;
    vw.m[i][2] = A.vw.m[i][2] - shift.z;
  }
  const Vec3<T> x = cross(r, vw.column(0)), y = cross(r, vw.column(1)), z = cross(r, vw.column(2));
  const Vec3<T> a = cross(r, A.vw.column(0)), b = cross(r, A.vw.column(1)), c = cross(r, A.vw.column(2));
  return {A.vv, vw, A.ww + Sym3<T>{x.x + a.x, y.x + a.y, z.x + a.z, y.y + b.y, z.y + b.z, z.z + c.z}};
}

}  // namespace pantin::PANTIN_ISA
