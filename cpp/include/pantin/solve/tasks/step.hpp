// One differential step: the program of its tasks and limits, and the memory it works in.
#pragma once

#include "pantin/solve/qp/bounded.hpp"
#include "pantin/solve/pieces.hpp"
#include "pantin/solve/tasks/allowed.hpp"
#include "pantin/solve/tasks/objective.hpp"

namespace pantin::PANTIN_ISA {

inline void lay_out(StepMemory& m, int n, int rows, Pieces& pieces) {
  m.n = n;
  m.stride = qp_stride(n);
  m.H = pieces.take<double>(std::size_t(n) * m.stride);
  m.c = pieces.take<double>(m.stride);
  m.lower = pieces.take<double>(m.stride);
  m.upper = pieces.take<double>(m.stride);
  m.x = pieces.take<double>(m.stride);
  m.J = pieces.take<double>(std::size_t(rows) * m.stride);
  m.e = pieces.take<double>(rows);
  m.vector = pieces.take<double>(m.stride);
  m.held = pieces.take<signed char>(m.stride);
  m.qp = pieces.take<char>(bounded_bytes(n));
}

inline void step_objective(const StepView& step, const double* q, double* data, StepMemory& m) {
  const Scene scene{*step.tree, q, data};
  Objective o{m.n, m.stride, m.H, m.c, 0.0, 0.0};
  begin(o, step.damping);
  for (int i = 0; i < step.ntasks; ++i)
    if (step.tasks[i].kind != TaskKind::kRows) add_task(o, scene, step.tasks[i], {m.J, m.e, m.vector});
  m.diagonal = o.diagonal;
  m.error2 = o.error2;
}

inline double step_error(const StepView& step, const double* q, double* data, StepMemory& m) {
  double sum = 0.0;
  for (int i = 0; i < step.ntasks; ++i) {
    const TaskView& task = step.tasks[i];
    if (task.kind == TaskKind::kRows) continue;
    task_rows({*step.tree, q, data}, task, m.stride, m.vector, m.e, m.J);
    sum += weigh(task, m.e);
  }
  return sum;
}

inline void step_box(const StepView& step, const double* q, double dt, StepMemory& m) {
  Allowed allowed{m.n, m.lower, m.upper};
  fill_allowed(step.nlimits, step.limits, q, dt, allowed);
  m.contradictions = allowed.contradictions;
  m.first_contradiction = allowed.first_contradiction;
}

inline QpAnswer step_bounded(StepMemory& m) {
  for (int k = 0; k < m.n; ++k) m.H[k * m.stride + k] += m.diagonal;
  m.diagonal = 0.0;
  const QpProblem problem{m.n, m.stride, m.H, m.c, m.lower, m.upper};
  return bounded(problem, m.qp, m.held, m.x);
}

}  // namespace pantin::PANTIN_ISA
