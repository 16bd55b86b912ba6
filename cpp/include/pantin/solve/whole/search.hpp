// Questions of several residuals: their seeds side by side, then for each that is left its other starts.
//
//   - where the seed's own branch reaches, it is the answer;
//   - then starts are compared in groups of as many as there are lanes: of those that reach, the one nearest to the seed
//     is the answer, and a group without any is followed by the next;
//   - where all starts end without reaching, the seed's and the few with the smallest errors come to rest, and the one
//     with the smallest error then is the answer.
// None of this depends on what else is asked.
#pragma once

#include "pantin/solve/question.hpp"
#include "pantin/solve/whole/posture.hpp"

namespace pantin::PANTIN_ISA {

struct WholeSearch {
  WholeTask task;
  WholeLanes lanes;
  WholeState<double> state;  // for one configuration
  PostureMemory posture;
  std::size_t rows[kReachLanes];  // of each lane's question
  struct Finalist {
    double* x;
    double cost;
    int start, iterations;
    bool reached;
  } ended[kReachLanes], finalists[kReachLanes];
  double *seed, *numbers;
};

namespace whole {
inline constexpr int kAll = (1 << kReachLanes) - 1;
inline constexpr int kOpen = -1;           // status of a question whose seed has not reached
inline constexpr int kRestFactor = 20;     // iterations to come to rest, times those of a start
inline constexpr int kLooks = 16;          // iterations between looks at the clock
inline constexpr double kNever = 1e300;
}  // namespace whole

inline const double* target_of(const WholeTask& task, int residual, std::size_t row) {
  return task.targets[residual] + row * task.target_strides[residual];
}

// Numbers of x of a configuration that is within limits.
inline void read_numbers(const WholeProblem& problem, const double* q, double* x) {
  for (int k = 0; k < problem.nx; ++k) x[k] = q[problem.entry[k]];
  for (int i = 0; i < problem.unknowns.nvariables; ++i) {
    const Joint& joint = problem.unknowns.variables[i];
    if (joint.nq == 1) continue;
    double norm2 = 0.0;
    for (int k = joint.q; k < joint.q + joint.nq; ++k) norm2 += x[k] * x[k];
    if (abs(norm2 - 1.0) > 1e-14)
      for (int k = joint.q; k < joint.q + joint.nq; ++k) x[k] /= sqrt(norm2);
  }
}

// Lets a lane, or all of them at once, begin at the numbers x with the targets of a row.
template <class Put>
inline void put_start(WholeSearch& c, std::size_t row, const double* x, double period, int iterations, Put&& put) {
  const WholeProblem& problem = *c.task.problem;
  WholeLanes& lanes = c.lanes;
  for (int k = 0; k < problem.nx; ++k) put(lanes.state.x[k], x[k]);
  for (int r = 0; r < problem.nresiduals; ++r)
    for (int k = 0; k < 12; ++k) put(lanes.state.target[12 * r + k], target_of(c.task, r, row)[k]);
  put(lanes.cost, __builtin_inf());
  put(lanes.damping, whole::kLeastDamping);
  put(lanes.iteration, 0.0);
  put(lanes.most_iterations, double(iterations));
  put(lanes.mark_iteration, 0.0);
  put(lanes.mark_cost, __builtin_inf());
  put(lanes.period, period);
}

inline void put_start(WholeSearch& c, int l, std::size_t row, const double* x, double period, int iterations) {
  put_start(c, row, x, period, iterations, [l](P& pack, double value) { set_lane(pack, l, value); });
}

inline void take_numbers(const WholeSearch& c, int l, double* x) {
  const WholeProblem& problem = *c.task.problem;
  for (int k = 0; k < problem.unknowns.nx; ++k) x[k] = lane(c.lanes.base[k], l);
  for (int k = problem.unknowns.nx; k < problem.nx; ++k) x[k] = lane(c.lanes.state.x[k], l);
}

// Writes numbers as the answer of a row.
inline void write_numbers(WholeSearch& c, std::size_t row, const double* x) {
  const WholeProblem& problem = *c.task.problem;
  double* const out = c.task.q + row * problem.unknowns.nq;
  for (int k = 0; k < problem.nx; ++k) out[problem.entry[k]] = x[k];
}

// Looks at one configuration of a row alone.
inline void look_at_row(WholeSearch& c, std::size_t row, const double* x) {
  const WholeProblem& problem = *c.task.problem;
  for (int k = 0; k < problem.nx; ++k) c.state.x[k] = x[k];
  for (int r = 0; r < problem.nresiduals; ++r)
    for (int k = 0; k < 12; ++k) c.state.target[12 * r + k] = target_of(c.task, r, row)[k];
  look_around(problem, c.state);
}

// Closes a row with numbers that lane `l` has the errors of, or none.
inline void close_row(WholeSearch& c, std::size_t row, double* x, const WholeAnswer& answer, int l = -1) {
  const WholeProblem& problem = *c.task.problem;
  double* const errors = c.task.errors + row * 2 * problem.nresiduals;
  const bool refines = c.task.posture && answer.status == static_cast<int>(ReachStatus::kReached);
  if (l < 0 || refines) {
    look_at_row(c, row, x);
    if (refines) approach_posture(problem, *c.task.bounds, *c.task.settings, c.posture, c.state, x);
    for (int r = 0; r < problem.nresiduals; ++r) {
      errors[2 * r] = sqrt(c.state.sights[r].position2);
      errors[2 * r + 1] = sqrt(c.state.sights[r].rotation2);
    }
  } else {
    for (int k = 0; k < 2 * problem.nresiduals; ++k) errors[k] = sqrt(lane(c.lanes.errors2[k], l));
  }
  write_numbers(c, row, x);
  read_numbers(problem, c.task.seeds + row * c.task.seed_stride, c.seed);
  c.task.answers[row] = answer;
  c.task.answers[row].seed_distance = largest_motion(problem.unknowns, c.seed, x, 1.0);
}

// Tries the seeds of all rows, as many at once as there are lanes. Rows whose seed has not reached stay open.
inline void try_seeds(WholeSearch& c) {
  const WholeTask& task = c.task;
  std::size_t next = task.range.first;
  int busy = 0;
  while (true) {
    for (int l = 0; l < kReachLanes && next < task.range.last; ++l) {
      if (busy >> l & 1) continue;
      read_numbers(*task.problem, task.seeds + next * task.seed_stride, c.seed);
      // the first takes the other lanes along: one that is free computes what another does
      if (busy == 0)
        put_start(c, next, c.seed, whole::kSeedPeriod, task.settings->max_iterations,
                  [](P& pack, double value) { pack = P(value); });
      else
        put_start(c, l, next, c.seed, whole::kSeedPeriod, task.settings->max_iterations);
      c.rows[l] = next++;
      busy |= 1 << l;
    }
    if (busy == 0) return;
    const WholeProgress progress = iterate(*task.problem, *task.bounds, whole::kPatience, busy, c.lanes);
    for (int done = progress.done & busy; done; done &= done - 1) {
      const int l = __builtin_ctz(done);
      const bool reached = progress.reached >> l & 1;
      take_numbers(c, l, c.numbers);
      const int status = reached ? static_cast<int>(ReachStatus::kReached) : whole::kOpen;
      close_row(c, c.rows[l], c.numbers, {0.0, status, int(lane(c.lanes.iteration, l)), 1}, l);
      busy &= ~(1 << l);
    }
  }
}

// Runs the lanes until each has ended, and notes where; false where time is over.
inline bool run_lanes(WholeSearch& c, std::size_t row, int count, double patience) {
  int open = (1 << count) - 1;
  for (int steps = 1; open; ++steps) {
    const WholeProgress progress = iterate(*c.task.problem, *c.task.bounds, patience, open, c.lanes);
    const bool late = steps % whole::kLooks == 0 && c.task.stop && c.task.stop(c.task.stopper, row);
    for (int done = late ? open : progress.done & open; done; done &= done - 1) {
      const int l = __builtin_ctz(done);
      auto& end = c.ended[l];
      take_numbers(c, l, end.x);
      end.cost = lane(c.lanes.cost, l);
      end.iterations = int(lane(c.lanes.iteration, l));
      end.reached = progress.reached >> l & 1;
      open &= ~(1 << l);
    }
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

// Brings the finalists to rest and closes the row with the best of them.
inline void conclude(WholeSearch& c, std::size_t row, int starts, bool late) {
  const WholeTask& task = c.task;
  int count = 0;
  for (; count < kReachLanes && c.finalists[count].start >= 0; ++count)
    put_start(c, count, row, c.finalists[count].x, whole::kNever, whole::kRestFactor * task.settings->max_iterations);
  if (!late) {
    for (int l = 0; l < count; ++l) c.ended[l].start = c.finalists[l].start;
    late = !run_lanes(c, row, count, 1.0);
  }
  auto& ends = late ? c.finalists : c.ended;
  int best = 0;
  for (int l = 1; l < count; ++l)
    if (!ends[best].reached && (ends[l].reached || ends[l].cost < ends[best].cost * (1.0 - kNoLower))) best = l;
  const ReachStatus status = ends[best].reached ? ReachStatus::kReached : late ? ReachStatus::kDeadline : ReachStatus::kNotFound;
  close_row(c, row, ends[best].x, {0.0, static_cast<int>(status), ends[best].iterations, starts});
}

// Starts of one row beyond its seed, whose end stands among the answers.
inline void explore(WholeSearch& c, std::size_t row) {
  const WholeTask& task = c.task;
  const WholeProblem& problem = *task.problem;
  const int nq = problem.unknowns.nq, most = task.settings->max_starts;
  for (auto& finalist : c.finalists) finalist.start = -1;
  read_numbers(problem, task.q + row * nq, c.finalists[0].x);
  look_at_row(c, row, c.finalists[0].x);
  c.finalists[0].cost = c.state.cost;
  c.finalists[0].start = 0;
  c.finalists[0].iterations = task.answers[row].iterations;
  c.finalists[0].reached = false;

  for (int start = 1; start < most; start += kReachLanes) {
    const int count = most - start < kReachLanes ? most - start : kReachLanes;
    for (int l = 0; l < count; ++l) {
      read_numbers(problem, task.seeds + row * task.seed_stride, c.numbers);
      spread_whole(problem, *task.bounds, start + l, c.numbers);
      put_start(c, l, row, c.numbers, whole::kPeriod, task.settings->max_iterations);
      c.ended[l].start = start + l;
    }
    const bool late = !run_lanes(c, row, count, whole::kPatience);
    read_numbers(problem, task.seeds + row * task.seed_stride, c.seed);
    int nearest = -1;
    double least = __builtin_inf();
    for (int l = 0; l < count; ++l) {
      if (!c.ended[l].reached) {
        keep_finalist(problem, c, c.ended[l]);
        continue;
      }
      unwind(problem.unknowns, *task.bounds, c.seed, c.ended[l].x);
      const double distance = largest_motion(problem.unknowns, c.seed, c.ended[l].x, problem.length);
      if (distance < least) least = distance, nearest = l;
    }
    if (nearest >= 0)
      return close_row(c, row, c.ended[nearest].x,
                       {0.0, static_cast<int>(ReachStatus::kReached), c.ended[nearest].iterations, start + count});
    if (late) return conclude(c, row, start + count, true);
  }
  conclude(c, row, most, false);
}

inline void answer_all(WholeSearch& c, const WholeTask& task) {
  c.task = task;
  if (task.posture) {
    read_numbers(*task.problem, task.posture, c.posture.x);
    for (int k = 0; k < task.problem->unknowns.nv; ++k) c.posture.per_root_weight[k] = 1.0 / sqrt(task.posture_weights[k]);
  }
  try_seeds(c);
  for (std::size_t row = task.range.first; row < task.range.last; ++row)
    if (task.answers[row].status == whole::kOpen) explore(c, row);
}

}  // namespace pantin::PANTIN_ISA
