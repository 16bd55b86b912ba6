// Symmetric positive definite systems of any size on the unknowns that no limit holds, by Cholesky's factor.
#pragma once

#include "pantin/simd/real.hpp"

namespace pantin::PANTIN_ISA {

// Lower factor L of A + damping, whose rows and columns of held unknowns are those of the identity; L may stand in the
// memory of A. False where the matrix is not positive.
inline bool factor_free(int n, const double* A, double damping, const bool* held, double* L) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      double sum = held[i] || held[j] ? 0.0 : A[i * n + j];
      if (i == j) sum = held[i] ? 1.0 : sum + damping;
      for (int k = 0; k < j; ++k) sum -= L[i * n + k] * L[j * n + k];
      if (i == j && !(sum > 1e-14)) return false;
      L[i * n + j] = i == j ? sqrt(sum) : sum / L[j * n + j];
    }
  return true;
}

// Solves L L' u = b; held unknowns are 0.
inline void solve_free(int n, const double* L, const bool* held, const double* b, double* u) {
  for (int i = 0; i < n; ++i) {
    double sum = held[i] ? 0.0 : b[i];
    for (int k = 0; k < i; ++k) sum -= L[i * n + k] * u[k];
    u[i] = sum / L[i * n + i];
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) u[i] -= L[k * n + i] * u[k];
    u[i] /= L[i * n + i];
  }
}

}  // namespace pantin::PANTIN_ISA
