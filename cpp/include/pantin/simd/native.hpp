// What GCC and Clang do not reliably make of plain vector code, written with the processor's own words:
// square roots, tests of a mask, stores of part of a pack, and small blocks turned between rows and lanes.
#pragma once

#include <cstring>

#include "pantin/simd/isa.hpp"

#if PANTIN_LANES > 2
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // GCC bug 105593, in the header itself
#endif
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif

namespace pantin::PANTIN_ISA::native {

// A block is `kBlock` neighbouring columns of as many rows as there are lanes; lanes[k] holds column k.
inline constexpr int kBlock = PANTIN_LANES > 2 ? 4 : 2;

#if PANTIN_LANES == 8

using Reals = __m512d;
using Bits = __m512i;

PANTIN_INLINE Reals sqrt(Reals x) { return _mm512_sqrt_pd(x); }
PANTIN_INLINE bool any(Bits mask) { return _mm512_movepi64_mask(mask) != 0; }
PANTIN_INLINE Reals load_first(const double* from, int count) {
  return _mm512_maskz_loadu_pd(static_cast<__mmask8>((1 << count) - 1), from);
}
PANTIN_INLINE void store_first(double* to, Reals x, int count) {
  _mm512_mask_storeu_pd(to, static_cast<__mmask8>((1 << count) - 1), x);
}
// One lane in all of them.
template <int Lane>
PANTIN_INLINE Reals spread(Reals x) {
  return _mm512_permutexvar_pd(_mm512_set1_epi64(Lane), x);
}
// The lanes of a mask side by side, and something in the place of the others behind them.
PANTIN_INLINE void store_chosen(double* to, Reals x, int mask) {
  _mm512_storeu_pd(to, _mm512_maskz_compress_pd(static_cast<__mmask8>(mask), x));
}

// Columns of two 4 x 4 blocks side by side, from their rows or back.
PANTIN_INLINE void turn(Reals& a, Reals& b, Reals& c, Reals& d) {
  const Bits low = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
  const Bits high = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
  const Reals ab0 = _mm512_unpacklo_pd(a, b), ab1 = _mm512_unpackhi_pd(a, b);
  const Reals cd0 = _mm512_unpacklo_pd(c, d), cd1 = _mm512_unpackhi_pd(c, d);
  a = _mm512_permutex2var_pd(ab0, low, cd0);
  b = _mm512_permutex2var_pd(ab1, low, cd1);
  c = _mm512_permutex2var_pd(ab0, high, cd0);
  d = _mm512_permutex2var_pd(ab1, high, cd1);
}
PANTIN_INLINE Reals load_rows(const double* upper, const double* lower) {
  return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(upper)), _mm256_loadu_pd(lower), 1);
}
PANTIN_INLINE void store_rows(Reals rows, double* upper, double* lower) {
  _mm256_storeu_pd(upper, _mm512_castpd512_pd256(rows));
  _mm256_storeu_pd(lower, _mm512_extractf64x4_pd(rows, 1));
}
PANTIN_INLINE void load_block(const double* rows, std::size_t stride, Reals* lanes) {
  for (int k = 0; k < 4; ++k) lanes[k] = load_rows(rows + k * stride, rows + (k + 4) * stride);
  turn(lanes[0], lanes[1], lanes[2], lanes[3]);
}
PANTIN_INLINE void store_block(const Reals* lanes, double* rows, std::size_t stride) {
  Reals row[4] = {lanes[0], lanes[1], lanes[2], lanes[3]};
  turn(row[0], row[1], row[2], row[3]);
  for (int k = 0; k < 4; ++k) store_rows(row[k], rows + k * stride, rows + (k + 4) * stride);
}

#elif PANTIN_LANES == 4

using Reals = __m256d;
using Bits = __m256i;

PANTIN_INLINE Reals sqrt(Reals x) { return _mm256_sqrt_pd(x); }
PANTIN_INLINE bool any(Bits mask) { return _mm256_movemask_pd(_mm256_castsi256_pd(mask)) != 0; }
PANTIN_INLINE Reals load_first(const double* from, int count) {
  const Bits order = _mm256_setr_epi64x(0, 1, 2, 3);
  return _mm256_maskload_pd(from, _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), order));
}
PANTIN_INLINE void store_first(double* to, Reals x, int count) {
  if (count == 4) return _mm256_storeu_pd(to, x);
  const __m128d low = _mm256_castpd256_pd128(x), high = _mm256_extractf128_pd(x, 1);
  if (count == 1) return _mm_store_sd(to, low);
  _mm_storeu_pd(to, low);
  if (count == 3) _mm_store_sd(to + 2, high);
}

