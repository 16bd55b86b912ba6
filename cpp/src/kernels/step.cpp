#include "pantin/kernels/step.hpp"

#include "pantin/solve/tasks/step.hpp"

namespace pantin::PANTIN_ISA {

namespace {

std::size_t step_bytes(int n, int rows) {
  StepMemory measured;
  Pieces pieces{nullptr};
  pieces.take<StepMemory>(1);
  lay_out(measured, n, rows, pieces);
  return pieces.taken;
}

StepMemory* prepare_step(void* memory, int n, int rows) {
  std::memset(memory, 0, step_bytes(n, rows));
  Pieces pieces{static_cast<char*>(memory)};
  StepMemory* const m = pieces.take<StepMemory>(1);
  lay_out(*m, n, rows, pieces);
  return m;
}

void rows_of(const Tree& tree, const double* q, double* data, const TaskView& task, int stride, double* room, double* e,
             double* J) {
  task_rows({tree, q, data}, task, stride, room, e, J);
}

void add_rows_to(const TaskView& task, StepMemory& m) {
  Objective o{m.n, m.stride, m.H, m.c, m.diagonal, m.error2};
  add_task_rows(o, task, m.J, m.e);
  m.diagonal = o.diagonal;
  m.error2 = o.error2;
}

}  // namespace

extern const StepKernels step_kernels;
const StepKernels step_kernels = {
    .bytes = step_bytes,
    .prepare = prepare_step,
    .rows = rows_of,
    .objective = step_objective,
    .squared_error = step_error,
    .add_rows = add_rows_to,
    .box = step_box,
    .bounded = step_bounded,
};

}  // namespace pantin::PANTIN_ISA
