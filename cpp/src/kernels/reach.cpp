#include "pantin/kernels/reach.hpp"

#include "pantin/solve/layout.hpp"
#include "pantin/solve/modes.hpp"

namespace pantin::PANTIN_ISA {

namespace {

bool advance(void* state, int steps, long long now, long long limit) {
  Conveyor& c = *static_cast<Conveyor*>(state);
  return with_residual(c.task.problem->mode, [&]<template <class> class Residual>() {
    if (limit > 0) expire<Residual>(c, now, limit);
    if constexpr (std::is_same_v<Residual<P>, PoseResidual<P>>) {
      switch (c.task.problem->hinges) {
        case 6:
          return advance<Residual, Hinges<6>>(c, steps, now);
        case 7:
          return advance<Residual, Hinges<7>>(c, steps, now);
        case 9:
          return advance<Residual, Hinges<9>>(c, steps, now);
      }
    }
    return advance<Residual, AnyChain>(c, steps, now);
  });
}

void derivatives(const ReachTask& task, double* e, double* J, double* H, void* state) {
  begin(state, task);
  Conveyor& c = *static_cast<Conveyor*>(state);
  Question& question = c.questions[0];
  open_question(question, task, 0, 0, 0);
  Derivatives d = c.rest.derivatives;
  d.e = e;
  d.J = J;
  d.H = H;
  const SE3<double> target = broadcast_pose<double>(question.target);
  with_residual(task.problem->mode, [&]<template <class> class Residual>() {
    const auto residual = look<Residual>(*task.problem, *task.bounds, *task.settings, target, question.seed, d);
    derive(*task.problem, *task.bounds, target, residual, d);
  });
}

void displace(const ReachTask& task, const double* u, void* state) {
  begin(state, task);
  Conveyor& c = *static_cast<Conveyor*>(state);
  Question& question = c.questions[0];
  open_question(question, task, 0, 0, 0);
  for (int k = 0; k < task.problem->nv; ++k) c.rest.u[k] = (task.problem->is_length[k] ? task.bounds->length : 1.0) * u[k];
  Candidate& answer = question.answer;
  integrate_within(*task.problem, *task.bounds, question.seed, c.rest.u, answer.x);
  answer.position2 = answer.rotation2 = 0.0;
  answer.start = answer.iterations = 0;
  write_answer(question, task, ReachStatus::kNotFound);
}

void starts(const ReachTask& task, void* state) {
  const ReachProblem& problem = *task.problem;
  double* const x = static_cast<Conveyor*>(state)->questions[0].seed;
  for (std::size_t index = task.range.first; index < task.range.last; ++index) {
    spread_start(problem, *task.bounds, index == 0 ? 0 : kAtlas + int(index), x);
    double* const q = task.q + index * problem.nq;
    for (int k = 0; k < problem.nq; ++k) q[k] = task.seeds[k];
    for (int k = 0; k < problem.nx; ++k) q[problem.entry[k]] = problem.sign[k] * x[k];
  }
}

}  // namespace

extern const ReachKernels reach_kernels;
const ReachKernels reach_kernels = {
    .state_bytes = conveyor_bytes,
    .prepare = prepare,
    .atlas_bytes = sizeof(Atlas),
    .make_atlas = make_atlas,
    .begin = begin,
    .advance = advance,
    .derivatives = derivatives,
    .displace = displace,
    .starts = starts,
};

}  // namespace pantin::PANTIN_ISA
