// Between two waypoints: the straight way from one target to the next, followed in small steps.
#pragma once

#include "pantin/solve/tracker.hpp"

namespace pantin::PANTIN_ISA {

inline constexpr double kSmallStep = 0.15;        // radians that one small step moves a joint or the frame
inline constexpr double kFarApart = 0.4;          // radians or lengths between targets that are never one step
inline constexpr double kSmallestPart = 1.0 / 2048;  // of the way, after which a joint that still moves far jumps

// The target at a part of the way to a waypoint: a point on the straight line, a turn about a fixed axis.
inline SE3<double> target_between(const Tracker& t, std::size_t waypoint, double part) {
  const SE3<double> a = target_of<double>(t, waypoint - 1), b = target_of<double>(t, waypoint);
  return {a.R * exp3(part * log3(transpose(a.R) * b.R)), a.p + part * (b.p - a.p)};
}

// From one configuration towards another, or beyond it.
inline void go_part(const Tracker& t, double part, const double* step, const double* from, double* x) {
  const ReachProblem& problem = *t.task.problem;
  for (int i = 0; i < problem.nx; ++i) x[i] = from[i];
  for (int k = 0; k < problem.nv; ++k) t.one.pull[k] = part * step[k];
  move_by(problem, *t.task.bounds, 1.0, x, t.one.pull);
}

inline double largest_entry(int n, const double* u) {
  double largest = 0.0;
  for (int k = 0; k < n; ++k) largest = max(largest, abs(u[k]));
  return largest;
}

// One waypoint farther in small steps, each extrapolated from the one before; false where a joint
// would jump, or go farther than `bound` in all.
template <template <class> class Residual>
inline bool creep(Tracker& t, double bound) {
  const PathTask& task = t.task;
  const ReachProblem& problem = *task.problem;
  const std::size_t k = t.next;
  double *const x = row(t, k), *const here = t.one.from, *const step = t.one.step;
  double done = 0.0, part = min(1.0, kSmallStep / max(t.moved[k], kSmallStep)), before = 0.0;
  for (int i = 0; i < problem.nx; ++i) here[i] = row(t, k - 1)[i];
  Remaining<double> left{0.0, 0.0};
  while (done < 1.0) {
    part = min(part, 1.0 - done);
    go_part(t, before > 0.0 ? part / before : 0.0, step, here, x);
    const double to = part < 1.0 - done ? done + part : 1.0;
    bool good = correct<Residual>(problem, *task.bounds, *task.settings, target_between(t, k, to), kMostCorrections,
                                  nullptr, x, t.one.memory, left);
    if (good) {
      step_between(t, here, x, t.one.pull);
      good = largest_entry(problem.nv, t.one.pull) <= kSmallStep;
    }
    if (!good) {
      part *= 0.5;
      if (part < kSmallestPart) return false;
      continue;
    }
    for (int j = 0; j < problem.nv; ++j) step[j] = t.one.pull[j];
    for (int i = 0; i < problem.nx; ++i) here[i] = x[i];
    done = to;
    before = part;
    part *= 1.5;
  }
  step_between(t, row(t, k - 1), x, step);
  allow(t, k - 1, k, bound);
  if (!fits(t, step)) return false;
  note_errors(t, k, left);
  go_on_from(t, k);
  return true;
}

// Cuts the way to a waypoint into 2, 4, 8 ... pieces, until the frame stays within tolerances (m, rad) of it while the
// joints move straight from cut to cut. The cuts' configurations, up to `most`; -1 where more would be needed.
template <template <class> class Residual>
inline int refine(Tracker& t, std::size_t k, double position, double rotation, int most, double* x) {
  const PathTask& task = t.task;
  const ReachProblem& problem = *task.problem;
  double *const whole = t.one.step, *const piece = t.last, *const middle = t.one.x;
  step_between(t, row(t, k - 1), row(t, k), whole);
  for (int pieces = 1; pieces <= most + 1; pieces *= 2) {
    bool good = true;
    const double* from = row(t, k - 1);
    for (int i = 1; good && i <= pieces; ++i) {
      Remaining<double> left;
      const double* to = row(t, k);
      if (i < pieces) {
        double* const cut = x + (i - 1) * problem.nx;
        go_part(t, double(i) / pieces, whole, row(t, k - 1), cut);
        good = correct<Residual>(problem, *task.bounds, *task.settings, target_between(t, k, double(i) / pieces),
                                 kMostCorrections, nullptr, cut, t.one.memory, left);
        to = cut;
      }
      step_between(t, from, to, piece);
      go_part(t, 0.5, piece, from, middle);
      correct<Residual>(problem, *task.bounds, *task.settings, target_between(t, k, (i - 0.5) / pieces), 0,
                        nullptr, middle, t.one.memory, left);
      good = good && left.position2 <= position * position && left.rotation2 <= rotation * rotation;
      from = to;
    }
    if (good) return pieces - 1;
  }
  return -1;
}

}  // namespace pantin::PANTIN_ISA
