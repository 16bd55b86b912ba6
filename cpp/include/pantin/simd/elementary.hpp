// sin, cos and atan2 by the same polynomials for one double and for a pack.
//
// Reduction by pi/2 in three parts (Cody and Waite 1980); minimax polynomials with the coefficients of
// fdlibm's kernels (Sun Microsystems, 1993; freely usable). Errors stay below one unit in the last place
// of 1 for |x| < 1e6; beyond that the C library serves lane by lane.
#pragma once

#include <bit>

#include "pantin/simd/real.hpp"

namespace pantin {

void sincos_library(double x, double* sine, double* cosine);

}  // namespace pantin

namespace pantin::PANTIN_ISA {

template <class T>
struct SinCos {
  T s, c;
};

// Sine and cosine of r plus n quarter turns; n is the low end of a value that carries 1.5 * 2^52.
PANTIN_INLINE SinCos<double> quarter_turned(SinCos<double> k, double shifted) {
  const auto n = std::bit_cast<std::int64_t>(shifted);
  const auto s = std::bit_cast<std::int64_t>(k.s), c = std::bit_cast<std::int64_t>(k.c);
  const std::int64_t swapped = (s ^ c) & -(n & 1), sign = INT64_MIN;
  return {std::bit_cast<double>(s ^ swapped ^ ((n << 62) & sign)),
          std::bit_cast<double>(c ^ swapped ^ (((n + 1) << 62) & sign))};
}
template <int N>
PANTIN_INLINE SinCos<Pack<N>> quarter_turned(SinCos<Pack<N>> k, Pack<N> shifted) {
  using Bits = typename Vectors<N>::Bits;
  using Reals = typename Vectors<N>::Reals;
  const Bits n = reinterpret_cast<Bits>(shifted.v);
  const Mask<N> odd{(n & 1) != 0};
  const Bits s = reinterpret_cast<Bits>(select(odd, k.c, k.s).v), c = reinterpret_cast<Bits>(select(odd, k.s, k.c).v);
  return {Pack<N>(reinterpret_cast<Reals>(s ^ ((n << 62) & INT64_MIN))),
          Pack<N>(reinterpret_cast<Reals>(c ^ (((n + 1) << 62) & INT64_MIN)))};
}

template <class T>
PANTIN_INLINE SinCos<T> sincos_reduced(T r) {
  const T z = r * r;
  const T sine_tail =
      T(-1.66666666666666324348e-01) +
      z * (T(8.33333333332248946124e-03) +
           z * (T(-1.98412698298579493134e-04) +
                z * (T(2.75573137070700676789e-06) +
                     z * (T(-2.50507602534068634195e-08) + z * T(1.58969099521155010221e-10)))));
  const T cosine_tail =
      T(4.16666666666666019037e-02) +
      z * (T(-1.38888888888741095749e-03) +
           z * (T(2.48015872894767294178e-05) +
                z * (T(-2.75573143513906633035e-07) +
                     z * (T(2.08757232129817482790e-09) + z * T(-1.13596475577881948265e-11)))));
  const T half = T(0.5) * z;
  const T head = T(1.0) - half;
  return {r + r * z * sine_tail, head + (((T(1.0) - head) - half) + z * z * cosine_tail)};
}

// Takes the library's values where the reduction is too coarse; a lane's result does not depend on its neighbours.
template <class T>
__attribute__((noinline, cold)) SinCos<T> sincos_far(T x, SinCos<T> result) {
  for (int i = 0; i < lanes_of<T>; ++i) {
    if (!(abs(lane(x, i)) > 1e6)) continue;
    double sine, cosine;
    sincos_library(lane(x, i), &sine, &cosine);
    set_lane(result.s, i, sine);
    set_lane(result.c, i, cosine);
  }
  return result;
}

template <class T>
PANTIN_INLINE SinCos<T> sincos_inline(T x) {
  constexpr double kShift = 6755399441055744.0;  // 1.5 * 2^52
  const T shifted = x * T(6.36619772367581382433e-01) + T(kShift);
  const T turns = shifted - T(kShift);
  const T r = ((x - turns * T(1.57079632673412561417e+00)) - turns * T(6.07710050630396597660e-11)) -
              turns * T(2.02226624879595063154e-21);
  const SinCos<T> result = quarter_turned(sincos_reduced(r), shifted);
  if (any(abs(x) > T(1e6))) [[unlikely]]
    return sincos_far(x, result);
  return result;
}

template <class T>
inline SinCos<T> sincos(T x) {
  return sincos_inline(x);
}

// atan on [0, 1]: reduction at tan(pi/8), then the rational approximation of Cephes (Moshier 1984).
template <class T>
PANTIN_INLINE T atan_unit(T x) {
  const auto big = x > T(0.41421356237309504880);
  const T y = select(big, (x - T(1.0)) / (x + T(1.0)), x);
  const T z = y * y;
  const T p = (((T(-8.750608600031904122785e-1) * z + T(-1.615753718733365076637e1)) * z +
                T(-7.500855792314704667340e1)) *
                   z +
               T(-1.228866684490136173410e2)) *
                  z +
              T(-6.485021904942025371773e1);
  const T q = ((((z + T(2.485846490142306297962e1)) * z + T(1.650270098316988542046e2)) * z +
                T(4.328810604912902668951e2)) *
                   z +
               T(4.853903996359136964868e2)) *
                  z +
              T(1.945506571482613964425e2);
  const T base = select(big, T(0.78539816339744830962), T(0.0));
  return base + (y + y * z * (p / q));
}

// Angle of (x, y) in (-pi, pi]; 0 at the origin.
template <class T>
inline T atan2(T y, T x) {
  const T ax = abs(x), ay = abs(y);
  const auto steep = ay > ax;
  const T large = select(steep, ay, ax);
  const T small = select(steep, ax, ay);
  const T ratio = small / select(large > T(0.0), large, T(1.0));
  T angle = atan_unit(ratio);
  angle = select(steep, T(1.57079632679489661923) - angle, angle);
  angle = select(x < T(0.0), T(3.14159265358979323846) - angle, angle);
  return select(y < T(0.0), -angle, angle);
}

}  // namespace pantin::PANTIN_ISA
