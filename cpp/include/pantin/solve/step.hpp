// One damped least-squares step: the smallest u that brings J u near e,
//     (J'J + lambda 1) u = J'e    or, the same,    u = J'(J J' + lambda 1)^-1 e
// (Levenberg 1944), in whichever of the two spaces is smaller.
#pragma once

#include "pantin/linalg/cholesky.hpp"

namespace pantin::PANTIN_ISA {

// Both take J by columns and pass each of them with its slope J_k' e through keep(k, slope, column), which
// clears what shall stay.
template <int Rows, class T, class Keep>
PANTIN_INLINE void keep_column(T (&column)[Rows], const T (&e)[Rows], int k, Keep&& keep) {
  T slope = column[0] * e[0];
#pragma GCC unroll 8
  for (int i = 1; i < Rows; ++i) slope = slope + column[i] * e[i];
  keep(k, slope, column);
}

template <int Rows, class T, class Keep>
PANTIN_INLINE void step_in_task_space(int n, T (*J)[Rows], T lambda, const T (&e)[Rows], T* u, Keep&& keep) {
  T A[Rows][Rows], y[Rows];
#pragma GCC unroll 8
  for (int i = 0; i < Rows; ++i) {
    y[i] = e[i];
#pragma GCC unroll 8
    for (int j = 0; j <= i; ++j) A[i][j] = i == j ? lambda : T(0.0);
  }
  for (int k = 0; k < n; ++k) {
    keep_column(J[k], e, k, keep);
    T c[Rows];
#pragma GCC unroll 8
    for (int i = 0; i < Rows; ++i) c[i] = J[k][i];
#pragma GCC unroll 8
    for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 8
      for (int j = 0; j <= i; ++j) A[i][j] = A[i][j] + c[i] * c[j];
  }
  solve_positive(A, y);
  for (int k = 0; k < n; ++k) {
    T sum = J[k][0] * y[0];
#pragma GCC unroll 8
    for (int i = 1; i < Rows; ++i) sum = sum + J[k][i] * y[i];
    u[k] = sum;
  }
}

template <int N, int Rows, class T, class Keep>
PANTIN_INLINE void step_in_joint_space(T (*J)[Rows], T lambda, const T (&e)[Rows], T* u, Keep&& keep) {
  T A[N][N], g[N];
  for (int k = 0; k < N; ++k) keep_column(J[k], e, k, keep);
#pragma GCC unroll 8
  for (int a = 0; a < N; ++a) {
    T sum = J[a][0] * e[0];
#pragma GCC unroll 8
    for (int i = 1; i < Rows; ++i) sum = sum + J[a][i] * e[i];
    g[a] = sum;
#pragma GCC unroll 8
    for (int b = 0; b <= a; ++b) {
      T entry = a == b ? lambda : T(0.0);
#pragma GCC unroll 8
      for (int i = 0; i < Rows; ++i) entry = entry + J[a][i] * J[b][i];
      A[a][b] = entry;
    }
  }
  solve_positive(A, g);
  for (int a = 0; a < N; ++a) u[a] = g[a];
}

template <int Rows, class T, class Keep>
PANTIN_INLINE void damped_step(int n, T (*J)[Rows], T lambda, const T (&e)[Rows], T* u, Keep&& keep) {
  if constexpr (Rows > 3) {
    if (n == 5) return step_in_joint_space<5>(J, lambda, e, u, keep);
    if (n == 4) return step_in_joint_space<4>(J, lambda, e, u, keep);
    if (n == 3) return step_in_joint_space<3>(J, lambda, e, u, keep);
  }
  if (n == 2) return step_in_joint_space<2>(J, lambda, e, u, keep);
  if (n == 1) return step_in_joint_space<1>(J, lambda, e, u, keep);
  step_in_task_space(n, J, lambda, e, u, keep);
}

}  // namespace pantin::PANTIN_ISA
