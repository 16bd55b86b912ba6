// Reach for Python: the solver's core with its raw fast call for one target, and batches.
#include "reach.hpp"

#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "reach_target.hpp"
#include "solving.hpp"

namespace pantin {

namespace {

constexpr int kSlice = 2000;     // iterations between looks at signals, about a millisecond
constexpr int kTimedSlice = 16;  // the same where time is limited
constexpr std::size_t kLeastRows = 16, kMostRows = 4096;  // of a batch, that a thread takes at once
constexpr std::size_t kRowsWorthAThread = 64;             // where nothing is known of them
constexpr int kFreeStarts = 8;   // starts of the question without limits that tells `limits` from `not_found`

// Entries of a configuration that lie outside the limits, and where asked also those on a limit.
std::vector<int> outside(const ReachProblem& problem, const ReachBounds& bounds, const double* q, bool or_on) {
  std::vector<int> entries;
  for (int k = 0; k < problem.nx; ++k) {
    const double x = problem.sign[k] * q[problem.entry[k]];
    if (x < bounds.lower[k] || x > bounds.upper[k] || (or_on && (x == bounds.lower[k] || x == bounds.upper[k])))
      entries.push_back(problem.entry[k]);
  }
  return entries;
}

// Limits of a model tightened to what lies near one seed.
class NearLimits {
 public:
  explicit NearLimits(const ReachTask& task, std::size_t row)
      : lower_(task.problem->nx), upper_(lower_), middle_(lower_), view_(*task.bounds) {
    const double* const q = task.seeds + row * task.seed_stride;
    for (int k = 0; k < task.problem->nx; ++k) {
      const double low = view_.lower[k], high = view_.upper[k];
      const double seed = std::clamp(task.problem->sign[k] * q[task.problem->entry[k]], low, high);
      lower_[k] = low, upper_[k] = high;
      if (can_be_tightened(*task.problem, k)) {
        lower_[k] = std::max(low, no_farther(seed, seed - task.max_change, task.max_change));
        upper_[k] = std::min(high, no_farther(seed, seed + task.max_change, task.max_change));
      }
      middle_[k] = std::clamp(view_.middle[k], lower_[k], upper_[k]);
    }
    view_.turn = nullptr;
    view_.lower = lower_.data();
    view_.upper = upper_.data();
    view_.middle = middle_.data();
  }
  const ReachBounds& view() const { return view_; }

