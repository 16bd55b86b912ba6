// Parts of a step for Python: rows of one task, and bounds of one limit.
#include <nanobind/stl/string.h>

#include <algorithm>

#include "pantin/kernels/table.hpp"
#include "step_call.hpp"

namespace pantin {

namespace {

// Error and Jacobian of one task.
struct TaskRows {
  nb::object e, J;
};
TaskRows rows_of(nb::handle object, nb::handle python) {
  ConfigurationBase& configuration = configuration_of(python.ptr());
  const nb::object tuple = nb::make_tuple(object);
  const TreePointer tree = configuration.model_tree();
  configuration.tree();
  StepPlan plan(configuration.model, tree, Several(tuple), Several(empty_tuple()), true);
  if (plan.task(0).kind == TaskKind::kRows) throw nb::type_error("this task defines its rows itself");
  plan.read(false);
  configuration.place_joints();
  StepMemory& m = plan.memory();
  const TaskView& view = plan.task(0);
  kernels().step.rows(tree->view(), configuration.numbers(), configuration.buffers().memory(), view, m.stride, m.vector,
                      m.e, m.J);
  const nb::object e = new_numbers({view.rows}), J = new_numbers({view.rows, m.n});
  std::copy_n(m.e, view.rows, numbers_of(e));
  for (int r = 0; r < view.rows; ++r) std::copy_n(m.J + r * m.stride, m.n, numbers_of(J) + r * m.n);
  return {e, J};
}

// What one limit leaves of the entries of a displacement that it bounds.
nb::tuple limit_bounds(nb::handle limit, nb::handle python, nb::handle given_dt) {
  const double dt = time_step(given_dt.ptr());
  ConfigurationBase& configuration = configuration_of(python.ptr());
  const TreePointer tree = configuration.model_tree();
  configuration.tree();
  const nb::object tuple = nb::make_tuple(limit);
  StepPlan plan(configuration.model, tree, Several(empty_tuple()), Several(tuple));
  plan.read(true);
  StepMemory& m = plan.memory();
  kernels().step.box(plan.view(0.0), configuration.numbers(), dt, m);
  const LimitView& view = plan.limits()[0];
  const nb::object lower = new_numbers({view.count}), upper = new_numbers({view.count});
  for (int i = 0; i < view.count; ++i) {
    numbers_of(lower)[i] = m.lower[view.v[i]];
    numbers_of(upper)[i] = m.upper[view.v[i]];
  }
  return nb::make_tuple(lower, upper);
}

}  // namespace

void bind_step_parts(nb::module_& m) {
  m.def(
      "task_error",
      [](nb::handle task, nb::handle configuration) { return rows_of(task, configuration).e; },
      nb::arg("task"), nb::arg("configuration"),
      nb::sig("def task_error(task: TaskBase, configuration: ConfigurationBase) -> " PANTIN_ARRAY),
      "Error of a task of the core.");
  m.def(
      "task_jacobian",
      [](nb::handle task, nb::handle configuration) { return rows_of(task, configuration).J; },
      nb::arg("task"), nb::arg("configuration"),
      nb::sig("def task_jacobian(task: TaskBase, configuration: ConfigurationBase) -> " PANTIN_ARRAY),
      "Jacobian of a task of the core, shape (rows, nv).");

  m.def("limit_bounds", limit_bounds, nb::arg("limit"), nb::arg("configuration"), nb::arg("dt"),
        nb::sig("def limit_bounds(limit: LimitBase, configuration: ConfigurationBase, dt: float) -> tuple[" PANTIN_ARRAY
                ", " PANTIN_ARRAY "]"),
        "Bounds of a displacement that a limit of the core sets, (lower, upper) for each of its indices.");
}

}  // namespace pantin
