// What limits on single joints leave of a displacement.
//
// Where they contradict each other the later kind wins and takes the end nearest to what the earlier ones ask for:
// a joint outside its configuration limits comes back as fast as its velocity limit allows, and one that is too fast
// brakes as hard as its acceleration limit allows.
#pragma once

#include "pantin/simd/real.hpp"
#include "pantin/solve/tasks/task.hpp"

namespace pantin::PANTIN_ISA {

struct Allowed {
  int n;
  double *lower, *upper;
  int contradictions = 0;
  int first_contradiction = -1;  // entry of a velocity
};

PANTIN_INLINE void meet(Allowed& allowed, int k, double lower, double upper) {
  double &low = allowed.lower[k], &high = allowed.upper[k];
  const double new_low = low > upper ? upper : (low > lower ? low : lower);
  const double new_high = high < lower ? lower : (high < upper ? high : upper);
  if ((low > upper || high < lower) && allowed.contradictions++ == 0) allowed.first_contradiction = k;
  low = new_low;
  high = new_high;
}

inline void limit_allowed(const LimitView& limit, const double* q, double dt, Allowed& allowed) {
  for (int i = 0; i < limit.count; ++i) {
    const int k = limit.v[i], at = limit.q[i];
    switch (limit.kind) {
      case LimitKind::kConfiguration:
        meet(allowed, k, limit.gain * (limit.lower[at] - q[at]), limit.gain * (limit.upper[at] - q[at]));
        break;
      case LimitKind::kVelocity:
        meet(allowed, k, -dt * limit.most[k], dt * limit.most[k]);
        break;
      case LimitKind::kAcceleration: {
        const double a = limit.most[k] * dt * dt, before = limit.previous ? limit.previous[k] : 0.0;
        double low = before - a, high = before + a;
        if (at >= 0) {  // the joint can still stop before its limit (Flacco 2015, Del Prete 2018)
          const double below = q[at] - limit.lower[at], above = limit.upper[at] - q[at];
          const double braking_low = -dt * sqrt(2.0 * limit.most[k] * (below > 0.0 ? below : 0.0));
          const double braking_high = dt * sqrt(2.0 * limit.most[k] * (above > 0.0 ? above : 0.0));
          low = low > braking_low ? low : braking_low;
          high = high < braking_high ? high : braking_high;
          if (low > high) {
            low = high = high < before - a ? before - a : before + a;
            if (allowed.contradictions++ == 0) allowed.first_contradiction = k;
          }
        }
        meet(allowed, k, low, high);
        break;
      }
      case LimitKind::kRows:
        break;
    }
  }
}

inline void open(Allowed& allowed) {
  for (int k = 0; k < allowed.n; ++k) {
    allowed.lower[k] = -__builtin_inf();
    allowed.upper[k] = __builtin_inf();
  }
  allowed.contradictions = 0;
  allowed.first_contradiction = -1;
}

// Limits of each kind together, configuration limits first.
inline void fill_allowed(int count, const LimitView* limits, const double* q, double dt, Allowed& allowed) {
  open(allowed);
  constexpr LimitKind kOrder[] = {LimitKind::kConfiguration, LimitKind::kVelocity, LimitKind::kAcceleration};
  for (const LimitKind kind : kOrder)
    for (int i = 0; i < count; ++i)
      if (limits[i].kind == kind) limit_allowed(limits[i], q, dt, allowed);
}

}  // namespace pantin::PANTIN_ISA
