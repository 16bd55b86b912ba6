// What limits on single joints leave of a displacement.
//
// Where they contradict each other the later kind wins and takes the end nearest to what the earlier ones ask for:
// a joint outside its configuration limits comes back as fast as its velocity limit allows, and one that is too fast
// brakes as hard as its acceleration limit allows.
#pragma once

#include "pantin/simd/real.hpp"
#include "pantin/solve/tasks/task.hpp"

namespace pantin::PANTIN_ISA {

inline constexpr double kUnlimited = 1e20;   // limits from here on are none
inline constexpr double kLeastRoom = 1e-10;  // limits that leave less are none, unless they are known to count

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

// How far a joint may go within a step so that it can still stop before its limit, which is `room` ahead, with
// decelerations up to a. Without `strictly` sqrt(2 a room) bounds the velocity (Flacco 2015, Del Prete 2018); with it the
// way of this step counts, too, so that the next step is able to brake.
PANTIN_INLINE double braking_way(double a, double room, double dt, bool strictly) {
  if (!(room > 0.0)) return 0.0;
  const double speed = sqrt(2.0 * a * room);
  if (!strictly) return dt * speed;
  return 2.0 * a * room * dt / (sqrt(a * a * dt * dt + 2.0 * a * room) + a * dt);
}

// What one limit leaves of entry v of a displacement; `limited`: it counts even where it leaves no room. With `pace`
// the last displacement is what its velocity would be in this step.
PANTIN_INLINE void limit_entry(const LimitView& limit, int v, int at, bool limited, const double* q, double dt,
                               double pace, Allowed& allowed) {
  const double infinity = __builtin_inf();
  const bool has_ends = at >= 0 && limit.kind != LimitKind::kVelocity && (limited || limit.upper[at] > limit.lower[at] + kLeastRoom);
  const double above = has_ends && limit.upper[at] < kUnlimited ? limit.upper[at] - q[at] : infinity;
  const double below = has_ends && limit.lower[at] > -kUnlimited ? q[at] - limit.lower[at] : infinity;
  switch (limit.kind) {
    case LimitKind::kConfiguration:
      if (has_ends) meet(allowed, v, -limit.gain * below, limit.gain * above);
      break;
    case LimitKind::kVelocity: {
      const double most = limit.most[v];
      if (most < kUnlimited && (limited || most > kLeastRoom)) meet(allowed, v, -dt * max(most, 0.0), dt * max(most, 0.0));
      break;
    }
    case LimitKind::kAcceleration: {
      if (!(limit.most[v] < kUnlimited)) break;
      const double a = max(limit.most[v], 0.0), change = a * dt * dt;
      const double told = limit.previous ? pace * limit.previous[v] : 0.0, before = told - told == 0.0 ? told : 0.0;
      const double low = before - change, high = before + change;
      if (has_ends) {
        const bool strictly = limit.gain > 0.0;
        const double braking = strictly ? limit.gain * a : a;
        if (below < infinity) meet(allowed, v, -braking_way(braking, below, dt, strictly), infinity);
        if (above < infinity) meet(allowed, v, -infinity, braking_way(braking, above, dt, strictly));
      }
      meet(allowed, v, low, high);
      break;
    }
    case LimitKind::kRows:
      break;
  }
}

inline void limit_allowed(const LimitView& limit, const double* q, double dt, Allowed& allowed) {
  const double pace = limit.previous_dt > 0.0 ? dt / limit.previous_dt : 1.0;
  for (int i = 0; i < limit.count; ++i)
    limit_entry(limit, limit.v[i], limit.q[i], limit.limited && limit.limited[i], q, dt, pace, allowed);
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
