// Quadratic programs within bounds, by guesses at the set of bounds that hold.
//
// Block principal pivoting (Judice and Pires 1994, Kim and Park 2011): all that stand on the wrong side change at once,
// a few times, which is all that neighbours in time need. Then one by one on a tableau; and where rounding leaves some
// on the wrong side even so, by a descent within the bounds, which ends since each set that it settles on is lower than
// the last.
#pragma once

#include "pantin/solve/qp/tableau.hpp"

namespace pantin::PANTIN_ISA {

inline constexpr int kGuesses = 2;              // sets that are tried though they do not halve what is wrong
inline constexpr double kSoft = 1e-7;           // of the largest entry of a singular H: the pull that makes it regular
inline constexpr double kSettledSlope = 1e-10;  // of the largest entry of c: what the pull may leave of the slope
inline constexpr int kMostPulls = 30;

enum class Pivots { kDone, kSingular, kTooMany };

// Changes the guess until nothing is on the wrong side, all at once, a few times.
inline Pivots pivot_blocks(Box& box, int most, int& iterations) {
  const QpProblem& problem = *box.problem;
  const int n = problem.n, rows = rows_of(problem);
  int fewest = n + rows + 1, patience = most;
  while (patience > 0) {
    ++iterations;
    if (!settle(box)) return Pivots::kSingular;
    if (rows == 0) {
      if (box.free.count == n && within(problem, box.x)) return Pivots::kDone;
      if (!has_bounds(problem)) return Pivots::kSingular;
    }
    if (box.nrows == 0) {
      look_down(box);
      look_at_rows(box);
    } else if (!look_around(box)) {
      return Pivots::kTooMany;
    }
    if (!(box.dust < kHuge)) return Pivots::kSingular;
    const int wrong = count_wrong(box);
    if (wrong == 0) return Pivots::kDone;
    if (2 * wrong > fewest) --patience;
    if (wrong < fewest) {
      fewest = wrong;
      for (int i = 0; i < n; ++i) box.fewest[i] = box.held[i];
    }
    change_sides(box);
  }
  return Pivots::kTooMany;
}

// From a place within the bounds down, never up: to where the free ones settle, or to the first bound on the way.
inline Pivots descend(Box& box, int most, int& iterations) {
  const QpProblem& problem = *box.problem;
  const int n = problem.n;
  for (int i = 0; i < n; ++i) {
    box.best[i] = clamp(box.x[i], problem.lower[i], problem.upper[i]);
    box.held[i] = box.best[i] == problem.lower[i] ? -1 : box.best[i] == problem.upper[i] ? 1 : 0;
  }
  for (int tried = 0; tried < most; ++tried) {
    list_free(box);
    ++iterations;
    if (!settle(box)) return Pivots::kSingular;
    double way = 1.0;
    int stop = -1;
    for (int a = 0; a < box.free.count; ++a) {
      const int i = box.free.list[a];
      if (box.x[i] >= problem.lower[i] && box.x[i] <= problem.upper[i]) continue;
      const double bound = box.x[i] < problem.lower[i] ? problem.lower[i] : problem.upper[i];
      const double reach = (bound - box.best[i]) / (box.x[i] - box.best[i]);
      if (stop >= 0 && reach >= way) continue;
      way = reach;
      stop = i;
    }
    if (stop >= 0) {
      box.held[stop] = box.x[stop] < problem.lower[stop] ? -1 : 1;
      for (int i = 0; i < n; ++i)
        box.best[i] = clamp(box.best[i] + way * (box.x[i] - box.best[i]), problem.lower[i], problem.upper[i]);
      continue;
    }
    for (int i = 0; i < n; ++i) box.best[i] = box.x[i];
    look_down(box);
    if (!(box.dust < kHuge)) return Pivots::kSingular;
    int worst = -1;
    for (int i = 0; i < n; ++i)
      if (better_bound(box, i) != box.held[i] && (worst < 0 || abs(box.g[i]) > abs(box.g[worst]))) worst = i;
    if (worst < 0) return Pivots::kDone;
    box.held[worst] = 0;
  }
  for (int i = 0; i < n; ++i) box.x[i] = box.best[i];
  return Pivots::kTooMany;
}

inline Pivots pivot(Box& box, int& iterations) {
  const int n = box.problem->n;
  Pivots pivots = pivot_blocks(box, kGuesses, iterations);
  if (pivots != Pivots::kTooMany || rows_of(*box.problem) > 0) return pivots;
  for (int i = 0; i < n; ++i) box.held[i] = box.fewest[i];
  list_free(box);
  if (find_held(box, box.tableau, 20 + 5 * n, iterations)) pivots = pivot_blocks(box, kGuesses, iterations);
  return pivots == Pivots::kTooMany ? descend(box, 20 + 10 * n, iterations) : pivots;
}

// A pull that makes a singular objective regular, towards 0.
inline void begin_pull(Box& box) {
  const QpProblem& problem = *box.problem;
  double scale = 0.0, slope = 0.0;
  for (int i = 0; i < problem.n; ++i) {
    scale = max(scale, problem.H[i * problem.stride + i]);
    slope = max(slope, abs(problem.c[i]));
    box.pull.anchor[i] = 0.0;
  }
  for (int i = 0; i < qp_stride(problem.n); ++i) box.x[i] = 0.0;
  box.pull.delta = kSoft * (scale > 0.0 ? scale : slope > 0.0 ? slope : 1.0);
}

// Pulls towards where it is from now on; true where that leaves as good as no slope, or no way to go.
inline bool moves_no_more(Box& box) {
  const QpProblem& problem = *box.problem;
  double moved = 0.0, slope = 0.0, size = 0.0;
  for (int i = 0; i < problem.n; ++i) {
    slope = max(slope, abs(problem.c[i]));
    size = max(size, abs(box.x[i]));
    moved = max(moved, abs(box.x[i] - box.pull.anchor[i]));
    box.pull.anchor[i] = box.x[i];
  }
  return box.pull.delta * moved <= kSettledSlope * slope || moved <= kSettledSlope * size;
}

// Where the objective is flat along some direction: pulls towards where it was, from 0, whose limit is the least norm.
inline QpStatus pull_in(Box& box, int& iterations) {
  begin_pull(box);
  for (int pulls = 0; pulls < kMostPulls; ++pulls) {
    if (pivot(box, iterations) != Pivots::kDone) return QpStatus::kStalled;
    if (moves_no_more(box)) return QpStatus::kSolved;
  }
  return QpStatus::kStalled;
}

// Puts the guess in order: none at a bound that is not there, unknowns without room held. Bounds that contradict each
// other become one in their middle.
inline QpStatus tidy(Box& box, QpProblem& problem) {
  const int n = problem.n;
  QpStatus status = QpStatus::kSolved;
  if (!has_bounds(problem)) {
    for (int i = 0; i < n; ++i) box.held[i] = 0;
    return status;
  }
  for (int i = 0; i < n; ++i) {
    const double lower = problem.lower[i], upper = problem.upper[i];
    const bool known = lower < kHuge && upper > -kHuge;
    if (!known) return QpStatus::kNotFinite;
    if (lower > upper) status = QpStatus::kInfeasible;
    signed char& held = box.held[i];
    if (lower >= upper) held = held > 0 ? 1 : -1;
    if ((held < 0 && lower <= -kHuge) || (held > 0 && upper >= kHuge)) held = 0;
    if (held) held = held > 0 ? 1 : -1;
  }
  if (status == QpStatus::kInfeasible) {
    for (int i = 0; i < n; ++i) {
      const bool crossed = problem.lower[i] > problem.upper[i];
      const double middle = 0.5 * problem.lower[i] + 0.5 * problem.upper[i];
      box.lower[i] = crossed ? middle : problem.lower[i];
      box.upper[i] = crossed ? middle : problem.upper[i];
    }
    problem.lower = box.lower;
    problem.upper = box.upper;
  }
  return status;
}

// The bound next to 0 for each unknown, and nothing that holds.
inline void give_up(Box& box) {
  const QpProblem& problem = *box.problem;
  for (int k = 0; k < problem.n + rows_of(problem); ++k) box.held[k] = 0;
  for (int i = 0; i < problem.n; ++i) {
    const double lower = has_bounds(problem) ? problem.lower[i] : 0.0;
    const double upper = has_bounds(problem) ? problem.upper[i] : 0.0;
    box.x[i] = lower > 0.0 && lower < kHuge ? lower : upper < 0.0 && upper > -kHuge ? upper : 0.0;
  }
}

// Solves within the box, which is laid out, with the rows of the problem; its x is the answer, in whole packs, 0 past n.
// Stalls where a few guesses at what holds do not do.
inline QpAnswer solve_box(Box& box, QpProblem& problem) {
  QpAnswer answer{QpStatus::kSolved, 0};
  box.problem = &problem;
  box.pull.delta = 0.0;
  if (!is_open(problem, box.held)) answer.status = tidy(box, problem);
  list_free(box);
  Pivots pivots = answer.status == QpStatus::kNotFinite ? Pivots::kSingular : pivot(box, answer.iterations);
  if (pivots == Pivots::kDone && box.free.count == problem.n && box.nrows == 0) return answer;
  const bool numbers = pivots == Pivots::kDone && are_numbers(box.x, problem.n);
  if (!numbers && (answer.status == QpStatus::kNotFinite || !is_finite(problem))) {
    answer.status = QpStatus::kNotFinite;
    give_up(box);
    return answer;
  }
  if (pivots == Pivots::kSingular) {
    list_free(box);
    const QpStatus status = pull_in(box, answer.iterations);
    if (status != QpStatus::kSolved) answer.status = status;
  } else if (pivots == Pivots::kTooMany) {
    answer.status = QpStatus::kStalled;
  }
  if (!are_numbers(box.x, problem.n)) {
    answer.status = QpStatus::kStalled;
    give_up(box);
  }
  for (int i = 0; i < problem.n && has_bounds(problem); ++i)
    box.x[i] = clamp(box.x[i], problem.lower[i], problem.upper[i]);
  return answer;
}

// The minimum within bounds; `held` is a guess that becomes the answer's.
inline QpAnswer bounded(const QpProblem& given, void* memory, signed char* held, double* x) {
  if (solve_small(given, held, x)) return {QpStatus::kSolved, 1};
  QpProblem problem = given;
  problem.nequal = problem.nrows = 0;
  Box box;
  Pieces pieces{static_cast<char*>(memory)};
  lay_out(box, given.n, 0, pieces);
  box.held = held;
  const QpAnswer answer = solve_box(box, problem);
  for (int i = 0; i < problem.n; ++i) x[i] = box.x[i];
  return answer;
}

inline std::size_t bounded_bytes(int n) {
  Box measured;
  Pieces pieces{nullptr};
  lay_out(measured, n, 0, pieces);
  return pieces.taken;
}

}  // namespace pantin::PANTIN_ISA
