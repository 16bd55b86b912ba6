// The memory of a search, and a question's way into it and out: seed and targets into lanes, an end among the answers.
#pragma once

#include "pantin/solve/question.hpp"
#include "pantin/solve/whole/posture.hpp"
#include "pantin/solve/whole/rest.hpp"

namespace pantin::PANTIN_ISA {

namespace whole {
inline constexpr int kOpen = -1;  // status of a question whose seed has not reached
}  // namespace whole

struct WholeSearch {
  WholeTask task;
  WholeLanes lanes;
  WholeState<double> state;  // for one configuration
  PostureMemory posture;
  WholeRestMemory rest;
  std::size_t rows[kReachLanes];  // of each lane's question
  struct Finalist {
    double* x;
    double cost;
    int start, iterations;
    bool reached;
  } ended[kReachLanes], finalists[kReachLanes];
  double *seed, *numbers;
};

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

// Closes a row with numbers that lane `l` has the errors of, or none. With angles of a million radians, or slides as far
// out, whole turns that were taken off may have rounded an answer away from its target.
inline void close_row(WholeSearch& c, std::size_t row, double* x, WholeAnswer answer, int l = -1) {
  const WholeProblem& problem = *c.task.problem;
  double* const errors = c.task.errors + row * 2 * problem.nresiduals;
  const bool refines = c.task.posture && answer.status == static_cast<int>(ReachStatus::kReached);
  if (l < 0 || refines) {
    look_at_row(c, row, x);
    if (answer.status == static_cast<int>(ReachStatus::kReached) && !c.state.reached)
      answer.status = static_cast<int>(ReachStatus::kNotFound);
    else if (refines)
      approach_posture(problem, *c.task.bounds, *c.task.settings, c.posture, c.state, x);
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

}  // namespace pantin::PANTIN_ISA
