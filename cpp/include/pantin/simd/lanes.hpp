// Moving rows of numbers into and out of lanes.
#pragma once

#include "pantin/simd/real.hpp"

namespace pantin::PANTIN_ISA {

// Element k of row `lane` becomes lane `lane` of out[k]; missing rows repeat the last one.
template <class T>
PANTIN_INLINE void gather_rows(const double* rows, int stride, int count, int width, T* out) {
  for (int k = 0; k < width; ++k) {
    T value = T(rows[k]);
    for (int lane = 1; lane < lanes_of<T>; ++lane)
      set_lane(value, lane, rows[(lane < count ? lane : count - 1) * stride + k]);
    out[k] = value;
  }
}

template <class T>
PANTIN_INLINE void scatter_rows(const T* in, int count, int width, double* rows, int stride) {
  for (int lane = 0; lane < count; ++lane)
    for (int k = 0; k < width; ++k) rows[lane * stride + k] = ::pantin::PANTIN_ISA::lane(in[k], lane);
}

}  // namespace pantin::PANTIN_ISA
