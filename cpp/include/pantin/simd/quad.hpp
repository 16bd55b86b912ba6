// Three numbers of one problem side by side: a column of a pose. The fourth is spare.
#pragma once

#include "pantin/simd/real.hpp"

namespace pantin::PANTIN_ISA {

#if PANTIN_LANES > 2

struct Quad {
  typedef double Lanes __attribute__((vector_size(32)));
  Lanes v;

  PANTIN_INLINE explicit Quad(Lanes lanes) : v(lanes) {}
  PANTIN_INLINE Quad(double x, double y, double z, double spare = 0.0) : v{x, y, z, spare} {}

  friend PANTIN_INLINE Quad operator+(Quad a, Quad b) { return Quad(a.v + b.v); }
  friend PANTIN_INLINE Quad operator-(Quad a, Quad b) { return Quad(a.v - b.v); }
  friend PANTIN_INLINE Quad operator*(double s, Quad a) { return Quad(s * a.v); }
};

PANTIN_INLINE void store_pose(Quad x, Quad y, Quad z, Quad p, double* to) { native::store_pose(x.v, y.v, z.v, p.v, to); }

#else

struct Quad {
  using Pair = Pack<2>::Lanes;
  Pack<2> low, high;

  PANTIN_INLINE Quad(Pack<2> l, Pack<2> h) : low(l), high(h) {}
  PANTIN_INLINE Quad(double x, double y, double z, double spare = 0.0) : low(Pair{x, y}), high(Pair{z, spare}) {}

  friend PANTIN_INLINE Quad operator+(Quad a, Quad b) { return {a.low + b.low, a.high + b.high}; }
  friend PANTIN_INLINE Quad operator-(Quad a, Quad b) { return {a.low - b.low, a.high - b.high}; }
  friend PANTIN_INLINE Quad operator*(double s, Quad a) { return {Pack<2>(s) * a.low, Pack<2>(s) * a.high}; }
};

PANTIN_INLINE void store_pose(Quad x, Quad y, Quad z, Quad p, double* to) {
  const Quad columns[4] = {x, y, z, p};
  for (int j = 0; j < 4; ++j) {
    const int step = j < 3 ? 3 : 1;  // the rotation lies by rows
    double* const first = j < 3 ? to + j : to + 9;
    first[0] = columns[j].low[0];
    first[step] = columns[j].low[1];
    first[2 * step] = columns[j].high[0];
  }
}

#endif

PANTIN_INLINE void store(const Quad& a, double* to) { std::memcpy(to, &a, sizeof(Quad)); }

}  // namespace pantin::PANTIN_ISA
