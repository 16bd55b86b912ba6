// Whether constraints are on the right side: what is missed should hold, what holds should push the right way.
#pragma once

#include "pantin/solve/qp/box.hpp"

namespace pantin::PANTIN_ISA {

// What row k is missed by, if that is more than rounding; less than 0 on the other side of an equality.
PANTIN_INLINE double missed_by(const Box& box, int k) {
  const QpProblem& problem = *box.problem;
  const double by = box.reached[k] - problem.b[k];
  if (abs(by) <= kMiss * (abs(problem.b[k]) + box.lengths[k] * box.size)) return 0.0;
  return k < problem.nequal ? by : max(by, 0.0);
}

// Where unknown i should be: the bound that it is beyond, free where its bound holds it against the slope, else as it is.
PANTIN_INLINE signed char better_bound(const Box& box, int i) {
  const QpProblem& problem = *box.problem;
  const double x = box.x[i], lower = problem.lower[i], upper = problem.upper[i];
  if (box.held[i] == 0) return x < lower ? -1 : x > upper ? 1 : 0;
  if (lower == upper) return box.held[i];
  return box.held[i] * box.g[i] > box.dust ? 0 : box.held[i];
}

// Whether row k should hold; `push` is its multiplier where it does.
PANTIN_INLINE signed char better_row(const Box& box, int k, double push) {
  if (!box.held[box.problem->n + k]) return missed_by(box, k) != 0.0;
  return k < box.problem->nequal || push * box.lengths[k] >= -box.dust;
}

// f(k, side) for each constraint that is on the wrong side, and where it should be.
template <class F>
PANTIN_INLINE void each_wrong(const Box& box, F&& f) {
  const QpProblem& problem = *box.problem;
  const int n = problem.n;
  if (has_bounds(problem))
    for (int i = 0; i < n; ++i) {
      const signed char better = better_bound(box, i);
      if (better != box.held[i]) f(i, better);
    }
  for (int k = 0, place = 0; k < rows_of(problem); ++k) {
    const signed char better = better_row(box, k, box.held[n + k] ? box.push[place++] : 0.0);
    if (better != box.held[n + k]) f(n + k, better);
  }
}

inline int count_wrong(const Box& box) {
  int wrong = 0;
  each_wrong(box, [&wrong](int, signed char) PANTIN_LAMBDA { ++wrong; });
  return wrong;
}

inline void change_sides(Box& box) {
  each_wrong(box, [&box](int k, signed char better) PANTIN_LAMBDA { box.held[k] = better; });
  list_free(box);
}

}  // namespace pantin::PANTIN_ISA
