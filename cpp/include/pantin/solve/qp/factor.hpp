// Symmetric systems of one problem, lanes within the matrix: L D L', panel by panel. They are positive definite, or such
// with rows of constraints behind, whose own square is 0.
//
// A triangle holds the system's upper half by rows, so a vector is a piece of a column of L. Column n takes a right
// side, which the factorisation carries along as though it were the matrix's last row. Row k becomes d_k times column k
// of L, d_k on the diagonal; whatever stands before the diagonal is of no account.
#pragma once

#include "pantin/simd/lanes.hpp"
#include "pantin/solve/pieces.hpp"
#include "pantin/solve/qp/problem.hpp"

namespace pantin::PANTIN_ISA {

inline constexpr int kPanelWidth = kQpRow;               // columns that are factored together
inline constexpr int kPacks = kPanelWidth / kLanes;  // packs that hold a row of a panel
inline constexpr double kSmallestPivot = 1e-10;      // of what stood there before, below which a system is singular

struct Triangle {
  int n, stride;  // the stride leaves room for the right side
  int positive;   // pivots that are; those behind are negative
  double* rows;
  double* reciprocal;  // of each pivot
  double* scaled[2];   // panels of L by rows, of this panel and the next
};

// Numbers from one row to the next of a triangle of n unknowns and a right side.
constexpr int triangle_stride(int n) { return qp_stride(n + 1); }

inline void lay_out(Triangle& t, int n, Pieces& pieces) {
  const std::size_t stride = triangle_stride(n);
  t.rows = pieces.take<double>(stride * stride);
  t.reciprocal = pieces.take<double>(stride);
  for (double*& panel : t.scaled) panel = pieces.take<double>(stride * kPanelWidth);
}

PANTIN_INLINE Pack<kLanes> load_lanes(const double* from) { return load_pack<Pack<kLanes>>(from); }
PANTIN_INLINE void store_lanes(double* to, Pack<kLanes> x) { std::memcpy(to, &x, sizeof x); }

alignas(64) inline constexpr double kLaneOrder[kPanelWidth] = {0, 1, 2, 3, 4, 5, 6, 7};

PANTIN_INLINE Pack<kLanes> lanes_from(int first) { return load_lanes(kLaneOrder) + Pack<kLanes>(first); }

// Rows `first` and on, less what rows from `begin` to there take from them, in the lanes at `column`.
PANTIN_INLINE void reduce_tile(const Triangle& t, int begin, int first, int column, const double* scaled,
                               Pack<kLanes> (&tile)[kPanelWidth]) {
#pragma GCC unroll 8
  for (int c = 0; c < kPanelWidth; ++c) tile[c] = load_lanes(t.rows + (first + c) * t.stride + column);
  for (int k = begin; k < first; ++k) {
    const Pack<kLanes> row = load_lanes(t.rows + k * t.stride + column);
#pragma GCC unroll 8
    for (int c = 0; c < kPanelWidth; ++c) tile[c] -= row * Pack<kLanes>(scaled[k * kPanelWidth + c]);
  }
}

// The panel's rows in the lanes at `column`, where its triangle is factored and nothing stands above `begin`.
PANTIN_INLINE void finish_tile(const Triangle& t, int begin, int first, int column, const double* scaled) {
  Pack<kLanes> tile[kPanelWidth];
  reduce_tile(t, begin, first, column, scaled, tile);
#pragma GCC unroll 8
  for (int k = 0; k < kPanelWidth; ++k) {
    store_lanes(t.rows + (first + k) * t.stride + column, tile[k]);
#pragma GCC unroll 8
    for (int c = k + 1; c < kPanelWidth; ++c)
      tile[c] -= tile[k] * Pack<kLanes>(scaled[(first + k) * kPanelWidth + c]);
  }
}

// Rows `begin` to `end` of L', in the columns of the panel that begins at `first`.
PANTIN_INLINE void scale_panel(const Triangle& t, int begin, int end, int first, double* scaled) {
  for (int k = begin; k < end; ++k)
#pragma GCC unroll 4
    for (int h = 0; h < kPacks; ++h)
      store_lanes(scaled + k * kPanelWidth + h * kLanes,
                  load_lanes(t.rows + k * t.stride + first + h * kLanes) * Pack<kLanes>(t.reciprocal[k]));
}

// Factors the triangle of the panel that begins at `first`; false where a pivot is too small.
PANTIN_INLINE bool factor_panel(const Triangle& t, int first, double* scaled) {
  const int count = t.n - first < kPanelWidth ? t.n - first : kPanelWidth;
  scale_panel(t, 0, first, first, scaled);
  Pack<kLanes> tile[kPacks][kPanelWidth];
#pragma GCC unroll 4
  for (int h = 0; h < kPacks; ++h) reduce_tile(t, 0, first, first + h * kLanes, scaled, tile[h]);

  bool regular = true;
#pragma GCC unroll 8
  for (int k = 0; k < kPanelWidth; ++k) {
    if (k == count) break;
    double* const row = t.rows + (first + k) * t.stride + first;
    double* const l = scaled + (first + k) * kPanelWidth;
    const double before = row[k];
#pragma GCC unroll 4
    for (int h = 0; h < kPacks; ++h) store_lanes(row + h * kLanes, tile[h][k]);
    const double pivot = tile[k / kLanes][k][k % kLanes], reciprocal = 1.0 / pivot;
    regular &= first + k < t.positive ? pivot > kSmallestPivot * before : pivot < 0.0;
    t.reciprocal[first + k] = reciprocal;
#pragma GCC unroll 4
    for (int h = 0; h < kPacks; ++h) store_lanes(l + h * kLanes, tile[h][k] * Pack<kLanes>(reciprocal));
#pragma GCC unroll 8
    for (int c = k + 1; c < kPanelWidth; ++c)
#pragma GCC unroll 4
      for (int h = k / kLanes; h < kPacks; ++h)
        tile[h][c] -= (tile[h][k] * Pack<kLanes>(row[c])) * Pack<kLanes>(reciprocal);
  }
  return regular;
}

// Factors a triangle in place; false where a pivot is too small, or no number.
inline bool factor(const Triangle& t) {
  double *scaled = t.scaled[0], *next = t.scaled[1];
  if (!factor_panel(t, 0, scaled)) return false;
  for (int first = 0; first + kPanelWidth < t.stride; first += kPanelWidth) {
    const int second = first + kPanelWidth;
    for (int h = 0; h < kPacks; ++h) finish_tile(t, 0, first, second + h * kLanes, scaled);
    // the next panel's pivots wait for each other while the tiles below go on
    if (second < t.n && !factor_panel(t, second, next)) return false;
    for (int column = second + kPanelWidth; column < t.stride; column += kLanes)
      finish_tile(t, 0, first, column, scaled);
    double* const done = scaled;
    scaled = next;
    next = done;
  }
  return true;
}

// The inverse of L by rows, of a triangle that is factored: `rows` has as many as the stride, and as long.
inline void invert(const Triangle& t, double* rows) {
  using P = Pack<kLanes>;
  Triangle inverse = t;
  inverse.rows = rows;
  for (int i = 0; i < qp_stride(t.n); ++i)
    for (int column = 0; column < t.stride; column += kLanes)
      store_lanes(rows + i * t.stride + column, select(lanes_from(column) == P(i), P(1.0), P(0.0)));
  for (int first = 0; first < t.n; first += kPanelWidth) {
    const int end = first + kPanelWidth < t.n ? first + kPanelWidth : t.n;
    scale_panel(t, 0, end, first, t.scaled[0]);
    for (int column = 0; column < end; column += kLanes) finish_tile(inverse, column, first, column, t.scaled[0]);
  }
}

PANTIN_INLINE double sum_of(Pack<kLanes> p) {
  double sum = p[0];
  for (int lane = 1; lane < kLanes; ++lane) sum += p[lane];
  return sum;
}

// The sums of the lanes of eight packs.
PANTIN_INLINE void sums(Pack<kLanes> (&p)[kPanelWidth], double (&to)[kPanelWidth]) {
#if PANTIN_LANES > 2
  [[maybe_unused]] double more[kPanelWidth];
#pragma GCC unroll 2
  for (int k = 0; k < kPanelWidth; k += 4) {
    native::turn(p[k].v, p[k + 1].v, p[k + 2].v, p[k + 3].v);
    const Pack<kLanes> sum = (p[k] + p[k + 1]) + (p[k + 2] + p[k + 3]);
#if PANTIN_LANES == 8
    native::store_rows(sum.v, to + k, more + k);
#else
    store_lanes(to + k, sum);
#endif
  }
#if PANTIN_LANES == 8
#pragma GCC unroll 8
  for (int k = 0; k < kPanelWidth; ++k) to[k] += more[k];
#endif
#else
  for (int k = 0; k < kPanelWidth; ++k) to[k] = p[k][0] + p[k][1];
#endif
}

// Takes another right side along a triangle that is factored already; y has `stride` numbers and is lost.
inline void carry(const Triangle& t, double* y) {
  for (int first = 0; first < t.n; first += kPanelWidth) {
    const int count = t.n - first < kPanelWidth ? t.n - first : kPanelWidth;
    for (int k = 0; k < count; ++k) {
      double* const row = t.rows + (first + k) * t.stride;
      const double step = y[first + k] * t.reciprocal[first + k];
      for (int c = k + 1; c < count; ++c) y[first + c] -= row[first + c] * step;
      for (int column = first + kPanelWidth; column < t.stride; column += kLanes)
        store_lanes(y + column, load_lanes(y + column) - load_lanes(row + column) * Pack<kLanes>(step));
      row[t.n] = y[first + k];
    }
  }
}

// Solves for the right side that was carried along, less its sign: x has `stride` numbers.
PANTIN_INLINE void solve_carried(const Triangle& t, double* x) {
  const int last = t.n / kPanelWidth * kPanelWidth;
  for (int i = last; i < t.stride; ++i) x[i] = i == t.n ? 1.0 : 0.0;
  for (int first = last; first >= 0; first -= kPanelWidth) {
    Pack<kLanes> sum[kPanelWidth];
#pragma GCC unroll 8
    for (int c = 0; c < kPanelWidth; ++c) sum[c] = Pack<kLanes>(0.0);
    for (int column = first + kPanelWidth; column < t.stride; column += kLanes) {
      const Pack<kLanes> known = load_lanes(x + column);
#pragma GCC unroll 8
      for (int c = 0; c < kPanelWidth; ++c) sum[c] += load_lanes(t.rows + (first + c) * t.stride + column) * known;
    }
    double rest[kPanelWidth];
    sums(sum, rest);
    const int count = t.n + 1 - first < kPanelWidth ? t.n + 1 - first : kPanelWidth;
#pragma GCC unroll 8
    for (int k = kPanelWidth - 1; k >= 0; --k) {
      if (k >= count) continue;
      const double value = first + k == t.n ? 1.0 : -rest[k] * t.reciprocal[first + k];
      x[first + k] = value;
#pragma GCC unroll 8
      for (int c = 0; c < k; ++c) rest[c] += t.rows[(first + c) * t.stride + first + k] * value;
    }
  }
}

}  // namespace pantin::PANTIN_ISA