PANTIN_INLINE void turn(Reals& a, Reals& b, Reals& c, Reals& d) {
  const Reals ab0 = _mm256_unpacklo_pd(a, b), ab1 = _mm256_unpackhi_pd(a, b);
  const Reals cd0 = _mm256_unpacklo_pd(c, d), cd1 = _mm256_unpackhi_pd(c, d);
  a = _mm256_permute2f128_pd(ab0, cd0, 0x20);
  b = _mm256_permute2f128_pd(ab1, cd1, 0x20);
  c = _mm256_permute2f128_pd(ab0, cd0, 0x31);
  d = _mm256_permute2f128_pd(ab1, cd1, 0x31);
}
PANTIN_INLINE void load_block(const double* rows, std::size_t stride, Reals* lanes) {
  for (int k = 0; k < 4; ++k) lanes[k] = _mm256_loadu_pd(rows + k * stride);
  turn(lanes[0], lanes[1], lanes[2], lanes[3]);
}
PANTIN_INLINE void store_block(const Reals* lanes, double* rows, std::size_t stride) {
  Reals row[4] = {lanes[0], lanes[1], lanes[2], lanes[3]};
  turn(row[0], row[1], row[2], row[3]);
  for (int k = 0; k < 4; ++k) _mm256_storeu_pd(rows + k * stride, row[k]);
}

#else

typedef double Reals __attribute__((vector_size(16)));
typedef long long Bits __attribute__((vector_size(16)));

PANTIN_INLINE Reals sqrt(Reals x) { return Reals{__builtin_sqrt(x[0]), __builtin_sqrt(x[1])}; }
PANTIN_INLINE bool any(Bits mask) { return (mask[0] | mask[1]) != 0; }
PANTIN_INLINE Reals load_first(const double* from, int count) { return Reals{from[0], count > 1 ? from[1] : 0.0}; }
PANTIN_INLINE void store_first(double* to, Reals x, int count) {
  for (int k = 0; k < count; ++k) to[k] = x[k];
}

PANTIN_INLINE void load_block(const double* rows, std::size_t stride, Reals* lanes) {
  Reals row[2];
  for (int k = 0; k < 2; ++k) std::memcpy(&row[k], rows + k * stride, sizeof(Reals));
  for (int k = 0; k < 2; ++k) lanes[k] = Reals{row[0][k], row[1][k]};
}
PANTIN_INLINE void store_block(const Reals* lanes, double* rows, std::size_t stride) {
  for (int k = 0; k < 2; ++k) {
    const Reals row{lanes[0][k], lanes[1][k]};
    std::memcpy(rows + k * stride, &row, sizeof(Reals));
  }
}

#endif

#if PANTIN_LANES > 2

// Columns x, y, z, p of a pose as its rotation by rows, then its translation.
PANTIN_INLINE void store_pose(__m256d x, __m256d y, __m256d z, __m256d p, double* to) {
  const __m256d xy = _mm256_unpacklo_pd(x, y);                 // x0 y0 x2 y2
  const __m256d yx = _mm256_unpackhi_pd(y, x);                 // y1 x1
  const __m256d zx = _mm256_shuffle_pd(z, yx, 0b1010);         // z0 x1
  const __m256d yz = _mm256_shuffle_pd(yx, z, 0b1010);         // y1 z1
  const __m256d z2 = _mm256_permute4x64_pd(z, 0b10101010);
  _mm256_storeu_pd(to, _mm256_insertf128_pd(xy, _mm256_castpd256_pd128(zx), 1));
  _mm256_storeu_pd(to + 4, _mm256_blend_pd(yz, xy, 0b1100));
  _mm256_storeu_pd(to + 8, _mm256_blend_pd(_mm256_permute4x64_pd(p, 0b10010000), z2, 0b0001));
}

#endif

// A whole cache line of eight numbers to memory, past the caches; `stream_done` after the last.
PANTIN_INLINE void stream_line(const double* line, double* to) {
#if PANTIN_LANES == 8
  _mm512_stream_pd(to, _mm512_load_pd(line));
#elif PANTIN_LANES == 4
  for (int k = 0; k < 8; k += 4) _mm256_stream_pd(to + k, _mm256_load_pd(line + k));
#else
  std::memcpy(to, line, 8 * sizeof(double));
#endif
}
PANTIN_INLINE void stream_done() {
#if PANTIN_LANES > 2
  _mm_sfence();
#endif
}

}  // namespace pantin::PANTIN_ISA::native
