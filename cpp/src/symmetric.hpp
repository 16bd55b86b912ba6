// Small symmetric matrices in plain doubles: eigenvectors and positive definite systems.
#pragma once

#include <array>
#include <cmath>
#include <optional>

namespace pantin {

template <int N>
using Square = std::array<std::array<double, N>, N>;
template <int N>
using Column = std::array<double, N>;

// Eigenvalues, and eigenvectors by columns, by Jacobi's rotations (1846; Golub and Van Loan 2013, section 8.5).
template <int N>
struct Eigen {
  Column<N> values;
  Square<N> vectors;

  // Place of the n-th largest value.
  int largest(int n = 0) const {
    for (int i = 0; i < N; ++i) {
      int above = 0;
      for (int j = 0; j < N; ++j) above += values[j] > values[i] || (values[j] == values[i] && j < i);
      if (above == n) return i;
    }
    return 0;
  }
};

template <int N>
Eigen<N> eigen(Square<N> A) {
  Eigen<N> e{};
  for (int i = 0; i < N; ++i) e.vectors[i][i] = 1.0;
  for (int sweep = 0; sweep < 30; ++sweep) {
    double off = 0.0, on = 0.0;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) (i == j ? on : off) += A[i][j] * A[i][j];
    if (!(off > 1e-32 * on)) break;
    for (int p = 0; p < N; ++p)
      for (int q = p + 1; q < N; ++q) {
        if (A[p][q] == 0.0) continue;
        // the angle below an eighth of a turn that makes the entry zero
        const double slant = 0.5 * (A[q][q] - A[p][p]) / A[p][q];
        const double t = std::copysign(1.0, slant) / (std::fabs(slant) + std::sqrt(1.0 + slant * slant));
        const double c = 1.0 / std::sqrt(1.0 + t * t), s = t * c;
        const auto turn = [c, s](double& x, double& y) {
          const double kept = x;
          x = c * x - s * y;
          y = s * kept + c * y;
        };
        for (int k = 0; k < N; ++k) turn(A[k][p], A[k][q]);
        for (int k = 0; k < N; ++k) turn(A[p][k], A[q][k]);
        for (int k = 0; k < N; ++k) turn(e.vectors[k][p], e.vectors[k][q]);
      }
  }
  for (int i = 0; i < N; ++i) e.values[i] = A[i][i];
  return e;
}

// x with A x = b by Cholesky's factors, of which the lower triangle of A is read; none where a pivot is below
// `smallest` times its diagonal entry.
template <int N>
std::optional<Column<N>> solve_positive(Square<N> A, Column<N> b, double smallest) {
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j <= i; ++j) {
      double rest = A[i][j];
      for (int k = 0; k < j; ++k) rest -= A[i][k] * A[j][k];
      if (i == j && !(rest > smallest * A[i][i])) return std::nullopt;
      A[i][j] = i == j ? std::sqrt(rest) : rest / A[j][j];
    }
    for (int k = 0; k < i; ++k) b[i] -= A[i][k] * b[k];
    b[i] /= A[i][i];
  }
  for (int i = N - 1; i >= 0; --i) {
    for (int k = i + 1; k < N; ++k) b[i] -= A[k][i] * b[k];
    b[i] /= A[i][i];
  }
  return b;
}

}  // namespace pantin
