// The memory of a tracker, and where it stands at first.
#pragma once

#include "pantin/solve/pieces.hpp"
#include "pantin/solve/tracker.hpp"

namespace pantin::PANTIN_ISA {

template <class T>
inline void lay_out(Stride<T>& s, const ReachProblem& problem, Pieces& pieces) {
  s.memory.J = pieces.take<T>(6 * problem.nv);
  s.memory.u = pieces.take<T>(problem.nv);
  s.memory.lines = pieces.take<Line<T>>(3 * problem.nlinks);
  s.from = pieces.take<T>(problem.nx);
  s.x = pieces.take<T>(problem.nx);
  s.step = pieces.take<T>(problem.nv);
  s.pull = pieces.take<T>(problem.nv);
}

inline void lay_out(Tracker& t, const ReachProblem& problem, std::size_t n, Pieces& pieces) {
  const std::size_t nx = problem.nx, nv = problem.nv, width = kWidest;
  t.x = pieces.take<double>(n * nx);
  t.moved = pieces.take<double>(n);
  t.last = pieces.take<double>(nv);
  t.before = pieces.take<double>(nv);
  t.allowed = pieces.take<double>(nv);
  t.per_half = pieces.take<double>(nv);
  t.lower = pieces.take<double>(nx);
  t.upper = pieces.take<double>(nx);
  lay_out(t.one, problem, pieces);
  lay_out(t.many, problem, pieces);
  Beam& beam = t.beam;
  beam.x = pieces.take<double>(width * nx);
  beam.step = pieces.take<double>(width * nv);
  beam.heading = pieces.take<double>(width * nv);
  beam.next_x = pieces.take<double>(2 * width * nx);
  beam.next_step = pieces.take<double>(2 * width * nv);
  beam.next_heading = pieces.take<double>(2 * width * nv);
  beam.room = pieces.take<double>(2 * width);
  beam.apart = pieces.take<double>(2 * width);
  beam.across = pieces.take<double>(2 * width * nx);
  beam.parent = pieces.take<int>(width);
  beam.from = pieces.take<int>(2 * width);
  const std::size_t layers = n < kMostLayers ? n : kMostLayers;
  Record* const records[] = {&t.ahead, &t.back};
  for (Record* const record : records) {
    record->rows = pieces.take<double>(layers * width * nx);
    record->parents = pieces.take<int>(layers * width);
    record->counts = pieces.take<int>(layers);
  }
}

inline void read_row(const Tracker& t, const double* q, double* x) {
  const ReachProblem& problem = *t.task.problem;
  for (int k = 0; k < problem.nx; ++k) x[k] = problem.sign[k] * q[problem.entry[k]];
}

inline void write_row(const Tracker& t, const double* x, double* q) {
  const ReachProblem& problem = *t.task.problem;
  for (int k = 0; k < problem.nq; ++k) q[k] = t.task.q[k];
  for (int k = 0; k < problem.nx; ++k) q[problem.entry[k]] = problem.sign[k] * x[k];
}

inline std::size_t tracker_bytes(const ReachProblem& problem, std::size_t n) {
  Tracker t;
  Pieces pieces{nullptr};
  pieces.take<Tracker>(1);
  lay_out(t, problem, n, pieces);
  return pieces.taken;
}

// How far a joint may go at once, as a part of how far the frame goes: many hinges share its motion, while a slide, or
// one of few joints, goes as far, and may go farther to make up for another.
inline double share_of_joints(const ReachProblem& problem) {
  bool slides = false;
  for (int k = 0; k < problem.nv; ++k) slides |= problem.is_length[k];
  return slides || problem.nv < 6 ? 1.5 : 0.88;
}

// Stands at the first waypoint, whose answer is the first row of the task's q.
inline void set_out(void* memory, const PathTask& task) {
  Pieces pieces{static_cast<char*>(memory)};
  Tracker& t = *pieces.take<Tracker>(1);
  const ReachProblem& problem = *task.problem;
  const ReachBounds& bounds = *task.bounds;
  lay_out(t, problem, task.n, pieces);
  t.task = task;
  t.unhurried = 0;
  t.boxed = task.times;
  for (int k = 0; k < problem.nv; ++k) t.boxed |= task.most[k] < 1e300;
  t.bound = kStillness;
  const double share = share_of_joints(problem);
  for (std::size_t k = 1; k < task.n; ++k) {
    t.moved[k] = frame_motion(bounds, task.targets + 12 * (k - 1), task.targets + 12 * k);
    t.bound = max(t.bound, share * t.moved[k]);
  }
  t.least_bound = t.bound;
  for (int k = 0; k < problem.nv; ++k) {
    const int i = problem.x_of_unknown[k];
    t.per_half[k] = 0.0;
    if (i < 0 || (problem.locked && problem.locked[k])) continue;
    const double range = bounds.upper[i] - bounds.lower[i];
    if (range > 0.0 && range < 1e300) t.per_half[k] = 2.0 / range;
  }
  read_row(t, task.q, t.x);
  go_on_from(t, 0);
}

// Goes on from an answer to the next waypoint that comes from elsewhere.
inline void resume(void* memory, const double* q) {
  Tracker& t = *static_cast<Tracker*>(memory);
  read_row(t, q, row(t, t.next));
  go_on_from(t, t.next);
  for (int k = 0; k < t.task.problem->nv; ++k) t.last[k] = t.before[k] = 0.0;
}

}  // namespace pantin::PANTIN_ISA
