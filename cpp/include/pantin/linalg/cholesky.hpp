// Small symmetric positive definite systems of a size known at compile time.
#pragma once

#include "pantin/simd/real.hpp"

namespace pantin::PANTIN_ISA {

// Solves A x = b by L D L'; A is given by its lower triangle and lost, b becomes x.
template <int N, class T>
PANTIN_INLINE void solve_positive(T (&A)[N][N], T (&b)[N]) {
  T inverse[N];
#pragma GCC unroll 8
  for (int j = 0; j < N; ++j) {
    inverse[j] = T(1.0) / A[j][j];
#pragma GCC unroll 8
    for (int i = j + 1; i < N; ++i) {
      const T l = A[i][j] * inverse[j];
#pragma GCC unroll 8
      for (int k = j + 1; k <= i; ++k) A[i][k] = A[i][k] - l * A[k][j];
      b[i] = b[i] - l * b[j];
    }
  }
  // column j of the triangle still holds L times its pivot
#pragma GCC unroll 8
  for (int j = N - 1; j >= 0; --j) {
#pragma GCC unroll 8
    for (int i = j + 1; i < N; ++i) b[j] = b[j] - A[i][j] * b[i];
    b[j] = b[j] * inverse[j];
  }
}

}  // namespace pantin::PANTIN_ISA
