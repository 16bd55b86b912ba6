// Robust losses of a squared misfit, with what Newton's method asks of them.
//
// With e the misfit of a keypoint and d its scale: Huber (1964); the smooth form of it ("soft l1"); Cauchy, that is
// the logarithm of a Student density; Geman and McClure (1987).
#pragma once

#include "pantin/simd/logarithm.hpp"
#include "pantin/solve/fit/losses.hpp"

namespace pantin::PANTIN_ISA {

// The loss, and its first and second derivative with respect to e2.
template <class T>
struct Rho {
  T value, slope, curvature;
};

template <class T>
PANTIN_INLINE Rho<T> rho(Loss loss, T e2, double d) {
  const T one = T(1.0), zero = T(0.0);
  const T d2 = T(d * d), over = T(1.0 / (d * d)), t = e2 * over;
  switch (loss) {
    case Loss::kHuber: {  // e2 up to d2, then 2 d e - d2
      const auto near = e2 <= d2;
      const T e = sqrt(select(near, d2, e2)), slope = T(d) / e;
      return {select(near, e2, T(2.0 * d) * e - d2), slope,
              select(near, zero, T(-0.5) * slope / select(near, d2, e2))};
    }
    case Loss::kSoftL1: {  // 2 d2 (sqrt(1 + t) - 1), without the difference
      const T root = sqrt(one + t), slope = one / root;
      return {T(2.0) * e2 / (root + one), slope, T(-0.5) * over * slope / (one + t)};
    }
    case Loss::kCauchy: {  // d2 log(1 + t)
      const T slope = one / (one + t);
      return {d2 * log1p(t), slope, -over * slope * slope};
    }
    case Loss::kGemanMcClure: {  // e2/(1 + t)
      const T part = one / (one + t), slope = part * part;
      return {e2 * part, slope, T(-2.0) * over * slope * part};
    }
    case Loss::kLinear: break;
  }
  return {e2, one, zero};
}

}  // namespace pantin::PANTIN_ISA
