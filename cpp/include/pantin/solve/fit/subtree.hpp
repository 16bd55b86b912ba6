// What the keypoints below a joint ask of the motion of their common parent, about the root frame's origin and along
// the world's axes.
//
// A residual on a point weighs like a point mass, so sums over a subtree are articulated-body inertias (Featherstone
// 2008, chapter 7), and a step is forward dynamics. For hinges i above j the second derivative of a point is
// w_i x J_j, which adds -w_i' (v_j x F + (M - tr(M) 1) w_j) to the Hessian, with F and M the sums of the weighted
// residuals f and of p f'. A turn that is asked for, with the weighted rotation vector t, adds -1/2 w_i' (w_j x t).
#pragma once

#include "pantin/linalg/sym6.hpp"

namespace pantin::PANTIN_ISA {

template <class T>
struct Subtree {
  Sym6<T> A;         // articulated
  Motion<T> b;
  Vec3<T> F;         // plain sums
  Mat3<T> M;
  Vec3<T> turn;
};

template <class T>
PANTIN_INLINE Subtree<T> nothing() {
  const Mat3<T> zero{};
  return {{zero_sym3<T>(), zero, zero_sym3<T>()}, {zero3<T>(), zero3<T>()}, zero3<T>(), zero, zero3<T>()};
}

template <bool turns, class T>
PANTIN_INLINE void add(Subtree<T>& a, const Subtree<T>& b) {
  a.A = a.A + b.A;
  a.b = {a.b.v + b.b.v, a.b.w + b.b.w};
  a.F = a.F + b.F;
  a.M = a.M + b.M;
  if constexpr (turns) a.turn = a.turn + b.turn;
}

// The pull f on a point at p.
template <class T>
PANTIN_INLINE void add_pull(Subtree<T>& sum, const Vec3<T>& p, const Vec3<T>& f) {
  sum.b = {sum.b.v + f, sum.b.w + cross(p, f)};
  sum.F = sum.F + f;
  const T row[3] = {p.x, p.y, p.z};
  for (int i = 0; i < 3; ++i) {
    sum.M.m[i][0] += row[i] * f.x;
    sum.M.m[i][1] += row[i] * f.y;
    sum.M.m[i][2] += row[i] * f.z;
  }
}

// A point mass at p: w [1, -[p]]' [1, -[p]].
template <class T>
PANTIN_INLINE void add_mass(Sym6<T>& A, T w, const Vec3<T>& p) {
  const Vec3<T> m = w * p;
  A.vv.xx += w;
  A.vv.yy += w;
  A.vv.zz += w;
  A.vw.m[0][1] += m.z;
  A.vw.m[0][2] -= m.y;
  A.vw.m[1][0] -= m.z;
  A.vw.m[1][2] += m.x;
  A.vw.m[2][0] += m.y;
  A.vw.m[2][1] -= m.x;
  const T xx = m.x * p.x, yy = m.y * p.y, zz = m.z * p.z;
  A.ww.xx += yy + zz;
  A.ww.yy += xx + zz;
  A.ww.zz += xx + yy;
  A.ww.xy -= m.x * p.y;
  A.ww.xz -= m.x * p.z;
  A.ww.yz -= m.y * p.z;
}

// A point at p that weighs differently along different axes: [1, -[p]]' W [1, -[p]].
template <class T>
PANTIN_INLINE void add_block(Sym6<T>& A, const Sym3<T>& W, const Vec3<T>& p) {
  const Vec3<T> rows[3] = {{W.xx, W.xy, W.xz}, {W.xy, W.yy, W.yz}, {W.xz, W.yz, W.zz}};
  Mat3<T> vw;
  for (int i = 0; i < 3; ++i) {
    const Vec3<T> row = cross(p, rows[i]);
    vw.m[i][0] = row.x;
    vw.m[i][1] = row.y;
    vw.m[i][2] = row.z;
  }
  const Vec3<T> x = cross(p, vw.column(0)), y = cross(p, vw.column(1)), z = cross(p, vw.column(2));
  A.vv = A.vv + W;
  A.vw = A.vw + vw;
  A.ww = A.ww + Sym3<T>{x.x, y.x, z.x, y.y, z.y, z.z};
}

// Torque of the plain sums about the origin: the sum of p x f, and what turns ask.
template <bool turns, class T>
PANTIN_INLINE Vec3<T> torque(const Subtree<T>& sum) {
  const Vec3<T> of_points{sum.M.m[1][2] - sum.M.m[2][1], sum.M.m[2][0] - sum.M.m[0][2], sum.M.m[0][1] - sum.M.m[1][0]};
  if constexpr (!turns) return of_points;
  return of_points + sum.turn;
}

template <class T>
PANTIN_INLINE T trace(const Mat3<T>& M) {
  return M.m[0][0] + M.m[1][1] + M.m[2][2];
}

// What the second derivative of hinges above one with the screw s adds to A s.
template <bool turns, class T>
PANTIN_INLINE Vec3<T> bend(const Subtree<T>& sum, const Motion<T>& s) {
  const Vec3<T> of_points = trace(sum.M) * s.w - sum.M * s.w - cross(s.v, sum.F);
  if constexpr (!turns) return of_points;
  return of_points - T(0.5) * cross(s.w, sum.turn);
}

}  // namespace pantin::PANTIN_ISA
