// Symmetric positive definite systems of any size by L D L', four columns at a time.
#pragma once

#include "pantin/simd/real.hpp"
#include "pantin/solve/whole/problem.hpp"

namespace pantin::PANTIN_ISA {

// Two rows of the panel of columns that begins at `first`, less what the columns before take from them.
template <class T>
PANTIN_INLINE void reduced_rows(int n, int first, int row, const T* A, T (&sum)[2][kPanel]) {
#pragma GCC unroll 4
  for (int c = 0; c < kPanel; ++c) {
    sum[0][c] = A[row * n + first + c];
    sum[1][c] = A[(row + 1) * n + first + c];
  }
  for (int k = 0; k < first; ++k) {
    const T* const l = A + k * n + first;
    const T upper = A[row * n + k], lower = A[(row + 1) * n + k];
#pragma GCC unroll 4
    for (int c = 0; c < kPanel; ++c) {
      sum[0][c] = sum[0][c] - upper * l[c];
      sum[1][c] = sum[1][c] - lower * l[c];
    }
  }
}

// Solves A x = b; A is row-major, its lower half counts and all of it is lost, b becomes x. `n` is a multiple of the
// panel. On the way, L D stands in the lower half, L in the upper one, and the reciprocal of D on the diagonal.
template <class T>
inline void solve_symmetric(int n, T* A, T* b) {
  T sum[2][kPanel];
  for (int first = 0; first < n; first += kPanel) {
    // the panel's own rows
    T d[kPanel][kPanel], reciprocal[kPanel];
#pragma GCC unroll 4
    for (int row = 0; row < kPanel; row += 2) {
      reduced_rows(n, first, first + row, A, sum);
#pragma GCC unroll 4
      for (int c = 0; c < kPanel; ++c) {
        d[row][c] = sum[0][c];
        d[row + 1][c] = sum[1][c];
      }
    }
#pragma GCC unroll 4
    for (int j = 0; j < kPanel; ++j) {
      reciprocal[j] = T(1.0) / d[j][j];
#pragma GCC unroll 4
      for (int i = j + 1; i < kPanel; ++i) {
        d[j][i] = d[i][j] * reciprocal[j];
#pragma GCC unroll 4
        for (int c = j + 1; c <= i; ++c) d[i][c] = d[i][c] - d[i][j] * d[j][c];
      }
    }
#pragma GCC unroll 4
    for (int i = 0; i < kPanel; ++i)
#pragma GCC unroll 4
      for (int j = 0; j < kPanel; ++j) A[(first + i) * n + first + j] = i == j ? reciprocal[i] : d[i][j];

    // the rows below
    for (int row = first + kPanel; row < n; row += 2) {
      reduced_rows(n, first, row, A, sum);
#pragma GCC unroll 2
      for (int r = 0; r < 2; ++r)
#pragma GCC unroll 4
        for (int c = 0; c < kPanel; ++c) {
          T entry = sum[r][c];
#pragma GCC unroll 4
          for (int k = 0; k < c; ++k) entry = entry - sum[r][k] * d[k][c];
          sum[r][c] = entry;
          A[(row + r) * n + first + c] = entry;
          A[(first + c) * n + row + r] = entry * reciprocal[c];
        }
    }
  }
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i) b[i] = b[i] - A[k * n + i] * b[k];
  for (int i = n - 1; i >= 0; --i) {
    b[i] = b[i] * A[i * n + i];
    for (int k = 0; k < i; ++k) b[k] = b[k] - A[i * n + k] * b[i];
  }
}

}  // namespace pantin::PANTIN_ISA
