// Differential steps of many robots for Python: what a BatchIK is underneath.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <deque>

#include "batch_steps.hpp"
#include "collected.hpp"
#include "step_plan.hpp"

namespace pantin {

namespace {

constexpr std::size_t kMostRows = 64;  // of a batch, that a thread takes at once

// Copies of live numbers, which others may change while the interpreter is unlocked.
class Kept {
 public:
  const double* keep(const double* numbers, int count) {
    if (!numbers) return nullptr;
    return blocks_.emplace_back(numbers, numbers + count).data();
  }

 private:
  std::deque<std::vector<double>> blocks_;
};

// Targets (rows, steps, size) with any strides of rows and steps.
Aims aims_of(nb::handle object, std::size_t rows, std::size_t steps, int size) {
  auto* const array = reinterpret_cast<PyArrayObject*>(object.ptr());
  if (!PyArray_Check(object.ptr()) || PyArray_TYPE(array) != NPY_DOUBLE || !PyArray_ISALIGNED(array) ||
      PyArray_NDIM(array) != 3 || PyArray_DIM(array, 0) != npy_intp(rows) || PyArray_DIM(array, 1) != npy_intp(steps) ||
      PyArray_DIM(array, 2) != size || (size > 1 && PyArray_STRIDE(array, 2) != sizeof(double)))
    throw nb::type_error("targets: expected one row of numbers for each row and step");
  constexpr auto kWidth = std::ptrdiff_t(sizeof(double));
  return {data_of(array), PyArray_STRIDE(array, 0) / kWidth, PyArray_STRIDE(array, 1) / kWidth};
}

class BatchCore {
 public:
  BatchCore(nb::object model, nb::tuple tasks, nb::tuple limits, double damping, bool settles)
      : model(std::move(model)), tasks(std::move(tasks)), limits(std::move(limits)), damping(damping),
        settles(settles) {}

  nb::object model, tasks, limits;
  double damping;
  bool settles;

  // The plan of this moment.
  const std::shared_ptr<StepPlan>& plan() {
    const TreePointer& tree = compiled(model);
    if (!plan_ || !plan_->is_current(tree))
      plan_ = std::make_shared<StepPlan>(model, tree, Several(tasks), Several(limits));
    return plan_;
  }

 private:
  std::shared_ptr<StepPlan> plan_;
};

// The plan's tasks and limits, read now, and kept as they are.
void keep_parts(BatchCore& core, StepPlan& plan, const std::vector<bool>& aimed, Kept& kept,
                std::vector<TaskView>& tasks, std::vector<LimitView>& limits) {
  const Several some(core.tasks);
  plan.read(true, aimed);
  const int nq = plan.tree().nq, nv = plan.tree().nv;
  tasks = plan.tasks();
  for (int i = 0; i < some.size(); ++i) {
    TaskView& task = tasks[i];
    task.cost = kept.keep(task.cost, task.cost_stride ? task.ncost : 1);
    if (task.target) task.target = kept.keep(task.target, live(instance<TaskBase>(some[i], "task").target).count);
    task.numbers = kept.keep(task.numbers, task.nnumbers);
  }
  limits = plan.limits();
  for (LimitView& limit : limits) {
    limit.lower = kept.keep(limit.lower, nq);
    limit.upper = kept.keep(limit.upper, nq);
    limit.most = kept.keep(limit.most, nv);
    limit.previous = kept.keep(limit.previous, nv);
  }
}

// Numbers of the target of each task; -1 where there is none that a row could have of its own.
std::vector<int> target_sizes(const StepPlan& plan) {
  std::vector<int> sizes;
  for (int i = 0; i < int(plan.tasks().size()); ++i) sizes.push_back(plan.target_size(i));
  return sizes;
}

nb::tuple parts(BatchCore& core) {
  const std::shared_ptr<StepPlan> kept = core.plan();
  const StepPlan& plan = *kept;
  return nb::make_tuple(target_sizes(plan), plan.python_tasks(), plan.python_limits(), plan.levels().size());
}

signed char* ends_of(nb::handle object) {
  auto* const array = reinterpret_cast<PyArrayObject*>(object.ptr());
  if (!PyArray_Check(object.ptr()) || PyArray_TYPE(array) != NPY_INT8 || !PyArray_ISCARRAY(array))
    throw nb::type_error("status: expected int8 numbers side by side");
  return static_cast<signed char*>(PyArray_DATA(array));
}

void run(BatchCore& core, nb::object q, double dt, std::size_t steps, const std::vector<nb::object>& targets,
         nb::object before, nb::object q_after, nb::object v, nb::object status, std::size_t threads) {
  const std::shared_ptr<StepPlan> plan = core.plan();
  const std::vector<int> sizes = target_sizes(*plan);
  const Tree& tree = plan->tree();
  for (const nb::object& numbers : {q, q_after, v}) numbers_of(numbers);  // which refuses others
  ends_of(status);
  const nb::object shape = q.attr("shape");
  const std::size_t rows = nb::len(shape) ? nb::cast<std::size_t>(nb::object(shape[0])) : 0;
  threads = std::max<std::size_t>(threads, 1);
  if (targets.size() != sizes.size()) throw nb::value_error("targets: expected an array or None for each task");
  if (size_of(q) != rows * tree.nq || size_of(q_after) != rows * steps * tree.nq || size_of(v) != rows * steps * tree.nv ||
      size_of(status) != rows * steps || !(before.is_none() || size_of(before) == rows * tree.nv))
    raise("raise_stale_data");
  StepBatch batch{.tree = plan->tree_pointer(), .view = {}, .most_rows = plan->most_rows(), .aims = {},
                  .settles = core.settles && steps > 1, .dt = dt,
                  .rows = rows, .steps = steps, .q = numbers_of(q), .before = before.is_none() ? nullptr : numbers_of(before),
                  .q_after = numbers_of(q_after), .v = numbers_of(v), .ends = ends_of(status)};
  std::vector<bool> aimed;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    aimed.push_back(!targets[i].is_none());
    batch.aims.push_back(aimed[i] ? aims_of(targets[i], rows, steps, sizes[i]) : Aims{});
  }
  Kept kept;
  std::vector<TaskView> tasks;
  std::vector<LimitView> limits;
  keep_parts(core, *plan, aimed, kept, tasks, limits);
  batch.view = {&tree, int(tasks.size()), int(limits.size()), tasks.data(), limits.data(), core.damping};

