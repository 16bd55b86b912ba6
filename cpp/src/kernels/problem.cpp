#include "pantin/kernels/problem.hpp"

#include "pantin/solve/whole/layout.hpp"

namespace pantin::PANTIN_ISA {

namespace {

void answer(void* memory, const WholeTask& task) { answer_all(*static_cast<WholeSearch*>(memory), task); }

// Looks at the task's first seed.
WholeSearch& look_at_seed(void* memory, const WholeTask& task) {
  WholeSearch& c = *static_cast<WholeSearch*>(memory);
  c.task = task;
  read_numbers(*task.problem, task.seeds, c.seed);
  look_at_row(c, 0, c.seed);
  return c;
}

void derivatives(void* memory, const WholeTask& task, double* e, double* J) {
  WholeSearch& c = look_at_seed(memory, task);
  const WholeProblem& problem = *task.problem;
  fill_blocks(problem, c.state.lines, c.state.moments, c.state.sights, c.state.J);
  for (int i = 0; i < problem.rows; ++i) e[i] = c.state.e[i];
  for (int k = 0; k < problem.unknowns.nv * problem.rows; ++k) J[k] = 0.0;
  for (int b = 0; b < problem.nblocks; ++b) {
    const WholeBlock& block = problem.blocks[b];
    for (int i = 0; i < block.rows; ++i) J[block.unknown * problem.rows + block.first + i] = c.state.J[block.at + i];
  }
}

void displace(void* memory, const WholeTask& task, const double* u) {
  WholeSearch& c = look_at_seed(memory, task);
  const WholeProblem& problem = *task.problem;
  for (int k = 0; k < problem.unknowns.nv; ++k) c.posture.u[k] = (problem.unknowns.is_length[k] ? problem.length : 1.0) * u[k];
  integrate_within(problem.unknowns, *task.bounds, c.seed, c.posture.u, c.numbers);
  for (int k = problem.unknowns.nx; k < problem.nx; ++k) c.numbers[k] = c.seed[k];
  write_numbers(c, 0, c.numbers);
}

}  // namespace

extern const WholeKernels whole_kernels;
const WholeKernels whole_kernels = {
    .search_bytes = search_bytes,
    .prepare = prepare,
    .answer = answer,
    .derivatives = derivatives,
    .displace = displace,
};

}  // namespace pantin::PANTIN_ISA
