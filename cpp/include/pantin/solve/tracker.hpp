// Walking along a path, waypoint by waypoint.
//
// The next configuration is extrapolated from the last two steps and corrected; what motion the target leaves free
// goes away from the limits. A walk that ends leaves the rest to detour.hpp and creep.hpp.
#pragma once

#include "pantin/solve/correct.hpp"
#include "pantin/solve/path_task.hpp"
#include "pantin/solve/question.hpp"

namespace pantin::PANTIN_ISA {

// What it takes to make one step, or one in each lane.
template <class T>
struct Stride {
  CorrectionMemory<T> memory;
  T *from, *x;     // numbers before and after
  T *step, *pull;  // what leads there, and where free motion should go
};

// The configurations kept at each waypoint of a search.
struct Record {
  double* rows;  // (layers, kWidest, nx)
  int* parents;  // (layers, kWidest), in the layer before
  int* counts;   // (layers)
};

struct Beam {
  int count;
  double strides[2];
  double *x, *step, *heading;                 // (kWidest, ...) of the configurations of a layer
  int* parent;                                // (kWidest) in the layer before
  double *next_x, *next_step, *next_heading;  // (2 kWidest, ...) of those that may follow
  double *room, *apart, *across;              // (2 kWidest) each; next_x, (nx, 2 kWidest)
  int* from;                                  // (2 kWidest)
};

struct Tracker {
  PathTask task;
  std::size_t next;       // waypoint to go to
  std::size_t unhurried;  // waypoint from which on speeds count
  double* x;              // (n, nx)
  double* moved;          // (n) how far the frame moves to each waypoint, in radians or lengths
  double bound, least_bound;  // an unknown that goes farther at once jumps; what the bound was at first
  double *last, *before;  // the last two steps
  double* allowed;        // how far each unknown may go to a waypoint
  bool boxed;             // steps of single joints are limited, and so is x while it is corrected:
  double *lower, *upper;  // (nx)
  double* per_half;       // 1 over half the range of each unknown, 0 where it has none or is locked
  Stride<double> one;
  Stride<P> many;
  Beam beam;
  Record ahead, back;
};

inline constexpr int kMostCorrections = 8;
inline constexpr double kStillness = 2e-3;  // radians that are no jump however slow the path
inline constexpr std::size_t kMostLayers = 1024;
inline constexpr int kWide = 32, kWidest = 64;  // configurations that a search keeps of a layer, first and last

inline double* row(const Tracker& t, std::size_t waypoint) { return t.x + waypoint * t.task.problem->nx; }

// How far apart two targets are: the larger of the angle and the distance in lengths.
inline double frame_motion(const ReachBounds& bounds, const double* from, const double* to) {
  double turn = 0.0, way = 0.0;
  for (int k = 0; k < 9; ++k) turn += (to[k] - from[k]) * (to[k] - from[k]);
  for (int k = 9; k < 12; ++k) way += (to[k] - from[k]) * (to[k] - from[k]);
  return sqrt(max(0.5 * turn, way / (bounds.length * bounds.length)));
}

template <class T>
inline SE3<T> target_of(const Tracker& t, std::size_t waypoint) {
  double numbers[12];
  move_to_tip(*t.task.problem, t.task.targets + 12 * waypoint, numbers);
  return broadcast_pose<T>(numbers);
}

// Step from one set of numbers to another, in radians and lengths.
template <class T>
PANTIN_INLINE void step_between(const Tracker& t, const T* from, const T* to, T* u) {
  const ReachProblem& problem = *t.task.problem;
  for (int i = 0; i < problem.nvariables; ++i) {
    const Joint& joint = problem.variables[i];
    if (joint.nq == 1)
      u[joint.v] = to[joint.q] - from[joint.q];
    else
      difference_joint(joint, from + joint.q, to + joint.q, u + joint.v);
    if (problem.is_length[joint.v]) u[joint.v] = T(1.0 / t.task.bounds->length) * u[joint.v];
  }
}

// Where the motion that the frame leaves free should go: away from the limits, the more the nearer they are.
template <class T>
inline void pull_inward(const Tracker& t, const T* x, double size, T* w) {
  const ReachProblem& problem = *t.task.problem;
  for (int k = 0; k < problem.nv; ++k) {
    const int i = problem.x_of_unknown[k];
    w[k] = T(0.0);
    if (t.per_half[k] == 0.0) continue;
    const T s = T(t.per_half[k]) * (x[i] - T(t.task.bounds->middle[i])), s2 = s * s;
    w[k] = T(-size) * clamp(s * s2 * s2 / (T(1.05) - s2), T(-0.5), T(0.5));
  }
}

// How far each unknown may go between two waypoints.
inline void allow(Tracker& t, std::size_t from, std::size_t to, double bound) {
  const PathTask& task = t.task;
  for (int k = 0; k < task.problem->nv; ++k) {
    const double most = min(bound, task.most[k]);
    if (!task.times) {
      t.allowed[k] = double(to - from) * most;
      continue;
    }
    t.allowed[k] = 0.0;
    for (std::size_t w = from + 1; w <= to; ++w)
      t.allowed[k] += w < t.unhurried ? most : min(most, task.speed[k] * (task.times[w] - task.times[w - 1]));
  }
}

// Lanes whose step is allowed.
template <class T>
inline int fits(const Tracker& t, const T* step) {
  T excess = T(0.0);
  for (int k = 0; k < t.task.problem->nv; ++k) excess = max(excess, abs(step[k]) - T(t.allowed[k]));
  return lanes_where(excess <= T(1e-12));  // of rounding
}

// The limits that a step from one set of numbers has to keep to.
inline ReachBounds limits_from(const Tracker& t, const double* from) {
  const ReachProblem& problem = *t.task.problem;
  ReachBounds bounds = *t.task.bounds;
  if (!t.boxed) return bounds;
  for (int i = 0; i < problem.nx; ++i) {
    t.lower[i] = bounds.lower[i];
    t.upper[i] = bounds.upper[i];
  }
  for (int k = 0; k < problem.nv; ++k) {
    const int i = problem.x_of_unknown[k];
    if (i < 0) continue;
    const double reach = t.allowed[k] * (problem.is_length[k] ? bounds.length : 1.0);
    t.lower[i] = max(t.lower[i], from[i] - reach);
    t.upper[i] = min(t.upper[i], from[i] + reach);
  }
  bounds.lower = t.lower;
  bounds.upper = t.upper;
  return bounds;
}

// Goes on from a waypoint, whose row and those before it stand.
inline void go_on_from(Tracker& t, std::size_t waypoint) {
  const std::size_t first = waypoint > 1 ? waypoint - 2 : 0, second = waypoint > 0 ? waypoint - 1 : 0;
  step_between(t, row(t, first), row(t, second), t.before);
  step_between(t, row(t, second), row(t, waypoint), t.last);
  t.next = waypoint + 1;
}

inline void note_errors(Tracker& t, std::size_t waypoint, const Remaining<double>& left) {
  t.task.position_error[waypoint] = sqrt(left.position2);
  t.task.rotation_error[waypoint] = sqrt(left.rotation2);
}

// One waypoint farther by extrapolation and correction; false where that does not reach it, or goes too far. Free
// motion follows the pull away from the limits, or is left out where the step shall be short.
template <template <class> class Residual>
inline bool walk(Tracker& t, bool shortly) {
  const double eagerness = shortly ? 1.0 : 0.3;  // part of the free motion that changes at once
  const PathTask& task = t.task;
  const ReachProblem& problem = *task.problem;
  const std::size_t k = t.next;
  const double* const from = row(t, k - 1);
  double *const x = row(t, k), *const step = t.one.step, *const pull = t.one.pull;
  pull_inward(t, from, shortly ? 0.0 : t.moved[k], pull);
  for (int j = 0; j < problem.nv; ++j) {
    step[j] = k > 2 ? 2.0 * t.last[j] - t.before[j] : t.last[j];
    pull[j] = eagerness * (pull[j] - step[j]);
  }
  for (int j = 0; j < problem.nx; ++j) x[j] = from[j];
  allow(t, k - 1, k, t.bound);
  const ReachBounds bounds = limits_from(t, from);
  move_by(problem, bounds, 1.0, x, step);
  Remaining<double> left;
  const bool reached = correct<Residual>(problem, bounds, *task.settings, target_of<double>(t, k), kMostCorrections,
                                         pull, x, t.one.memory, left);
  step_between(t, from, x, step);
  if (!reached || !fits(t, step)) return false;
  note_errors(t, k, left);
  t.one.step = t.before;
  t.before = t.last;
  t.last = step;
  ++t.next;
  return true;
}

}  // namespace pantin::PANTIN_ISA
