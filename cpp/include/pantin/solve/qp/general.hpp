// Quadratic programs with bounds and rows.
#pragma once

#include "pantin/solve/qp/bounded.hpp"
#include "pantin/solve/qp/dual.hpp"

namespace pantin::PANTIN_ISA {

// Lengths of rows; false where some number is none.
inline bool measure_rows(Dual& s) {
  const QpProblem& problem = s.problem;
  bool fine = true;
  for (int k = 0; k < rows_of(problem); ++k) {
    const double* const row = problem.A + k * problem.stride;
    double sum = 0.0;
    for (int i = 0; i < problem.n; ++i) sum += row[i] * row[i];
    s.lengths[k] = sqrt(sum);
    const double b = problem.b[k];
    fine &= sum < kHuge && b > -kHuge && (k >= problem.nequal || b < kHuge);
  }
  return fine;
}

// True where no row held the last time, so that bounds alone may do.
inline bool expects_no_rows(const Dual& s) {
  if (s.problem.nequal > 0) return false;
  for (int k = 0; k < s.problem.nrows; ++k)
    if (s.guess[s.problem.n + k]) return false;
  return true;
}

// Starts from what held the last time, equalities first.
inline bool begin_dual(Dual& s) {
  const QpProblem& problem = s.problem;
  Box& box = s.box;
  const int n = problem.n;
  box.pull.delta = 0.0;
  load_all(problem, box.pull, box.triangle);
  if (!factor(box.triangle)) {
    begin_pull(box);
    load_all(problem, box.pull, box.triangle);
    if (!factor(box.triangle)) return false;
  }
  begin(s.active, box.triangle);
  for (int k = 0; k < n + rows_of(problem); ++k) s.holds[k] = 0;
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

// Tells the same of bounds alone.
inline void tell_bounds(Dual& s, const QpActive& to) {
  const QpProblem& problem = s.problem;
  for (int k = problem.n; k < problem.n + rows_of(problem); ++k) to.held[k] = 0;
  if (!to.multipliers) return;
  s.box.pull.delta = 0.0;
  look_down(s.box);
  for (int k = 0; k < problem.n + rows_of(problem); ++k)
    to.multipliers[k] = k < problem.n && to.held[k] ? -s.box.g[k] : 0.0;
}

// The minimum within bounds and rows. The guess that comes in `active` becomes what holds there.
inline QpAnswer solve_general(Dual& s, const QpProblem& given, const QpActive& active) {
  s.problem = given;
  QpProblem& problem = s.problem;
  const int n = problem.n, all = n + rows_of(problem);
  QpAnswer answer{QpStatus::kSolved, 0};
  s.box.problem = &problem;
  s.box.held = active.held;
  s.guess = active.held;
  if (active.conflicts)
    for (int k = 0; k < all; ++k) active.conflicts[k] = k < n && has_bounds(problem) && problem.lower[k] > problem.upper[k];

  bool finite = measure_rows(s);
  if (finite && expects_no_rows(s)) {
    answer = solve_box(s.box, problem);
    for (int k = 0; k < all; ++k) s.holds[k] = 0;
    finite = answer.status != QpStatus::kNotFinite;
    if (finite && answer.status != QpStatus::kStalled && most_missed(s).which < 0) {
      tell_bounds(s, active);
      return answer;
    }
  } else if (finite) {
    answer.status = tidy(s.box, problem);
    finite = answer.status != QpStatus::kNotFinite;
  }
  if (finite) {
    const QpStatus status = solve_dual(s, answer.iterations, active.conflicts);
    if (answer.status != QpStatus::kInfeasible || status != QpStatus::kSolved) answer.status = status;
    if (are_numbers(s.box.x, n)) {
      tell(s, active);
      for (int i = 0; i < n && has_bounds(problem); ++i) {
        s.box.x[i] = clamp(s.box.x[i], problem.lower[i], problem.upper[i]);
        if (active.held[i]) s.box.x[i] = bound_at(problem, i, active.held[i]);
      }
      return answer;
    }
  }
  answer.status = finite && is_finite(problem) ? QpStatus::kStalled : QpStatus::kNotFinite;
  give_up(problem, s.box.x);
  for (int k = 0; k < all; ++k) active.held[k] = 0;
  for (int k = 0; k < all && active.multipliers; ++k) active.multipliers[k] = 0.0;
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
