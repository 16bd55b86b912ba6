// A plain solve until the quadratic programs stand.
#pragma once
#include "pantin/simd/real.hpp"
#include "pantin/solve/qp/problem.hpp"
namespace pantin::PANTIN_ISA {
inline std::size_t bounded_bytes(int n) { return std::size_t(n) * n * 8 + 64; }
inline QpAnswer bounded(const QpProblem& p, void* memory, signed char*, double* x) {
  double* L = static_cast<double*>(memory);
  const int n = p.n;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      double s = p.H[j * p.stride + i];
      for (int k = 0; k < j; ++k) s -= L[i * n + k] * L[j * n + k];
      L[i * n + j] = i == j ? sqrt(s) : s / L[j * n + j];
    }
  for (int i = 0; i < n; ++i) { double s = -p.c[i]; for (int k = 0; k < i; ++k) s -= L[i * n + k] * x[k]; x[i] = s / L[i * n + i]; }
  for (int i = n - 1; i >= 0; --i) { double s = x[i]; for (int k = i + 1; k < n; ++k) s -= L[k * n + i] * x[k]; x[i] = s / L[i * n + i]; }
  for (int i = 0; i < n; ++i) { if (x[i] < p.lower[i]) x[i] = p.lower[i]; if (x[i] > p.upper[i]) x[i] = p.upper[i]; }
  return {QpStatus::kSolved, 1};
}
}
