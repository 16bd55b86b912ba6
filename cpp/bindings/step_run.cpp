// Puts together and solves the program of one step.
#include "step_run.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "pantin/kernels/table.hpp"

namespace pantin {

namespace {

std::string text_of(nb::handle object) {
  const nb::object text = nb::steal(PyObject_Str(object.ptr()));
  if (!text.is_valid()) throw nb::python_error();
  return nb::cast<std::string>(text);
}

// What a part is called in errors about one of its methods.
std::string called(nb::handle object, const char* method) {
  return std::string(Py_TYPE(object.ptr())->tp_name) + "." + method;
}

nb::object array_of(nb::handle object, const char* method, nb::handle value, bool finite = true) {
  return nb::module_::import_("pantin.arrays").attr("array")(called(object, method), value, nb::arg("finite") = finite);
}

[[noreturn]] void raise_shape(nb::handle object, const char* method, const std::string& expected, const nb::object& given) {
  const nb::object shape = nb::getattr(given, "shape", nb::handle(given));
  const nb::object type = nb::module_::import_("pantin.exceptions").attr("TaskDefinitionError");
  const nb::object value = type(called(object, method), "expected " + expected + ", got shape " + text_of(shape));
  PyErr_SetObject(type.ptr(), value.ptr());
  throw nb::python_error();
}

// The two that a method answers with.
struct Two {
  nb::object first, second;
};
Two two_of(nb::handle object, const char* method, const nb::object& given) {
  if (!PyTuple_Check(given.ptr()) || PyTuple_GET_SIZE(given.ptr()) != 2)
    throw nb::type_error((called(object, method) + ": expected a tuple of two arrays, got a " + Py_TYPE(given.ptr())->tp_name).c_str());
  return {given[0], given[1]};
}

// A vector, or a number that stands for one: a copy, since what is asked next may resize the array.
std::vector<double> vector_of(nb::handle object, const char* method, nb::handle value, bool finite = true) {
  const nb::object array = array_of(object, method, value, finite);
  auto* const numbers = reinterpret_cast<PyArrayObject*>(array.ptr());
  if (PyArray_NDIM(numbers) > 1) raise_shape(object, method, "a vector", array);
  return {data_of(numbers), data_of(numbers) + PyArray_SIZE(numbers)};
}

// A matrix of so many rows and columns, valid until Python is asked again; one row may come as a vector.
struct Numbers {
  nb::object array;
  const double* data;
};
Numbers matrix_of(nb::handle object, const char* method, nb::handle value, int rows, int columns) {
  nb::object array = array_of(object, method, value);
  auto* const numbers = reinterpret_cast<PyArrayObject*>(array.ptr());
  const int axes = PyArray_NDIM(numbers);
  const int given = axes == 2 ? int(PyArray_DIM(numbers, 0)) : 1;
  if (axes < 1 || axes > 2 || PyArray_DIM(numbers, axes - 1) != columns || given != rows)
    raise_shape(object, method, "a matrix (" + std::to_string(rows) + ", " + std::to_string(columns) + ")", array);
  return {array, data_of(numbers)};
}

nb::object matrix(const double* rows, int count, int columns, int stride) {
  const nb::object copy = new_numbers({count, columns});
  for (int r = 0; r < count; ++r) std::copy_n(rows + std::size_t(r) * stride, columns, numbers_of(copy) + std::size_t(r) * columns);
  return copy;
}
nb::object vector(const double* numbers, int count) { return matrix(numbers, 1, count, count).attr("ravel")(); }

}  // namespace

StepRun::StepRun(StepPlan& plan, StepPlan* constraints, ConfigurationBase& configuration, nb::handle python,
                 StepParts parts, double dt, double damping)
    : plan_(plan), constraints_(constraints), configuration_(configuration), python_(python), parts_(parts), dt_(dt),
      damping_(damping), m_(plan.memory()), tree_(plan.tree()) {
  const bool asks_python =
      !plan.python_tasks().empty() || !plan.python_limits().empty() || parts.barriers.size() ||
      (constraints && !constraints->python_tasks().empty());
  if (asks_python)
    configuration.place_frames();
  else
    configuration.place_joints();
  data_ = configuration.buffers().memory();
  start_.assign(configuration.numbers(), configuration.numbers() + tree_.nq);
  q_ = start_.data();
}

void StepRun::objective(int level) {
  if (plan_.levels().size() <= 1) {
    kernels().step.objective(plan_.view(damping_), q_, data_, m_);
  } else {
    std::vector<TaskView> tasks;
    for (const TaskView& task : plan_.tasks())
      if (task.level == level) tasks.push_back(task);
    StepView view = plan_.view(damping_);
    view.ntasks = int(tasks.size());
    view.tasks = tasks.data();
    kernels().step.objective(view, q_, data_, m_);
  }
  for (const int index : plan_.python_tasks())
    if (plan_.task(index).level == level) add_python_task(index);
  if (level == (plan_.levels().empty() ? 0 : plan_.levels().back())) add_barrier_objectives();
}

void StepRun::add_python_task(int index) {
  const nb::handle task(parts_.tasks[index]);
  const std::vector<double> e = vector_of(task, "compute_error", task.attr("compute_error")(python_));
  const int rows = int(e.size());
  const Numbers J = matrix_of(task, "compute_jacobian", task.attr("compute_jacobian")(python_), rows, m_.n);
  plan_.read_task(index, true);  // it may have weighed itself anew
  TaskView view = plan_.task(index);
  if (view.cost && view.cost_stride && view.ncost != rows)
    raise_shape(task, "cost", "a number, or " + std::to_string(rows) + " of them", nb::object(task.attr("cost")));
  const double* const cost = view.cost;
  for (int first = 0; first < rows; first += plan_.most_rows()) {
    view.rows = std::min(plan_.most_rows(), rows - first);
    if (cost) view.cost = cost + first * view.cost_stride;
    for (int r = 0; r < view.rows; ++r) {
      std::copy_n(J.data + std::size_t(first + r) * m_.n, m_.n, m_.J + r * m_.stride);
      std::fill_n(m_.J + r * m_.stride + m_.n, m_.stride - m_.n, 0.0);
      m_.e[r] = e[first + r];
    }
    kernels().step.add_rows(view, m_);
  }
}

void StepRun::add_barrier_objectives() {
  for (int i = 0; i < parts_.barriers.size(); ++i) {
    const nb::handle barrier(parts_.barriers[i]);
    const Two both = two_of(barrier, "compute_qp_objective", barrier.attr("compute_qp_objective")(python_));
    const std::vector<double> c = vector_of(barrier, "compute_qp_objective", both.second);
    if (int(c.size()) != m_.n) raise_shape(barrier, "compute_qp_objective", "a vector (nv,)", both.second);
    const Numbers H = matrix_of(barrier, "compute_qp_objective", both.first, m_.n, m_.n);
    for (int r = 0; r < m_.n; ++r) {
      for (int k = r; k < m_.n; ++k) m_.H[r * m_.stride + k] += H.data[r * m_.n + k];
      m_.c[r] += c[r];
    }
  }
}

void StepRun::add_row(const double* row, double right, RowSource source) {
  A_.insert(A_.end(), row, row + m_.n);
  A_.insert(A_.end(), m_.stride - m_.n, 0.0);
  b_.push_back(right);
  sources_.push_back(source);
}

void StepRun::add_constraint_rows(int index) {
  constraints_->read_task(index, false);
  const TaskView& view = constraints_->task(index);
  if (view.kind == TaskKind::kRows) {
    const nb::handle task(parts_.constraints[index]);
    const std::vector<double> e = vector_of(task, "compute_error", task.attr("compute_error")(python_));
    const int rows = int(e.size());
    const Numbers J = matrix_of(task, "compute_jacobian", task.attr("compute_jacobian")(python_), rows, m_.n);
    for (int r = 0; r < rows; ++r)
      add_row(J.data + std::size_t(r) * m_.n, -view.gain * e[r], {RowSource::kConstraint, index, r});
    return;
  }
  StepMemory& room = constraints_->memory();
  kernels().step.rows(tree_, q_, data_, view, m_.stride, room.vector, room.e, room.J);
  for (int r = 0; r < view.rows; ++r)
    add_row(room.J + r * m_.stride, -view.gain * room.e[r], {RowSource::kConstraint, index, r});
}

void StepRun::add_inequalities(nb::handle part, const nb::object& given, RowSource source) {
  const Two both = two_of(part, "compute_qp_inequalities", given);
  const std::vector<double> h = vector_of(part, "compute_qp_inequalities", both.second, false);
  for (const double right : h)
    if (std::isnan(right)) array_of(part, "compute_qp_inequalities", both.second);  // infinity is no limit, but this is no number
  const int rows = int(h.size());
  const Numbers G = matrix_of(part, "compute_qp_inequalities", both.first, rows, m_.n);
  for (; source.row < rows; ++source.row) add_row(G.data + std::size_t(source.row) * m_.n, h[source.row], source);
}

void StepRun::add_limit_rows(int index) {
  const nb::handle limit(parts_.limits[index]);
  const nb::object given = limit.attr("compute_qp_inequalities")(python_, dt_);
  if (!given.is_none()) add_inequalities(limit, given, {RowSource::kLimit, index, 0});
}

void StepRun::add_barrier_rows(int index) {
  const nb::handle barrier(parts_.barriers[index]);
  add_inequalities(barrier, barrier.attr("compute_qp_inequalities")(python_, dt_), {RowSource::kBarrier, index, 0});
}

void StepRun::read_rows() {
  for (int i = 0; i < parts_.constraints.size(); ++i) add_constraint_rows(i);
  nequal_ = nheld_ = int(sources_.size());
  for (const int i : plan_.python_limits()) add_limit_rows(i);
  for (int i = 0; i < parts_.barriers.size(); ++i) add_barrier_rows(i);
  plan_.read(true);  // what these did to others' numbers
  for (int i = 0; i < parts_.constraints.size(); ++i) constraints_->read_task(i, false);
}

void StepRun::fill() {
  objective(plan_.levels().empty() ? 0 : plan_.levels().front());
  if (!plan_.python_tasks().empty() || parts_.barriers.size()) plan_.read(true);  // what these did to others' numbers
  kernels().step.box(plan_.view(damping_), q_, dt_, m_);
  contradictory = m_.contradictions > 0;
  if (contradictory) conflicts.push_back({RowSource::kBound, m_.first_contradiction, 0});
  if (parts_.constraints.size() || !plan_.python_limits().empty() || parts_.barriers.size()) read_rows();
}

nb::tuple StepRun::program() const {
  const nb::object H = new_numbers({m_.n, m_.n});
  double* const to = numbers_of(H);
  for (int i = 0; i < m_.n; ++i)
    for (int j = i; j < m_.n; ++j)
      to[i * m_.n + j] = to[j * m_.n + i] = m_.H[i * m_.stride + j] + (i == j ? m_.diagonal : 0.0);
  const double* const inequalities = A_.data() + std::size_t(nequal_) * m_.stride;
  return nb::make_tuple(H, vector(m_.c, m_.n), matrix(inequalities, rows(), m_.n, m_.stride),
                        vector(b_.data() + nequal_, rows()), matrix(A_.data(), nequal_, m_.n, m_.stride),
                        vector(b_.data(), nequal_), vector(m_.lower, m_.n), vector(m_.upper, m_.n));
}

bool StepRun::solve_elsewhere() {
  const nb::object x = solver(*program());
  if (x.is_none()) return false;
  const std::vector<double> numbers = vector_of(solver, "solver", x);
  if (int(numbers.size()) != m_.n) raise_shape(solver, "solver", "a displacement (nv,)", x);
  for (int k = 0; k < m_.n; ++k) m_.x[k] = std::clamp(numbers[k], m_.lower[k], m_.upper[k]);
  return true;
}

double StepRun::missed2() const {
  double sum = 0.0;
  for (int k = 0; k < nheld_; ++k) sum += b_[k] * b_[k];
  return sum;
}

double StepRun::promised_by_rows() const {
  double sum = 0.0;
  for (int k = 0; k < nheld_; ++k) {
    const double* const row = A_.data() + std::size_t(k) * m_.stride;
    for (int i = 0; i < m_.n; ++i) sum += b_[k] * row[i] * m_.x[i];
  }
  return sum;
}

namespace {

constexpr double kStill = 1e-8;   // squared weight of no motion over that of the longest row
// Of a row and its right side, what a solution may miss it by, and what counts as none where rows that depend on each
// other are said to contradict each other.
constexpr double kMissed = 1e-6, kMet = 1e-9;

std::unique_ptr<void, Free> aligned_copy(const std::vector<double>& numbers) {
  auto copy = aligned_scratch(numbers.size() * sizeof(double));
  std::copy(numbers.begin(), numbers.end(), static_cast<double*>(copy.get()));
  return copy;
}

}  // namespace

// The displacement that misses the rows least. Rows that ask for none take part, so that what hardly lessens a miss is
// left alone, and so that steps settle.
int StepRun::least_violating() {
  std::vector<double> A = A_, b = b_, still(std::size_t(m_.n) * m_.stride, 0.0);
  double longest2 = 0.0;
  for (std::size_t k = 0; k < b_.size(); ++k) {
    const double* const row = A_.data() + k * m_.stride;
    longest2 = std::max(longest2, std::inner_product(row, row + m_.n, row, 0.0));
  }
  const double weight = std::sqrt(settling_ + kStill * longest2);
  for (int k = 0; k < m_.n; ++k) still[std::size_t(k) * m_.stride + k] = weight;
  A.insert(A.begin() + std::size_t(nequal_) * m_.stride, still.begin(), still.end());
  b.insert(b.begin() + nequal_, m_.n, 0.0);
  const int nequal = nequal_ + m_.n;
  const auto rows = aligned_copy(A);
  const QpProblem problem{m_.n,      m_.stride, m_.H, m_.c, m_.lower, m_.upper, nequal, int(b.size()) - nequal,
                          static_cast<const double*>(rows.get()), b.data()};
  const auto room = aligned_scratch(kernels().qp.least_violating_bytes(m_.n, int(b.size())));
  return kernels().qp.least_violating(problem, room.get(), m_.x).iterations;
}

// True where the displacement misses a row by more than a part of what it adds up to.
bool StepRun::misses_rows(double part) const {
  for (int k = 0; k < int(b_.size()); ++k) {
    const double* const row = A_.data() + std::size_t(k) * m_.stride;
    const double reached = std::inner_product(row, row + m_.n, m_.x, 0.0), by = reached - b_[k];
    const double length = std::sqrt(std::inner_product(row, row + m_.n, row, 0.0));
    if ((k < nequal_ ? std::abs(by) : by) > part * (length + std::abs(b_[k]))) return true;
  }
  return false;
}

void StepRun::solve_with_rows() {
  if (!solver.is_none() && solve_elsewhere()) return;
  const int n = m_.n, constraints = n + int(sources_.size());
  for (int k = 0; k < n; ++k) m_.H[k * m_.stride + k] += m_.diagonal;
  m_.diagonal = 0.0;
  const auto A = aligned_copy(A_);
  const QpProblem problem{n,       m_.stride, m_.H, m_.c, m_.lower, m_.upper, nequal_, rows(), static_cast<const double*>(A.get()),
                          b_.data()};
  std::vector<signed char>& held = plan_.held_rows();
  if (int(held.size()) != constraints) held.assign(constraints, 0);
  std::vector<signed char> together(constraints, 0);
  const auto room = aligned_scratch(kernels().qp.general_bytes(n, int(sources_.size())));
  const QpAnswer answer = kernels().qp.general(problem, room.get(), {held.data(), nullptr, together.data()}, m_.x);
  iterations += answer.iterations;
  const bool missed = answer.status == QpStatus::kInfeasible ? misses_rows(kMet) : misses_rows(kMissed);
  if (missed && (answer.status == QpStatus::kInfeasible || answer.status == QpStatus::kSolved)) {
    end = StepEnd::kInfeasible;
    for (int k = 0; k < constraints; ++k)
      if (together[k]) conflicts.push_back(k < n ? RowSource{RowSource::kBound, k, 0} : sources_[k - n]);
    iterations += least_violating();
    std::fill(held.begin(), held.end(), 0);
  } else if (answer.status == QpStatus::kNotFinite || answer.status == QpStatus::kStalled) {
    end = answer.status == QpStatus::kNotFinite ? StepEnd::kNotFinite : StepEnd::kStalled;
  }
}

bool StepRun::is_held_by_rows() const {
  if (sources_.empty()) return false;
  if (!solver.is_none() || end != StepEnd::kSolved) return true;
  const std::vector<signed char>& held = plan_.held_rows();
  return std::any_of(held.begin() + m_.n, held.end(), [](signed char side) { return side != 0; });
}

void StepRun::solve_level() {
  if (!sources_.empty()) return solve_with_rows();
  const QpAnswer answer = kernels().step.bounded(m_);
  iterations += answer.iterations;
  if (answer.status == QpStatus::kNotFinite) end = StepEnd::kNotFinite;
  if (answer.status == QpStatus::kStalled) end = StepEnd::kStalled;
}

// What the tasks of a level reached is an equality for those below.
void StepRun::hold_level(int level) {
  StepMemory& room = plan_.memory();
  std::vector<double> A, b;
  std::vector<RowSource> sources;
  const auto hold = [&](const double* row, int index, int r) {
    double right = 0.0;
    for (int k = 0; k < m_.n; ++k) right += row[k] * m_.x[k];
    A.insert(A.end(), row, row + m_.n);
    A.insert(A.end(), m_.stride - m_.n, 0.0);
    b.push_back(right);
    sources.push_back({RowSource::kConstraint, -1 - index, r});
  };
  for (int i = 0; i < int(plan_.tasks().size()); ++i) {
    const TaskView& view = plan_.task(i);
    if (view.level != level) continue;
    const auto counts = [&](int r) { return !view.cost || view.cost[r * view.cost_stride] > 0.0; };
    if (view.kind == TaskKind::kRows) {
      const nb::handle task(parts_.tasks[i]);
      const nb::object given = array_of(task, "compute_jacobian", task.attr("compute_jacobian")(python_));
      plan_.read(true);  // what it did to others' numbers
      const int rows = view.cost && view.cost_stride ? view.ncost : int(size_of(given)) / std::max(m_.n, 1);
      const Numbers J = matrix_of(task, "compute_jacobian", given, rows, m_.n);
      for (int r = 0; r < rows; ++r)
        if (counts(r)) hold(J.data + std::size_t(r) * m_.n, i, r);
      continue;
    }
    kernels().step.rows(tree_, q_, data_, view, m_.stride, room.vector, room.e, room.J);
    for (int r = 0; r < view.rows; ++r)
      if (counts(r)) hold(room.J + r * m_.stride, i, r);
  }
  A_.insert(A_.begin() + std::size_t(nequal_) * m_.stride, A.begin(), A.end());
  b_.insert(b_.begin() + nequal_, b.begin(), b.end());
  sources_.insert(sources_.begin() + nequal_, sources.begin(), sources.end());
  nequal_ += int(sources.size());
}

void StepRun::solve() {
  solve_level();
  const std::vector<int>& levels = plan_.levels();
  for (std::size_t k = 1; k < levels.size() && end == StepEnd::kSolved; ++k) {
    plan_.read(true);
    hold_level(levels[k - 1]);
    plan_.read(true);
    objective(levels[k]);
    const std::vector<double> reached(m_.x, m_.x + m_.n);
    solve_level();
    if (end != StepEnd::kInfeasible) continue;
    std::copy(reached.begin(), reached.end(), m_.x);  // by rounding alone: the level above stands as it is
    end = StepEnd::kStalled;
    conflicts.clear();
  }
  if (end == StepEnd::kSolved && contradictory) end = StepEnd::kReturning;
}

}  // namespace pantin
