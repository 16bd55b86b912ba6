// Parts of a step for Python: rows of one task, bounds of one limit, and the step of tasks that come with each call.
#include <nanobind/stl/string.h>

#include <algorithm>

#include "pantin/kernels/table.hpp"
#include "step_call.hpp"
#include "step_run.hpp"

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

// The plan of tasks and limits that come with each call: the first task keeps it.
std::shared_ptr<StepPlan> plan_of(const ConfigurationBase& configuration, Several tasks, Several limits) {
  const TreePointer& tree = configuration.model_tree();
  std::shared_ptr<StepPlan> none;
  std::shared_ptr<StepPlan>& kept = tasks.size() ? instance<TaskBase>(tasks[0], "task").plan : none;
  std::shared_ptr<StepPlan> plan = kept;
  if (!plan || plan->busy || !plan->is_for(tasks, limits) || !plan->is_current(tree))
    kept = plan = std::make_shared<StepPlan>(configuration.model, tree, tasks, limits);
  plan->read(true);
  return plan;
}

nb::object as_tuple(PyObject* sequence) {
  if (PyTuple_CheckExact(sequence)) return nb::borrow(sequence);
  PyObject* const tuple = PySequence_Tuple(sequence);
  if (!tuple) throw nb::python_error();
  return nb::steal(tuple);
}

// bounded_step(configuration, tasks, limits, dt, damping): the velocity where bounds are all that limits tasks of one
// level, None where there is more to it or no velocity satisfies them.
PANTIN_HOT(bounded_step) {
  PyObject* const python = arguments.need(0, "configuration");
  const nb::object tasks = as_tuple(arguments.need(1, "tasks")), limits = as_tuple(arguments.need(2, "limits"));
  const double dt = time_step(arguments.need(3, "dt"));
  const double damping = PyFloat_AsDouble(arguments.need(4, "damping"));
  if (damping == -1.0 && PyErr_Occurred()) throw nb::python_error();
  arguments.done();
  const nb::object kept = nb::borrow(python);
  ConfigurationBase& configuration = configuration_of(python);
  configuration.tree();
  const std::shared_ptr<StepPlan> plan = plan_of(configuration, Several(tasks), Several(limits));
  if (!plan->python_limits().empty() || plan->levels().size() > 1 || dt == 0.0) return none();
  const Busy in_use(plan.get());
  StepRun run(*plan, nullptr, configuration, python,
              {Several(tasks), Several(limits), Several(empty_tuple()), Several(empty_tuple())}, dt, damping);
  run.fill();
  run.solve();
  if (run.end != StepEnd::kSolved) return none();
  const int n = plan->tree().nv;
  PyArrayObject* const v = new_array({n});
  for (int k = 0; k < n; ++k) data_of(v)[k] = run.memory().x[k] / dt;
  return release(v);
}

PyMethodDef functions[] = {
    PANTIN_METHOD(bounded_step, "(configuration, tasks, limits, dt, damping)",
                  R"(Velocity of a step whose limits are bounds of single joints and whose tasks are of one level.

Args:
    configuration: Configuration of the robot.
    tasks: Sequence of tasks; what is compiled of them stays with the first.
    limits: Sequence of limits.
    dt: Duration of the step, s.
    damping: Weight of the squared displacement.

Returns:
    Velocity, shape (nv,); None where limits are rows, tasks have several levels, or no step is within the limits.)"),
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

void bind_step_parts(nb::module_& m) {
  if (PyModule_AddFunctions(m.ptr(), functions) < 0) throw nb::python_error();
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
