// Symmetric positive definite systems of any size by L D L', four columns at a time.
#pragma once

#include "pantin/simd/real.hpp"

namespace pantin::PANTIN_ISA {

// Solves A x = b; A is row-major and given by its lower half, which is lost, b becomes x.
template <class T>
inline void solve_symmetric(int n, T* A, T* b) {
  constexpr int kWidth = 4;
  for (int first = 0; first < n; first += kWidth) {
    const int width = n - first < kWidth ? n - first : kWidth;
    // what the columns before take from these; A holds L D there, and D's reciprocals on its diagonal
    for (int i = first; i < n; ++i) {
      T* const row = A + i * n;
      T sum[kWidth];
      for (int c = 0; c < width; ++c) sum[c] = row[first + c];
      const int last = i < first + width ? i - first + 1 : width;
      if (last == kWidth) {
        const T *const r0 = A + first * n, *const r1 = r0 + n, *const r2 = r1 + n, *const r3 = r2 + n;
        for (int k = 0; k < first; ++k) {
          const T l = row[k] * A[k * n + k];
          sum[0] = sum[0] - l * r0[k];
          sum[1] = sum[1] - l * r1[k];
          sum[2] = sum[2] - l * r2[k];
          sum[3] = sum[3] - l * r3[k];
        }
      } else {
        for (int k = 0; k < first; ++k) {
          const T l = row[k] * A[k * n + k];
          for (int c = 0; c < last; ++c) sum[c] = sum[c] - l * A[(first + c) * n + k];
        }
      }
      // the block's own columns
      for (int c = 0; c < last; ++c) {
        T entry = sum[c];
        for (int k = 0; k < c; ++k) entry = entry - row[first + k] * A[(first + k) * n + first + k] * A[(first + c) * n + first + k];
        row[first + c] = i == first + c ? T(1.0) / entry : entry;
      }
    }
  }
  for (int i = 0; i < n; ++i) {
    T sum = b[i];
    for (int k = 0; k < i; ++k) sum = sum - A[i * n + k] * A[k * n + k] * b[k];
    b[i] = sum;
  }
  for (int i = n - 1; i >= 0; --i) {
    b[i] = b[i] * A[i * n + i];
    for (int k = 0; k < i; ++k) b[k] = b[k] - A[i * n + k] * b[i];
  }
}

}  // namespace pantin::PANTIN_ISA