 private:
  // A limit that rounding has put beyond the change, put back.
  static double no_farther(double seed, double limit, double change) {
    return std::fabs(limit - seed) > change ? std::nextafter(limit, seed) : limit;
  }
  static bool can_be_tightened(const ReachProblem& problem, int x) {
    return std::find(problem.x_of_unknown, problem.x_of_unknown + problem.nv, x) != problem.x_of_unknown + problem.nv;
  }
  std::vector<double> lower_, upper_, middle_;
  ReachBounds view_;
};

// Runs a task to its end; `pause` looks at signals between slices.
template <class Pause>
void run_whole(const ReachTask& task, long long limit, void* memory, Pause&& pause) {
  const ReachKernels& reach = kernels().reach;
  reach.begin(memory, task);
  while (!reach.advance(memory, limit > 0 ? kTimedSlice : kSlice, limit > 0 ? now() : 0, limit)) pause();
}

// The same; where answers stay near their seeds, each row has limits of its own.
template <class Pause>
void run(const ReachTask& task, long long limit, void* memory, Pause&& pause) {
  if (std::isinf(task.max_change)) return run_whole(task, limit, memory, pause);
  for (std::size_t row = task.range.first; row < task.range.last; ++row) {
    const NearLimits near(task, row);
    ReachTask one = task;
    one.bounds = &near.view();
    one.range = {row, row + 1};
    run_whole(one, limit, memory, pause);
  }
}

void look_at_signals() {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

// What would have to give way for a target that was not found: how far joints may move, or else their limits.
// The configuration that reaches without limits goes to q.
class Explanation {
 public:
  template <class Pause>
  Explanation(const ReachTask& failed, const ReachLimits& free, std::size_t row, long long limit, double* q, void* memory,
              Pause&& pause)
      : failed_(failed), row_(row), limit_(limit), memory_(memory) {
    if (failed.answers[row].status != static_cast<int>(ReachStatus::kNotFound)) return;
    if (!std::isinf(failed.max_change) && reaches(*failed.bounds, failed.settings->max_starts, q, pause))
      failed.answers[row].status = static_cast<int>(ReachStatus::kJointJump);
    else if (reaches(free.view(), std::min(failed.settings->max_starts, kFreeStarts), q, pause))
      failed.answers[row].status = static_cast<int>(ReachStatus::kLimits);
  }

 private:
  template <class Pause>
  bool reaches(const ReachBounds& bounds, int starts, double* q, Pause&& pause) {
    ReachSettings settings = *failed_.settings;
    settings.max_starts = starts;
    ReachAnswer answer;
    ReachTask task = failed_;
    task.bounds = &bounds;
    task.settings = &settings;
    task.range = {0, 1};
    task.targets = failed_.targets + 12 * row_;
    task.seeds = failed_.q + row_ * failed_.problem->nq;
    task.seed_stride = 0;
    task.seeded = true;
    task.max_change = std::numeric_limits<double>::infinity();
    task.posture_weight = 0.0;
    task.q = q;
    task.answers = &answer;
    run(task, limit_, memory_, pause);
    return answer.status == static_cast<int>(ReachStatus::kReached);
  }
  const ReachTask& failed_;
  std::size_t row_;
  long long limit_;
  void* memory_;
};

PyObject* solve(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* keywords) noexcept {
  return guarded([&] {
    Arguments arguments("solve", args, n, keywords);
    ReachCore& core = instance<ReachCore>(self, "self");
    PyObject* const target = arguments.need(0, "target");
    PyObject* const seed = arguments.find(1, "seed");
    arguments.done();
    if (!core.chooser.is_none()) return core.chooser(nb::handle(target), nb::handle(seed ? seed : Py_None)).release().ptr();

    static PyObject* const result_type =
        nb::object(nb::module_::import_("pantin.reaching.result").attr("ReachResult")).release().ptr();
    nb::object result = nb::inst_alloc(result_type);
    auto* const outcome = new (nb::inst_ptr<ReachOutcome>(result)) ReachOutcome{};
    nb::inst_mark_ready(result);
    outcome->solver = nb::borrow(self);
    outcome->target_projected = core.targets().read(nb::handle(self), target, outcome->target);
    core.refresh();  // what reads the target may have edited the model
    outcome->chain = core.chain();
    outcome->limits = core.limits();
    const ReachProblem& problem = outcome->chain->view();
    double question[12];
    const bool deep = core.targets().translate(outcome->target, question);
    PyArrayObject* const q = new_array({problem.nq});
    outcome->q = nb::steal(release(q));

    const long long limit = core.time_limit();
    const ReachCore::Memory memory(core);
    const ReachSettings settings = core.settings();
    ReachTask task = core.task(settings);
    task.range = {0, 1};
    task.targets = question;
    task.q = data_of(q);
    task.answers = &outcome->answer;
    std::vector<double> elsewhere;
    const auto answer = [&] {
      run(task, limit, memory.get(), look_at_signals);
      if (!deep) outcome->answer.status = static_cast<int>(ReachStatus::kRcmDepth);
      if (outcome->answer.status != static_cast<int>(ReachStatus::kNotFound)) return;
      elsewhere.resize(problem.nq);
      const std::shared_ptr<const ReachLimits> free = core.without(outcome->limits, *outcome->chain);
      Explanation(task, *free, 0, limit, elsewhere.data(), memory.get(), look_at_signals);
      if (outcome->answer.status == static_cast<int>(ReachStatus::kLimits))
        outcome->beyond = outside(problem, *task.bounds, elsewhere.data(), false);
    };
    if (seed && seed != Py_None) {
      const TreePointer tree = core.tree();
      const ConfigurationArgument given(*tree, seed, "seed");
      task.seeds = given.data();
      task.seeded = true;
      outcome->seed_clipped = !outside(problem, *task.bounds, task.seeds, false).empty();
      answer();
      outcome->seed_clipped |= outcome->limits->clip_others(task.q);
    } else {
      answer();
    }
    return result.release().ptr();
  });
}

// A batch: a task for all rows but their targets, which are as Python reads them.
struct Batch {
  ReachTask task;
  const TargetReader& reader;
  double* targets;
  const ReachLimits& free;
  long long limit;
};

// What one thread answers rows of a batch with.
class Worker {
 public:
  explicit Worker(const Batch& batch)
      : batch_(batch), memory_(reach_state(*batch.task.problem)), elsewhere_(batch.task.problem->nq) {}

  template <class Pause>
  void answer(Range rows, Pause&& pause) {
    ReachTask part = batch_.task;
    part.range = {0, rows.last - rows.first};
    part.seeds += rows.first * part.seed_stride;
    part.q += rows.first * part.problem->nq;
    part.answers += rows.first;
    questions_.resize(12 * part.range.last);
    deep_.resize(part.range.last);
    for (std::size_t i = 0; i < part.range.last; ++i) {
      double* const target = batch_.targets + 12 * (rows.first + i);
      project_rotation(target);
      deep_[i] = batch_.reader.translate(target, &questions_[12 * i]);
    }
    part.targets = questions_.data();
    run(part, batch_.limit, memory_.get(), pause);
    for (std::size_t i = 0; i < part.range.last; ++i) {
      if (!deep_[i]) part.answers[i].status = static_cast<int>(ReachStatus::kRcmDepth);
      Explanation(part, batch_.free, i, batch_.limit, elsewhere_.data(), memory_.get(), pause);
    }
  }

 private:
  const Batch& batch_;
  std::unique_ptr<void, Free> memory_;
  std::vector<double> elsewhere_, questions_;
  std::vector<bool> deep_;
};

// The rows of a batch in chunks, on several threads; the caller's own looks at signals. Helpers start at once where
// each has many rows to answer, else when the caller's thread has found that rows take long.
void run_batch(const Batch& batch, std::size_t threads) {
  const std::size_t n = batch.task.range.last;
  const std::size_t chunk = threads == 1 ? kMostRows : std::clamp(n / (8 * threads), kLeastRows, kMostRows);
  std::atomic<std::size_t> next{0};
  std::atomic<bool> stop{false};
  struct Stopped {};
  SignalWatch signals;
  const auto work = [&](std::size_t k, auto& crew) {
    const auto look = [&] {
      if (stop) throw Stopped();
      if (k == 0) signals.look();
    };
    const auto pause = [&] {
      look();
      if (k == 0 && next < n) crew.call(threads);
    };
    try {
      Worker worker(batch);
      for (std::size_t first; (first = next.fetch_add(chunk)) < n; look())
        worker.answer({first, std::min(n, first + chunk)}, pause);
    } catch (Stopped&) {
    }
  };
  Crew crew((n + chunk - 1) / chunk, work, [&] { stop = true; });
  crew.call(std::min(threads, n / kRowsWorthAThread));
  crew.work();
}

std::size_t size_of(nb::handle array) { return PyArray_SIZE(reinterpret_cast<PyArrayObject*>(array.ptr())); }

// Targets (n, 12) that the caller gives away, and seeds (n, nq), (nq,) or None, to one array a property;
// configurations go to `out` (n, nq) unless it is None.
nb::tuple solve_batch(ReachCore& core, nb::handle targets, nb::handle seeds, std::size_t threads, nb::object out) {
  core.refresh();
  const std::shared_ptr<const ReachChain> chain = core.chain();
  const std::shared_ptr<const ReachLimits> limits = core.limits(), free = core.without(limits, *chain);
  const ReachProblem& problem = chain->view();
  const std::size_t n = size_of(targets) / 12;
  std::vector<ReachAnswer> answers(n);
  const nb::object q = out.is_none() ? new_numbers({npy_intp(n), problem.nq}) : out;
  if (!are_rows(q, n, problem.nq) || !(seeds.is_none() || are_rows(seeds, n, problem.nq))) raise_edited(core.model);
  const ReachSettings settings = core.settings();
  ReachTask task = core.task(settings);
  task.range = {0, n};
  task.q = numbers_of(q);
  task.answers = answers.data();
  std::vector<double> given;
  if (!seeds.is_none()) {
    given.assign(numbers_of(seeds), numbers_of(seeds) + size_of(seeds));
    for (std::size_t at = 0; at < given.size(); at += problem.nq) limits->clip_others(&given[at]);
    task.seeds = given.data();
    task.seeded = true;
    task.seed_stride = PyArray_NDIM(reinterpret_cast<PyArrayObject*>(seeds.ptr())) == 2 ? problem.nq : 0;
  }
  const Batch batch{task, core.targets(), numbers_of(targets), *free, core.time_limit()};
  {
    const nb::gil_scoped_release unlocked;
    run_batch(batch, threads);
  }
  const auto column = [&](auto&& value) {
    PyArrayObject* const array = new_array({npy_intp(n)});
    for (std::size_t i = 0; i < n; ++i) data_of(array)[i] = value(answers[i]);
    return nb::steal(release(array));
  };
  return nb::make_tuple(q, column([](const ReachAnswer& a) { return a.status; }),
                        column([](const ReachAnswer& a) { return a.position_error; }),
                        column([](const ReachAnswer& a) { return a.rotation_error; }),
                        column([](const ReachAnswer& a) { return a.seed_distance; }),
                        column([](const ReachAnswer& a) { return a.iterations; }),
                        column([](const ReachAnswer& a) { return a.starts; }));
}

// A task for one target of twelve numbers at a configuration, whose result goes to `out`.
ReachTask one_task(ReachCore& core, nb::handle q, const double* target, double* out, ReachAnswer& answer) {
  core.refresh();
  ReachTask task = core.task(core.settings());
  task.range = {0, 1};
  task.targets = target;
  task.seeds = numbers_of(q);
  task.seeded = true;
  task.q = out;
  task.answers = &answer;
  return task;
}

nb::tuple derivatives(ReachCore& core, nb::handle q, nb::handle target) {
  constexpr int rows_of_mode[] = {6, 3, 3, 5, 2, 2, 6};
  ReachAnswer answer;
  double question[12];
  core.targets().translate(numbers_of(target), question);
  const ReachTask task = one_task(core, q, question, nullptr, answer);
  const int n = task.problem->nv, rows = rows_of_mode[static_cast<int>(task.problem->mode)];
  PyArrayObject *const e = new_array({rows}), *const J = new_array({n, rows}), *const H = new_array({n, n});
  const ReachCore::Memory memory(core);
  kernels().reach.derivatives(task, data_of(e), data_of(J), data_of(H), memory.get());
  return nb::make_tuple(nb::steal(release(e)), nb::steal(release(J)), nb::steal(release(H)));
}

nb::object displaced(ReachCore& core, nb::handle q, nb::handle u) {
  ReachAnswer answer;
  const double target[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
  PyArrayObject* const out = new_array({npy_intp(size_of(q))});
  const ReachTask task = one_task(core, q, target, data_of(out), answer);
  const ReachCore::Memory memory(core);
  kernels().reach.displace(task, numbers_of(u), memory.get());
  return nb::steal(release(out));
}

nb::object starts(ReachCore& core, int count) {
  core.refresh();
  const int nq = core.chain()->view().nq;
  PyArrayObject* const out = new_array({count, nq});
  const ReachCore::Memory memory(core);
  ReachTask task = core.task(core.settings());
  task.q = data_of(out);
  task.range = {0, std::size_t(count)};
  kernels().reach.starts(task, memory.get());
  return nb::steal(release(out));
}

// The model may keep its solvers, so that the collector has to see through them.
int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  ReachCore* const core = nb::inst_ptr<ReachCore>(self);
  Py_VISIT(core->model.ptr());
  Py_VISIT(core->lower.ptr());
  Py_VISIT(core->upper.ptr());
  Py_VISIT(core->chooser.ptr());
  return 0;
}
int clear(PyObject* self) {
  if (!nb::inst_ready(self)) return 0;
  nb::inst_ptr<ReachCore>(self)->model.reset();
  nb::inst_ptr<ReachCore>(self)->chooser = nb::none();
  return 0;
}
PyType_Slot core_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                            {Py_tp_clear, reinterpret_cast<void*>(clear)},
                            {0, nullptr}};

PyMethodDef solve_method = {
    "solve", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(solve)), METH_FASTCALL | METH_KEYWORDS,
    R"(solve($self, target, seed=None)
--

Configuration that brings the frame to a target.

Args:
    target: What the mode asks for. A pose (also for "axis", and "rcm" with a roll): an `SE3`, a `pinocchio.SE3`, a
        matrix (4, 4), or a pair of position and quaternion (x, y, z, w). A position, a point to aim at, or where the
        tip shall be: shape (3,), m. A direction: shape (3,). An orientation: a matrix (3, 3) or a quaternion
        (x, y, z, w).
    seed: Configuration to start from and to stay near to, shape (nq,); one outside the limits is clipped and noted.
        Without one no branch is preferred; joints that do not move the frame then stand in the middle of their
        limits, at rest where there are none, and distances count from there.

Returns:
    The answer, whether or not the target was reached.

Raises:
    InvalidArgument: If the target or the seed has the wrong shape or is not finite, or a rotation is none.
    InvalidModel: If the model's limits contradict each other.)"};

}  // namespace

ReachCore::ReachCore(const nb::kwargs& given) {
  const auto numbers = [&](const char* name, double* to, std::size_t n) {
    const nb::object array = nb::borrow(given[name]);
    if (size_of(array) != n) throw nb::value_error(name);
    std::copy_n(numbers_of(array), n, to);
  };
  const auto many = [&](const char* name) {
    const nb::object array = nb::borrow(given[name]);
    if (array.is_none()) return std::vector<double>();
    return std::vector<double>(numbers_of(array), numbers_of(array) + size_of(array));
  };
  model = nb::borrow(given["model"]);
  lower = nb::borrow(given["lower"]);
  upper = nb::borrow(given["upper"]);
  chooser = nb::borrow(given["chooser"]);
  question_.frame = nb::cast<int>(given["frame"]);
  question_.root = nb::cast<int>(given["root"]);
  question_.mode = static_cast<ReachMode>(nb::cast<int>(given["residual"]));
  numbers("tool", question_.tool, 9);
  numbers("weights", question_.weights, 6);
  numbers("per_tolerance", question_.per_tolerance, 6);
  question_.in_tool = nb::cast<bool>(given["in_tool"]);
  question_.readiness = many("readiness");
  question_.random_seed = nb::cast<std::uint64_t>(given["random_seed"]);
  targets_.asks = static_cast<Asks>(nb::cast<int>(given["asks"]));
  targets_.with_roll = nb::cast<bool>(given["with_roll"]);
  std::copy_n(question_.tool, 9, targets_.tool);
  numbers("pivot", targets_.pivot, 3);
  numbers("depths", targets_.depths, 2);
  asked_ = {nb::cast<double>(given["position_tolerance"]), nb::cast<double>(given["rotation_tolerance"]),
            nb::cast<int>(given["max_iterations"]), nb::cast<int>(given["max_starts"])};
  time_limit_ = static_cast<long long>(1e6 * nb::cast<double>(given["time_limit_ms"]));
  max_change_ = nb::cast<double>(given["max_joint_change"]);
  posture_ = many("posture");
  posture_weight_ = nb::cast<double>(given["posture_weight"]);
  refresh();
}

ReachTask ReachCore::task(const ReachSettings& settings) const {
  return {.problem = &chain_->view(), .bounds = &limits_->view(), .settings = &settings, .range = {0, 0},
          .targets = nullptr, .seeds = limits_->middle(), .seed_stride = 0, .seeded = false, .max_change = max_change_,
          .posture = posture_.empty() ? nullptr : posture_.data(), .posture_weight = posture_weight_, .q = nullptr,
          .answers = nullptr};
}

void ReachCore::refresh() {
  const TreePointer tree = compiled(model);
  if (tree != tree_) {
    const auto fits = [](const std::vector<double>& given, int n) { return given.empty() || int(given.size()) == n; };
    if (!fits(posture_, tree->view().nq) || !fits(question_.readiness, tree->view().nv)) {
      reach_door("raise_outgrown")(model);
      throw nb::type_error("raise_outgrown did not raise");
    }
    try {
      chain_ = std::make_shared<ReachChain>(*tree, question_);
    } catch (const std::invalid_argument&) {
      reach_door("movable_frame")(model, question_.frame, question_.root);
      throw;
    }
    tree_ = tree;
    limits_ = nullptr;
    memory_ = nullptr;
  }
  const int nq = chain_->view().nq;
  const double *const low = limit_vector(lower, nq), *const high = limit_vector(upper, nq);
  if (limits_ && limits_->are(low, high)) return;
  const std::shared_ptr<const ReachLimits> limits = std::make_shared<ReachLimits>(*chain_, low, high);
  if (limits->contradiction() >= 0) {
    reach_door("raise_contradiction")(model, limits->contradiction());
    throw nb::type_error("raise_contradiction did not raise");
  }
  limits_ = limits;
  no_limits_ = nullptr;
  settings_ = asked_;
  if (targets_.asks != Asks::kRcm) return;
  // the shaft is within the tolerance of the pivot where the tip is within half of it, and the direction makes up for
  // the other half at most
  settings_.position_tolerance *= 0.5;
  const double(&base)[3] = chain_->view().base.p, (&pivot)[3] = targets_.pivot;
  const double away = std::hypot(pivot[0] - base[0], pivot[1] - base[1], pivot[2] - base[2]);
  const double depth = std::min(targets_.depths[1], limits_->view().reach + away);
  settings_.rotation_tolerance = std::min(asked_.rotation_tolerance, settings_.position_tolerance / depth);
}

std::shared_ptr<const ReachLimits> ReachCore::without(const std::shared_ptr<const ReachLimits>& limits,
                                                      const ReachChain& chain) {
  if (limits == limits_ && no_limits_) return no_limits_;
  const auto free = std::make_shared<const ReachLimits>(chain, limits->given_lower(), limits->given_upper(), true);
  if (limits == limits_) no_limits_ = free;
  return free;
}

#define PANTIN_ARRAY "numpy.typing.NDArray[numpy.float64]"

void bind_reach(nb::module_& m) {
  m.def(
      "first_improper",
      [](nb::handle rows) {
        const double* const numbers = numbers_of(rows);
        const std::size_t n = size_of(rows) / 12;
        std::size_t i = 0;
        while (i < n && is_rotation(numbers + 12 * i)) ++i;
        return i;
      },
      nb::arg("rows"), nb::sig("def first_improper(rows: " PANTIN_ARRAY ") -> int"),
      "Index of the first row of twelve numbers whose nine do not make a rotation; their count where all do.");
  nb::class_<ReachCore>(m, "ReachCore", nb::type_slots(core_slots), "What a reach solver is underneath.")
      .def("__init__", [](ReachCore* self, const nb::kwargs& given) { new (self) ReachCore(given); },
           nb::sig("def __init__(self, **given: object) -> None"))
      .def("_solve_batch", solve_batch, nb::arg("targets"), nb::arg("seeds").none(), nb::arg("threads"),
           nb::arg("out") = nb::none(),
           nb::sig("def _solve_batch(self, targets: " PANTIN_ARRAY ", seeds: " PANTIN_ARRAY
                   " | None, threads: int, out: " PANTIN_ARRAY " | None = None) -> tuple[" PANTIN_ARRAY ", ...]"),
           "Answers to rows of twelve numbers: configurations, which go to `out` where it is given, status numbers, "
           "errors, distances, iterations, starts.")
      .def("_derivatives", derivatives, nb::arg("q"), nb::arg("target"),
           nb::sig("def _derivatives(self, q: " PANTIN_ARRAY ", target: " PANTIN_ARRAY ") -> tuple[" PANTIN_ARRAY
                   ", ...]"),
           "Error rows, rows of the transposed Jacobian, and second derivatives of half the squared error.")
      .def("_starts", starts, nb::arg("count"), nb::sig("def _starts(self, count: int) -> " PANTIN_ARRAY),
           "Configurations spread evenly over the limits, shape (count, nq), the middle first.")
      .def_rw("_chooser", &ReachCore::chooser, "Answers in the core's place unless it is None.")
      .def("_displaced", displaced, nb::arg("q"), nb::arg("u"),
           nb::sig("def _displaced(self, q: " PANTIN_ARRAY ", u: " PANTIN_ARRAY ") -> " PANTIN_ARRAY),
           "Configuration that a step u of the unknowns leads to.");
  PyObject* const type = nb::type<ReachCore>().ptr();
  const nb::object method = nb::steal(PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(type), &solve_method));
  if (!method.is_valid() || PyObject_SetAttrString(type, "solve", method.ptr()) < 0) throw nb::python_error();