  const nb::gil_scoped_release unlocked;
  const std::size_t chunk = std::clamp<std::size_t>(rows / (8 * threads), 1, kMostRows);
  std::atomic<std::size_t> next{0};
  std::atomic<bool> halt{false};
  const auto work = [&](std::size_t worker) {
    RowStepper stepper(batch);
    SignalWatch signals;
    const auto stop = [&] {
      if (worker == 0) signals.look();
      return halt.load(std::memory_order_relaxed);
    };
    for (std::size_t first; (first = next.fetch_add(chunk)) < rows;)
      for (std::size_t row = first; row < std::min(rows, first + chunk); ++row)
        if (!stepper.run(row, stop)) return;
  };
  on_threads(std::min(threads, std::max<std::size_t>((rows + chunk - 1) / chunk, 1)), work, [&] { halt = true; });
}

void let_go(BatchCore& core) { core.tasks = core.limits = nb::make_tuple(); }

}  // namespace

void bind_batch_ik(nb::module_& m) {
  PyType_Slot* const slots = collected<BatchCore, let_go, &BatchCore::model, &BatchCore::tasks, &BatchCore::limits>();
  nb::class_<BatchCore>(m, "BatchCore", nb::type_slots(slots), nb::is_weak_referenceable(),
                        "What a BatchIK is underneath.")
      .def(nb::init<nb::object, nb::tuple, nb::tuple, double, bool>(), nb::arg("model"), nb::arg("tasks"), nb::arg("limits"),
           nb::arg("damping"), nb::arg("settles"),
           nb::sig("def __init__(self, model: ModelBase, tasks: tuple[typing.Any, ...], limits: tuple[typing.Any, ...], "
                   "damping: float, settles: bool) -> None"))
      .def_prop_ro("model", [](const BatchCore& self) { return self.model; }, nb::sig("def model(self) -> typing.Any"),
                   "The model.")
      .def("_parts", parts,
           nb::sig("def _parts(self) -> tuple[list[int], list[int], list[int], int]"),
           "Numbers of the target of each task, or -1; places of the tasks and limits that Python defines; the number of "
           "priorities.")
      .def("_run", run, nb::arg("q"), nb::arg("dt"), nb::arg("steps"), nb::arg("targets"), nb::arg("before").none(),
           nb::arg("q_after"), nb::arg("v"), nb::arg("status"), nb::arg("threads"),
           nb::sig("def _run(self, q: " PANTIN_ARRAY ", dt: float, steps: int, targets: list[" PANTIN_ARRAY
                   " | None], before: " PANTIN_ARRAY " | None, q_after: " PANTIN_ARRAY ", v: " PANTIN_ARRAY
                   ", status: numpy.typing.NDArray[numpy.int8], threads: int) -> None"),
           "Steps one after the other from each row of q.");
}

}  // namespace pantin
