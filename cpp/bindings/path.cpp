// Paths for Python: a walk along targets, and what it does where it is blocked.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <limits>

#include "reach.hpp"
#include "solving.hpp"

namespace pantin {

namespace {

constexpr int kSlice = 1000;       // waypoints between looks at signals
constexpr int kSolveSlice = 2000;  // iterations
constexpr int kMostCuts = 31;      // between two waypoints

PyArrayObject* array_of(nb::handle array) {
  if (!is_plain(array.ptr())) throw nb::type_error("expected a plain float64 array");
  return reinterpret_cast<PyArrayObject*>(array.ptr());
}

// Where unknown `k` of a joint of the chain stands in the model's velocities.
int velocity_of(const std::vector<Joint>& model, int entry, int k) {
  for (const Joint& joint : model) {
    if (joint.mimic || entry < joint.q || entry >= joint.q + joint.nq) continue;
    const int slides = joint.kind == JointKind::kPlanar ? 2 : joint.kind == JointKind::kFreeFlyer ? 3 : 0;
    return joint.v + (entry < joint.q + slides ? entry - joint.q : slides) + k;
  }
  throw std::logic_error("an entry of the chain belongs to no joint");
}

// Numbers of the model's velocities for the chain's unknowns, lengths in units of the chain's own.
std::vector<double> per_unknown(const ReachChain& chain, const ReachBounds& bounds, nb::handle velocities) {
  const ReachProblem& problem = chain.view();
  std::vector<double> numbers(problem.nv, std::numeric_limits<double>::infinity());
  if (velocities.is_none()) return numbers;
  for (int i = 0; i < problem.nvariables; ++i) {
    const Joint& joint = problem.variables[i];
    for (int k = 0; k < joint.nv; ++k) {
      numbers[joint.v + k] = data_of(array_of(velocities))[velocity_of(chain.model(), problem.entry[joint.q], k)];
      if (problem.is_length[joint.v + k]) numbers[joint.v + k] /= bounds.length;
    }
  }
  return numbers;
}

class Walk {
 public:
  Walk(ReachCore& core, nb::handle targets, nb::handle start, nb::handle most, nb::handle speed, nb::handle times)
      : chain_(core.chain()),
        limits_(core.limits()),
        settings_(core.settings()),
        solve_(core.task(settings_)),
        n_(PyArray_DIM(array_of(targets), 0)),
        targets_(12 * n_),
        most_(per_unknown(*chain_, limits_->view(), most)),
        speed_(per_unknown(*chain_, limits_->view(), speed)),
        arrays_{new_array({n_, problem().nq}), new_array({n_}), new_array({n_}), new_array({n_})} {
    for (int i = 0; i < 4; ++i) owned_[i] = nb::steal(release(arrays_[i]));
    double* const numbers = data_of(array_of(targets));
    for (npy_intp k = 0; k < n_; ++k) {
      project_rotation(numbers + 12 * k);
      if (!core.targets().translate(numbers + 12 * k, &targets_[12 * k])) misplaced_.push_back(k);
    }
    task_ = {.problem = &problem(), .bounds = &limits_->view(), .settings = &settings_, .n = std::size_t(n_),
             .targets = targets_.data(), .most = most_.data(), .speed = speed_.data(),
             .times = times.is_none() ? nullptr : data_of(array_of(times)), .q = data(0), .position_error = data(1),
             .rotation_error = data(2)};
    start_ = limits_->middle();
    if (!start.is_none()) {
      given_.assign(data_of(array_of(start)), data_of(array_of(start)) + problem().nq);
      limits_->clip_others(given_.data());
      start_ = given_.data();
    }
    solve_.bounds = task_.bounds;
    solve_.max_change = std::numeric_limits<double>::infinity();
    solve_.range = {0, 1};
    solve_.seed_stride = 0;
  }

  // Walks to the end, or to where that takes a jump which is not wanted; thoroughly, if it takes long to tell.
  void run(bool jumps, bool thorough) {
    const PathKernels& path = kernels().path;
    state_ = aligned_scratch(path.state_bytes(problem(), n_));
    memory_ = reach_state(problem());
    std::fill_n(data(3), n_, 1.0);
    const npy_intp wanted = jumps || misplaced_.empty() ? n_ : misplaced_.front();
    for (npy_intp k : misplaced_) blocked(k, ReachStatus::kRcmDepth);
    task_.n = std::max<npy_intp>(wanted, 1);
    if (!answer(0, start_, data(0))) blocked(0, ReachStatus::kNotFound);
    path.set_out(state_.get(), task_);
    if (wanted > 0 && (jumps || data(3)[0] == 1.0)) advance(jumps, thorough);
    path.write(state_.get(), n_);
    for (npy_intp k = path.next(state_.get()); k < n_; ++k) data(3)[k] = 0.0;
  }

  // Cuts the ways between waypoints where the frame would leave them by more than a distance or an angle.
  void refine(double position, double rotation) {
    const std::size_t nq = problem().nq;
    std::vector<double> cuts(kMostCuts * nq);
    const std::size_t followed = kernels().path.next(state_.get());
    for (std::size_t k = 0; k < followed; ++k) {
      const bool jumped =
          std::any_of(events_.begin(), events_.end(), [k](const auto& event) { return std::size_t(event.first) == k; });
      const int count = k == 0 || jumped ? 0
                                         : kernels().path.refine(state_.get(), k, position, rotation, kMostCuts,
                                                                 cuts.data());
      if (count < 0) strays_.push_back(int(k));
      for (int i = 0; i < count; ++i) {
        refined_.insert(refined_.end(), &cuts[i * nq], &cuts[i * nq] + nq);
        parameters_.push_back(double(k) - 1.0 + double(i + 1) / (count + 1));
      }
      refined_.insert(refined_.end(), data(0) + k * nq, data(0) + (k + 1) * nq);
      parameters_.push_back(double(k));
      if (k % kSlice == 0) pause();
    }
  }

