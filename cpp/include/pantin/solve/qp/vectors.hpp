// Vectors and rows of one problem, in whole packs: numbers past the end are 0.
#pragma once

#include "pantin/solve/qp/factor.hpp"

namespace pantin::PANTIN_ISA {

PANTIN_INLINE Pack<kLanes> load_up_to(const double* from, int count) {
  return count == kLanes ? load_lanes(from) : Pack<kLanes>(native::load_first(from, count));
}

// y += s x, in whole packs.
PANTIN_INLINE void add_times(int width, double s, const double* x, double* y) {
  for (int i = 0; i < width; i += kLanes) store_lanes(y + i, load_lanes(y + i) + Pack<kLanes>(s) * load_lanes(x + i));
}

// Products of rows with vectors, by packs of the first columns; `with` gives a row's pack another to multiply it by.
template <class With>
PANTIN_INLINE void products_with(const double* rows, int count, int stride, int width, double* to, With&& with) {
  using P = Pack<kLanes>;
  for (int first = 0; first < count; first += kPanelWidth) {
    P sum[kPanelWidth];
    const int last = count - 1 - first;
#pragma GCC unroll 8
    for (int c = 0; c < kPanelWidth; ++c) sum[c] = P(0.0);
    for (int i = 0; i < width; i += kLanes)
#pragma GCC unroll 8
      for (int c = 0; c < kPanelWidth; ++c) {
        const P row = load_lanes(rows + (first + (c < last ? c : last)) * stride + i);
        sum[c] += row * with(row, i);
      }
    double total[kPanelWidth];
    sums(sum, total);
    for (int c = 0; c < kPanelWidth && c <= last; ++c) to[first + c] = total[c];
  }
}

// Products of rows with one vector.
inline void products(const double* rows, int count, int stride, int width, const double* x, double* to) {
  products_with(rows, count, stride, width, to, [x](Pack<kLanes>, int i) PANTIN_LAMBDA { return load_lanes(x + i); });
}

// The squares of rows' lengths.
inline void squares(const double* rows, int count, int stride, int width, double* to) {
  products_with(rows, count, stride, width, to, [](Pack<kLanes> row, int) PANTIN_LAMBDA { return row; });
}

// y += s' rows, for a few packs that stay in registers.
template <int N>
inline void combine_packs(const double* rows, int count, int stride, const double* s, double* y) {
  Pack<kLanes> sum[N];
#pragma GCC unroll 8
  for (int c = 0; c < N; ++c) sum[c] = load_lanes(y + c * kLanes);
  for (int j = 0; j < count; ++j)
#pragma GCC unroll 8
    for (int c = 0; c < N; ++c) sum[c] += Pack<kLanes>(s[j]) * load_lanes(rows + j * stride + c * kLanes);
#pragma GCC unroll 8
  for (int c = 0; c < N; ++c) store_lanes(y + c * kLanes, sum[c]);
}

// y += s' rows, in whole packs.
inline void combine(const double* rows, int count, int stride, int width, const double* s, double* y) {
  for (int i = 0; i < width;) {
    const int packs = (width - i) / kLanes;
    switch (packs < 8 ? packs : 8) {
      case 8: combine_packs<8>(rows + i, count, stride, s, y + i); i += 8 * kLanes; break;
      case 7: combine_packs<7>(rows + i, count, stride, s, y + i); return;
      case 6: combine_packs<6>(rows + i, count, stride, s, y + i); return;
      case 5: combine_packs<5>(rows + i, count, stride, s, y + i); return;
      case 4: combine_packs<4>(rows + i, count, stride, s, y + i); return;
      case 3: combine_packs<3>(rows + i, count, stride, s, y + i); return;
      case 2: combine_packs<2>(rows + i, count, stride, s, y + i); return;
      default: combine_packs<1>(rows + i, count, stride, s, y + i); return;
    }
  }
}

}  // namespace pantin::PANTIN_ISA
