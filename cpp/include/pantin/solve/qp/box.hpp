// A quadratic program within bounds: what is free, where the free ones settle, and who is on the wrong side.
#pragma once

#include "pantin/solve/qp/system.hpp"

namespace pantin::PANTIN_ISA {

inline constexpr double kDust = 1e-15;  // rounding of a slope, of what its terms sum up to
inline constexpr double kHuge = 1e300;  // beyond which a number counts as infinite

struct Box {
  const QpProblem* problem;
  signed char* held;
  Pull pull;
  Triangle triangle;
  bool factored;    // the triangle is that of what is free now
  double *x, *g;    // where it is, and the slope there
  double* settled;  // the free ones alone
  double* best;     // a place within the bounds, where the descent is
  double *lower, *upper;  // bounds in place of such as contradict each other
  int* free;
  int nfree;
  double dust;  // a slope that counts as none
};

inline void lay_out(Box& box, int n, Pieces& pieces) {
  lay_out(box.triangle, n, pieces);
  double** const vectors[] = {&box.x, &box.g, &box.settled, &box.best, &box.lower, &box.upper, &box.pull.anchor};
  for (double** vector : vectors) *vector = pieces.take<double>(triangle_stride(n));
  box.free = pieces.take<int>(n);
}

PANTIN_INLINE Pack<kLanes> load_up_to(const double* from, int count) {
  return count == kLanes ? load_lanes(from) : Pack<kLanes>(native::load_first(from, count));
}

PANTIN_INLINE bool has_bounds(const QpProblem& problem) { return problem.lower != nullptr; }
PANTIN_INLINE double bound_at(const QpProblem& problem, int i, signed char side) {
  return side < 0 ? problem.lower[i] : problem.upper[i];
}

// What a sum of the kind (H x + c)_i may be off by.
inline double slope_dust(const QpProblem& problem, const double* x) {
  double largest = 0.0, moved = 0.0, scale = 0.0;
  for (int i = 0; i < problem.n; ++i) {
    largest = max(largest, abs(problem.c[i]));
    moved = max(moved, abs(x[i]));
    scale = max(scale, problem.H[i * problem.stride + i]);
  }
  return kDust * (largest + problem.n * scale * moved);
}

// True where the numbers of a vector are finite.
inline bool are_numbers(const double* x, int n) {
  bool fine = true;
  for (int i = 0; i < n; ++i) fine &= abs(x[i]) < kHuge;
  return fine;
}

// True where the objective's numbers are finite.
inline bool is_finite(const QpProblem& problem) {
  bool fine = are_numbers(problem.c, problem.n);
  for (int i = 0; i < problem.n; ++i) fine &= are_numbers(problem.H + i * problem.stride + i, problem.n - i);
  return fine;
}

// Takes the free ones to where the slope along them vanishes, the held ones to their bounds; false for a singular system.
inline bool settle(Box& box) {
  const QpProblem& problem = *box.problem;
  const Pull& pull = box.pull;
  const int n = problem.n;
  const bool all = box.nfree == n;
  if (!all || box.factored) {
    for (int i = 0; i < qp_stride(n); ++i) box.x[i] = i < n && box.held[i] ? bound_at(problem, i, box.held[i]) : 0.0;
    if (box.nfree == 0) return true;
    slope_at(problem, box.x, box.g);
  }
  if (box.factored) {
    for (int a = 0; a < box.triangle.stride; ++a)
      box.settled[a] = a < box.nfree ? box.g[box.free[a]] - pull.delta * pull.anchor[box.free[a]] : 0.0;
    carry(box.triangle, box.settled);
  } else {
    all ? load_all(problem, pull, box.triangle) : load_some(problem, pull, box.free, box.nfree, box.g, box.triangle);
    if (!factor(box.triangle)) return false;
    box.factored = true;
  }
  double* const to = all ? box.x : box.settled;
  solve_carried(box.triangle, to);
  to[box.nfree] = 0.0;  // where the right side was
  for (int a = 0; a < box.nfree && !all; ++a) box.x[box.free[a]] = to[a];
  return true;
}

// Takes note that the set has changed.
PANTIN_INLINE void list_free(Box& box) {
  box.factored = false;
  box.nfree = 0;
  for (int i = 0; i < box.problem->n; ++i)
    if (!box.held[i]) box.free[box.nfree++] = i;
}

// The slope where it is, and what counts as none.
inline void look_down(Box& box) {
  const QpProblem& problem = *box.problem;
  slope_at(problem, box.x, box.g);
  if (box.pull.delta > 0.0)
    for (int i = 0; i < problem.n; ++i) box.g[i] += box.pull.delta * (box.x[i] - box.pull.anchor[i]);
  box.dust = slope_dust(problem, box.x);
}

// Where unknown i should be: the bound that it is beyond, free where its bound holds it against the slope, else as it is.
PANTIN_INLINE signed char better_side(const Box& box, int i) {
  const QpProblem& problem = *box.problem;
  const double x = box.x[i], lower = problem.lower[i], upper = problem.upper[i];
  if (box.held[i] == 0) return x < lower ? -1 : x > upper ? 1 : 0;
  if (lower == upper) return box.held[i];
  return box.held[i] * box.g[i] > box.dust ? 0 : box.held[i];
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

}  // namespace pantin::PANTIN_ISA
