// Differential steps for Python: rows of one task, and the compiled step with its raw fast calls.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cmath>

#include "escape.hpp"
#include "pantin/kernels/table.hpp"
#include "recycled.hpp"
#include "settling.hpp"
#include "step_run.hpp"

namespace pantin {

namespace {

ConfigurationBase& configuration_of(PyObject* object) {
  return instance<ConfigurationBase>(object, "configuration");
}

double time_step(PyObject* object) {
  if (PyFloat_CheckExact(object)) {
    const double dt = PyFloat_AS_DOUBLE(object);
    if (dt >= 0.0 && dt <= 1e150) return dt;
  }
  return nb::cast<double>(
      nb::module_::import_("pantin.arrays").attr("scalar")("dt", nb::handle(object), nb::arg("lower") = 0.0));
}

PyObject* empty_tuple() {
  static PyObject* const tuple = PyTuple_New(0);
  return tuple;
}

// Error and Jacobian of one task.
struct TaskRows {
  PyArrayObject *e, *J;
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
  return {reinterpret_cast<PyArrayObject*>(nb::object(e).release().ptr()),
          reinterpret_cast<PyArrayObject*>(nb::object(J).release().ptr())};
}

// What one limit leaves of the entries of a displacement that it bounds.
nb::tuple limit_bounds(nb::handle limit, nb::handle python, nb::handle dt) {
  ConfigurationBase& configuration = configuration_of(python.ptr());
  const TreePointer tree = configuration.model_tree();
  configuration.tree();
  const nb::object tuple = nb::make_tuple(limit);
  StepPlan plan(configuration.model, tree, Several(empty_tuple()), Several(tuple));
  plan.read(true);
  StepMemory& m = plan.memory();
  kernels().step.box(plan.view(0.0), configuration.numbers(), time_step(dt.ptr()), m);
  const LimitView& view = plan.limits()[0];
  const nb::object lower = new_numbers({view.count}), upper = new_numbers({view.count});
  for (int i = 0; i < view.count; ++i) {
    numbers_of(lower)[i] = m.lower[view.v[i]];
    numbers_of(upper)[i] = m.upper[view.v[i]];
  }
  return nb::make_tuple(lower, upper);
}

// Tasks, limits, barriers and constraints bound to a model.
class StepCore {
 public:
  StepCore(nb::object model, nb::tuple tasks, nb::tuple limits, nb::tuple barriers, nb::tuple constraints,
           double damping, bool escapes, bool settles, nb::object solver)
      : model(std::move(model)), tasks(std::move(tasks)), limits(std::move(limits)), barriers(std::move(barriers)),
        constraints(std::move(constraints)), damping(damping), escapes(escapes), settles(settles),
        solver(std::move(solver)), base_(&instance<ModelBase>(this->model.ptr(), "model")) {}

  nb::object model, tasks, limits, barriers, constraints;
  double damping;
  bool escapes;  // leaves singular poses
  bool settles;  // damps steps that tremble
  nb::object solver;  // of programs with rows, in place of the core's own; or None
  Settling settling;
  Recycled velocities, configurations;
  nb::object reached = nb::none();  // where the last step led
  StepEnd end = StepEnd::kStanding;
  int iterations = 0;
  std::vector<RowSource> conflicts;

  const TreePointer& tree() const { return base_->tree ? base_->tree : compiled(model); }
  StepParts parts() const { return {Several(tasks), Several(limits), Several(barriers), Several(constraints)}; }
  bool asks_nothing() const {
    return Several(tasks).size() == 0 && Several(constraints).size() == 0 && Several(barriers).size() == 0;
  }

  // The plans of this moment, with live numbers. Those that a step further up works with are left to it, and `spare`
  // keeps others for this one.
  using Spare = std::shared_ptr<StepPlan>;
  StepPlan& plan(Spare& spare) { return refreshed(plan_, spare, tasks, limits); }
  StepPlan* constraint_plan(Spare& spare) {
    if (Several(constraints).size() == 0) return nullptr;
    return &refreshed(constraint_plan_, spare, constraints, nb::borrow(empty_tuple()));
  }