  nb::class_<ReachOutcome>(m, "ReachOutcome", "What a reach result is underneath.")
      .def_prop_ro("q", [](const ReachOutcome& o) { return o.q; },
                   nb::sig("def q(self) -> " PANTIN_ARRAY),
                   "Configuration, shape (nq,), within limits: the answer, or the nearest that was found.")
      .def_prop_ro("success", [](const ReachOutcome& o) { return o.answer.status == 0; },
                   "True if all tolerances are met.")
      .def_prop_ro("position_error", [](const ReachOutcome& o) { return o.answer.position_error; },
                   "Distance to the target, m; 0 where the mode asks for no position.")
      .def_prop_ro("rotation_error", [](const ReachOutcome& o) { return o.answer.rotation_error; },
                   "Angle to the target, rad; 0 where the mode asks for no rotation.")
      .def_prop_ro("iterations", [](const ReachOutcome& o) { return o.answer.iterations; },
                   "Iterations of the start that gave the answer.")
      .def_prop_ro("starts", [](const ReachOutcome& o) { return o.answer.starts; }, "Starts that were compared.")
      .def_prop_ro("seed_distance", [](const ReachOutcome& o) { return o.answer.seed_distance; },
                   "Largest motion of one joint from the seed, rad or m.")
      .def("_amend", [](ReachOutcome& o, double position_error, double rotation_error, double seed_distance, int starts,
                        int status) {
            o.answer.position_error = position_error;
            o.answer.rotation_error = rotation_error;
            o.answer.seed_distance = seed_distance;
            o.answer.starts = starts;
            o.answer.status = status;
          },
           nb::kw_only(), nb::arg("position_error"), nb::arg("rotation_error"), nb::arg("seed_distance"),
           nb::arg("starts"), nb::arg("status"), "What is known of another answer that was put in the place of q.")
      .def_prop_ro("_status", [](const ReachOutcome& o) { return o.answer.status; })
      .def_prop_ro("_solver", [](const ReachOutcome& o) { return o.solver; })
      .def_prop_ro("_target", [](const ReachOutcome& o) {
        PyArrayObject* const copy = new_array({12});
        std::copy_n(o.target, 12, data_of(copy));
        return nb::steal(release(copy));
      }, nb::sig("def _target(self) -> " PANTIN_ARRAY))
      .def_prop_ro("_at_limit", [](const ReachOutcome& o) {
        return outside(o.chain->view(), o.limits->view(), numbers_of(o.q), true);
      })
      .def_prop_ro("_beyond", [](const ReachOutcome& o) { return o.beyond; })
      .def_prop_ro("_seed_clipped", [](const ReachOutcome& o) { return o.seed_clipped; })
      .def_prop_ro("_target_projected", [](const ReachOutcome& o) { return o.target_projected; });
}

}  // namespace pantin
