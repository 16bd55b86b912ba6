// Questions of several residuals: their seeds side by side, then for each that is left its other starts.
//
//   - where the seed's own branch reaches, it is the answer;
//   - then starts are compared in groups of as many as there are lanes, the first of one less: of those that reach, the
//     one nearest to the seed is the answer, and a group without any is followed by the next;
//   - where all starts end without reaching, the seed's and the few with the smallest errors come to rest, and the one
//     with the smallest error then is the answer.
// None of this depends on what else is asked.
#pragma once

#include "pantin/solve/whole/rows.hpp"

namespace pantin::PANTIN_ISA {

namespace whole {
inline constexpr int kRestFactor = 5;      // iterations to come to rest, times those of a start
inline constexpr int kLooks = 16;          // iterations between looks at the clock
inline constexpr int kNearIterations = 5;  // in which a seed that reaches most likely comes near ...
inline constexpr double kNear = 0.01;      // ... to this squared error
}  // namespace whole

inline constexpr int kEveryLane = -1;

// Lets a lane begin at a row's seed, or all: one that is free computes what another does.
inline void put_seed(WholeSearch& c, std::size_t row, int l) {
  read_numbers(*c.task.problem, c.task.seeds + row * c.task.seed_stride, c.seed);
  const int most = c.task.settings->max_iterations;
  if (l == kEveryLane)
    put_start(c, row, c.seed, whole::kSeedPeriod, most, [](P& pack, double value) { pack = P(value); });
  else
    put_start(c, l, row, c.seed, whole::kSeedPeriod, most);
}

// Closes a row whose seed's start has ended in a lane; one that has not reached stays open.
inline void close_seed(WholeSearch& c, std::size_t row, int l, bool reached) {
  take_numbers(c, l, c.numbers);
  const int status = reached ? static_cast<int>(ReachStatus::kReached) : whole::kOpen;
  close_row(c, row, c.numbers, {0.0, status, int(lane(c.lanes.iteration, l)), 1}, l);
}

// Tries the seeds of all rows, as many at once as there are lanes.
inline void try_seeds(WholeSearch& c) {
  const WholeTask& task = c.task;
  std::size_t next = task.range.first;
  int busy = 0;
  while (true) {
    for (int l = 0; l < kReachLanes && next < task.range.last; ++l) {
      if (busy >> l & 1) continue;
      put_seed(c, next, busy == 0 ? kEveryLane : l);
      c.rows[l] = next++;
      busy |= 1 << l;
    }
    if (busy == 0) return;
    const WholeProgress progress = iterate(*task.problem, *task.bounds, busy, c.lanes);
    for (int done = progress.done & busy; done; done &= done - 1) {
      const int l = __builtin_ctz(done);
      close_seed(c, c.rows[l], l, progress.reached >> l & 1);
      busy &= ~(1 << l);
    }
  }
}

// Notes where lanes have ended, and which are still open.
inline void note_ended(WholeSearch& c, int done, int reached, int& open) {
  for (done &= open; done; done &= done - 1) {
    const int l = __builtin_ctz(done);
    auto& end = c.ended[l];
    take_numbers(c, l, end.x);
    end.cost = lane(c.lanes.cost, l);
    end.iterations = int(lane(c.lanes.iteration, l));
    end.reached = reached >> l & 1;
    open &= ~(1 << l);
  }
}

// Runs lanes until each has ended; false where time is over.
inline bool run_lanes(WholeSearch& c, std::size_t row, int open) {
  for (int steps = 1; open; ++steps) {
    const WholeProgress progress = iterate(*c.task.problem, *c.task.bounds, open, c.lanes);
    const bool late = steps % whole::kLooks == 0 && c.task.stop && c.task.stop(c.task.stopper, row);
    note_ended(c, late ? open : progress.done, progress.reached, open);
    if (late) return false;
  }
  return true;
}

// Numbers of a start: spread over the limits. In every other one, joints without limits are at rest, so that a free body
// is not always upside down.
inline void spread_whole(const WholeProblem& problem, const ReachBounds& bounds, int start, double* x) {
  spread_start(problem.unknowns, bounds, start, x);
  if (start % 2 == 0) return;
  for (int k = 0; k < problem.unknowns.nx; ++k)
    if (bounds.lower[k] < -1e300 && bounds.upper[k] > 1e300) x[k] = bounds.middle[k];
}

inline void keep_finalist(const WholeProblem& problem, WholeSearch& c, const WholeSearch::Finalist& end) {
  int place = kReachLanes;
  const auto is_lower = [&](const WholeSearch::Finalist& other) {
    return other.start < 0 || end.cost < other.cost * (1.0 - kNoLower);
  };
  while (place > 1 && is_lower(c.finalists[place - 1])) --place;
  if (place == kReachLanes) return;
  double* const spare = c.finalists[kReachLanes - 1].x;
  for (int k = kReachLanes - 1; k > place; --k) c.finalists[k] = c.finalists[k - 1];
  c.finalists[place] = end;
  c.finalists[place].x = spare;
  for (int k = 0; k < problem.nx; ++k) spare[k] = end.x[k];
}

// Brings the finalists to rest and closes the row with the best of them; with the seed itself, where none is lower.
inline void conclude(WholeSearch& c, std::size_t row, int starts, bool late) {
  const WholeTask& task = c.task;
  const WholeProblem& problem = *task.problem;
  const auto is_late = [&](int steps) {
    return late = late || (steps % whole::kLooks == 0 && task.stop && task.stop(task.stopper, row));
  };
  read_numbers(problem, task.seeds + row * task.seed_stride, c.numbers);
  look_at_row(c, row, c.numbers);
  double lowest = c.state.cost;
  int iterations = 1;
  bool reached = false;
  for (auto& finalist : c.finalists) {
    if (finalist.start < 0 || reached) break;
    look_at_row(c, row, finalist.x);
    const int most = whole::kRestFactor * task.settings->max_iterations;
    const int steps = late ? 0 : come_to_rest(problem, *task.bounds, most, c.state, c.rest, is_late);
    reached = c.state.reached;
    if (!reached && !(c.state.cost < lowest * (1.0 - kNoLower))) continue;
    lowest = c.state.cost;
    iterations = finalist.iterations + steps;
    for (int k = 0; k < problem.nx; ++k) c.numbers[k] = c.state.x[k];
  }
  const ReachStatus status = reached ? ReachStatus::kReached : late ? ReachStatus::kDeadline : ReachStatus::kNotFound;
  close_row(c, row, c.numbers, {0.0, static_cast<int>(status), iterations, starts});
}

// Lets lanes from `l` on begin at the starts from `start` on; which of them have, as bits.
inline int put_group(WholeSearch& c, std::size_t row, int start, int l) {
  const WholeTask& task = c.task;
  int begun = 0;
  for (; l < kReachLanes && start < task.settings->max_starts; ++l, ++start) {
    read_numbers(*task.problem, task.seeds + row * task.seed_stride, c.numbers);
    spread_whole(*task.problem, *task.bounds, start, c.numbers);
    put_start(c, l, row, c.numbers, whole::kPeriod, task.settings->max_iterations);
    c.ended[l].start = start;
    begun |= 1 << l;
  }
  return begun;
}

// Closes a row with the nearest of the lanes that have reached; false where none has.
inline bool judge_group(WholeSearch& c, std::size_t row, int lanes, int starts) {
  const WholeTask& task = c.task;
  const WholeProblem& problem = *task.problem;
  read_numbers(problem, task.seeds + row * task.seed_stride, c.seed);
  int nearest = -1;
  double least = __builtin_inf();
  for (; lanes; lanes &= lanes - 1) {
    const int l = __builtin_ctz(lanes);
    if (!c.ended[l].reached) {
      keep_finalist(problem, c, c.ended[l]);
      continue;
    }
    unwind(problem.unknowns, *task.bounds, c.seed, c.ended[l].x);
    const double distance = largest_motion(problem.unknowns, c.seed, c.ended[l].x, problem.length);
    if (distance < least) least = distance, nearest = l;
  }
  if (nearest < 0) return false;
  const int status = static_cast<int>(ReachStatus::kReached);
  close_row(c, row, c.ended[nearest].x, {0.0, status, c.ended[nearest].iterations, starts});
  return true;
}

// Starts of one row beyond its seed, whose end stands among the answers. The first group shares the lanes with the
// seed; `begun` are those of its lanes that have begun, and `open` those that have not ended.
inline void explore(WholeSearch& c, std::size_t row, int begun = 0, int open = 0) {
  const WholeTask& task = c.task;
  const WholeProblem& problem = *task.problem;
  for (auto& finalist : c.finalists) finalist.start = -1;
  read_numbers(problem, task.q + row * problem.unknowns.nq, c.finalists[0].x);
  look_at_row(c, row, c.finalists[0].x);
  c.finalists[0].cost = c.state.cost;
  c.finalists[0].start = 0;
  c.finalists[0].iterations = task.answers[row].iterations;
  c.finalists[0].reached = false;

  if (!begun) open = begun = put_group(c, row, 1, 1);
  for (int starts = 1; begun; open = begun = put_group(c, row, starts, 0)) {
    starts += __builtin_popcount(begun);
    const bool late = !run_lanes(c, row, open);
    if (judge_group(c, row, begun, starts)) return;
    if (late) return conclude(c, row, starts, true);
  }
  conclude(c, row, task.settings->max_starts, false);
}

// A row alone: where its seed is still far after a few iterations, the lanes that it leaves free begin other starts.
inline void answer_alone(WholeSearch& c, std::size_t row) {
  const WholeTask& task = c.task;
  put_seed(c, row, kEveryLane);
  int begun = 0, open = 1;
  for (int steps = 1; open & 1; ++steps) {
    const WholeProgress progress = iterate(*task.problem, *task.bounds, open, c.lanes);
    if (progress.done & 1) close_seed(c, row, 0, progress.reached & 1);
    if (progress.reached & 1) return;
    note_ended(c, progress.done, progress.reached, open);
    if (steps != whole::kNearIterations || !(open & 1) || lane(c.lanes.cost, 0) < whole::kNear) continue;
    begun = put_group(c, row, 1, 1);
    open |= begun;
  }
  explore(c, row, begun, open);
}

inline void answer_all(WholeSearch& c, const WholeTask& task) {
  c.task = task;
  if (task.posture) {
    read_numbers(*task.problem, task.posture, c.posture.x);
    for (int k = 0; k < task.problem->unknowns.nv; ++k) c.posture.per_root_weight[k] = 1.0 / sqrt(task.posture_weights[k]);
  }
  if (task.range.last == task.range.first + 1) return answer_alone(c, task.range.first);
  try_seeds(c);
  for (std::size_t row = task.range.first; row < task.range.last; ++row)
    if (task.answers[row].status == whole::kOpen) explore(c, row);
}

}  // namespace pantin::PANTIN_ISA
