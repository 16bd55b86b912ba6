// Whether unknowns are within their bounds, and what bounds leave open.
#pragma once

#include "pantin/solve/qp/vectors.hpp"

namespace pantin::PANTIN_ISA {

inline constexpr double kHuge = 1e300;  // beyond which a number counts as infinite

PANTIN_INLINE bool has_bounds(const QpProblem& problem) { return problem.lower != nullptr; }

// True where the unknowns are numbers, and within bounds.
inline bool within(const QpProblem& problem, const double* x) {
  using P = Pack<kLanes>;
  Mask<kLanes> inside = P(0.0) <= P(0.0);
  for (int i = 0; i < problem.n; i += kLanes) {
    const int count = problem.n - i < kLanes ? problem.n - i : kLanes;
    const P at = load_lanes(x + i);
    Mask<kLanes> here = abs(at) < P(kHuge);
    if (has_bounds(problem))
      here = here & (at >= load_up_to(problem.lower + i, count)) & (at <= load_up_to(problem.upper + i, count));
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

}  // namespace pantin::PANTIN_ISA
