// The iteration of a fit: each lane goes down to the minimum of its frame, hands it over and takes the next.
//
// A step is a damped Newton step within the limits. One that does not lower the objective is taken back, and tried
// again with more damping, after another look at where the lane stood.
#pragma once

#include "pantin/solve/fit/couple.hpp"
#include "pantin/solve/fit/gradient.hpp"
#include "pantin/solve/fit/look.hpp"

namespace pantin::PANTIN_ISA {

inline constexpr double kGradient = 5e-7;     // of the objective's half, relative to the larger of it and 1
// Damping after the first step of a frame that was taken back, and the factors after such steps, after good ones, and
// after good ones of a frame that has seen others.
inline constexpr double kLeastDamping = 1e-9, kDampingAfterFailure = 4e-2, kMostDamping = 1e12;
inline constexpr double kRaised = 6.0, kEased = 0.02, kEasedWarily = 0.1;
// Of the objective: what cannot be told from rounding, and the promises that are believed, unseen.
inline constexpr double kNoise = 4e-15, kSeen = 100.0, kRounding = 1e-12;
inline constexpr double kTiny = 1e-300, kNoCost = 1e300;
inline constexpr double kNear = 0.05;          // rad, and lengths of the plan: a pose that leads to the same minimum
inline constexpr double kFar = 0.6;            // of the farthest step: after those second derivatives are not tried
inline constexpr double kKept = 0.9;           // where they kept so much of their promise
inline constexpr double kSweeps = 3.0;         // of a step along the tree, until its limits are settled

template <class T>
struct FitEngine {
  FitLanes<T> c;
  Pulls* slots;
  T cost, damping, iterations, dropped;
  T promised;                          // decrease of the step that led to where a lane looks, or 0
  T active, fresh;                     // 1 where a lane has work, and where it has not looked yet
  T last, settled, exhausted, flat;    // its last step was taken, was rounding, is the last there may be; something is flat
  T far;                               // size of the last step, 0 where it did not keep its promise
  T wary;                              // a step of its frame was taken back
  T gauss, sweeps;                     // its step leaves second derivatives out; how often its limits were settled
};

template <class T>
inline FitLane rows_of(FitLanes<T>& c, int lane) {
  const auto at = [&](T* row) { return reinterpret_cast<double*>(row) + lane; };
  return {.stride = std::size_t(lanes_of<T>), .root = at(c.root), .q = at(c.q), .weight = at(c.weight),
          .farthest = at(c.farthest),
          .points = at(c.points), .pixels = at(c.pixels), .poses = at(c.poses), .turns = at(c.turns), .ties = at(c.ties),
          .centre = at(c.centre), .pull = at(c.pull), .misfits = at(c.misfits), .costs = at(c.costs),
          .keypoints = at(reinterpret_cast<T*>(c.p))};
}

template <class T>
PANTIN_INLINE mask_of<T> is(const T& flag) {
  return flag > T(0.0);
}
template <class T>
PANTIN_INLINE T flag(mask_of<T> mask) {
  return select(mask, T(1.0), T(0.0));
}

// Where the lanes stand becomes where they look, or the other way round, for the lanes of a mask.
template <class T>
PANTIN_INLINE void move(mask_of<T> mask, int n, const T* from, T* to) {
  for (int i = 0; i < n; ++i) to[i] = select(mask, from[i], to[i]);
}

// Looks a step farther from where the lanes stand; returns the largest moves, of lengths and of angles.
template <class T>
inline void take_step(FitLanes<T>& c, mask_of<T> mask, const Motion<T>& root, T& length, T& angle) {
  const FitPlan& plan = *c.plan;
  length = angle = T(0.0);
  if (plan.free_root) {
    const Vec3<T> p = load3(c.base_root) + root.v;
    const Quat<T> turn = exp_quat(root.w, exp_coefficients(dot(root.w, root.w)));
    const Quat<T> turned = normalized(turn * load_quat(c.base_root + 3));
    T next[7];
    store3(next, p);
    store_quat(next + 3, turned);
    move(mask, 7, next, c.root);
    length = max(max(abs(root.v.x), abs(root.v.y)), abs(root.v.z));
    angle = max(max(abs(root.w.x), abs(root.w.y)), abs(root.w.z));
  }
  for (int j = 0; j < plan.ndofs; ++j) {
    const FitDof& dof = plan.dofs[j];
    const T step = c.step[j];
    T next = c.base[j] + step;
    if (dof.bounded) next = clamp(next, T(dof.lower), T(dof.upper));
    c.q[j] = select(mask, next, c.q[j]);
    (dof.slide ? length : angle) = max(dof.slide ? length : angle, abs(step));
  }
}

// Takes seen points that a camera has behind it at the start out of a lane's frame; returns how many.
template <class T>
int drop_behind(FitLanes<T>& c, int lane) {
  int dropped = 0;
  for (int i = 0; i < c.sources->ncameras * c.plan->njoints; ++i) {
    T& w = c.pixels[3 * i + 2];
    const bool seen = ::pantin::PANTIN_ISA::lane(w, lane) > 0.0;
    if (!seen || !(::pantin::PANTIN_ISA::lane(c.depths[i], lane) < c.sources->near)) continue;
    set_lane(w, lane, 0.0);
    ++dropped;
  }
  return dropped;
}

template <class T, class Visit>
PANTIN_INLINE void each_lane(mask_of<T> mask, Visit&& visit) {
  if constexpr (lanes_of<T> == 1) {
    if (mask) visit(0);
  } else {
    for (int set = bits(mask); set; set &= set - 1) visit(__builtin_ctz(set));
  }
}

// Sets a lane out on the frame that it was given, or lets it rest.
template <class T>
void set_out(FitEngine<T>& e, int lane, bool more) {
  set_lane(e.active, lane, more ? 1.0 : 0.0);
  set_lane(e.fresh, lane, 1.0);
  T* const zeros[] = {&e.last, &e.settled, &e.exhausted, &e.flat, &e.dropped,
                      &e.iterations, &e.promised, &e.gauss, &e.sweeps, &e.wary};
  for (T* numbers : zeros) set_lane(*numbers, lane, 0.0);
  set_lane(e.damping, lane, max(e.c.settings->damping, kLeastDamping));
  set_lane(e.cost, lane, kNoCost);
  set_lane(e.far, lane, kNoCost);
}

// Hands a lane's frame over and takes the next.
template <class T>
void exchange(FitEngine<T>& e, const FitSupply& supply, int lane, FitEnd end) {
  const auto of_lane = [&](const T& numbers) { return ::pantin::PANTIN_ISA::lane(numbers, lane); };
  const FitOutcome outcome{.cost = of_lane(e.cost), .iterations = int(of_lane(e.iterations)),
                           .behind = int(of_lane(e.dropped)), .end = end};
  set_out(e, lane, supply.next(supply.self, lane, &outcome, rows_of(e.c, lane)));
}

// How the frame of a lane that has looked after its last step ended; `flat` told of where it stands.
template <class T>
FitEnd end_of(const FitEngine<T>& e, int lane, bool at_minimum) {
  if (!at_minimum) return FitEnd::kIterations;
  return ::pantin::PANTIN_ISA::lane(e.flat, lane) > 0.0 ? FitEnd::kUnobservable : FitEnd::kConverged;
}

// Takes what was found for the lanes that went down, and sends the others back; returns who went down.
template <class T>
inline mask_of<T> judge(FitEngine<T>& e, const T& found, const T& behind) {
  FitLanes<T>& c = e.c;
  // misfits are differences of numbers of the size of the plan
  const T noise = T(kNoise) * (e.cost + sqrt(e.cost * *c.weight * T(c.settings->whole_weight)));
  const mask_of<T> unseen = is(e.promised) & (e.promised <= max(T(kRounding) * e.cost, T(kSeen) * noise));
  const T highest = select(unseen, e.cost + noise, e.cost);
  const mask_of<T> down = is(e.active) & (found <= highest) & (found < T(kNoCost)) & (!is(behind));
  const T gain = e.cost - found;
  const T ease = select(is(e.wary), T(kEasedWarily), T(kEased));
  const T eased = select(gain > T(0.75) * e.promised, max(ease * e.damping, T(kLeastDamping)),
                         select(gain < T(0.25) * e.promised, T(4.0) * e.damping, e.damping));
  const T least = select(is(e.wary), T(0.0), T(kDampingAfterFailure));
  const T raised = min(max(T(kRaised) * e.damping, least), T(kMostDamping));
  const mask_of<T> up = !down;
  const auto judged = is(e.promised);  // not where a lane looks at where it stands
  e.damping = select(judged, select(down, eased, raised), e.damping);
  e.far = select(judged & (gain < T(kKept) * e.promised), T(0.0), e.far);
  e.wary = select(up & judged, T(1.0), e.wary);
  e.settled = select(up & is(e.last) & unseen & (e.damping <= T(kDampingAfterFailure)), T(1.0), e.settled);
  e.cost = select(down, found, e.cost);
  e.promised = T(0.0);
  move(down, 7, c.root, c.base_root);
  move(down, c.plan->ndofs, c.q, c.base);
  const mask_of<T> back = up & is(e.active) & (!is(e.fresh));
  move(back, 7, c.base_root, c.root);
  move(back, c.plan->ndofs, c.base, c.q);
  return down;
}

// Sends the lanes of a mask a step on.
template <class T>
inline void step_on(FitEngine<T>& e, mask_of<T> mask, const FitPass<T>& pass) {
  const FitSettings& settings = *e.c.settings;
  T length, angle;
  take_step(e.c, mask, pass.root, length, angle);
  e.iterations = select(mask, e.iterations + T(1.0), e.iterations);
  e.far = select(mask, max(length, angle), e.far);
  e.promised = select(mask, max(abs(pass.slope), T(kTiny)), e.promised);
  e.gauss = select(mask, T(0.0), e.gauss);
  e.sweeps = select(mask, T(0.0), e.sweeps);
  const auto small = (abs(pass.slope) <= T(settings.cost_tolerance) * e.cost) |
                     ((length <= T(settings.position_tolerance)) & (angle <= T(settings.angle_tolerance)));
  const auto most = e.iterations >= T(settings.max_iterations);
  e.last = select(mask, flag<T>(small | most), e.last);
  e.exhausted = select(mask, flag<T>(most), e.exhausted);
}

// A step along the tree within the limits. Where exact second derivatives make some direction curve downward, they are
// left out of the step; where a freedom would leave its limits, it goes to them. Both take another walk. One lane walks
// at once; many lanes do not wait for one: the lane takes no step (1 in `waits`) and walks again from the next look.
template <bool plain, class T>
inline FitPass<T> settle(FitEngine<T>& e, mask_of<T> mask, T& waits) {
  FitLanes<T>& c = e.c;
  for (;;) {
    T beyond;
    const T exact = select(e.far > T(kFar) * *c.farthest, T(0.0), T(1.0) - e.gauss);
    Factors<T> factors{exact, e.damping, {}};
    FitPass<T> pass = walk<plain>(c, exact, e.sweeps, *c.weight, e.damping, beyond, plain ? nullptr : &factors.whole);
    const mask_of<T> concave = mask & is(pass.concave) & is(exact);
    const mask_of<T> over = mask & (!concave) & is(beyond) & (e.sweeps < T(kSweeps));
    e.gauss = select(concave, T(1.0), e.gauss);
    e.sweeps = select(over, e.sweeps + T(1.0), e.sweeps);
    waits = flag<T>(concave | over);
    if (lanes_of<T> == 1 && any(concave | over)) continue;
    if constexpr (!plain)
      if (c.sources->nties) couple<plain>(c, factors, mask & (!(concave | over)), pass);
    return pass;
  }
}

// True where the lane is as near to a rival as leaves no doubt that it goes there: rad, and lengths of the plan.
inline bool is_near(const FitLanes<double>& c, const FitRival& rival) {
  double farthest = 0.0, cosine = 0.0;
  for (int i = 0; i < 3; ++i) farthest = max(farthest, abs(c.root[i] - rival.root[i]));
  for (int i = 3; i < 7; ++i) cosine += c.root[i] * rival.root[i];
  for (int j = 0; j < c.plan->ndofs; ++j) farthest = max(farthest, abs(c.q[j] - rival.q[j]));
  return farthest < kNear && abs(cosine) > 1.0 - 0.125 * kNear * kNear;
}

template <bool plain, class T>
inline void run(FitEngine<T>& e, const FitSupply& supply) {
  FitLanes<T>& c = e.c;
  const auto out_of_time = [&, clock = c.settings->clock, began = c.settings->clock ? c.settings->clock() : 0] {
    return clock && clock() - began > c.settings->time_limit;
  };
  for (int lane = 0; lane < lanes_of<T>; ++lane)
    set_out(e, lane, supply.next(supply.self, lane, nullptr, rows_of(c, lane)));
  const auto at_minimum = [&](const T& steepest) -> mask_of<T> {
    return is(e.settled) | (steepest <= T(kGradient) * max(e.cost, T(1.0)));
  };
  while (any(is(e.active))) {
    T behind;
    const T found = look<plain>(c, behind);
    if constexpr (!plain) {
      const auto dropping = is(e.active) & is(e.fresh) & is(behind);
      if (any(dropping)) {
        each_lane<T>(dropping, [&](int lane) {
          set_lane(e.dropped, lane, ::pantin::PANTIN_ISA::lane(e.dropped, lane) + drop_behind(c, lane));
        });
        continue;
      }
    }
    const mask_of<T> down = judge(e, found, behind);
    const mask_of<T> failed = is(e.active) & is(e.fresh) & (!down);
    e.fresh = select(down, T(0.0), e.fresh);
    mask_of<T> done = down & is(e.last);
    if constexpr (lanes_of<T> == 1) {
      if (failed) {
        exchange(e, supply, 0, FitEnd::kFailed);
        continue;
      }
      if (!down) continue;
      if (const FitRival rival = supply.rival ? supply.rival(supply.self) : FitRival{}; rival.root && is_near(c, rival)) {
        exchange(e, supply, 0, FitEnd::kBeaten);
        continue;
      }
      if (const bool good = done && at_minimum(steepest(c, e.slots)); good || (done && is(e.exhausted))) {
        exchange(e, supply, 0, end_of(e, 0, good));
        continue;
      }
      if (out_of_time()) {
        exchange(e, supply, 0, FitEnd::kDeadline);
        continue;
      }
    }
    T waits;
    const FitPass<T> pass = settle<plain>(e, down, waits);
    e.flat = select(down, pass.flat, e.flat);
    if constexpr (lanes_of<T> > 1) {
      const mask_of<T> good = at_minimum(pass.steepest);
      done = done & (good | is(e.exhausted));
      each_lane<T>(done & good, [&](int lane) { exchange(e, supply, lane, end_of(e, lane, true)); });
      each_lane<T>(done & (!good), [&](int lane) { exchange(e, supply, lane, end_of(e, lane, false)); });
      each_lane<T>(failed, [&](int lane) { exchange(e, supply, lane, FitEnd::kFailed); });
      step_on(e, down & (!done) & (!is(waits)), pass);
    } else {
      step_on(e, down, pass);
    }
  }
}

}  // namespace pantin::PANTIN_ISA
