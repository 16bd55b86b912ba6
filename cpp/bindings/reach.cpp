// Reach for Python: the solver's core with its raw fast call for one target, and batches.
#include "reach.hpp"

#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "collected.hpp"
#include "reach_target.hpp"
#include "solving.hpp"

namespace pantin {

namespace {

constexpr int kSlice = 2000;     // iterations between looks at signals, about a millisecond
constexpr int kTimedSlice = 16;  // the same where time is limited
constexpr std::size_t kLeastRows = 16, kMostRows = 4096;  // of a batch, that a thread takes at once
constexpr std::size_t kRowsWorthAThread = 64;             // where nothing is known of them

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
  Explanation(const ReachTask& failed, const ReachLimits& free, std::size_t row, long long limit, double* q,
              void* memory, Pause&& pause)
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
    if (!core.chooser.is_none())
      return core.chooser(nb::handle(target), nb::handle(seed ? seed : Py_None)).release().ptr();

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
    outcome->q = new_numbers({problem.nq});

    const long long limit = core.time_limit();
    const ReachCore::Memory memory(core);
    const ReachSettings settings = core.settings();
    ReachTask task = core.task(settings);
    task.range = {0, 1};
    task.targets = question;
    task.q = numbers_of(outcome->q);
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
  return nb::make_tuple(q, column(answers, &ReachAnswer::status), column(answers, &ReachAnswer::position_error),
                        column(answers, &ReachAnswer::rotation_error), column(answers, &ReachAnswer::seed_distance),
                        column(answers, &ReachAnswer::iterations), column(answers, &ReachAnswer::starts));
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
  const nb::object e = new_numbers({rows}), J = new_numbers({n, rows}), H = new_numbers({n, n});
  const ReachCore::Memory memory(core);
  kernels().reach.derivatives(task, numbers_of(e), numbers_of(J), numbers_of(H), memory.get());
  return nb::make_tuple(e, J, H);
}

nb::object displaced(ReachCore& core, nb::handle q, nb::handle u) {
  ReachAnswer answer;
  const double target[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
  const nb::object out = new_numbers({npy_intp(size_of(q))});
  const ReachTask task = one_task(core, q, target, numbers_of(out), answer);
  const ReachCore::Memory memory(core);
  kernels().reach.displace(task, numbers_of(u), memory.get());
  return out;
}

nb::object starts(ReachCore& core, int count) {
  core.refresh();
  const int nq = core.chain()->view().nq;
  const nb::object out = new_numbers({count, nq});
  const ReachCore::Memory memory(core);
  ReachTask task = core.task(core.settings());
  task.q = numbers_of(out);
  task.range = {0, std::size_t(count)};
  kernels().reach.starts(task, memory.get());
  return out;
}

// The model may keep its solvers, so that the collector has to see through them.
void let_go(ReachCore& core) {
  core.model.reset();
  core.chooser = nb::none();
}

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
  PyType_Slot* const slots = collected<ReachCore, let_go, &ReachCore::model, &ReachCore::lower, &ReachCore::upper,
                                                                   &ReachCore::chooser>();
  nb::class_<ReachCore>(m, "ReachCore", nb::type_slots(slots), "What a reach solver is underneath.")
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
  add_fast_method<ReachCore>(solve_method);

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
        const nb::object copy = new_numbers({12});
        std::copy_n(o.target, 12, numbers_of(copy));
        return copy;
      }, nb::sig("def _target(self) -> " PANTIN_ARRAY))
      .def_prop_ro("_at_limit", [](const ReachOutcome& o) {
        return outside(o.chain->view(), o.limits->view(), numbers_of(o.q), true);
      })
      .def_prop_ro("_beyond", [](const ReachOutcome& o) { return o.beyond; })
      .def_prop_ro("_seed_clipped", [](const ReachOutcome& o) { return o.seed_clipped; })
      .def_prop_ro("_target_projected", [](const ReachOutcome& o) { return o.target_projected; });
}

}  // namespace pantin
