// Ways round an obstacle on a path: what may follow a configuration, layer by layer.
//
// Where walking ends, at a limit or before a singular configuration, another motion of what the target leaves free may
// have led past. A few configurations of each waypoint are kept, as far apart as they can be found; each stays as it is
// but for what its target asks, and sends out another one along the motion that leaves the frame where it is.
#pragma once

#include "pantin/simd/lanes.hpp"
#include "pantin/solve/creep.hpp"

namespace pantin::PANTIN_ISA {

inline constexpr double kApart = 1e-3;            // radians by which branches differ
inline constexpr int kMostTries = 5;              // corrections
inline constexpr double kLayerStep = 0.15;        // radians that a joint may go from layer to layer ...
inline constexpr double kLongestStride = 8.0;     // ... if that takes no more waypoints
inline constexpr double kEvenness = 0.93;         // part of the longest step that a layer of several waypoints plans for
inline constexpr double kAlike = 0.1;             // part of it by which kept configurations differ

// How far configurations are sent out, as parts of the largest step, by turns from layer to layer.
inline void stride_out(Tracker& t, double one, double other) {
  t.beam.strides[0] = one;
  t.beam.strides[1] = other;
}

// How much room a configuration has within its limits: the less, the more.
inline double crampedness(const Tracker& t, const double* x) {
  double sum = 0.0;
  for (int k = 0; k < t.task.problem->nv; ++k) {
    if (t.per_half[k] == 0.0) continue;
    const int i = t.task.problem->x_of_unknown[k];
    const double s = t.per_half[k] * (x[i] - t.task.bounds->middle[i]);
    sum += 1.0 / (1.02 - s * s);
  }
  return sum;
}

// Where the configurations p and on lead: to each lane pair one that stays, and one that it sends out.
template <template <class> class Residual>
inline void follow_up(Tracker& t, const SE3<P>& target, double moved, double size, int p, int& candidates) {
  const ReachProblem& problem = *t.task.problem;
  const int n = problem.nv, nx = problem.nx;
  Beam& b = t.beam;
  Stride<P>& s = t.many;
  for (int l = 0; l < kReachLanes; ++l) {
    const int from = min(p + l / 2, b.count - 1);
    for (int i = 0; i < nx; ++i) set_lane(s.from[i], l, b.x[from * nx + i]);
  }
  pull_inward(t, s.from, moved, s.pull);
  for (int l = 0; l < kReachLanes; ++l) {
    const int from = min(p + l / 2, b.count - 1);
    const double *const step = b.step + from * n, *const heading = b.heading + from * n;
    // what the last step went along the heading is not gone again
    double along = 0.0, norm2 = 0.0, share = 1e300;
    for (int k = 0; k < n; ++k) {
      along += step[k] * heading[k];
      norm2 += heading[k] * heading[k];
      if (heading[k] != 0.0) share = min(share, t.allowed[k] / abs(heading[k]));
    }
    along = norm2 > 0.0 ? along / norm2 : 0.0;
    const double out = l % 2 && norm2 > 0.0 ? size * share : 0.0;
    for (int k = 0; k < n; ++k)
      set_lane(s.step[k], l, step[k] + (out - along) * heading[k] + (l % 2 ? 0.0 : lane(s.pull[k], l)));
  }
  for (int i = 0; i < nx; ++i) s.x[i] = s.from[i];
  move_by(problem, *t.task.bounds, 1.0, s.x, s.step);
  Remaining<P> left;
  int alive = correct_lanes<Residual>(problem, *t.task.bounds, *t.task.settings, target,
                                      n <= Residual<P>::rows ? 2 * kMostTries : kMostTries, s.x, s.memory, left);
  step_between(t, s.from, s.x, s.step);
  alive &= fits(t, s.step);
  for (int l = 0; l < kReachLanes; ++l) {
    if (p + l / 2 >= b.count || !(alive >> l & 1)) continue;
    const int c = candidates++;
    b.from[c] = p + l / 2;
    double* const heading = b.next_heading + c * n;
    const double sign = l % 2 ? 1.0 : -1.0;
    double largest = 0.0;
    for (int k = 0; k < n; ++k) {
      b.next_step[c * n + k] = lane(s.step[k], l);
      heading[k] = sign * (lane(s.step[k], l | 1) - lane(s.step[k], l & ~1));
      largest = max(largest, abs(heading[k]));
    }
    const bool both = (alive >> (l & ~1) & 3) == 3 && largest > 1e-6;
    for (int k = 0; k < n; ++k) heading[k] = both ? heading[k] / largest : sign * b.heading[b.from[c] * n + k];
    for (int i = 0; i < nx; ++i) b.next_x[c * nx + i] = lane(s.x[i], l);
    b.room[c] = crampedness(t, b.next_x + c * nx);
  }
}

// Takes a candidate into the beam, and measures how far the others are from those taken.
inline void keep(Tracker& t, int candidates, int taken) {
  using Lanes = Pack<kLanes>;
  const int n = t.task.problem->nv, nx = t.task.problem->nx;
  Beam& b = t.beam;
  const double* const x = b.next_x + taken * nx;
  for (int i = 0; i < nx; ++i) b.x[b.count * nx + i] = x[i];
  for (int k = 0; k < n; ++k) {
    b.step[b.count * n + k] = b.next_step[taken * n + k];
    b.heading[b.count * n + k] = b.next_heading[taken * n + k];
  }
  b.parent[b.count++] = b.from[taken];
  for (int c = 0; c < candidates; c += kLanes) {
    Lanes far = Lanes(0.0);
    for (int i = 0; i < nx; ++i) far = max(far, abs(load_pack<Lanes>(b.across + i * 2 * kWidest + c) - Lanes(x[i])));
    const Lanes apart = min(load_pack<Lanes>(b.apart + c), far);
    std::memcpy(b.apart + c, &apart, sizeof apart);
  }
  b.apart[taken] = -1.0;
}

// Keeps of the candidates the roomiest, and then always the one farthest from those kept.
inline void keep_apart(Tracker& t, int candidates, int width, double least) {
  const int nx = t.task.problem->nx;
  Beam& b = t.beam;
  int best = 0;
  for (int c = 0; c < candidates; ++c) {
    for (int i = 0; i < nx; ++i) b.across[i * 2 * kWidest + c] = b.next_x[c * nx + i];
    b.apart[c] = 1e300;
    if (b.room[c] < b.room[best]) best = c;
  }
  for (b.count = 0; b.count < width && best >= 0;) {
    keep(t, candidates, best);
    best = -1;
    double farthest = least;
    for (int c = 0; c < candidates; ++c)
      if (b.apart[c] > farthest) farthest = b.apart[c], best = c;
  }
}

inline double* recorded(const Tracker& t, const Record& record, std::size_t layer, int c) {
  return record.rows + (layer * kWidest + c) * t.task.problem->nx;
}

inline void note_layer(Tracker& t, Record& record, std::size_t layer) {
  const int nx = t.task.problem->nx;
  record.counts[layer] = t.beam.count;
  for (int c = 0; c < t.beam.count; ++c) {
    record.parents[layer * kWidest + c] = t.beam.parent[c];
    for (int i = 0; i < nx; ++i) recorded(t, record, layer, c)[i] = t.beam.x[c * nx + i];
  }
}

// One layer farther, from one waypoint to another; false where none gets there.
template <template <class> class Residual>
inline bool grow(Tracker& t, std::size_t from, std::size_t to, int width, double bound) {
  const std::size_t early = from < to ? from : to, late = from < to ? to : from;
  allow(t, early, late, late - early > 1 ? kEvenness * bound : bound);
  double moved = 0.0;
  for (std::size_t w = early + 1; w <= late; ++w) moved += t.moved[w];
  int candidates = 0;
  const SE3<P> target = target_of<P>(t, to);
  for (int p = 0; p < t.beam.count; p += kReachLanes / 2)
    follow_up<Residual>(t, target, moved, t.beam.strides[(to / (late - early)) % 2], p, candidates);
  if (candidates == 0) return false;
  // where nothing is free, branches part slowly behind a singular configuration
  const bool isolated = t.task.problem->nv <= Residual<P>::rows;
  keep_apart(t, candidates, width, isolated ? kApart : kAlike * double(late - early) * bound);
  return true;
}

// One of the ways that a search heads at first; every other one is the opposite of the one before.
inline double initial_heading(const Tracker& t, int k, int way) {
  if (t.task.problem->locked && t.task.problem->locked[k]) return 0.0;
  return (way % 2 ? -2.0 : 2.0) * (spread(*t.task.problem, k, 1 + way / 2) - 0.5);
}

// A heading's part that leaves the frame where it is, found by going a little way; its largest entry is 1. Where there
// is next to none, the heading stays.
template <template <class> class Residual>
inline void make_free(Tracker& t, std::size_t waypoint, const double* x, double* heading) {
  constexpr double kLittle = 0.01;
  const PathTask& task = t.task;
  const ReachProblem& problem = *task.problem;
  for (int i = 0; i < problem.nx; ++i) t.one.x[i] = x[i];
  for (int k = 0; k < problem.nv; ++k) t.one.pull[k] = kLittle * heading[k];
  Remaining<double> left;
  correct<Residual>(problem, *task.bounds, *task.settings, target_of<double>(t, waypoint), 1, t.one.pull, t.one.x,
                    t.one.memory, left);
  step_between(t, x, t.one.x, t.one.pull);
  const double largest = largest_entry(problem.nv, t.one.pull);
  if (largest > kLittle * kLittle)
    for (int k = 0; k < problem.nv; ++k) heading[k] = t.one.pull[k] / largest;
}

// Begins a search at a waypoint, along several motions of what its target leaves free.
template <template <class> class Residual>
inline void begin_ahead(Tracker& t, std::size_t first) {
  const ReachProblem& problem = *t.task.problem;
  Beam& b = t.beam;
  b.count = problem.nv - Residual<P>::rows <= 1 ? 4 : 8;
  step_between(t, row(t, first > 0 ? first - 1 : 0), row(t, first), t.one.step);
  for (int p = 0; p < b.count; ++p) {
    for (int i = 0; i < problem.nx; ++i) b.x[p * problem.nx + i] = row(t, first)[i];
    for (int k = 0; k < problem.nv; ++k) {
      b.step[p * problem.nv + k] = t.one.step[k];
      b.heading[p * problem.nv + k] = initial_heading(t, k, p);
    }
    make_free<Residual>(t, first, row(t, first), b.heading + p * problem.nv);
    b.parent[p] = 0;
  }
  note_layer(t, t.ahead, 0);
}

// Follows a configuration of a record back to its first layer, and takes those it came from for rows; `where` tells the
// waypoint of a layer.
template <class Where>
inline void take_rows(Tracker& t, const Record& record, std::size_t layer, int c, Where&& where) {
  for (;; --layer) {
    for (int i = 0; i < t.task.problem->nx; ++i) row(t, where(layer))[i] = recorded(t, record, layer, c)[i];
    if (layer == 0) return;
    c = record.parents[layer * kWidest + c];
  }
}

// Brings rows that are nearly right to their targets, as smoothly as they allow; false where steps became too long.
template <template <class> class Residual>
inline bool settle_rows(Tracker& t, std::size_t first, std::size_t last, double bound) {
  const PathTask& task = t.task;
  for (std::size_t w = first + 1; w <= last; ++w) {
    Remaining<double> left;
    if (!correct<Residual>(*task.problem, *task.bounds, *task.settings, target_of<double>(t, w), kMostCorrections,
                           nullptr, row(t, w), t.one.memory, left))
      return false;
    note_errors(t, w, left);
    allow(t, w - 1, w, bound);
    step_between(t, row(t, w - 1), row(t, w), t.one.step);
    if (!fits(t, t.one.step)) return false;
  }
  go_on_from(t, last);
  return true;
}

// Waypoints from layer to layer.
inline std::size_t stride_for(double bound) { return std::size_t(clamp(kLayerStep / bound, 1.0, kLongestStride)); }

// The waypoints from some before one to some after it, every `stride`-th a layer of a record.
struct Stretch {
  std::size_t first, last, stride, layers;
  bool whole;  // no earlier one can be tried

