// Dense symmetric systems by L D L' without square roots; matrices are row-major, the lower half counts.
//
// Without pivoting, which is stable for the positive definite matrices of a tree (Higham 2002, section 10.1). A
// pivot that is rounding of the terms it is made of is dropped: its reciprocal is set to 0 and so is its unknown.
#pragma once

#include "pantin/simd/real.hpp"

namespace pantin::PANTIN_ISA {

// Largest ratio of a pivot to the terms it is the difference of that still counts as zero.
inline constexpr double kZeroPivot = 1e-14;

// 1 / pivot, or 0 where the pivot is rounding of numbers of the size of `terms`.
template <class T>
PANTIN_INLINE T pivot_reciprocal(const T& pivot, const T& terms) {
  const auto zero = abs(pivot) <= T(kZeroPivot) * terms;
  return select(zero, T(0.0), T(1.0) / select(zero, T(1.0), pivot));
}

// Overwrites the lower half of A (n, n) with L, and `terms` (the size of what each diagonal entry is the sum of)
// with the reciprocals of D.
template <class T>
inline void ldl_factor(int n, T* A, T* terms) {
  T* const reciprocals = terms;
  for (int j = 0; j < n; ++j) {
    T* const row = A + j * n;
    for (int k = 0; k < j; ++k) {
      T sum = row[k];
      for (int l = 0; l < k; ++l) sum -= row[l] * A[k * n + l];
      row[k] = sum;
    }
    // row holds L D up to here
    T pivot = row[j];
    for (int k = 0; k < j; ++k) {
      const T scaled = row[k] * reciprocals[k];
      pivot -= scaled * row[k];
      row[k] = scaled;
    }
    row[j] = pivot;
    reciprocals[j] = pivot_reciprocal(pivot, terms[j]);
  }
}

// Solves L D L' x = b in place.
template <class T>
inline void ldl_solve(int n, const T* L, const T* reciprocals, T* x) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < i; ++k) x[i] -= L[i * n + k] * x[k];
  for (int i = 0; i < n; ++i) x[i] = x[i] * reciprocals[i];
  for (int i = n - 1; i >= 0; --i)
    for (int k = 0; k < i; ++k) x[k] -= L[i * n + k] * x[i];
}

}  // namespace pantin::PANTIN_ISA
