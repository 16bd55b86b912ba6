// What comes nearest to rows that nothing satisfies.
//
// Bounds stay. The squares of what equalities and inequalities are missed by are least, all rows weighing alike; among
// the places where they are, the objective is least. Each row gets a slack of its own that costs its square, dearly;
// multipliers of the slacks (Hestenes 1969), which grow as long as a slack is left, take away what the objective can
// pay for (Chiche and Gilbert 2016). They grow a few times only: ways on which rows differ by less than a thousandth of
// the longest are not gone, since they would lead far for little.
#pragma once

#include "pantin/solve/qp/general.hpp"

namespace pantin::PANTIN_ISA {

inline constexpr double kDear = 1e6;      // what slack costs, of the largest entry of H, for a row of the largest length
inline constexpr int kMostBargains = 8;   // times that multipliers grow ...
inline constexpr double kAgreed = 1e-11;  // ... unless that moves x by no more than this

struct Relaxed {
  Dual dual;
  QpProblem problem;
  double *H, *c, *lower, *upper, *A, *lengths, *before;
  signed char* held;
};

inline void lay_out(Relaxed& relaxed, int n, int rows, Pieces& pieces) {
  const std::size_t all = n + rows, stride = qp_stride(all);
  lay_out(relaxed.dual, n + rows, rows, pieces);
  relaxed.H = pieces.take<double>(all * stride);
  relaxed.A = pieces.take<double>(rows * stride);
  double** const vectors[] = {&relaxed.c, &relaxed.lower, &relaxed.upper, &relaxed.lengths, &relaxed.before};
  for (double** vector : vectors) *vector = pieces.take<double>(stride);
  relaxed.held = pieces.take<signed char>(all + rows);
}

// The same problem with slacks behind its unknowns; what a unit of slack costs.
inline double relax(Relaxed& relaxed, const QpProblem& given) {
  const int n = given.n, rows = given.nequal + given.nrows, all = n + rows, stride = qp_stride(all);
  relaxed.problem = {all,          stride,      relaxed.H, relaxed.c, relaxed.lower, relaxed.upper,
                     given.nequal, given.nrows, relaxed.A, given.b};
  double scale = 0.0, longest = 0.0;
  for (int i = 0; i < n; ++i) scale = max(scale, given.H[i * given.stride + i]);
  double* const squared = relaxed.lengths;
  squares(given.A, rows, given.stride, qp_stride(n), squared);
  for (int k = 0; k < rows; ++k) longest = max(longest, squared[k]);
  const double cost = kDear * (scale > 0.0 ? scale : 1.0) / (longest > 0.0 ? longest : 1.0);
  for (int i = 0; i < all; ++i) {
    const bool slack = i >= n;
    for (int j = 0; j < stride; ++j)
      relaxed.H[i * stride + j] = slack ? (i == j ? cost : 0.0) : i <= j && j < n ? given.H[i * given.stride + j] : 0.0;
    relaxed.c[i] = slack ? 0.0 : given.c[i];
    relaxed.lower[i] = slack || !has_bounds(given) ? -__builtin_inf() : given.lower[i];
    relaxed.upper[i] = slack || !has_bounds(given) ? __builtin_inf() : given.upper[i];
  }
  for (int k = 0; k < rows; ++k)
    for (int j = 0; j < stride; ++j)
      relaxed.A[k * stride + j] = j < n ? given.A[k * given.stride + j] : j == n + k ? -1.0 : 0.0;
  return cost;
}

inline QpAnswer least_violating(const QpProblem& given, void* memory, double* x) {
  Relaxed relaxed;
  const int n = given.n, rows = given.nequal + given.nrows;
  Pieces pieces{static_cast<char*>(memory)};
  lay_out(relaxed, n, rows, pieces);
  const double cost = relax(relaxed, given);
  for (int k = 0; k < n + 2 * rows; ++k) relaxed.held[k] = 0;
  for (int i = 0; i < n; ++i) relaxed.before[i] = 0.0;
  const double* const found = relaxed.dual.box.x;
  QpAnswer answer{QpStatus::kSolved, 0};
  for (int bargains = 0; bargains < kMostBargains && answer.status == QpStatus::kSolved; ++bargains) {
    const QpAnswer step = solve_general(relaxed.dual, relaxed.problem, {relaxed.held});
    answer = {step.status, answer.iterations + step.iterations};
    double moved = 0.0, size = 0.0;
    for (int i = 0; i < n; ++i) {
      moved = max(moved, abs(found[i] - relaxed.before[i]));
      size = max(size, abs(found[i]));
      relaxed.before[i] = found[i];
    }
    if (bargains > 0 && moved <= kAgreed * size) break;
    for (int k = n; k < n + rows; ++k) relaxed.c[k] += cost * found[k];
  }
  for (int i = 0; i < n; ++i) x[i] = found[i];
  return answer;
}

inline std::size_t least_violating_bytes(int n, int rows) {
  Relaxed measured;
  Pieces pieces{nullptr};
  lay_out(measured, n, rows, pieces);
  return pieces.taken;
}

}  // namespace pantin::PANTIN_ISA
