// A pack is N doubles that belong to N problems; every operation acts lane by lane.
#pragma once

#include <cstdint>

#include "pantin/simd/native.hpp"

namespace pantin::PANTIN_ISA {

// The compiler's vectors; written out, since GCC loses the attribute on a type that depends on N.
template <int N>
struct Vectors;
template <>
struct Vectors<2> {
  typedef double Reals __attribute__((vector_size(16)));
  typedef std::int64_t Bits __attribute__((vector_size(16)));
};
template <>
struct Vectors<4> {
  typedef double Reals __attribute__((vector_size(32)));
  typedef std::int64_t Bits __attribute__((vector_size(32)));
};
template <>
struct Vectors<8> {
  typedef double Reals __attribute__((vector_size(64)));
  typedef std::int64_t Bits __attribute__((vector_size(64)));
};

template <int N>
struct Mask {
  using Lanes = typename Vectors<N>::Bits;
  Lanes v;
};

template <int N>
struct Pack {
  using Lanes = typename Vectors<N>::Reals;
  Lanes v;

  Pack() = default;
  PANTIN_INLINE Pack(double x) : v(x - Lanes{}) {}
  PANTIN_INLINE explicit Pack(Lanes lanes) : v(lanes) {}
  PANTIN_INLINE double operator[](int lane) const { return v[lane]; }
  PANTIN_INLINE void set(int lane, double x) { v[lane] = x; }

  friend PANTIN_INLINE Pack operator+(Pack a, Pack b) { return Pack(a.v + b.v); }
  friend PANTIN_INLINE Pack operator-(Pack a, Pack b) { return Pack(a.v - b.v); }
  friend PANTIN_INLINE Pack operator*(Pack a, Pack b) { return Pack(a.v * b.v); }
  friend PANTIN_INLINE Pack operator/(Pack a, Pack b) { return Pack(a.v / b.v); }
  friend PANTIN_INLINE Pack operator-(Pack a) { return Pack(-a.v); }
  friend PANTIN_INLINE Pack& operator+=(Pack& a, Pack b) { return a = a + b; }
  friend PANTIN_INLINE Pack& operator-=(Pack& a, Pack b) { return a = a - b; }
  friend PANTIN_INLINE Pack& operator*=(Pack& a, Pack b) { return a = a * b; }

  friend PANTIN_INLINE Mask<N> operator<(Pack a, Pack b) { return {a.v < b.v}; }
  friend PANTIN_INLINE Mask<N> operator>(Pack a, Pack b) { return {a.v > b.v}; }
  friend PANTIN_INLINE Mask<N> operator<=(Pack a, Pack b) { return {a.v <= b.v}; }
  friend PANTIN_INLINE Mask<N> operator>=(Pack a, Pack b) { return {a.v >= b.v}; }
  friend PANTIN_INLINE Mask<N> operator==(Pack a, Pack b) { return {a.v == b.v}; }
};

template <int N>
PANTIN_INLINE Mask<N> operator&(Mask<N> a, Mask<N> b) {
  return {a.v & b.v};
}
template <int N>
PANTIN_INLINE Mask<N> operator|(Mask<N> a, Mask<N> b) {
  return {a.v | b.v};
}
template <int N>
PANTIN_INLINE Mask<N> operator!(Mask<N> a) {
  return {~a.v};
}

template <int N>
PANTIN_INLINE Pack<N> select(Mask<N> mask, Pack<N> yes, Pack<N> no) {
  return Pack<N>(mask.v ? yes.v : no.v);
}

// Bit i is lane i.
template <int N>
PANTIN_INLINE int bits(Mask<N> mask) {
#if PANTIN_LANES == 8
  if constexpr (N == 8) return _mm512_movepi64_mask((__m512i)mask.v);
#endif
#if PANTIN_LANES > 2
  if constexpr (N == 4) return _mm256_movemask_pd((__m256d)mask.v);
#endif
  int set = 0;
  for (int lane = 0; lane < N; ++lane) set |= static_cast<int>(mask.v[lane] & (1 << lane));
  return set;
}

template <int N>
PANTIN_INLINE Pack<N> abs(Pack<N> x) {
  using Bits = typename Vectors<N>::Bits;
  return Pack<N>(reinterpret_cast<typename Vectors<N>::Reals>(reinterpret_cast<Bits>(x.v) & INT64_MAX));
}

template <int N>
PANTIN_INLINE bool any(Mask<N> mask) {
  if constexpr (N == kLanes) return native::any((native::Bits)mask.v);
  return bits(mask) != 0;
}

template <int N>
PANTIN_INLINE Pack<N> sqrt(Pack<N> x) {
  if constexpr (N == kLanes) return Pack<N>(native::sqrt(x.v));
#if PANTIN_LANES > 4
  if constexpr (N == 4) return Pack<N>(_mm256_sqrt_pd(x.v));
#endif
  Pack<N> root;
  for (int lane = 0; lane < N; ++lane) root.v[lane] = __builtin_sqrt(x.v[lane]);
  return root;
}

}  // namespace pantin::PANTIN_ISA
