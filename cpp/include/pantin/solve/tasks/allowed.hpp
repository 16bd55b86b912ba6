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

using Entries = Pack<kLanes>;

// A run of entries side by side, at most a pack of them: lanes past the last allow everything.
struct AllowedRun {
  int v, count;
  Entries lower, upper;
};

PANTIN_INLINE Entries load_entries(const double* from, int count) { return Entries(native::load_first(from, count)); }

PANTIN_INLINE Entries least(Entries a, Entries b) { return select(a < b, a, b); }
PANTIN_INLINE Entries most(Entries a, Entries b) { return select(a > b, a, b); }

// Takes in another interval; where the two do not meet, its end nearest to what was allowed so far.
PANTIN_INLINE void meet(Allowed& allowed, const AllowedRun& run) {
  double *const low_at = allowed.lower + run.v, *const high_at = allowed.upper + run.v;
  const Entries low = load_entries(low_at, run.count), high = load_entries(high_at, run.count);
  const auto apart = (low > run.upper) | (high < run.lower);
  if (any(apart))
    for (int k = 0; k < run.count; ++k)
      if (low[k] > run.upper[k] || high[k] < run.lower[k]) {
        if (allowed.contradictions++ == 0) allowed.first_contradiction = run.v + k;
      }
  native::store_first(low_at, least(most(low, run.lower), run.upper).v, run.count);
  native::store_first(high_at, most(least(high, run.upper), run.lower).v, run.count);
}

// How far a joint may go within a step so that it can still stop before its limit, which is `room` ahead, with
// decelerations up to a. Without `strictly` sqrt(2 a room) bounds the velocity (Flacco 2015, Del Prete 2018); with it the
// way of this step counts, too, so that the next step is able to brake.
PANTIN_INLINE Entries braking_way(Entries a, Entries room, double dt, bool strictly) {
  const Entries zero = Entries(0.0), time = Entries(dt), ahead = Entries(2.0) * a * most(room, zero);
  if (!strictly) return time * sqrt(ahead);
  const Entries change = a * time;
  const Entries way = ahead * time / (sqrt(change * change + ahead) + change);
  return select(ahead > zero, way, zero);
}

// What one limit leaves of the entries from its i-th on.
PANTIN_INLINE void limit_run(const LimitView& limit, int i, int count, const double* q, double dt, Allowed& allowed) {
  const double pace = limit.previous_dt > 0.0 ? dt / limit.previous_dt : 1.0;
  const int v = limit.v[i], at = limit.q[i];
  const Entries infinity = Entries(__builtin_inf()), unlimited = Entries(kUnlimited);
  const auto counts = load_entries(limit.counts + i, count) > Entries(0.0);
  Entries above = infinity, below = infinity;
  if (at >= 0 && limit.kind != LimitKind::kVelocity) {
    const Entries x = load_entries(q + at, count), lower = load_entries(limit.lower + at, count),
                  upper = load_entries(limit.upper + at, count);
    const auto has_room = counts | (upper > lower + Entries(kLeastRoom));
    above = select(has_room & (upper < unlimited), upper - x, infinity);
    below = select(has_room & (lower > -unlimited), x - lower, infinity);
  }
  switch (limit.kind) {
    case LimitKind::kConfiguration:
      return meet(allowed, {v, count, Entries(-limit.gain) * below, Entries(limit.gain) * above});
    case LimitKind::kVelocity: {
      const Entries speed = load_entries(limit.most + v, count);
      const auto known = (speed < unlimited) & (counts | (speed > Entries(kLeastRoom)));
      const Entries way = select(known, Entries(dt) * most(speed, Entries(0.0)), infinity);
      return meet(allowed, {v, count, -way, way});
    }
    case LimitKind::kAcceleration: {
      const Entries given = load_entries(limit.most + v, count), a = most(given, Entries(0.0));
      const auto known = given < unlimited;
      if (at >= 0) {
        const bool strictly = limit.gain > 0.0;
        const Entries braking = strictly ? Entries(limit.gain) * a : a;
        const Entries back = braking_way(braking, below, dt, strictly), forth = braking_way(braking, above, dt, strictly);
        meet(allowed, {v, count, select(known & (below < infinity), -back, -infinity), infinity});
        meet(allowed, {v, count, -infinity, select(known & (above < infinity), forth, infinity)});
      }
      const Entries told = limit.previous ? Entries(pace) * load_entries(limit.previous + v, count) : Entries(0.0);
      const Entries before = select(told - told == Entries(0.0), told, Entries(0.0)), change = Entries(dt * dt) * a;
      return meet(allowed, {v, count, select(known, before - change, -infinity), select(known, before + change, infinity)});
    }
    case LimitKind::kRows:
      return;
  }
}

inline void limit_allowed(const LimitView& limit, const double* q, double dt, Allowed& allowed) {
  for (int i = 0, count; i < limit.count; i += count) {
    count = limit.runs[i] < kLanes ? limit.runs[i] : kLanes;
    limit_run(limit, i, count, q, dt, allowed);
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
