// Quadratic programs with bounds and rows.
#pragma once

#include "pantin/solve/qp/bounded.hpp"
#include "pantin/solve/qp/dual.hpp"

namespace pantin::PANTIN_ISA {

// Lengths of rows; false where some number is none.
inline bool measure_rows(Dual& s) {
  const QpProblem& problem = s.problem;
  squares(problem.A, rows_of(problem), problem.stride, qp_stride(problem.n), s.box.lengths);
  bool fine = true;
  for (int k = 0; k < rows_of(problem); ++k) {
    const double b = problem.b[k];
    fine &= (s.box.lengths[k] < kHuge) & (b > -kHuge) & ((k >= problem.nequal) | (b < kHuge));
    s.box.lengths[k] = sqrt(s.box.lengths[k]);
  }
  return fine;
}

// Equalities hold, but for those that others make idle, where a guess tells; rows hold only where they have a right side.
inline void tidy_rows(const QpProblem& problem, signed char* held) {
  bool known = false;
  for (int k = 0; k < problem.nequal; ++k) known |= held[k] != 0;
  for (int k = 0; k < rows_of(problem); ++k)
    held[k] = k < problem.nequal ? !known || held[k] : held[k] && problem.b[k] < kHuge;
}

inline constexpr double kGross = 1e-6;  // what a row may be missed by at last, of its right side and of usual moves

// True where rows are missed grossly: x went far along a way on which rows that nearly depend on each other hardly differ,
// so that they count as one, and contradict each other. Usual moves are those that the objective asks or a row gives.
inline bool misses_grossly(Box& box) {
  const QpProblem& problem = *box.problem;
  double largest = 0.0, scale = 0.0, usual = 0.0;
  for (int i = 0; i < problem.n; ++i) {
    largest = max(largest, abs(problem.c[i]));
    scale = max(scale, problem.H[i * problem.stride + i]);
  }
  if (scale > 0.0) usual = largest / scale;
  for (int k = 0; k < rows_of(problem); ++k)
    if (problem.b[k] < kHuge && box.lengths[k] > 0.0) usual = max(usual, abs(problem.b[k]) / box.lengths[k]);
  look_at_rows(box);
  for (int k = 0; k < rows_of(problem); ++k) {
    const double above = box.reached[k] - problem.b[k];
    const double by = k < problem.nequal ? abs(above) : above;
    if (by > kGross * (abs(problem.b[k]) + box.lengths[k] * usual)) return true;
  }
  return false;
}

// Starts from what held the last time, equalities first.
inline bool begin_dual(Dual& s) {
  const QpProblem& problem = s.problem;
  Box& box = s.box;
  const int n = problem.n;
  s.active.n = n;
  s.active.count = 0;
  box.pull.delta = 0.0;
  load_all(problem, box.pull, box.triangle);
  if (!factor(box.triangle)) {
    begin_pull(box);
    load_all(problem, box.pull, box.triangle);
    if (!factor(box.triangle)) return false;
  }
  begin(s.active, box.triangle);
  for (int k = 0; k < n + rows_of(problem); ++k) s.holds[k] = 0;
  s.nimplied = 0;
  for (int k = 0; k < problem.nequal; ++k) hold(s, n + k, 1.0);
  for (int i = 0; i < n && has_bounds(problem); ++i)
    if (s.guess[i]) hold(s, i, s.guess[i]);
  for (int k = problem.nequal; k < rows_of(problem); ++k)
    if (s.guess[n + k] && problem.b[k] < kHuge) hold(s, n + k, 1.0);
  for (int i = 0; i < s.active.width; ++i) box.x[i] = 0.0;
  return true;
}

inline QpStatus solve_dual(Dual& s, int& iterations, signed char* conflicts) {
  const QpProblem& problem = s.problem;
  const int most = iterations + 50 + 10 * (problem.n + rows_of(problem));
  if (!begin_dual(s)) return QpStatus::kStalled;
  for (int pulls = 0; pulls < kMostPulls; ++pulls) {
    settle_guess(s);
    const QpStatus status = take_in_missed(s, most, iterations, conflicts);
    if (status != QpStatus::kSolved) return status;
    settle_held(s);
    if (s.box.pull.delta > 0.0) settle_held(s);
    if (s.box.pull.delta == 0.0 || moves_no_more(s.box)) return QpStatus::kSolved;
  }
  return QpStatus::kStalled;
}

// Tells what holds, and how hard it pushes.
inline void tell(const Dual& s, const QpActive& to) {
  const Active& a = s.active;
  const int all = a.n + rows_of(s.problem);
  for (int k = 0; k < all; ++k) to.held[k] = 0;
  for (int k = 0; k < all && to.multipliers; ++k) to.multipliers[k] = 0.0;
  for (int k = 0; k < a.count; ++k) {
    to.held[a.which[k]] = a.which[k] < a.n && a.side[k] < 0.0 ? -1 : 1;
    if (to.multipliers) to.multipliers[a.which[k]] = a.side[k] * a.u[k];
  }
}

// Tells the same of a guess that was right.
inline void tell_guess(const Dual& s, double* multipliers) {
  const Box& box = s.box;
  const int n = s.problem.n;
  if (!multipliers) return;
  for (int k = 0; k < n + rows_of(s.problem); ++k) multipliers[k] = k < n && box.held[k] ? -box.g[k] : 0.0;
  for (int k = 0; k < box.nrows; ++k) multipliers[n + box.rows[k]] = box.push[k];
}

// The minimum within bounds and rows. The guess that comes in `active` becomes what holds there.
inline QpAnswer solve_general(Dual& s, const QpProblem& given, const QpActive& active) {
  s.problem = given;
  QpProblem& problem = s.problem;
  Box& box = s.box;
  const int n = problem.n, all = n + rows_of(problem);
  QpAnswer answer{QpStatus::kNotFinite, 0};
  box.held = active.held;
  s.guess = active.held;
  if (active.conflicts)
    for (int k = 0; k < all; ++k)
      active.conflicts[k] = k < n && has_bounds(problem) && problem.lower[k] > problem.upper[k];
  if (all == n && solve_small(problem, active.held, box.x)) {
    for (int i = 0; i < n && active.multipliers; ++i) active.multipliers[i] = 0.0;
    return {QpStatus::kSolved, 1};
  }
  if (measure_rows(s)) {
    tidy_rows(problem, active.held + n);
    answer = solve_box(box, problem);
  } else {
    box.problem = &problem;
    give_up(box);
  }
  if ((answer.status == QpStatus::kSolved || answer.status == QpStatus::kInfeasible) &&
      (box.nrows == 0 || !misses_grossly(box))) {
    tell_guess(s, active.multipliers);
    return answer;
  }
  for (int k = 0; k < all && active.multipliers; ++k) active.multipliers[k] = 0.0;
  if (answer.status == QpStatus::kNotFinite) return answer;

  answer.status = solve_dual(s, answer.iterations, active.conflicts);
  if (!are_numbers(box.x, n) || !are_numbers(s.active.u, s.active.count)) {
    answer.status = is_finite(problem) ? QpStatus::kStalled : QpStatus::kNotFinite;
    give_up(box);
    return answer;
  }
  if (answer.status == QpStatus::kSolved && misses_grossly(box)) {
    answer.status = QpStatus::kInfeasible;
    for (int k = 0; k < s.active.count && active.conflicts; ++k) active.conflicts[s.active.which[k]] = 1;
  }
  tell(s, active);
  for (int i = 0; i < n && has_bounds(problem); ++i) {
    box.x[i] = clamp(box.x[i], problem.lower[i], problem.upper[i]);
    if (active.held[i]) box.x[i] = bound_at(problem, i, active.held[i]);
    if (given.lower[i] > given.upper[i]) answer.status = QpStatus::kInfeasible;
  }
  return answer;
}

inline QpAnswer general(const QpProblem& problem, void* memory, const QpActive& active, double* x) {
  Dual s;
  Pieces pieces{static_cast<char*>(memory)};
  lay_out(s, problem.n, rows_of(problem), pieces);
  const QpAnswer answer = solve_general(s, problem, active);
  for (int i = 0; i < problem.n; ++i) x[i] = s.box.x[i];
  return answer;
}

inline std::size_t general_bytes(int n, int rows) {
  Dual measured;
  Pieces pieces{nullptr};
  lay_out(measured, n, rows, pieces);
  return pieces.taken;
}

}  // namespace pantin::PANTIN_ISA
