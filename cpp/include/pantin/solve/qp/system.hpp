// What a quadratic program's objective asks of some of its unknowns while the others are held: a triangle to factor,
// and slopes.
#pragma once

#include "pantin/solve/qp/vectors.hpp"

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

// g = H x + c where only the held ones of x, `count` of them in a list, are not 0; where these are few.
inline void slope_at_held(const QpProblem& problem, const double* x, const int* held, int count, double* g) {
  using P = Pack<kLanes>;
  const int n = problem.n, width = qp_stride(n);
  for (int i = 0; i < width; ++i) g[i] = i < n ? problem.c[i] : 0.0;
  for (int k = 0; k < count; ++k) {
    const int h = held[k];
    const double at = x[h];
    for (int i = 0; i < h; ++i) g[i] += problem.H[i * problem.stride + h] * at;
    const double* const row = problem.H + h * problem.stride;
    for (int i = h / kLanes * kLanes; i < width; i += kLanes)
      store_lanes(g + i, load_lanes(g + i) + select(lanes_from(i) >= P(h), load_lanes(row + i), P(0.0)) * P(at));
  }
}

// One number of H x + c.
inline double slope_of(const QpProblem& problem, const double* x, int h) {
  using P = Pack<kLanes>;
  const int width = qp_stride(problem.n);
  const double* const row = problem.H + h * problem.stride;
  const double* const column = problem.H + h;
  P right = P(0.0);
  for (int i = h / kLanes * kLanes; i < width; i += kLanes)
    right += select(lanes_from(i) >= P(h), load_lanes(row + i), P(0.0)) * load_lanes(x + i);
  double sum[4] = {problem.c[h], 0.0, 0.0, 0.0};
  int i = 0;
  for (; i + 4 <= h; i += 4)
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) sum[k] += column[(i + k) * problem.stride] * x[i + k];
  for (; i < h; ++i) sum[0] += column[i * problem.stride] * x[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]) + sum_of(right);
}

// The whole system, with c as its right side.
PANTIN_INLINE void load_all(const QpProblem& problem, const Pull& pull, Triangle& t) {
  using P = Pack<kLanes>;
  const int n = problem.n, whole = n / kLanes * kLanes, width = qp_stride(n);
  t.n = t.positive = n;
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

// Unknowns that are free, in ascending order, and as bits, eight unknowns each.
struct Free {
  int count;
  int* list;
  unsigned char* bits;
};

// What row i has of the free unknowns from i on, side by side; what stands behind is lost.
PANTIN_INLINE void gather_free(const double* row, const Free& free, int a, int n, double* to) {
#if PANTIN_LANES == 8
  int block = free.list[a] / kLanes, mask = free.bits[block] & (-1 << free.list[a] % kLanes);
  for (;;) {
    native::store_chosen(to, load_lanes(row + block * kLanes).v, mask);
    to += __builtin_popcount(static_cast<unsigned>(mask));
    if (++block * kLanes >= n) return;
    mask = free.bits[block];
  }
#else
  (void)n;
  for (int b = a; b < free.count; ++b) *to++ = row[free.list[b]];
#endif
}

// The system of the unknowns that are free, and of rows that hold them, behind them; `right` is its right side.
inline void load_some(const QpProblem& problem, const Pull& pull, const Free& free, const int* rows, int nrows,
                      const double* right, Triangle& t) {
  using P = Pack<kLanes>;
  const int count = free.count;
  t.n = count + nrows;
  t.positive = count;
  t.stride = triangle_stride(t.n);
  for (int a = 0; a < t.n; ++a) {
    double* const row = t.rows + a * t.stride;
    if (a < count) {
      const int i = free.list[a];
      gather_free(problem.H + i * problem.stride, free, a, problem.n, row + a);
      row[a] += pull.delta;
      for (int k = 0; k < nrows; ++k) row[count + k] = problem.A[rows[k] * problem.stride + i];
    } else {
      for (int b = a; b < t.n; ++b) row[b] = 0.0;
    }
    // the right side and zeros, perhaps over what the next row begins with, which comes later
    for (int b = t.n; b < t.stride; b += kLanes)
      store_lanes(row + b, b == t.n ? select(lanes_from(0) == P(0.0), P(right[a]), P(0.0)) : P(0.0));
  }
}

// True where rows behind a factored system do not depend on each other.
inline bool is_independent(const Triangle& t) {
  for (int k = t.positive; k < t.n; ++k) {
    double whole = 0.0;  // what the pivot would be without the rows before
    for (int a = 0; a < t.positive; ++a) whole += t.rows[a * t.stride + k] * t.rows[a * t.stride + k] * t.reciprocal[a];
    if (!(-t.rows[k * t.stride + k] > kSmallestPivot * whole)) return false;
  }
  return true;
}

}  // namespace pantin::PANTIN_ISA
