// What a quadratic program's objective asks of some of its unknowns while the others are held: a triangle to factor,
// and slopes.
#pragma once

#include "pantin/solve/qp/factor.hpp"

namespace pantin::PANTIN_ISA {

// The objective with a pull towards an anchor: delta / 2 |x - anchor|^2, none where delta is 0.
struct Pull {
  double delta;
  double* anchor;
};

// g = H x + c; both come in whole packs, and x is 0 past n.
inline void slope_at(const QpProblem& problem, const double* x, double* g) {
  using P = Pack<kLanes>;
  const int width = qp_stride(problem.n);
  for (int i = 0; i < width; ++i) g[i] = i < problem.n ? problem.c[i] : 0.0;
  for (int first = 0; first < problem.n; first += kPanelWidth) {
    const double* const rows = problem.H + first * problem.stride;
    P sum[kPanelWidth];
#pragma GCC unroll 8
    for (int c = 0; c < kPanelWidth; ++c) sum[c] = P(0.0);
    // the panel's own triangle
    for (int h = 0; h < kPacks; ++h) {
      const int column = first + h * kLanes;
      const P known = load_lanes(x + column), order = lanes_from(h * kLanes);
      P out = load_lanes(g + column);
#pragma GCC unroll 8
      for (int c = 0; c < kPanelWidth; ++c) {
        if (first + c >= problem.n) break;
        const P row = load_lanes(rows + c * problem.stride + column);
        sum[c] += select(order >= P(c), row, P(0.0)) * known;
        out += select(order > P(c), row, P(0.0)) * P(x[first + c]);
      }
      store_lanes(g + column, out);
    }
    // what lies beside it stands for what lies below, too
    for (int column = first + kPanelWidth; column < width; column += kLanes) {
      const P known = load_lanes(x + column);
      P out = load_lanes(g + column);
#pragma GCC unroll 8
      for (int c = 0; c < kPanelWidth; ++c) {
        const P row = load_lanes(rows + c * problem.stride + column);
        sum[c] += row * known;
        out += row * P(x[first + c]);
      }
      store_lanes(g + column, out);
    }
    double total[kPanelWidth];
    sums(sum, total);
    for (int c = 0; c < kPanelWidth; ++c) g[first + c] += total[c];
  }
}

// The whole system, with c as its right side.
PANTIN_INLINE void load_all(const QpProblem& problem, const Pull& pull, Triangle& t) {
  using P = Pack<kLanes>;
  const int n = problem.n, whole = n / kLanes * kLanes, width = qp_stride(n);
  t.n = n;
  t.stride = triangle_stride(n);
  for (int k = 0; k < n; ++k) {
    const double* const from = problem.H + k * problem.stride;
    double* const row = t.rows + k * t.stride;
    int column = k / kPanelWidth * kPanelWidth;
    for (; column < whole; column += kLanes) store_lanes(row + column, load_lanes(from + column));
    const double right = pull.delta > 0.0 ? problem.c[k] - pull.delta * pull.anchor[k] : problem.c[k];
    for (; column < t.stride; column += kLanes) {
      const P order = lanes_from(column), given = column < width ? load_lanes(from + column) : P(0.0);
      store_lanes(row + column, select(order < P(n), given, select(order == P(n), P(right), P(0.0))));
    }
    if (pull.delta > 0.0) row[k] += pull.delta;
  }
}

// The system of the `count` unknowns that are free, in ascending order; g is the slope where these are 0.
inline void load_some(const QpProblem& problem, const Pull& pull, const int* free, int count, const double* g, Triangle& t) {
  t.n = count;
  t.stride = triangle_stride(count);
  for (int a = 0; a < count; ++a) {
    const double* const from = problem.H + free[a] * problem.stride;
    double* const row = t.rows + a * t.stride;
    for (int b = a; b < count; ++b) row[b] = from[free[b]];
    row[a] += pull.delta;
    row[count] = g[free[a]] - pull.delta * pull.anchor[free[a]];
    for (int b = count + 1; b < t.stride; ++b) row[b] = 0.0;
  }
}

}  // namespace pantin::PANTIN_ISA
