// Several residuals at once for Python: the problem's core with its raw fast call, and batches.
#include "problem.hpp"

#include "collected.hpp"

#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <atomic>

namespace pantin {

namespace {

constexpr std::size_t kLeastRows = 8, kMostRows = 64;  // of a batch, that a thread takes at once
constexpr std::size_t kRowsWorthAThread = 64;          // where nothing is known of them
constexpr long long kSlow = 1'000'000;                 // ns after which rows that are left are worth threads, too

// Ends a row whose time is over, and everything where a signal raised.
struct Stopper {
  long long limit;  // ns, 0 for none
  enum class Signals { kAtOnce, kNowAndThen, kNever } signals;  // with the interpreter's lock, without it, elsewhere
  const std::atomic<bool>* halt = nullptr;
  bool interrupted = false;
  std::size_t row = std::size_t(-1);
  long long since = 0, looked = now();

  static bool stop(void* self, std::size_t row) { return static_cast<Stopper*>(self)->stop(row); }
  bool stop(std::size_t asked) {
    const long long time = now();
    if (asked != row) {
      row = asked;
      since = time;
    }
    return halted(time) || (limit > 0 && time - since > limit);
  }
  bool halted(long long time) {
    if (interrupted || (halt && *halt)) return true;
    look_at_signals(time);
    return interrupted;
  }

 private:
  void look_at_signals(long long time) {
    if (signals == Signals::kAtOnce) {
      interrupted = PyErr_CheckSignals() != 0;
    } else if (signals == Signals::kNowAndThen && time - looked > kSignalPeriod) {
      looked = time;
      const nb::gil_scoped_acquire locked;
      interrupted = PyErr_CheckSignals() != 0;
    }
  }
};

// Entries of a configuration outside its limits, or on them where asked.
std::vector<int> outside(const WholeLimits& limits, const double* q, bool or_on) {
  std::vector<int> entries;
  for (std::size_t k = 0; k < limits.lower().size(); ++k) {
    const double low = limits.lower()[k], high = limits.upper()[k];
    if (q[k] < low || q[k] > high || (or_on && (q[k] == low || q[k] == high))) entries.push_back(int(k));
  }
  return entries;
}

// A seed within limits: the caller's, or a copy that is clipped.
class Seed {
 public:
  Seed(const WholeLimits& limits, const double* q) : data_(q) {
    if (outside(limits, q, false).empty()) return;
    copy_.assign(q, q + limits.lower().size());
    for (std::size_t k = 0; k < copy_.size(); ++k) copy_[k] = std::clamp(q[k], limits.lower()[k], limits.upper()[k]);
    data_ = copy_.data();
  }
  const double* data() const { return data_; }
  bool clipped() const { return !copy_.empty(); }

