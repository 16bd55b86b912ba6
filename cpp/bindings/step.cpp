// Differential steps for Python: the compiled step with its raw fast calls.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cmath>

#include "collected.hpp"
#include "escape.hpp"
#include "pantin/kernels/table.hpp"
#include "recycled.hpp"
#include "settling.hpp"
#include "step_call.hpp"
#include "step_run.hpp"

namespace pantin {

namespace {

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
  bool is_free = true;  // no row held the last step back
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

  // The plans of this moment, with live numbers; of constraints null where there are none. Those that a step further up
  // works with are left to it.
  struct Plans {
    std::shared_ptr<StepPlan> tasks, constraints;
  };
  Plans plans(const ConfigurationBase& configuration) {
    Plans now;
    if (Several(constraints).size() > 0) now.constraints = current(constraint_plan_, constraints, nb::borrow(empty_tuple()));
    now.tasks = current(plan_, tasks, limits);
    // what is compiled asks Python, which may have edited the model
    const TreePointer& tree = now.tasks->tree_pointer();
    if (&configuration.tree() != tree.get() || (now.constraints && now.constraints->tree_pointer() != tree))
      raise("raise_stale_data");
    if (now.constraints) now.constraints->read(true);
    now.tasks->read(true);
    return now;
  }

 private:
  std::shared_ptr<StepPlan> current(std::shared_ptr<StepPlan>& kept, const nb::object& some, const nb::object& bounds) {
    if (kept && !kept->busy && kept->is_current(tree())) return kept;
    auto plan = std::make_shared<StepPlan>(model, tree(), Several(some), Several(bounds));
    if (!kept || !kept->busy) kept = plan;
    return plan;
  }
  const ModelBase* base_;
  std::shared_ptr<StepPlan> plan_, constraint_plan_;
};

// What limits and tasks on accelerations know of the last step.
void remember(StepCore& core, const StepPlan& plan, const double* x, int n, double dt) {
  const StepParts parts = core.parts();
  const auto keep = [&](nb::object& slot) {
    auto* const array = reinterpret_cast<PyArrayObject*>(slot.ptr());
    if (!PyArray_Check(slot.ptr()) || live(slot).count != n || !PyArray_ISWRITEABLE(array)) slot = new_numbers({n});
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
  const StepCore::Plans plans = core.plans(configuration);
  StepPlan& plan = *plans.tasks;
  StepPlan* const constraints = plans.constraints.get();
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
    run.damp(constraints ? core.settling.damping(question(plan, *constraints), error2, false)
                         : core.settling.damping(plan.tasks(), error2, core.is_free && plan.levels().size() == 1));
    core.settling.bend(run.memory());
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
  core.is_free = !run.is_held_by_rows();
  core.conflicts = std::move(run.conflicts);
  if (moves && finite) {
    nb::object q = core.configurations.take(plan.tree().nq);
    kernels().configuration.integrate(plan.tree(), run.start(), x, numbers_of(q));
    configuration.move(reinterpret_cast<PyArrayObject*>(q.release().ptr()));
    if (settles) core.settling.take(promised + run.promised_by_rows(), run.memory());
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

// H, c, G, h, A, b, lower, upper.
nb::tuple problem(StepCore& core, nb::handle python, nb::handle dt) {
  ConfigurationBase& configuration = configuration_of(python.ptr());
  const double time = time_step(dt.ptr());
  const StepCore::Plans plans = core.plans(configuration);
  StepPlan* const constraints = plans.constraints.get();
  const Busy in_use(plans.tasks.get()), too(constraints);
  StepRun run(*plans.tasks, constraints, configuration, python, core.parts(), time, core.damping);
  run.fill();
  return run.program();
}

nb::list conflicts(const StepCore& core) {
  static const char* const kinds[] = {"bound", "constraint", "limit", "barrier"};
  nb::list list;
  for (const RowSource& source : core.conflicts) list.append(nb::make_tuple(kinds[source.kind], source.index, source.row));
  return list;
}

void let_go(StepCore& core) {
  core.tasks = core.limits = core.barriers = core.constraints = nb::borrow(empty_tuple());
  core.solver = nb::none();
}

#define PANTIN_FAST(name, doc) \
  {#name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(name)), METH_FASTCALL | METH_KEYWORDS, doc}

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
  PyType_Slot* const slots = collected<StepCore, let_go, &StepCore::model, &StepCore::tasks, &StepCore::limits,
                                       &StepCore::barriers, &StepCore::constraints, &StepCore::solver>();
  nb::class_<StepCore>(m, "StepCore", nb::type_slots(slots), nb::is_weak_referenceable(),
                       "What a DifferentialIK is underneath.")
      .def(nb::init<nb::object, nb::tuple, nb::tuple, nb::tuple, nb::tuple, double, bool, bool, nb::object>(),
           nb::arg("model"), nb::arg("tasks"), nb::arg("limits"), nb::arg("barriers"), nb::arg("constraints"),
           nb::arg("damping"), nb::arg("escapes"), nb::arg("settles"), nb::arg("solver").none(),
           nb::sig("def __init__(self, model: ModelBase, tasks: tuple[typing.Any, ...], limits: tuple[typing.Any, ...], "
                   "barriers: tuple[typing.Any, ...], constraints: tuple[typing.Any, ...], damping: float, escapes: bool, "
                   "settles: bool, solver: typing.Any) -> None"))
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
