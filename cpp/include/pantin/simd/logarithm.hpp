// log(1 + x) by the same polynomial for one double and for a pack.
//
// Reduction to [sqrt(1/2), sqrt(2)] and the minimax polynomial of fdlibm's log (Sun Microsystems, 1993; freely
// usable); what 1 + x loses by rounding is added back, as in fdlibm's log1p. Errors stay below two units in the last
// place for 0 <= x < 1e300.
#pragma once

#include <bit>

#include "pantin/simd/real.hpp"

namespace pantin::PANTIN_ISA {

// 1 + x = 2^exponent times mantissa, the mantissa in [sqrt(1/2), sqrt(2)).
template <class T>
struct Split {
  T exponent, mantissa;
};

// Bits of sqrt(1/2), and of 1.5 * 2^52, which carries a small whole number at its low end.
inline constexpr std::int64_t kRootHalf = 0x3fe6a09e667f3bcd;
inline constexpr std::int64_t kCarrier = 0x4338000000000000;

PANTIN_INLINE Split<double> split(double y) {
  const std::int64_t bits = std::bit_cast<std::int64_t>(y) - kRootHalf, n = bits >> 52;
  const double carried = std::bit_cast<double>(kCarrier + n) - std::bit_cast<double>(kCarrier);
  return {carried, std::bit_cast<double>(std::bit_cast<std::int64_t>(y) - (n << 52))};
}
template <int N>
PANTIN_INLINE Split<Pack<N>> split(Pack<N> y) {
  using Bits = typename Vectors<N>::Bits;
  using Reals = typename Vectors<N>::Reals;
  const Bits whole = reinterpret_cast<Bits>(y.v), n = (whole - kRootHalf) >> 52;
  return {Pack<N>(reinterpret_cast<Reals>(n + kCarrier)) - Pack<N>(std::bit_cast<double>(kCarrier)),
          Pack<N>(reinterpret_cast<Reals>(whole - (n << 52)))};
}

// log(1 + x) for x >= 0.
template <class T>
PANTIN_INLINE T log1p(T x) {
  const T y = T(1.0) + x;
  // what rounding took from 1 + x, relative to it
  const T lost = select(x < T(1.0), x - (y - T(1.0)), T(1.0) - (y - x)) / y;
  const Split<T> parts = split(y);
  const T f = parts.mantissa - T(1.0), s = f / (T(2.0) + f), z = s * s;
  const T tail =
      z * (T(6.666666666666735130e-01) +
           z * (T(3.999999999940941908e-01) +
                z * (T(2.857142874366239149e-01) +
                     z * (T(2.222219843214978396e-01) +
                          z * (T(1.818357216161805012e-01) +
                               z * (T(1.531383769920937332e-01) + z * T(1.479819860511658591e-01)))))));
  const T half = T(0.5) * f * f;
  const T high = parts.exponent * T(6.93147180369123816490e-01);
  const T low = parts.exponent * T(1.90821492927058770002e-10) + lost;
  return high - ((half - (s * (half + tail) + low)) - f);
}

}  // namespace pantin::PANTIN_ISA
