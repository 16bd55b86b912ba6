// A dense quadratic program as the kernels see it: minimise x'Hx / 2 + c'x where A x = b, G x <= h, lower <= x <= upper.
#pragma once

#include <cstddef>

namespace pantin {

// Rows of matrices begin at multiples of so many doubles.
inline constexpr int kQpRow = 8;
constexpr int qp_stride(int n) { return (n + kQpRow - 1) / kQpRow * kQpRow; }

enum class QpStatus : int {
  kSolved,      // x is the minimum
  kInfeasible,  // nothing satisfies all constraints; x is where that was found out, within the bounds
  kNotFinite,   // numbers came that are not finite; x is 0, or the bound next to it
  kStalled,     // x is within the bounds, and the best that was found
};

// Matrices lie by rows of `stride` doubles and are aligned to 64 bytes. Constraints are numbered: n bounds, nequal
// equalities, nrows inequalities.
struct QpProblem {
  int n, stride;
  const double* H;              // its upper triangle counts, H[i * stride + j] with j >= i; finite from n to stride
  const double* c;              // (n)
  const double *lower, *upper;  // (n), infinite where there is none; both null where there are none
  int nequal = 0, nrows = 0;
  const double* A = nullptr;  // rows of equalities, then those of inequalities
  const double* b = nullptr;  // right sides alike
};

// What is known about each constraint, in their order. Hx + c + multipliers[:n] + A' multipliers[n:] = 0.
struct QpActive {
  signed char* held;                 // in: a guess; out: -1 at the lower bound, +1 at the upper one or at the row, else 0
  double* multipliers = nullptr;     // where wanted
  signed char* conflicts = nullptr;  // where wanted: 1 for those that cannot hold together
};

struct QpAnswer {
  QpStatus status;
  int iterations;  // changes of the set of held constraints, or sets of them that were tried
};

}  // namespace pantin