  Stretch(const Tracker& t, std::size_t stuck, std::size_t back, std::size_t beyond, std::size_t stride_)
      : last(stuck + beyond < t.task.n ? stuck + beyond : t.task.n - 1), stride(stride_) {
    const std::size_t room = stride * (kMostLayers - 2) - (last - stuck);
    whole = back >= stuck || back >= room;
    first = back >= stuck ? 0 : stuck - (back < room ? back : room);
    if (last - first > stride * (kMostLayers - 2)) last = first + stride * (kMostLayers - 2);
    layers = (last - first + stride - 1) / stride;
  }
  std::size_t at(std::size_t layer) const { return layer < layers ? first + layer * stride : last; }
};

// Makes rows of the layers' rows of a stretch.
template <template <class> class Residual>
inline bool fill_rows(Tracker& t, const Stretch& stretch, double bound) {
  for (std::size_t layer = 1; layer <= stretch.layers; ++layer) {
    const std::size_t from = stretch.at(layer - 1), to = stretch.at(layer);
    step_between(t, row(t, from), row(t, to), t.one.step);
    for (std::size_t w = from + 1; w < to; ++w)
      go_part(t, double(w - from) / double(to - from), t.one.step, row(t, from), row(t, w));
  }
  return settle_rows<Residual>(t, stretch.first, stretch.last, bound);
}

// Sends a beam ahead through a stretch; the layer that it gets to.
template <template <class> class Residual>
inline std::size_t send_ahead(Tracker& t, const Stretch& stretch, int width, double bound) {
  begin_ahead<Residual>(t, stretch.first);
  std::size_t layer = 0;
  for (; layer < stretch.layers && grow<Residual>(t, stretch.at(layer), stretch.at(layer + 1), width, bound); ++layer)
    note_layer(t, t.ahead, layer + 1);
  return layer;
}

// Looks for a way past the waypoint that walking does not get to, from farther and farther back, but no
// farther than `longest` layers.
template <template <class> class Residual>
inline bool get_round(Tracker& t, std::size_t back, std::size_t longest, int width, double bound) {
  const std::size_t stuck = t.next;
  const std::size_t stride = stride_for(bound);
  stride_out(t, 0.5, 0.5);
  for (back *= stride; back <= longest * stride; back *= 2) {
    const Stretch stretch(t, stuck, back, 8 * stride + back / 4, stride);
    const int kept = min(kWide, width + int(back / stride / 16));
    if (send_ahead<Residual>(t, stretch, kept, bound) == stretch.layers) {
      take_rows(t, t.ahead, stretch.layers, 0, [&](std::size_t layer) { return stretch.at(layer); });
      if (fill_rows<Residual>(t, stretch, bound)) return true;
      t.next = stuck;
    }
    if (stretch.whole) return kept < kWide && get_round<Residual>(t, back / stride, longest, kWide, bound);
  }
  return false;
}

}  // namespace pantin::PANTIN_ISA
