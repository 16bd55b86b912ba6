// What a kernel asks of its scalar, written once for `double` and for a pack.
#pragma once

#include <type_traits>

#include "pantin/simd/pack.hpp"

namespace pantin::PANTIN_ISA {

template <class T>
inline constexpr int lanes_of = 1;
template <int N>
inline constexpr int lanes_of<Pack<N>> = N;

template <class T>
struct MaskOf {
  using type = bool;
};
template <int N>
struct MaskOf<Pack<N>> {
  using type = Mask<N>;
};
template <class T>
using mask_of = typename MaskOf<T>::type;

PANTIN_INLINE double select(bool mask, double yes, double no) { return mask ? yes : no; }
PANTIN_INLINE bool any(bool mask) { return mask; }
PANTIN_INLINE double sqrt(double x) { return __builtin_sqrt(x); }

PANTIN_INLINE double abs(double x) { return __builtin_fabs(x); }
template <class T>
PANTIN_INLINE T min(T a, T b) {
  return select(b < a, b, a);
}
template <class T>
PANTIN_INLINE T max(T a, T b) {
  return select(a < b, b, a);
}
template <class T>
PANTIN_INLINE T clamp(T x, T lower, T upper) {
  return min(max(x, lower), upper);
}

PANTIN_INLINE double lane(double x, int) { return x; }
template <int N>
PANTIN_INLINE double lane(const Pack<N>& x, int i) {
  return x[i];
}
PANTIN_INLINE void set_lane(double& x, int, double value) { x = value; }
template <int N>
PANTIN_INLINE void set_lane(Pack<N>& x, int i, double value) {
  x.set(i, value);
}

// The type of a product: a pack times a double is a pack.
template <class A, class B>
using wider = std::conditional_t<(lanes_of<A> >= lanes_of<B>), A, B>;

}  // namespace pantin::PANTIN_ISA
