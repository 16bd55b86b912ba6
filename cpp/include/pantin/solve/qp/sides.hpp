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

// True where the unknowns are numbers, and within bounds.
inline bool within(const QpProblem& problem, const double* x) {
  using P = Pack<kLanes>;
  Mask<kLanes> inside = P(0.0) <= P(0.0);
  for (int i = 0; i < problem.n; i += kLanes) {
    const int count = problem.n - i < kLanes ? problem.n - i : kLanes;
    const P at = load_lanes(x + i);
    Mask<kLanes> here = abs(at) < P(kHuge);
    if (has_bounds(problem)) here = here & (at >= load_up_to(problem.lower + i, count)) & (at <= load_up_to(problem.upper + i, count));
    inside = inside & (here | (lanes_from(0) >= P(count)));
  }
  return !any(!inside);
}

// True where bounds leave room between them, and the guess holds none.
inline bool is_open(const QpProblem& problem, const signed char* held) {
  using P = Pack<kLanes>;
  for (int i = 0; i < problem.n; ++i)
    if (held[i]) return false;
  if (!has_bounds(problem)) return true;
  Mask<kLanes> open = P(0.0) <= P(0.0);
  for (int i = 0; i < problem.n; i += kLanes) {
    const int count = problem.n - i < kLanes ? problem.n - i : kLanes;
    const P lower = load_up_to(problem.lower + i, count), upper = load_up_to(problem.upper + i, count);
    open = open & (((lower < upper) & (lower < P(kHuge)) & (upper > P(-kHuge))) | (lanes_from(0) >= P(count)));
  }
  return !any(!open);
}

// Moves all that stand on the wrong side, or the last of them alone, if `few` says so of how many there are; how many
// there were.
template <class Few>
inline int change_sides(Box& box, Few&& few) {
  const QpProblem& problem = *box.problem;
  const int n = problem.n, all = n + rows_of(problem);
  int wrong = 0, last = 0;
  const auto better = [&box, n](int k, int& place) PANTIN_LAMBDA {
    if (k < n) return has_bounds(*box.problem) ? better_bound(box, k) : box.held[k];
    return better_row(box, k - n, box.held[k] ? box.push[place++] : 0.0);
  };
  for (int k = 0, place = 0; k < all; ++k)
    if (better(k, place) != box.held[k]) {
      last = k;
      ++wrong;
    }
  if (wrong == 0) return 0;
  const bool alone = few(wrong);
  for (int k = 0, place = 0; k <= last; ++k) {
    const signed char side = better(k, place);
    if (!alone || k == last) box.held[k] = side;
  }
  list_free(box);
  return wrong;
}

}  // namespace pantin::PANTIN_ISA
