#include "pantin/kernels/path.hpp"

#include "pantin/solve/creep.hpp"
#include "pantin/solve/meet.hpp"
#include "pantin/solve/modes.hpp"
#include "pantin/solve/tracker_layout.hpp"

namespace pantin::PANTIN_ISA {

namespace {

constexpr std::size_t kShortest = 16;     // layers that a detour begins before an obstacle, at first ...
constexpr std::size_t kShortDetour = 64;  // ... and at last, round one that only speeds make
constexpr std::size_t kLongDetour = 128;  // ... and round others
constexpr int kNarrow = 4;                // configurations that it keeps at first
constexpr std::size_t kHurry = 32;        // waypoints that speeds are forgotten for, once they cannot be kept
constexpr double kStretched = 1.3;        // a step that is no jump, once shorter ones lead nowhere ...
constexpr double kMostStretched = 1.7;    // ... again and again

template <class F>
auto with_walk(void* state, F&& f) {
  Tracker& t = *static_cast<Tracker*>(state);
  return with_residual(t.task.problem->mode,
                       [&]<template <class> class Residual>() { return f.template operator()<Residual>(t); });
}

// One waypoint farther, straight on.
template <template <class> class Residual>
bool step_on(Tracker& t) {
  if (t.moved[t.next] > kFarApart) return creep<Residual>(t, t.bound);
  const bool frees_much = t.task.problem->nv > Residual<double>::rows + 1;
  return walk<Residual>(t, false) || (frees_much && walk<Residual>(t, true));
}

// Round an obstacle, if need be faster than joints should go.
template <template <class> class Residual>
bool go_round(Tracker& t) {
  if (t.task.times && t.next >= t.unhurried) {
    if (get_round<Residual>(t, kShortest, kShortDetour, kNarrow, t.bound)) return true;
    t.unhurried = t.next + kHurry;
    if (step_on<Residual>(t)) return true;
  }
  if (get_round<Residual>(t, kShortest, kLongDetour, kNarrow, t.bound)) return true;
  for (std::size_t back = kLongDetour; back < kMostLayers; back *= 2)
    if (get_through<Residual>(t, t.bound, stride_for(t.bound), back, int(back / 32))) return true;
  return false;
}

PathPause advance(void* state, int waypoints) {
  return with_walk(state, [&]<template <class> class Residual>(Tracker& t) {
    for (; t.next < t.task.n; --waypoints) {
      if (waypoints <= 0) return PathPause::kSlice;
      if (step_on<Residual>(t)) continue;
      if (!go_round<Residual>(t)) return PathPause::kBlocked;
      waypoints = 0;  // which took long enough
    }
    return PathPause::kArrived;
  });
}

bool insist(void* state) {
  return with_walk(state, []<template <class> class Residual>(Tracker& t) {
    const std::size_t stride = stride_for(t.bound);
    if (get_round<Residual>(t, kShortest, kMostLayers, kWide, t.bound)) return true;
    stride_out(t, 0.7, 0.5);  // otherwise than before
    if (get_through<Residual>(t, t.bound, stride, kMostLayers, kWide)) return true;
    stride_out(t, 0.6, 0.3);
    const bool through = get_through<Residual>(t, kStretched * t.bound, stride, kMostLayers, kWide) ||
                         get_through<Residual>(t, t.bound, 1, kMostLayers, kWidest) || creep<Residual>(t, 1e300);
    // the joints that made the path seem to move farther at once than its frame
    t.bound = min(kStretched * t.bound, kMostStretched * t.least_bound);
    return through;
  });
}

void read(const void* state, std::size_t k, double* q) {
  const Tracker& t = *static_cast<const Tracker*>(state);
  write_row(t, row(t, k), q);
}

std::size_t next(const void* state) { return static_cast<const Tracker*>(state)->next; }

void write(void* state, std::size_t n) {
  with_walk(state, [n]<template <class> class Residual>(Tracker& t) {
    const PathTask& task = t.task;
    const double* const last = row(t, t.next - 1);
    for (std::size_t k = 0; k < n; ++k) {
      write_row(t, k < t.next ? row(t, k) : last, task.q + k * task.problem->nq);
      if (k < t.next) continue;
      Remaining<double> left;
      for (int i = 0; i < task.problem->nx; ++i) t.one.x[i] = last[i];
      correct<Residual>(*task.problem, *task.bounds, *task.settings, target_of<double>(t, k), 0,
                        nullptr, t.one.x, t.one.memory, left);
      note_errors(t, k, left);
    }
  });
}

int refine(void* state, std::size_t k, double position, double rotation, int most, double* q) {
  return with_walk(state, [&]<template <class> class Residual>(Tracker& t) {
    const ReachProblem& problem = *t.task.problem;
    double* const cuts = t.ahead.rows;
    const int count = refine<Residual>(t, k, position, rotation, min(most, kWidest - 1), cuts);
    for (int i = 0; i < count; ++i) write_row(t, cuts + i * problem.nx, q + i * problem.nq);
    return count;
  });
}

}  // namespace

extern const PathKernels path_kernels;
const PathKernels path_kernels = {
    .state_bytes = tracker_bytes,
    .set_out = set_out,
    .advance = advance,
    .insist = insist,
    .next = next,
    .read = read,
    .resume = resume,
    .write = write,
    .refine = refine,
};

}  // namespace pantin::PANTIN_ISA