 private:
  StepPlan& refreshed(std::shared_ptr<StepPlan>& kept, Spare& spare, const nb::object& some, const nb::object& bounds) {
    std::shared_ptr<StepPlan>& plan = kept && kept->busy ? spare : kept;
    if (!plan || !plan->is_current(tree()))
      plan = std::make_shared<StepPlan>(model, tree(), Several(some), Several(bounds));
    plan->read(true);
    return *plan;
  }
  const ModelBase* base_;
  std::shared_ptr<StepPlan> plan_, constraint_plan_;
};

// Marks plans as in use while a step runs.
class Busy {
 public:
  explicit Busy(StepPlan* plan) : plan_(plan) { set(true); }
  ~Busy() { set(false); }
  Busy(const Busy&) = delete;

 private:
  void set(bool busy) {
    if (plan_) plan_->busy = busy;
  }
  StepPlan* plan_;
};

// What limits and tasks on accelerations know of the last step.
void remember(StepCore& core, const StepPlan& plan, const double* x, int n, double dt) {
  const StepParts parts = core.parts();
  const auto keep = [&](nb::object& slot) {
    if (slot.is_none() || !PyArray_Check(slot.ptr()) || live(slot).count != n) slot = new_numbers({n});
    std::copy_n(x, n, numbers_of(slot));
  };
  for (int i = 0; i < parts.tasks.size(); ++i)
    if (plan.task(i).kind == TaskKind::kLowAcceleration) keep(instance<TaskBase>(parts.tasks[i], "task").target);
  for (int i = 0; i < parts.limits.size(); ++i) {
    LimitBase& limit = instance<LimitBase>(parts.limits[i], "limit");
    if (limit.kind != LimitKind::kAcceleration) continue;
    keep(limit.previous);
    limit.previous_dt = dt;
  }
}

// All that is asked for, constraints included.
std::vector<TaskView> question(const StepPlan& plan, const StepPlan& constraints) {
  std::vector<TaskView> all = plan.tasks();
  all.insert(all.end(), constraints.tasks().begin(), constraints.tasks().end());
  return all;
}

// Velocity of a step from the configuration, which moves where asked.
PyObject* velocity(StepCore& core, PyObject* python, double dt, bool moves) {
  ConfigurationBase& configuration = configuration_of(python);
  if (&configuration.tree() != core.tree().get()) raise("raise_stale_data");
  StepCore::Spare spare, constraint_spare;
  StepPlan& plan = core.plan(spare);
  StepPlan* const constraints = core.constraint_plan(constraint_spare);
  const int n = plan.tree().nv;
  nb::object owner = core.velocities.take(n);
  double* const v = numbers_of(owner);
  core.iterations = 0;
  core.conflicts.clear();
  if (dt == 0.0 || n == 0 || core.asks_nothing()) {
    core.end = StepEnd::kStanding;
    std::fill_n(v, n, 0.0);
    return owner.release().ptr();
  }
  const Busy in_use(&plan), too(constraints);
  StepRun run(plan, constraints, configuration, python, core.parts(), dt, core.damping);
  run.solver = core.solver;
  run.fill();
  if (configuration.q.ptr() != core.reached.ptr()) core.settling.forget();
  const bool asks_python = !plan.python_tasks().empty() || (constraints && !constraints->python_tasks().empty());
  const bool settles = core.settles && moves && !asks_python;
  if (settles) {
    const double error2 = run.memory().error2 + run.missed2();
    run.damp(constraints ? core.settling.damping(question(plan, *constraints), plan.tree(), error2)
                         : core.settling.damping(plan.tasks(), plan.tree(), error2));
  }
  run.solve();
  if (core.escapes && run.end == StepEnd::kSolved && run.is_plain()) {
    escape(plan.view(0.0), run.start(), configuration.buffers().memory(), run.memory());
    configuration.displace();
  }
  double* const x = run.memory().x;
  bool finite = run.end != StepEnd::kNotFinite;
  double promised = 0.0;
  for (int k = 0; k < n; ++k) {
    v[k] = x[k] / dt;
    promised -= x[k] * run.memory().c[k];
    finite = finite && std::abs(v[k]) <= 1e150;
  }
  if (!finite) {
    run.end = StepEnd::kNotFinite;
    std::fill_n(v, n, 0.0);
    std::fill_n(x, n, 0.0);
  }
  core.end = run.end;
  core.iterations = run.iterations;
  core.conflicts = std::move(run.conflicts);
  if (moves && finite) {
    nb::object q = core.configurations.take(plan.tree().nq);
    kernels().configuration.integrate(plan.tree(), run.start(), x, numbers_of(q));
    configuration.move(reinterpret_cast<PyArrayObject*>(q.release().ptr()));
    if (settles) core.settling.take(promised + run.promised_by_rows(), x, n);
    core.reached = configuration.q;
    remember(core, plan, x, n, dt);
  }
  return owner.release().ptr();
}

PyObject* step_call(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* keywords, const char* name, bool moves) {
  return guarded([&] {
    Arguments arguments(name, args, n, keywords);
    PyObject* const configuration = arguments.need(0, "configuration");
    PyObject* const dt = arguments.need(1, "dt");
    arguments.done();
    const nb::object kept = nb::borrow(self), moved = nb::borrow(configuration);
    return velocity(instance<StepCore>(self, "self"), configuration, time_step(dt), moves);
  });
}

PyObject* step(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* keywords) noexcept {
  return step_call(self, args, n, keywords, "step", true);
}
PyObject* solve(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* keywords) noexcept {
  return step_call(self, args, n, keywords, "solve", false);
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

// H, c, G, h, A, b, lower, upper.
nb::tuple problem(StepCore& core, nb::handle python, nb::handle dt) {
  ConfigurationBase& configuration = configuration_of(python.ptr());
  configuration.tree();
  StepCore::Spare spare, constraint_spare;
  StepPlan& plan = core.plan(spare);
  StepPlan* const constraints = core.constraint_plan(constraint_spare);
  const Busy in_use(&plan), too(constraints);
  StepRun run(plan, constraints, configuration, python, core.parts(), time_step(dt.ptr()), core.damping);
  run.fill();
  return run.program();
}

nb::list conflicts(const StepCore& core) {
  static const char* const kinds[] = {"bound", "constraint", "limit", "barrier"};
  nb::list list;
  for (const RowSource& source : core.conflicts) list.append(nb::make_tuple(kinds[source.kind], source.index, source.row));
  return list;
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  StepCore* const core = nb::inst_ptr<StepCore>(self);
  Py_VISIT(core->model.ptr());
  Py_VISIT(core->tasks.ptr());
  Py_VISIT(core->limits.ptr());
  Py_VISIT(core->barriers.ptr());
  Py_VISIT(core->constraints.ptr());
  Py_VISIT(core->solver.ptr());
  return 0;
}
int clear(PyObject* self) {
  if (!nb::inst_ready(self)) return 0;
  StepCore* const core = nb::inst_ptr<StepCore>(self);
  core->tasks = core->limits = core->barriers = core->constraints = nb::borrow(empty_tuple());
  core->solver = nb::none();
  return 0;
}
PyType_Slot core_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                            {Py_tp_clear, reinterpret_cast<void*>(clear)},
                            {0, nullptr}};

#define PANTIN_FAST(name, doc) \
  {#name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(name)), METH_FASTCALL | METH_KEYWORDS, doc}

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

PyMethodDef step_method = PANTIN_FAST(step, R"(step($self, configuration, dt)
--

Velocity that does best at all tasks within what is allowed; the configuration moves by it.

Args:
    configuration: Configuration of the robot, which is integrated in place.
    dt: Duration of the step, s; zero moves nothing.

Returns:
    Velocity, shape (nv,), m/s or rad/s; always finite, whatever the state of the world (see `status`).

Raises:
    TargetNotSet: If a task has no target.
    InvalidArgument: If dt is negative or not finite.
    StaleData: If the configuration is of another model.)");
PyMethodDef solve_method = PANTIN_FAST(solve, R"(solve($self, configuration, dt)
--

Velocity of a step, as `step` gives it; the configuration stays.

Args:
    configuration: Configuration of the robot.
    dt: Duration of the step, s.

Returns:
    Velocity, shape (nv,), m/s or rad/s.)");

}  // namespace

void bind_step(nb::module_& m) {
  if (PyModule_AddFunctions(m.ptr(), functions) < 0) throw nb::python_error();
  m.def(
      "task_error",
      [](nb::handle task, nb::handle configuration) {
        const TaskRows rows = rows_of(task, configuration);
        Py_DECREF(rows.J);
        return nb::steal(reinterpret_cast<PyObject*>(rows.e));
      },
      nb::arg("task"), nb::arg("configuration"),
      nb::sig("def task_error(task: TaskBase, configuration: ConfigurationBase) -> " PANTIN_ARRAY),
      "Error of a task of the core.");
  m.def(
      "task_jacobian",
      [](nb::handle task, nb::handle configuration) {
        const TaskRows rows = rows_of(task, configuration);
        Py_DECREF(rows.e);
        return nb::steal(reinterpret_cast<PyObject*>(rows.J));
      },
      nb::arg("task"), nb::arg("configuration"),
      nb::sig("def task_jacobian(task: TaskBase, configuration: ConfigurationBase) -> " PANTIN_ARRAY),
      "Jacobian of a task of the core, shape (rows, nv).");

  m.def("limit_bounds", limit_bounds, nb::arg("limit"), nb::arg("configuration"), nb::arg("dt"),
        nb::sig("def limit_bounds(limit: LimitBase, configuration: ConfigurationBase, dt: float) -> tuple[" PANTIN_ARRAY
                ", " PANTIN_ARRAY "]"),
        "Bounds of a displacement that a limit of the core sets, (lower, upper) for each of its indices.");

  nb::class_<StepCore>(m, "StepCore", nb::type_slots(core_slots), nb::is_weak_referenceable(),
                       "What a DifferentialIK is underneath.")
      .def(nb::init<nb::object, nb::tuple, nb::tuple, nb::tuple, nb::tuple, double, bool, bool, nb::object>(), nb::arg("model"), nb::arg("tasks"),
           nb::arg("limits"), nb::arg("barriers"), nb::arg("constraints"), nb::arg("damping"), nb::arg("escapes"), nb::arg("settles"), nb::arg("solver").none(),
           nb::sig("def __init__(self, model: ModelBase, tasks: tuple[typing.Any, ...], limits: tuple[typing.Any, ...], "
                   "barriers: tuple[typing.Any, ...], constraints: tuple[typing.Any, ...], damping: float, escapes: bool, settles: bool, "
                   "solver: typing.Any) -> None"))
      .def_prop_ro("model", [](const StepCore& self) { return self.model; }, nb::sig("def model(self) -> typing.Any"),
                   "The model.")
#define PANTIN_STEP_PART(name, member)                          \
  .def_prop_ro(                                                 \
      name, [](const StepCore& self) { return self.member; },   \
      nb::sig("def " name "(self) -> tuple[typing.Any, ...]"))
      PANTIN_STEP_PART("_tasks", tasks)
      PANTIN_STEP_PART("_limits", limits)
      PANTIN_STEP_PART("_barriers", barriers)
      PANTIN_STEP_PART("_constraints", constraints)
#undef PANTIN_STEP_PART
      .def_prop_ro("_status", [](const StepCore& self) { return int(self.end); })
      .def_prop_ro("_conflicts", conflicts, nb::sig("def _conflicts(self) -> list[tuple[str, int, int]]"))
      .def_prop_ro("qp_iterations", [](const StepCore& self) { return self.iterations; },
                   "Changes of the set of active limits in the last step.")
      .def("_problem", problem, nb::arg("configuration"), nb::arg("dt"),
           nb::sig("def _problem(self, configuration: ConfigurationBase, dt: float) -> tuple[" PANTIN_ARRAY ", ...]"));
  add_fast_method<StepCore>(step_method);
  add_fast_method<StepCore>(solve_method);
}

}  // namespace pantin
