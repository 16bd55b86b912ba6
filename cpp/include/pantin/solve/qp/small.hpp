// Systems of no more unknowns than lanes, in registers.
#pragma once

#include "pantin/solve/qp/within.hpp"

namespace pantin::PANTIN_ISA {

inline constexpr int kSmall = kLanes == 8 ? kLanes : 0;  // the most unknowns that this is for

#if PANTIN_LANES == 8

// One step of Gauss and Jordan: column k clears its lane in all other rows, of those columns that follow and of the right
// side. Lane k of a column that follows is taken from column k, as the matrix is symmetric.
template <int K>
PANTIN_INLINE bool eliminate(Pack<8> (&column)[8], Pack<8>& right, Pack<8>& reciprocals, double before) {
  using P = Pack<8>;
  const P order = lanes_from(0), pivot = P(native::spread<K>(column[K].v)), reciprocal = P(1.0) / pivot;
  const Mask<8> here = order == P(K);
  const P others = select(here, P(0.0), column[K]);
  const auto clear = [&]<int C>() PANTIN_LAMBDA {
    const P own = P(native::spread<C>(column[K].v));
    column[C] = select(here, own, column[C] - (others * own) * reciprocal);
  };
  if constexpr (K < 1) clear.template operator()<1>();
  if constexpr (K < 2) clear.template operator()<2>();
  if constexpr (K < 3) clear.template operator()<3>();
  if constexpr (K < 4) clear.template operator()<4>();
  if constexpr (K < 5) clear.template operator()<5>();
  if constexpr (K < 6) clear.template operator()<6>();
  if constexpr (K < 7) clear.template operator()<7>();
  right -= (others * P(native::spread<K>(right.v))) * reciprocal;
  reciprocals = select(here, reciprocal, reciprocals);
  return pivot[0] > kSmallestPivot * before;
}

// Where up to eight unknowns settle without bounds; false for a singular system.
PANTIN_INLINE bool settle_few(const QpProblem& problem, Pack<8>& x) {
  using P = Pack<8>;
  const int n = problem.n;
  const Mask<8> real = lanes_from(0) < P(n);
  P column[8], right = -load_up_to(problem.c, n), reciprocals = P(0.0);
#pragma GCC unroll 8
  for (int k = 0; k < 8; ++k)
    column[k] = k < n ? select(real, load_lanes(problem.H + k * problem.stride), P(0.0)) : P(0.0);
  bool regular = true;
  const auto step = [&]<int K>() PANTIN_LAMBDA {
    if (K < n) regular &= eliminate<K>(column, right, reciprocals, problem.H[K * problem.stride + K]);
  };
  step.template operator()<0>();
  step.template operator()<1>();
  step.template operator()<2>();
  step.template operator()<3>();
  step.template operator()<4>();
  step.template operator()<5>();
  step.template operator()<6>();
  step.template operator()<7>();
  x = right * reciprocals;
  return regular;
}

// The same in memory.
inline bool settle_small(const QpProblem& problem, double* x) {
  Pack<8> at;
  const bool regular = settle_few(problem, at);
  store_lanes(x, at);
  return regular;
}

// The minimum of a few unknowns, where that is within their bounds and the guess held none; false elsewhere.
inline bool solve_small(const QpProblem& problem, const signed char* held, double* x) {
  using P = Pack<8>;
  const int n = problem.n;
  P at;
  if (n == 0 || n > kLanes || !is_open(problem, held) || !settle_few(problem, at)) return false;
  Mask<8> inside = abs(at) < P(kHuge);
  if (has_bounds(problem))
    inside = inside & (at >= load_up_to(problem.lower, n)) & (at <= load_up_to(problem.upper, n));
  if (any(!(inside | (lanes_from(0) >= P(n))))) return false;
  native::store_first(x, at.v, n);
  return true;
}

#else

inline bool settle_small(const QpProblem&, double*) { return false; }
inline bool solve_small(const QpProblem&, const signed char*, double*) { return false; }

#endif

}  // namespace pantin::PANTIN_ISA