 private:
  const double* data_;
  std::vector<double> copy_;
};

// True where a target is farther from where its way begins than all segments and slides together reach.
bool is_out_of_workspace(const WholeTask& task, const WholeLimits& limits, std::size_t row) {
  for (int r = 0; r < task.problem->nresiduals; ++r) {
    const double* const p = task.targets[r] + row * task.target_strides[r] + 9;
    const WholeLimits::Way& way = limits.ways()[r];
    const Vec away = Vec{p[0], p[1], p[2]} - way.from;
    if (norm(away) > way.most + std::sqrt(task.problem->residuals[r].position2)) return true;
  }
  return false;
}

// Tells `limits` from `not_found`: whether the problem without limits reaches from the nearest configuration that was
// found. The configuration goes to q.
bool reaches_without_limits(const WholeTask& failed, const WholeLimits& limits, const WholeLimits& free,
                            std::size_t row, double* q, void* memory) {
  if (failed.answers[row].status != static_cast<int>(ReachStatus::kNotFound)) return false;
  if (is_out_of_workspace(failed, limits, row)) {
    failed.answers[row].status = static_cast<int>(ReachStatus::kOutOfWorkspace);
    return false;
  }
  ReachSettings settings = *failed.settings;
  settings.max_starts = std::min(settings.max_starts, kFreeStarts);
  const int n = failed.problem->nresiduals;
  std::vector<const double*> targets(n);
  const std::vector<std::size_t> strides(n, 0);
  for (int r = 0; r < n; ++r) targets[r] = failed.targets[r] + row * failed.target_strides[r];
  std::vector<double> errors(2 * n);
  WholeAnswer answer;
  WholeTask task = failed;
  task.bounds = &free.view();
  task.settings = &settings;
  task.range = {0, 1};
  task.targets = targets.data();
  task.target_strides = strides.data();
  task.seeds = failed.q + row * failed.problem->unknowns.nq;
  task.seed_stride = 0;
  task.posture = nullptr;
  task.q = q;
  task.answers = &answer;
  task.errors = errors.data();
  kernels().whole.answer(memory, task);
  if (answer.status != static_cast<int>(ReachStatus::kReached)) return false;
  failed.answers[row].status = static_cast<int>(ReachStatus::kLimits);
  return true;
}

PyObject* solve(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* keywords) noexcept {
  return guarded([&] {
    Arguments arguments("solve", args, n, keywords);
    ProblemCore& core = instance<ProblemCore>(self, "self");
    PyObject* const seed = arguments.find(0, "seed");
    arguments.done();
    ProblemCore::Solve solve(core);
    const WholeProblem& problem = solve.problem();

    static PyObject* const result_type =
        nb::object(nb::module_::import_("pantin.reaching.problem_result").attr("ProblemResult")).release().ptr();
    nb::object result = nb::inst_alloc(result_type);
    auto* const outcome = new (nb::inst_ptr<ProblemOutcome>(result)) ProblemOutcome{};
    nb::inst_mark_ready(result);
    outcome->problem = nb::borrow(self);
    outcome->residuals = core.residuals;
    outcome->targets = core.targets;
    outcome->limits = solve.limits();
    outcome->q = new_numbers({problem.unknowns.nq});
    outcome->errors = new_numbers({problem.nresiduals, 2});

    WholeTask task = solve.task(numbers_of(outcome->targets));
    task.range = {0, 1};
    task.q = numbers_of(outcome->q);
    task.answers = &outcome->answer;
    task.errors = numbers_of(outcome->errors);
    Stopper stopper{.limit = core.time_limit(), .signals = Stopper::Signals::kAtOnce};
    if (stopper.limit > 0) stopper.stop(0);  // time runs from here
    task.stop = Stopper::stop;
    task.stopper = &stopper;
    const auto run = [&](const double* start) {
      task.seeds = start;
      kernels().whole.answer(solve.memory(), task);
      if (stopper.interrupted) throw nb::python_error();
      if (outcome->answer.status != static_cast<int>(ReachStatus::kNotFound)) return;
      std::vector<double> elsewhere(problem.unknowns.nq);
      if (reaches_without_limits(task, *outcome->limits, *solve.no_limits(), 0, elsewhere.data(), solve.memory()))
        outcome->beyond = outside(*outcome->limits, elsewhere.data(), false);
      if (stopper.interrupted) throw nb::python_error();
    };
    if (seed && seed != Py_None) {
      const ConfigurationArgument given(solve.tree(), seed, "seed");
      const Seed start(*outcome->limits, given.data());
      outcome->seed_clipped = start.clipped();
      run(start.data());
    } else {
      run(outcome->limits->middle());
    }
    return result.release().ptr();
  });
}

// Targets: one array (n, 12) or (1, 12) a residual; seeds (n, nq), (nq,) or None, within limits. Configurations go to
// `out` (n, nq).
nb::tuple solve_batch(ProblemCore& core, const std::vector<nb::object>& targets, nb::object seeds, std::size_t threads,
                      nb::object out) {
  ProblemCore::Solve solve(core);
  const WholeProblem& problem = solve.problem();
  const WholeLimits& free = *solve.no_limits();
  const int nq = problem.unknowns.nq;
  const std::size_t n = PyArray_DIM(reinterpret_cast<PyArrayObject*>(out.ptr()), 0);
  if (!are_rows(out, n, nq) || !(seeds.is_none() || are_rows(seeds, n, nq))) raise_edited(core.model);
  if (targets.size() != std::size_t(problem.nresiduals)) throw nb::value_error("one array of targets a residual");
  std::vector<const double*> rows;
  std::vector<std::size_t> strides;
  for (const nb::object& array : targets) {
    rows.push_back(numbers_of(array));
    strides.push_back(PyArray_DIM(reinterpret_cast<PyArrayObject*>(array.ptr()), 0) == 1 ? 0 : 12);
  }
  for (std::size_t r = 0; r < targets.size(); ++r)
    tidy(problem.residuals[r].aim, numbers_of(targets[r]), strides[r] ? n : 1);
  const nb::object errors = new_numbers({npy_intp(n), problem.nresiduals, 2});
  std::vector<double> q(n * nq);  // rows that are being answered have provisional ends
  std::vector<WholeAnswer> answers(n);
  WholeTask task = solve.task(nullptr);
  task.targets = rows.data();
  task.target_strides = strides.data();
  task.seeds = seeds.is_none() ? solve.limits()->middle() : numbers_of(seeds);
  task.seed_stride = !seeds.is_none() && PyArray_NDIM(reinterpret_cast<PyArrayObject*>(seeds.ptr())) == 2 ? nq : 0;
  task.q = q.data();
  task.answers = answers.data();
  task.errors = numbers_of(errors);
  double* const answered = numbers_of(out);
  const long long limit = core.time_limit();
  {
    const nb::gil_scoped_release unlocked;
    const std::size_t chunk = threads == 1 ? kMostRows : std::clamp(n / (8 * threads), kLeastRows, kMostRows);
    const long long began = now();
    std::atomic<std::size_t> next{0};
    std::atomic<bool> halt{false};
    const auto work = [&](std::size_t worker, auto& crew) {
      const auto memory = search_memory(problem);
      std::vector<double> elsewhere(nq);
      using Signals = Stopper::Signals;
      Stopper stopper{.limit = limit, .signals = worker == 0 ? Signals::kNowAndThen : Signals::kNever, .halt = &halt};
      for (std::size_t first; !halt && (first = next.fetch_add(chunk)) < n;) {
        WholeTask part = task;
        part.range = {first, std::min(n, first + chunk)};
        part.stop = Stopper::stop;
        part.stopper = &stopper;
        kernels().whole.answer(memory.get(), part);
        for (std::size_t row = part.range.first; row < part.range.last; ++row)
          reaches_without_limits(part, *solve.limits(), free, row, elsewhere.data(), memory.get());
        if (!stopper.halted(now())) {
          std::copy(task.q + first * nq, task.q + part.range.last * nq, answered + first * nq);
        } else if (stopper.interrupted) {
          const nb::gil_scoped_acquire locked;
          throw nb::python_error();
        }
        if (worker == 0 && next < n && now() - began > kSlow) crew.call(threads);
      }
    };
    Crew crew((n + chunk - 1) / chunk, work, [&] { halt = true; });
    crew.call(std::min(threads, n / kRowsWorthAThread));
    crew.work();
  }
  return nb::make_tuple(column(answers, &WholeAnswer::status), errors, column(answers, &WholeAnswer::seed_distance),
                        column(answers, &WholeAnswer::iterations), column(answers, &WholeAnswer::starts));
}

nb::tuple derivatives(ProblemCore& core, nb::object q) {
  ProblemCore::Solve solve(core);
  const WholeProblem& problem = solve.problem();
  const nb::object e = new_numbers({problem.rows}), J = new_numbers({problem.unknowns.nv, problem.rows});
  WholeTask task = solve.task(numbers_of(core.targets));
  task.seeds = numbers_of(q);
  kernels().whole.derivatives(solve.memory(), task, numbers_of(e), numbers_of(J));
  return nb::make_tuple(e, J);
}

nb::object displaced(ProblemCore& core, nb::object q, nb::object u) {
  ProblemCore::Solve solve(core);
  const nb::object out = new_numbers({solve.problem().unknowns.nq});
  WholeTask task = solve.task(numbers_of(core.targets));
  task.seeds = numbers_of(q);
  task.q = numbers_of(out);
  kernels().whole.displace(solve.memory(), task, numbers_of(u));
  return out;
}

// A residual as Python describes it: aim, frame, root, axis, weights of its components, tolerances.
using Described = std::tuple<int, int, int, std::vector<double>, std::vector<double>, double, double>;

WholeQuestion question_of(const Described& described) {
  WholeQuestion question{};
  question.aim = static_cast<WholeAim>(std::get<0>(described));
  question.frame = std::get<1>(described);
  question.root = std::get<2>(described);
  std::copy_n(std::get<3>(described).begin(), 3, question.axis);
  std::copy(std::get<4>(described).begin(), std::get<4>(described).end(), question.weight);
  question.position_tolerance = std::get<5>(described);
  question.rotation_tolerance = std::get<6>(described);
  return question;
}

void let_go(ProblemCore& core) {
  core.model.reset();
  core.residuals.reset();
}

PyMethodDef solve_method = {
    "solve", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(solve)), METH_FASTCALL | METH_KEYWORDS,
    R"(solve($self, seed=None)
--

Configuration that meets all residuals at once.

Args:
    seed: Configuration to start from, shape (nq,); one outside the limits is clipped and noted. Locked joints, and
        joints that move nothing that is asked for, stay as it has them. By default the middle of the limits, at rest
        where there are none.

Returns:
    The answer, whether or not the targets were reached.

Raises:
    InvalidArgument: If there is no residual, or the seed has the wrong shape or is not finite.
    InvalidModel: If the model's limits contradict each other.)"};

}  // namespace

void bind_problem(nb::module_& m) {
  PyType_Slot* const slots = collected<ProblemCore, let_go, &ProblemCore::model, &ProblemCore::lower, &ProblemCore::upper,
                                                                     &ProblemCore::residuals, &ProblemCore::targets>();
  nb::class_<ProblemCore>(m, "ProblemCore", nb::type_slots(slots), "What a problem is underneath.")
      .def(
          "__init__",
          [](ProblemCore* self, nb::object model, nb::object lower, nb::object upper, double position_tolerance,
             double rotation_tolerance, int max_iterations, int max_starts, std::uint64_t random_seed,
             double time_limit_ms) {
            ReachSettings settings{};
            settings.position_tolerance = position_tolerance;
            settings.rotation_tolerance = rotation_tolerance;
            settings.max_iterations = max_iterations;
            settings.max_starts = max_starts;
            new (self) ProblemCore(model, lower, upper, settings, random_seed, time_limit_ms);
          },
          nb::arg("model"), nb::kw_only(), nb::arg("lower"), nb::arg("upper"), nb::arg("position_tolerance"),
          nb::arg("rotation_tolerance"), nb::arg("max_iterations"), nb::arg("max_starts"), nb::arg("random_seed"),
          nb::arg("time_limit_ms"))
      .def(
          "_ask",
          [](ProblemCore& core, const std::vector<Described>& described, const std::vector<bool>& locked,
             nb::object residuals, nb::object targets) {
            std::vector<WholeQuestion> questions;
            for (const Described& one : described) questions.push_back(question_of(one));
            core.ask(std::move(questions), locked, residuals, targets);
          },
          nb::arg("described"), nb::arg("locked"), nb::arg("residuals"), nb::arg("targets"),
          nb::sig("def _ask(self, described: list[tuple[int, int, int, list[float], list[float], float, float]], locked: "
                  "list[bool], residuals: tuple[object, ...], targets: " PANTIN_ARRAY ") -> None"),
          "Replaces what is asked.")
      .def("_set_target", &ProblemCore::set_target, nb::arg("index"), nb::arg("residual"), nb::arg("target").none(),
           nb::sig("def _set_target(self, index: int, residual: object, target: object) -> None"),
           "Replaces a target; `residual._read` reads what is neither a pose nor a plain array.")
      .def("_be_near", &ProblemCore::be_near, nb::arg("q"), nb::arg("weights"),
           "Replaces the posture, and the weight of each entry of the tangent.")
      .def("_solve_batch", solve_batch, nb::arg("targets"), nb::arg("seeds").none(), nb::arg("threads"), nb::arg("out"),
           nb::sig("def _solve_batch(self, targets: list[" PANTIN_ARRAY "], seeds: " PANTIN_ARRAY
                   " | None, threads: int, out: " PANTIN_ARRAY ") -> tuple[" PANTIN_ARRAY ", ...]"),
           "Configurations, which go to `out`, and status numbers, errors, distances, iterations, starts.")
      .def("_derivatives", derivatives, nb::arg("q"),
           nb::sig("def _derivatives(self, q: " PANTIN_ARRAY ") -> tuple[" PANTIN_ARRAY ", " PANTIN_ARRAY "]"),
           "Stacked errors, and rows of the transposed Jacobian, one an unknown.")
      .def("_displaced", displaced, nb::arg("q"), nb::arg("u"),
           nb::sig("def _displaced(self, q: " PANTIN_ARRAY ", u: " PANTIN_ARRAY ") -> " PANTIN_ARRAY),
           "Configuration that a step u of the unknowns leads to.")
      .def_prop_ro("_targets", [](const ProblemCore& core) { return core.targets; },
                   nb::sig("def _targets(self) -> " PANTIN_ARRAY));
  add_fast_method<ProblemCore>(solve_method);

  nb::class_<ProblemOutcome>(m, "ProblemOutcome", "What a problem's result is underneath.")
      .def_prop_ro("q", [](const ProblemOutcome& o) { return o.q; }, nb::sig("def q(self) -> " PANTIN_ARRAY),
                   "Configuration, shape (nq,), within limits: the answer, or the nearest that was found.")
      .def_prop_ro("success", [](const ProblemOutcome& o) { return o.answer.status == 0; },
                   "True if all tolerances are met.")
      .def_prop_ro("iterations", [](const ProblemOutcome& o) { return o.answer.iterations; },
                   "Iterations of the start that gave the answer.")
      .def_prop_ro("starts", [](const ProblemOutcome& o) { return o.answer.starts; }, "Starts that were compared.")
      .def_prop_ro("seed_distance", [](const ProblemOutcome& o) { return o.answer.seed_distance; },
                   "Largest motion of one joint from the seed, rad or m.")
      .def_prop_ro("_status", [](const ProblemOutcome& o) { return o.answer.status; })
      .def_prop_ro("_problem", [](const ProblemOutcome& o) { return o.problem; })
      .def_prop_ro("_residuals", [](const ProblemOutcome& o) { return o.residuals; })
      .def_prop_ro("_targets", [](const ProblemOutcome& o) { return o.targets; },
                   nb::sig("def _targets(self) -> " PANTIN_ARRAY))
      .def_prop_ro("_errors", [](const ProblemOutcome& o) { return o.errors; },
                   nb::sig("def _errors(self) -> " PANTIN_ARRAY))
      .def_prop_ro("_at_limit", [](const ProblemOutcome& o) { return outside(*o.limits, numbers_of(o.q), true); })
      .def_prop_ro("_beyond", [](const ProblemOutcome& o) { return o.beyond; })
      .def_prop_ro("_seed_clipped", [](const ProblemOutcome& o) { return o.seed_clipped; });
}

}  // namespace pantin
