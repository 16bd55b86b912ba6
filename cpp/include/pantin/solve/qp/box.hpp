// A guess at what holds: bounds and rows that do, unknowns that are free, and the place where these settle.
#pragma once

#include "pantin/solve/qp/small.hpp"
#include "pantin/solve/qp/system.hpp"

namespace pantin::PANTIN_ISA {

inline constexpr double kDust = 1e-15;      // rounding of a slope, of what its terms sum up to ...
inline constexpr double kMuchDust = 100.0;  // ... and how much of it is taken away ...
inline constexpr int kRounds = 4;           // ... in so many rounds
inline constexpr double kMiss = 1e-12;      // what a constraint may be missed by, of the numbers in it
inline constexpr int kFew = 4;              // of so many unknowns, one bound at most, to be looked at one by one

// How unknowns answer to each other, in the order of a guess: what is free, then what is held (see tableau.hpp).
struct Tableau {
  int n, width, stride;
  int* order;       // unknowns
  double* rows;     // upper triangle, by rows
  double* factor;   // whose square the tableau is, but for signs and what is held of H
  double* answer;   // of all to a force on one
  double* own;      // of each to a force on itself
  double* w;        // where free ones are, and the force on held ones
  double* side;     // 0 for free ones, -1 or 1 for held ones
  double* lower;    // bounds, in whole packs
  double* upper;
};

inline void lay_out(Tableau& t, int n, Pieces& pieces) {
  const std::size_t stride = triangle_stride(n);
  t.order = pieces.take<int>(n);
  t.rows = pieces.take<double>(stride * stride);
  t.factor = pieces.take<double>(stride * stride);
  double** const vectors[] = {&t.answer, &t.own, &t.w, &t.side, &t.lower, &t.upper};
  for (double** vector : vectors) *vector = pieces.take<double>(stride);
}

struct Box {
  const QpProblem* problem;
  signed char* held;  // of all constraints
  Pull pull;
  Triangle triangle;
  Tableau tableau;
  bool factored;          // the triangle is that of what is free now
  double *x, *g;          // where it is, and the slope there, with the pushes of rows that hold
  double* settled;        // what is free, and multipliers of rows behind
  double* best;           // a place within the bounds, where the descent is
  double *lower, *upper;  // bounds in place of such as contradict each other
  double* reached;        // products of rows with x
  double* lengths;        // of rows
  double* push;           // multipliers of rows that hold
  Free free;
  signed char* fewest;  // the guess with the fewest on the wrong side
  int *bounds, *rows;   // that hold
  int nbounds, nrows;
  double dust, size;  // a slope that counts as none, no number where some input is none; the largest of x
};

PANTIN_INLINE int rows_of(const QpProblem& problem) { return problem.nequal + problem.nrows; }

inline void lay_out(Box& box, int n, int rows, Pieces& pieces) {
  const int most = n + (rows < n ? rows : n);
  lay_out(box.triangle, most, pieces);
  lay_out(box.tableau, n, pieces);
  double** const vectors[] = {&box.x, &box.g, &box.settled, &box.best, &box.lower, &box.upper, &box.pull.anchor};
  for (double** vector : vectors) *vector = pieces.take<double>(triangle_stride(most));
  box.reached = pieces.take<double>(rows);
  box.lengths = pieces.take<double>(rows);
  box.push = pieces.take<double>(rows);
  box.fewest = pieces.take<signed char>(n);
  box.free.list = pieces.take<int>(n);
  box.free.bits = pieces.take<unsigned char>(qp_stride(n) / kQpRow);
  box.bounds = pieces.take<int>(n);
  box.rows = pieces.take<int>(rows);
}

PANTIN_INLINE double bound_at(const QpProblem& problem, int i, signed char side) {
  return side < 0 ? problem.lower[i] : problem.upper[i];
}
PANTIN_INLINE const double* row_of(const QpProblem& problem, int row) { return problem.A + row * problem.stride; }

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

PANTIN_INLINE void look_at_rows(Box& box) {
  const QpProblem& problem = *box.problem;
  products(problem.A, rows_of(problem), problem.stride, qp_stride(problem.n), box.x, box.reached);
}

// Takes note that the guess has changed.
inline void list_free(Box& box) {
  const int n = box.problem->n;
  box.factored = false;
  box.free.count = box.nbounds = box.nrows = 0;
  for (int first = 0; first < n; first += kQpRow) {
    int bits = 0;
    for (int i = first; i < n && i < first + kQpRow; ++i) {
      if (box.held[i]) {
        box.bounds[box.nbounds++] = i;
        continue;
      }
      box.free.list[box.free.count++] = i;
      bits |= 1 << (i - first);
    }
    box.free.bits[first / kQpRow] = static_cast<unsigned char>(bits);
  }
  for (int k = 0; k < rows_of(*box.problem); ++k)
    if (box.held[n + k]) box.rows[box.nrows++] = k;
}

// What pulls at an unknown, at 0.
PANTIN_INLINE double pull_on(const Box& box, int i) {
  return box.pull.delta > 0.0 ? box.pull.delta * box.pull.anchor[i] : 0.0;
}

// Puts the held ones at their bounds; `box.settled` becomes the right side for the others.
inline void hold_at_bounds(Box& box) {
  const QpProblem& problem = *box.problem;
  const int n = problem.n;
  for (int i = 0; i < qp_stride(n); ++i) box.x[i] = i < n && box.held[i] ? bound_at(problem, i, box.held[i]) : 0.0;
  if (kFew * box.nbounds < n)
    slope_at_held(problem, box.x, box.bounds, box.nbounds, box.g);
  else
    slope_at(problem, box.x, box.g);
  for (int a = 0; a < box.free.count; ++a)
    box.settled[a] = box.g[box.free.list[a]] - pull_on(box, box.free.list[a]);
  if (box.nrows > 0) look_at_rows(box);
  for (int k = 0; k < box.nrows; ++k)
    box.settled[box.free.count + k] = box.reached[box.rows[k]] - problem.b[box.rows[k]];
}

// Takes the free ones to where nothing but rows that hold pushes back, the held ones to their bounds; false for a
// singular system.
inline bool settle(Box& box) {
  const QpProblem& problem = *box.problem;
  Triangle& t = box.triangle;
  if (box.free.count == problem.n && box.nrows == 0 && !box.factored) {
    if (problem.n <= kSmall && box.pull.delta == 0.0) return settle_small(problem, box.x);
    load_all(problem, box.pull, t);
    box.factored = factor(t);
    if (!box.factored) return false;
    solve_carried(t, box.x);
    box.x[problem.n] = 0.0;  // where the right side was
    return true;
  }
  const int count = box.free.count + box.nrows;
  if (box.nrows > box.free.count) return false;
  hold_at_bounds(box);
  if (box.factored) {
    for (int a = count; a < t.stride; ++a) box.settled[a] = 0.0;
    carry(t, box.settled);
  } else if (count > 0) {
    load_some(problem, box.pull, box.free, box.rows, box.nrows, box.settled, t);
    box.factored = factor(t) && is_independent(t);
    if (!box.factored) return false;
  }
  if (count > 0) solve_carried(t, box.settled);
  for (int a = 0; a < box.free.count; ++a) box.x[box.free.list[a]] = box.settled[a];
  for (int k = 0; k < box.nrows; ++k) box.push[k] = box.settled[box.free.count + k];
  return true;
}

// The slope of the objective where it is.
inline void find_slope(Box& box) {
  const QpProblem& problem = *box.problem;
  slope_at(problem, box.x, box.g);
  if (box.pull.delta == 0.0) return;
  for (int i = 0; i < problem.n; ++i) box.g[i] += box.pull.delta * (box.x[i] - box.pull.anchor[i]);
}

// The slope with what rows that hold push, and what counts as none; where few bounds hold and no row, of these alone.
inline void look_down(Box& box) {
  const QpProblem& problem = *box.problem;
  const Pull& pull = box.pull;
  if (box.nrows == 0 && kFew * box.nbounds < problem.n) {
    for (int k = 0; k < box.nbounds; ++k) {
      const int i = box.bounds[k];
      box.g[i] = slope_of(problem, box.x, i) + (pull.delta > 0.0 ? pull.delta * (box.x[i] - pull.anchor[i]) : 0.0);
    }
  } else {
    find_slope(box);
  }
  double largest = 0.0, scale = 0.0, size = 0.0, none = 0.0;  // 0 times numbers, unless these are none
  for (int i = 0; i < problem.n; ++i) {
    const double pivot = problem.H[i * problem.stride + i];
    largest = max(largest, abs(problem.c[i]));
    scale = max(scale, pivot);
    size = max(size, abs(box.x[i]));
    none += 0.0 * problem.c[i] + 0.0 * pivot;
  }
  for (int k = 0; k < box.nbounds; ++k) none += 0.0 * box.g[box.bounds[k]];
  for (int k = 0; k < box.nrows; ++k) {
    largest = max(largest, abs(box.push[k]) * box.lengths[box.rows[k]]);
    add_times(qp_stride(problem.n), box.push[k], row_of(problem, box.rows[k]), box.g);
  }
  box.dust = kDust * (largest + problem.n * scale * size) + none;
  box.size = size;
}

// Looks down and at rows, and takes away what rounding left of the slope along free ones and of rows that hold, which is
// more where these are nearly dependent; false where it stays.
inline bool look_around(Box& box) {
  const QpProblem& problem = *box.problem;
  for (int round = 0; round < kRounds; ++round) {
    look_down(box);
    look_at_rows(box);
    bool fine = true;
    for (int a = 0; a < box.free.count; ++a) {
      box.settled[a] = box.g[box.free.list[a]];
      fine &= abs(box.settled[a]) <= kMuchDust * box.dust;
    }
    for (int k = 0; k < box.nrows; ++k) {
      const int row = box.rows[k];
      box.settled[box.free.count + k] = box.reached[row] - problem.b[row];
      fine &= abs(box.settled[box.free.count + k]) <= kMiss * (abs(problem.b[row]) + box.lengths[row] * box.size);
    }
    if (fine) return true;
    for (int a = box.triangle.n; a < box.triangle.stride; ++a) box.settled[a] = 0.0;
    carry(box.triangle, box.settled);
    solve_carried(box.triangle, box.settled);
    for (int a = 0; a < box.free.count; ++a) box.x[box.free.list[a]] += box.settled[a];
    for (int k = 0; k < box.nrows; ++k) box.push[k] += box.settled[box.free.count + k];
  }
  return false;
}

}  // namespace pantin::PANTIN_ISA