  nb::tuple result() const {
    return nb::make_tuple(owned_[0], owned_[1], owned_[2], owned_[3], nb::cast(events_),
                          to_array(refined_, problem().nq), to_array(parameters_, 1), nb::cast(strays_));
  }

 private:
  const ReachProblem& problem() const { return chain_->view(); }
  double* data(int i) const { return data_of(arrays_[i]); }
  static void pause() {
    const nb::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
  static nb::object to_array(const std::vector<double>& numbers, std::size_t width) {
    const npy_intp rows = npy_intp(numbers.size() / width);
    PyArrayObject* const array = width == 1 ? new_array({rows}) : new_array({rows, npy_intp(width)});
    std::copy(numbers.begin(), numbers.end(), data_of(array));
    return nb::steal(release(array));
  }

  void blocked(npy_intp waypoint, ReachStatus status) {
    events_.emplace_back(int(waypoint), static_cast<int>(status));
    if (status != ReachStatus::kJointJump) data(3)[waypoint] = 0.0;
  }

  // The solver's own answer to a waypoint, wherever it is; true where it was reached.
  bool answer(std::size_t waypoint, const double* seed, double* q) {
    ReachAnswer found;
    ReachTask task = solve_;
    task.targets = &targets_[12 * waypoint];
    task.seeds = seed;
    task.seeded = seed != limits_->middle();
    task.q = q;
    task.answers = &found;
    const ReachKernels& reach = kernels().reach;
    reach.begin(memory_.get(), task);
    while (!reach.advance(memory_.get(), kSolveSlice, 0, 0)) pause();
    data(1)[waypoint] = found.position_error;
    data(2)[waypoint] = found.rotation_error;
    return found.status == static_cast<int>(ReachStatus::kReached);
  }

  void advance(bool jumps, bool thorough) {
    const PathKernels& path = kernels().path;
    for (PathPause why; (why = path.advance(state_.get(), kSlice)) != PathPause::kArrived; pause()) {
      if (why == PathPause::kSlice) continue;
      const std::size_t k = path.next(state_.get());
      path.read(state_.get(), k - 1, data(0) + (k - 1) * problem().nq);
      const bool reached = answer(k, data(0) + (k - 1) * problem().nq, data(0) + k * problem().nq);
      if (reached && thorough && path.insist(state_.get())) continue;
      blocked(k, reached ? ReachStatus::kJointJump : ReachStatus::kNotFound);
      if (!jumps) return;
      path.resume(state_.get(), data(0) + k * problem().nq);
    }
  }

  std::shared_ptr<const ReachChain> chain_;
  std::shared_ptr<const ReachLimits> limits_;
  ReachSettings settings_;
  ReachTask solve_;
  npy_intp n_;
  std::vector<double> targets_, most_, speed_;
  PyArrayObject* arrays_[4];  // configurations, position errors, rotation errors, 1 where reached
  nb::object owned_[4];
  std::vector<double> given_;
  const double* start_;
  PathTask task_;
  std::unique_ptr<void, Free> state_, memory_;
  std::vector<npy_intp> misplaced_;
  std::vector<std::pair<int, int>> events_;
  std::vector<double> refined_, parameters_;
  std::vector<int> strays_;
};

nb::tuple follow(ReachCore& core, nb::handle targets, nb::handle start, nb::handle most, nb::handle speed,
                 nb::handle times, bool jumps, bool thorough, double position, double rotation) {
  core.refresh();
  const Tree& tree = core.tree()->view();
  const auto fits = [](nb::handle array, int columns) { return array.is_none() || are_rows(array, 1, columns); };
  if (!fits(start, tree.nq) || !fits(most, tree.nv) || !fits(speed, tree.nv)) raise_edited(core.model);
  Walk walk(core, targets, start, most, speed, times);
  {
    const nb::gil_scoped_release unlocked;
    walk.run(jumps, thorough);
    if (position > 0.0) walk.refine(position, rotation);
  }
  return walk.result();
}

}  // namespace

void bind_path(nb::module_& m) {
  m.def("_follow", follow, nb::arg("core"), nb::arg("targets"), nb::arg("start").none(), nb::arg("most").none(),
        nb::arg("speed").none(), nb::arg("times").none(), nb::arg("jumps"), nb::arg("thorough"), nb::arg("position"), nb::arg("rotation"),
        nb::sig("def _follow(core: ReachCore, targets: " PANTIN_ARRAY ", start: " PANTIN_ARRAY " | None, most: " PANTIN_ARRAY
                " | None, speed: " PANTIN_ARRAY " | None, times: " PANTIN_ARRAY
                " | None, jumps: bool, thorough: bool, position: float, rotation: float) -> tuple[" PANTIN_ARRAY ", " PANTIN_ARRAY
                ", " PANTIN_ARRAY ", " PANTIN_ARRAY ", list[tuple[int, int]], " PANTIN_ARRAY ", " PANTIN_ARRAY
                ", list[int]]"),
        "A walk along rows of twelve numbers: configurations, errors, 1 where reached, where it was blocked and why, "
        "configurations with cuts between waypoints and their places, and the waypoints that cuts do not lead to.");
}

}  // namespace pantin
