// The search from both ends: where a narrow way begins is hard to hit, but easy to leave.
#pragma once

#include "pantin/solve/detour.hpp"
#include "pantin/solve/starts.hpp"

namespace pantin::PANTIN_ISA {

inline constexpr int kEndStarts = 64;       // of which the configurations at the far end come
inline constexpr int kEndTries = 40;        // corrections
inline constexpr std::size_t kBeyond = 64;  // layers from the obstacle to the far end

// Configurations that reach a waypoint, from anywhere within limits; false where none were found.
template <template <class> class Residual>
inline bool begin_back(Tracker& t, std::size_t waypoint, int width) {
  const ReachProblem& problem = *t.task.problem;
  Beam& b = t.beam;
  Stride<P>& s = t.many;
  const SE3<P> target = target_of<P>(t, waypoint);
  int candidates = 0;
  for (int start = 0; start < kEndStarts && candidates + kReachLanes <= 2 * kWidest; start += kReachLanes) {
    for (int l = 0; l < kReachLanes; ++l) {
      spread_start(problem, *t.task.bounds, start + l, t.one.x);
      keep_locked(problem, row(t, 0), t.one.x);
      for (int i = 0; i < problem.nx; ++i) set_lane(s.x[i], l, t.one.x[i]);
    }
    Remaining<P> left;
    const int reached = correct_lanes<Residual>(problem, *t.task.bounds, *t.task.settings, target, kEndTries, s.x,
                                                s.memory, left);
    for (int l = 0; l < kReachLanes; ++l) {
      if (!(reached >> l & 1)) continue;
      const int c = candidates++;
      b.from[c] = 0;
      for (int i = 0; i < problem.nx; ++i) b.next_x[c * problem.nx + i] = lane(s.x[i], l);
      for (int k = 0; k < problem.nv; ++k) {
        b.next_step[c * problem.nv + k] = 0.0;
        b.next_heading[c * problem.nv + k] = initial_heading(t, k, c);
      }
      make_free<Residual>(t, waypoint, b.next_x + c * problem.nx, b.next_heading + c * problem.nv);
      b.room[c] = crampedness(t, b.next_x + c * problem.nx);
    }
  }
  if (candidates == 0) return false;
  keep_apart(t, candidates, width, 0.0);
  note_layer(t, t.back, 0);
  return true;
}

// A configuration recorded in a layer ahead, and one of the beam that a step leads to; -1 where there is no such pair.
struct Meeting {
  int ahead = -1, back = -1;
};
inline Meeting meet(Tracker& t, const Stretch& stretch, std::size_t layer, double bound) {
  allow(t, stretch.at(layer), stretch.at(layer + 1), stretch.stride > 1 ? kEvenness * bound : bound);
  for (int p = 0; p < t.ahead.counts[layer]; ++p)
    for (int c = 0; c < t.beam.count; ++c) {
      step_between(t, recorded(t, t.ahead, layer, p), t.beam.x + c * t.task.problem->nx, t.one.step);
      if (fits(t, t.one.step)) return {p, c};
    }
  return {};
}

// Looks for a way past the waypoint that walking does not get to, from `back` layers before it and from beyond it.
template <template <class> class Residual>
inline bool get_through(Tracker& t, double bound, std::size_t stride, std::size_t back, int width) {
  const std::size_t stuck = t.next;
  const Stretch stretch(t, stuck, stride * back, stride * kBeyond, stride);
  const std::size_t front = send_ahead<Residual>(t, stretch, width, bound);
  if (!begin_back<Residual>(t, stretch.last, width)) return false;
  for (std::size_t layer = stretch.layers; layer > 0; --layer) {
    // the beam is at the layer
    const Meeting at = layer - 1 <= front ? meet(t, stretch, layer - 1, bound) : Meeting();
    if (at.ahead >= 0) {
      take_rows(t, t.ahead, layer - 1, at.ahead, [&](std::size_t l) { return stretch.at(l); });
      take_rows(t, t.back, stretch.layers - layer, at.back,
                [&](std::size_t l) { return stretch.at(stretch.layers - l); });
      if (fill_rows<Residual>(t, stretch, bound)) return true;
    }
    if (layer == 1 || !grow<Residual>(t, stretch.at(layer), stretch.at(layer - 1), width, bound)) break;
    note_layer(t, t.back, stretch.layers - layer + 1);
  }
  t.next = stuck;
  return false;
}

}  // namespace pantin::PANTIN_ISA
