// Compiles tasks and limits, and reads their live numbers.
#include "step_plan.hpp"

#include <algorithm>
#include <string>

#include "instance.hpp"
#include "pantin/kernels/table.hpp"
#include "threads.hpp"

namespace pantin {

namespace {

template <class... Args>
[[noreturn]] void raise_of(const char* module, const char* error, Args&&... args) {
  const nb::object type = nb::module_::import_(module).attr(error);
  const nb::object value = type(std::forward<Args>(args)...);
  PyErr_SetObject(type.ptr(), value.ptr());
  throw nb::python_error();
}

std::string class_name(PyObject* object) {
  const std::string full = Py_TYPE(object)->tp_name;
  return full.substr(full.rfind('.') + 1);
}

[[noreturn]] void raise_size(PyObject* task, const char* what, int expected, int given) {
  raise_of("pantin.exceptions", "TaskDefinitionError", what,
           (class_name(task) + " expected " + std::to_string(expected) + " numbers for this model, got " +
            std::to_string(given))
               .c_str());
}

// Numbers that the target of a kind has; -1 where it has none, or may be missing.
struct TargetSize {
  int size;
  bool optional;
};
TargetSize target_size(const TaskView& task, const Tree& tree) {
  switch (task.kind) {
    case TaskKind::kFrame:
    case TaskKind::kRelativeFrame:
    case TaskKind::kClosedLoop:
      return {12, false};
    case TaskKind::kCom:
    case TaskKind::kLookAt:
    case TaskKind::kPivot:
      return {3, false};
    case TaskKind::kDistance:
      return {1, false};
    case TaskKind::kMomentum:
      return {6, false};
    case TaskKind::kPosture:
      return {tree.nq, false};
    case TaskKind::kJointVelocity:
    case TaskKind::kHolonomic:
      return {task.rows, false};
    case TaskKind::kLowAcceleration:
      return {tree.nv, true};
    default:
      return {-1, true};
  }
}

[[noreturn]] void raise_constants(const char* task) {
  raise_of("pantin.exceptions", "TaskDefinitionError", "_numbers",
           (std::string(task) + " does not have the constants that it is defined by").c_str());
}

// Constants that a kind reads, at least.
int least_constants(TaskKind kind) {
  switch (kind) {
    case TaskKind::kRolling:
    case TaskKind::kOmniwheel:
      return 1;
    case TaskKind::kLookAt:
    case TaskKind::kPivot:
      return 3;
    case TaskKind::kClosedLoop:
      return 4;
    case TaskKind::kManipulability:
      return 8;
    default:
      return 0;
  }
}

// Rows of a closed loop, whose first constant is its mode.
int closure_rows(Live constants) {
  constexpr int kRows[] = {6, 3, 5};
  if (constants.count < least_constants(TaskKind::kClosedLoop)) raise_constants("ClosedLoopTask");
  for (int mode = 0; mode < 3; ++mode)
    if (constants.numbers[0] == mode) return kRows[mode];
  raise_constants("ClosedLoopTask");
}

// Relations of a holonomic task, whose matrix and, if it is given, configuration must fit the tree.
int relation_count(int rows, Live constants, const Tree& tree) {
  const int numbers = constants.count, matrix = rows * tree.nv;
  if (numbers == matrix || numbers == matrix + tree.nq) return rows;
  raise_of("pantin.exceptions", "TaskJacobianNotSet",
           ("LinearHolonomicTask expected a matrix A of " + std::to_string(rows) + " rows, as b has, and " +
            std::to_string(tree.nv) + " columns, and q_0 of " + std::to_string(tree.nq) + " numbers for this model")
               .c_str());
}

int row_count(const TaskBase& task, TaskKind kind, const Tree& tree, int first) {
  switch (kind) {
    case TaskKind::kFrame:
    case TaskKind::kRelativeFrame:
    case TaskKind::kMomentum:
      return 6;
    case TaskKind::kCom:
    case TaskKind::kRolling:
      return 3;
    case TaskKind::kLookAt:
    case TaskKind::kPivot:
    case TaskKind::kOmniwheel:
      return 2;
    case TaskKind::kDistance:
    case TaskKind::kManipulability:
      return 1;
    case TaskKind::kClosedLoop:
      return closure_rows(live(task.numbers));
    case TaskKind::kHolonomic:
      return relation_count(live(task.target).count, live(task.numbers), tree);
    case TaskKind::kPosture:
    case TaskKind::kDamping:
    case TaskKind::kJointVelocity:
    case TaskKind::kLowAcceleration:
      return tree.nv - first;
    case TaskKind::kRows:
      return 0;
  }
  return 0;
}

bool is_native(PyObject* object) {
  const nb::handle type(reinterpret_cast<PyObject*>(Py_TYPE(object)));
  return !nb::hasattr(type, "_native") || nb::cast<bool>(type.attr("_native"));
}

// Numbers of a model's limit or of a vector of one's own, n of them and none NaN.
const double* live_vector(const nb::object& vector, int n, const char* name) {
  const double* numbers = nullptr;
  if (PyArray_Check(vector.ptr())) {
    const Live held = live(vector);
    if (held.count == n) numbers = held.numbers;
  } else {
    try {
      numbers = limit_vector(vector, n);
    } catch (const nb::builtin_exception&) {
    }
  }
  if (!numbers)
    raise_of("pantin.errors", "InvalidArgument", name,
             ("expected " + std::to_string(n) + " float64 numbers for this model; was the limit made for another one?").c_str());
  bool known = true;
  for (int k = 0; k < n; ++k) known &= numbers[k] == numbers[k];
  if (!known) {
    const auto first = std::find_if(numbers, numbers + n, [](double x) { return x != x; });
    raise_of("pantin.errors", "InvalidArgument", name,
             ("entry " + std::to_string(first - numbers) + " is NaN; use infinity for no limit").c_str());
  }
  return numbers;
}

// The last displacement; broken numbers in it are the kernels' to leave out.
const double* last_displacement(const nb::object& vector, int n) {
  const Live held = live(vector);
  if (held.count != n)
    raise_of("pantin.errors", "InvalidArgument", "Delta_q_prev",
             ("expected " + std::to_string(n) + " float64 numbers for this model").c_str());
  return held.numbers;
}

struct Entries {
  const int* numbers = nullptr;
  int count = 0;
};
Entries entries_of(const nb::object& vector, const char* name) {
  auto* const array = reinterpret_cast<PyArrayObject*>(vector.ptr());
  if (!PyArray_Check(vector.ptr()) || PyArray_TYPE(array) != NPY_INT32 || !PyArray_ISCARRAY_RO(array) ||
      PyArray_NDIM(array) != 1)
    throw nb::type_error((std::string(name) + ": expected an int32 vector").c_str());
  return {static_cast<const int*>(PyArray_DATA(array)), int(PyArray_DIM(array, 0))};
}

}  // namespace

StepPlan::StepPlan(nb::handle model, TreePointer tree, Several tasks, Several limits, bool by_core)
    : tree_(std::move(tree)), by_core_(by_core) {
  root_nv_ = nb::cast<int>(nb::object(model.attr("get_root_joint_dim")()[1]));
  const Tree& t = this->tree();
  if (root_nv_ < 0 || root_nv_ > t.nv) raise("raise_stale_data");
  q_of_v_.assign(t.nv, -1);
  for (int i = 1; i < t.njoints; ++i)
    if (const Joint& joint = t.joints[i]; joint.nq == 1 && joint.nv == 1 && !joint.mimic) q_of_v_[joint.v] = joint.q;
  for (int i = 0; i < tasks.size(); ++i) add_task(model, tasks[i]);
  for (int i = 0; i < limits.size(); ++i) add_limit(limits[i]);
  for (const TaskView& task : tasks_) levels_.push_back(task.level);
  std::sort(levels_.begin(), levels_.end());
  levels_.erase(std::unique(levels_.begin(), levels_.end()), levels_.end());
}

TaskFrame StepPlan::frame_of(nb::handle model, nb::handle name) {
  const int frame = nb::cast<int>(model.attr("get_frame_id")(name));
  if (frame >= tree().nframes) raise("raise_stale_data");
  const int joint = tree().frames[frame].joint;
  if (joint == 0) return {frame, nullptr};
  paths_.push_back(std::make_unique<const JointPath>(*tree_, joint));
  return {frame, &paths_.back()->view()};
}

void StepPlan::add_task(nb::handle model, nb::handle object) {
  TaskBase& base = instance<TaskBase>(object.ptr(), "task");
  TaskView view{};
  view.kind = by_core_ || is_native(object.ptr()) ? base.kind : TaskKind::kRows;
  view.level = base.priority;
  view.frame = view.root = {-1, nullptr};
  const bool on_joints = view.kind == TaskKind::kPosture || view.kind == TaskKind::kDamping ||
                         view.kind == TaskKind::kJointVelocity || view.kind == TaskKind::kLowAcceleration;
  view.first = on_joints ? root_nv_ : 0;
  if (view.kind != TaskKind::kRows) {
    const nb::object frames = base.frames;
    if (nb::len(frames) > 0) view.frame = frame_of(model, frames[0]);
    if (nb::len(frames) > 1) view.root = frame_of(model, frames[1]);
  }
  view.rows = row_count(base, view.kind, tree(), view.first);
  most_rows_ = std::max(most_rows_, view.rows);
  if (view.kind == TaskKind::kRows) python_tasks_.push_back(int(tasks_.size()));
  tasks_.push_back(view);
  known_tasks_.push_back({object.ptr(), &base, base.version});
}

void StepPlan::add_limit(nb::handle object) {
  LimitBase& base = instance<LimitBase>(object.ptr(), "limit");
  LimitView view{};
  view.kind = is_native(object.ptr()) ? base.kind : LimitKind::kRows;
  if (view.kind == LimitKind::kRows) {
    python_limits_.push_back(int(limits_.size()));
  } else {
    object.attr("_refresh")();
    const Entries indices = entries_of(base.indices, "_indices");
    const Entries limited = base.limited.is_none() ? Entries{} : entries_of(base.limited, "_limited");
    auto& entries = *entries_.emplace_back(std::make_unique<LimitEntries>());
    for (int i = 0; i < indices.count; ++i) {
      const int entry = indices.numbers[i];
      if (entry < 0 || entry >= tree().nv)
        raise_of("pantin.errors", "InvalidArgument", "limits", "a limit was made for another model");
      entries.v.push_back(entry);
      entries.q.push_back(q_of_v_[entry]);
      entries.counts.push_back(i < limited.count && limited.numbers[i] ? 1.0 : 0.0);
    }
    entries.count_runs();
    view.count = indices.count;
    view.v = entries.v.data();
    view.q = entries.q.data();
    view.runs = entries.runs.data();
    view.counts = entries.counts.data();
    if (view.kind == LimitKind::kConfiguration && std::count(view.q, view.q + view.count, -1))
      raise_of("pantin.errors", "InvalidArgument", "limits", "a limit was made for another model");
  }
  limits_.push_back(view);
  known_limits_.push_back({object.ptr(), &base, base.version});
}

void StepPlan::LimitEntries::count_runs() {
  runs.assign(v.size(), 1);
  for (std::size_t i = v.size(); i-- > 1;) {
    const bool beside = v[i] == v[i - 1] + 1 && (q[i - 1] < 0 ? q[i] < 0 : q[i] == q[i - 1] + 1);
    if (beside) runs[i - 1] = runs[i] + 1;
  }
}

bool StepPlan::is_current(const TreePointer& tree) const {
  if (tree != tree_) return false;
  bool current = true;
  for (const auto& task : known_tasks_) current &= task.version == task.base->version;
  for (const auto& limit : known_limits_) current &= limit.version == limit.base->version;
  return current;
}

void StepPlan::read_task(int index, bool weighed, bool aimed) {
  const TaskBase& base = *known_tasks_[index].base;
  PyObject* const object = known_tasks_[index].object;
  TaskView& view = tasks_[index];
  view.gain = base.gain;
  view.lm_damping = base.lm_damping;
  view.cost = nullptr;
  view.cost_stride = 0;
  if (PyFloat_CheckExact(base.cost.ptr())) {
    view.cost = &base.cost_value;
  } else if (weighed && !base.cost.is_none()) {
    const Live cost = live(base.cost);
    if (view.kind != TaskKind::kRows && cost.count != view.rows) raise_size(object, "cost", view.rows, cost.count);
    view.cost = cost.numbers;
    view.cost_stride = 1;
    view.ncost = cost.count;
  }
  if (view.kind == TaskKind::kRows) return;
  const TargetSize expected = pantin::target_size(view, tree());
  view.target = nullptr;
  view.ntarget = std::max(expected.size, 0);
  if (aimed) {
    // its targets come with the call
  } else if (!base.target.is_none()) {
    const Live target = live(base.target);
    if (!target.numbers || (expected.size >= 0 && target.count != expected.size))
      raise_size(object, "target", expected.size, target.count);
    view.target = target.numbers;
  } else if (!expected.optional) {
    raise_of("pantin.exceptions", "TargetNotSet", (class_name(object) + " has no target; call its set_target() first").c_str());
  }
  const Live numbers = base.numbers.is_none() ? Live{} : live(base.numbers);
  view.numbers = numbers.numbers;
  view.nnumbers = numbers.count;
  // arrays of constants may have been resized since they were compiled
  if (numbers.count < least_constants(view.kind)) raise_constants(class_name(object).c_str());
  if (view.kind == TaskKind::kClosedLoop && closure_rows(numbers) != view.rows) raise_constants("ClosedLoopTask");
  if (view.kind == TaskKind::kHolonomic) relation_count(view.rows, numbers, tree());
}

void StepPlan::read(bool weighed, const std::vector<bool>& aimed) {
  for (int i = 0; i < int(tasks_.size()); ++i) read_task(i, weighed, !aimed.empty() && aimed[i]);
  for (int i = 0; i < int(limits_.size()); ++i) {
    LimitView& view = limits_[i];
    if (view.kind == LimitKind::kRows) continue;
    const LimitBase& base = *known_limits_[i].base;
    const int nq = tree().nq, nv = tree().nv;
    view.gain = base.gain;
    if (view.kind != LimitKind::kVelocity && view.count > 0) {
      view.lower = live_vector(base.lower, nq, "lower_position_limit");
      view.upper = live_vector(base.upper, nq, "upper_position_limit");
    }
    if (view.kind != LimitKind::kConfiguration && view.count > 0)
      view.most = live_vector(base.most, nv, view.kind == LimitKind::kVelocity ? "velocity_limit" : "acceleration_limit");
    view.previous_dt = base.previous_dt;
    view.previous = base.previous.is_none() ? nullptr : last_displacement(base.previous, nv);
  }
}

int StepPlan::target_size(int index) const { return pantin::target_size(tasks_[index], tree()).size; }

StepMemory& StepPlan::memory() {
  if (!memory_) {
    const int n = tree().nv;
    room_.reset(std::aligned_alloc(64, kernels().step.bytes(n, most_rows_)));
    if (!room_) throw std::bad_alloc();
    memory_ = kernels().step.prepare(room_.get(), n, most_rows_);
  }
  return *memory_;
}

}  // namespace pantin
