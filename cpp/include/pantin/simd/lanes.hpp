// Moving rows of numbers into and out of lanes.
#pragma once

#include "pantin/simd/real.hpp"

namespace pantin::PANTIN_ISA {

// f(k) for the first column of each block; the last block may overlap the one before.
template <class F>
PANTIN_INLINE void each_block(int width, F&& f) {
  for (int k = 0; k + native::kBlock <= width; k += native::kBlock) f(k);
  if (width % native::kBlock) f(width - native::kBlock);
}

// Numbers that lie side by side, at any address.
template <class T>
PANTIN_INLINE T load_pack(const double* from) {
  T pack;
  std::memcpy(&pack, from, sizeof(T));
  return pack;
}

// The first four numbers of as many rows as there are lanes.
template <class T>
PANTIN_INLINE void load_columns(const double* rows, std::size_t stride, T* out) {
  auto* const lanes = reinterpret_cast<native::Reals*>(out);
  for (int k = 0; k < 4; k += native::kBlock) native::load_block(rows + k, stride, lanes + k);
}

// Element k of row `lane` becomes lane `lane` of out[k]; missing rows repeat the last one.
template <class T>
inline void gather_rows(const double* rows, std::size_t stride, int count, int width, T* out) {
  if constexpr (lanes_of<T> == kLanes) {
    if (count == kLanes && width >= native::kBlock) {
      auto* const lanes = reinterpret_cast<native::Reals*>(out);
      each_block(width, [&](int k) { native::load_block(rows + k, stride, lanes + k); });
      return;
    }
  }
  for (int k = 0; k < width; ++k) {
    T value = T(rows[k]);
    for (int lane = 1; lane < lanes_of<T>; ++lane)
      set_lane(value, lane, rows[(lane < count ? lane : count - 1) * stride + k]);
    out[k] = value;
  }
}

template <class T>
inline void scatter_rows(const T* in, int count, int width, double* rows, std::size_t stride) {
  if constexpr (lanes_of<T> == kLanes) {
    if (count == kLanes && width >= native::kBlock) {
      const auto* const lanes = reinterpret_cast<const native::Reals*>(in);
      each_block(width, [&](int k) { native::store_block(lanes + k, rows + k, stride); });
      return;
    }
  }
  for (int lane = 0; lane < count; ++lane)
    for (int k = 0; k < width; ++k) rows[lane * stride + k] = ::pantin::PANTIN_ISA::lane(in[k], lane);
}

// One function of `In` numbers to `Out` numbers, applied to n rows in packs; to one row as it is.
template <int In, int Out, class F>
void map_rows(std::size_t n, const double* in, double* out, F&& f) {
  if (n == 1) return f(in, out);
  Pack<kLanes> x[In], y[Out];
  for (std::size_t i = 0; i < n; i += kLanes) {
    const int count = n - i < std::size_t(kLanes) ? int(n - i) : kLanes;
    gather_rows(in + i * In, In, count, In, x);
    f(x, y);
    scatter_rows(y, count, Out, out + i * Out, Out);
  }
}

}  // namespace pantin::PANTIN_ISA
