// Fits for Python: a plan and what is asked of it, and the tracks of a recording.
#include <nanobind/stl/string.h>

#include <atomic>
#include <cstring>

#include "fit_single.hpp"
#include "pantin/kernels/table.hpp"
#include "solving.hpp"

namespace pantin {

namespace {

template <class Number>
constexpr int kNumpyType = NPY_DOUBLE;
template <>
constexpr int kNumpyType<bool> = NPY_BOOL;
template <>
constexpr int kNumpyType<std::int8_t> = NPY_INT8;
template <>
constexpr int kNumpyType<std::int32_t> = NPY_INT32;
template <>
constexpr int kNumpyType<std::int64_t> = NPY_INT64;

// Numbers of a C-ordered array of that type with so many entries.
template <class Number>
Number* entries(nb::handle array, std::size_t n, const char* name) {
  auto* const object = reinterpret_cast<PyArrayObject*>(array.ptr());
  if (!PyArray_Check(array.ptr()) || PyArray_TYPE(object) != kNumpyType<Number> || !PyArray_ISCARRAY_RO(object) ||
      std::size_t(PyArray_SIZE(object)) != n)
    throw nb::type_error(name);
  return static_cast<Number*>(PyArray_DATA(object));
}

// Rows of an array with a frame axis of at least so many, a second one, and perhaps numbers that lie side by side; any
// strides else.
FitRows rows_of(nb::handle array, std::ptrdiff_t frames) {
  if (array.is_none()) return {};
  auto* const object = reinterpret_cast<PyArrayObject*>(array.ptr());
  if (!PyArray_Check(array.ptr()) || PyArray_TYPE(object) != NPY_DOUBLE || PyArray_NDIM(object) < 2 ||
      !PyArray_ISALIGNED(object) ||
      (PyArray_NDIM(object) > 2 && PyArray_DIM(object, 2) > 1 && PyArray_SIZE(object) > 0 &&
       PyArray_STRIDE(object, 2) != sizeof(double)))
    throw nb::type_error("expected rows of numbers");
  if (PyArray_DIM(object, 0) < frames) throw nb::index_error("a source has fewer frames than are asked for");
  return {static_cast<const double*>(PyArray_DATA(object)), PyArray_STRIDE(object, 0) / npy_intp(sizeof(double)),
          PyArray_STRIDE(object, 1) / npy_intp(sizeof(double))};
}

FitSource source_of(nb::handle given, std::ptrdiff_t frames) {
  return {rows_of(given[0], frames), rows_of(given[1], frames),
          nb::len(given) > 2 ? rows_of(given[2], frames) : FitRows{}};
}

class FitCore {
 public:
  explicit FitCore(const nb::kwargs& given);
  std::ptrdiff_t run(const nb::kwargs& given) const;
  nb::object aligned(const nb::kwargs& given) const;
  nb::object solve_one(nb::handle points, nb::handle weights, nb::handle root_pos, nb::handle root_quat,
                       nb::handle dofs);

 private:
  FitStart start_of(const double* row) const;
  FitObserved observed(const nb::kwargs& given, std::ptrdiff_t frames) const;
  FitFound found_of(nb::handle arrays) const;

  std::unique_ptr<FitBody> body_;
  std::unique_ptr<bool[]> flat_;
  std::vector<double> units_;
  std::vector<CameraLens> lenses_;
  std::vector<int> turn_joints_, tie_joints_, dof_of_, prescribed_;
  FitSources sources_;
  FitSettings settings_;
  FitRules rules_;
  std::vector<double> neutral_;        // row that cold fits start from
  std::unique_ptr<FitSingle> single_;  // once a frame was asked for
};

// In the kernel's order.
std::vector<double> reordered(const double* numbers, const std::vector<int>& order) {
  std::vector<double> to;
  for (int k : order) to.push_back(numbers[k]);
  return to;
}

FitCore::FitCore(const nb::kwargs& given) {
  const auto number = [&](const char* name) { return nb::cast<double>(given[name]); };
  const auto whole = [&](const char* name) { return nb::cast<int>(given[name]); };
  const int K = whole("njoints"), N = whole("ndofs");
  const auto numbers = [&](const char* name, std::size_t n) { return entries<double>(given[name], n, name); };
  const auto count = [&](const char* name) { return int(size_of(given[name])); };
  body_ = std::make_unique<FitBody>(FitDescription{
      .njoints = K, .ndofs = N, .fixed_base = nb::cast<bool>(given["fixed_base"]), .length = number("length"),
      .parents = entries<std::int32_t>(given["parents"], K, "parents"),
      .dof_joint = entries<std::int32_t>(given["dof_joint"], N, "dof_joint"),
      .slide = entries<bool>(given["slide"], N, "slide"), .fixed = entries<bool>(given["fixed"], N, "fixed"),
      .offset_pos = numbers("offset_pos", 3 * K), .offset_rot = numbers("offset_rot", 9 * K),
      .axis = numbers("axis", 3 * N), .neutral = numbers("neutral", N), .lower = numbers("lower", N),
      .upper = numbers("upper", N), .curvature = numbers("curvature", N)});
  const int npoints = count("flat"), ncameras = count("lenses") / kLensNumbers, nturns = count("turn_joints"),
            nties = count("tie_joints") / 2;
  flat_ = std::make_unique<bool[]>(npoints + 1);
  std::copy_n(entries<bool>(given["flat"], npoints, "flat"), npoints, flat_.get());
  units_.assign(numbers("units", npoints + ncameras), numbers("units", npoints + ncameras) + npoints + ncameras);
  const double* const lenses = numbers("lenses", kLensNumbers * ncameras);
  for (int i = 0; i < ncameras; ++i) lenses_.push_back(lens_of(lenses + kLensNumbers * i));
  std::vector<int> kernel_joint(K);
  for (int k = 0; k < K; ++k) kernel_joint[body_->joints()[k]] = k;
  for (int i = 0; i < nturns; ++i)
    turn_joints_.push_back(kernel_joint[entries<std::int32_t>(given["turn_joints"], nturns, "turn_joints")[i]]);
  for (int i = 0; i < 2 * nties; ++i)
    tie_joints_.push_back(kernel_joint[entries<std::int32_t>(given["tie_joints"], 2 * nties, "tie_joints")[i]]);
  const Loss loss = static_cast<Loss>(whole("loss"));
  sources_ = {.npoints = npoints, .ncameras = ncameras, .nturns = nturns, .nties = nties, .flat = flat_.get(),
              .point_unit = units_.data(), .camera_unit = units_.data() + npoints, .lenses = lenses_.data(),
              .turn_joint = turn_joints_.data(), .tie_joint = tie_joints_.data(), .tie_unit = number("tie_unit"), .loss = loss,
              .delta = number("delta"), .near = number("near"),
              .plain = nb::cast<bool>(given["plain"])};
  settings_ = {.max_iterations = whole("max_iterations"), .position_tolerance = number("position_tolerance"),
               .angle_tolerance = number("angle_tolerance"), .cost_tolerance = number("cost_tolerance"),
               .damping = number("damping"), .per_length = number("gradient_per_length"),
               .whole_weight = number("weight"),
               .clock = given["time_limit"].is_none() ? nullptr : now,
               .time_limit = given["time_limit"].is_none() ? 0 : (long long)(1e9 * number("time_limit"))};
  rules_ = {.point_scale = reordered(numbers("point_scale", K), body_->joints()),
            .turn_scale = {}, .tie_scale = {}, .pull = reordered(numbers("pull", N), body_->dofs()),
            .hold = reordered(numbers("hold", N), body_->dofs()), .weight = number("weight"),
            .camera_weight = number("camera_weight"), .seen_from = number("seen_from"),
            .restart_factor = number("restart_factor"), .outlier_from = number("outlier_from"),
            .hold_gaps = nb::cast<bool>(given["hold_gaps"]), .predict = nb::cast<bool>(given["predict"]),
            .align = nb::cast<bool>(given["align"]), .starts = whole("starts"),
            .random_seed = nb::cast<std::uint64_t>(given["random_seed"])};
  const double* const neutral = numbers("start", 7 + N);
  neutral_.assign(neutral, neutral + 7 + N);
  rules_.turn_scale.assign(numbers("turn_scale", nturns), numbers("turn_scale", nturns) + nturns);
  rules_.tie_scale.assign(numbers("tie_scale", nties), numbers("tie_scale", nties) + nties);
  dof_of_.resize(N);
  for (int j = 0; j < N; ++j) dof_of_[body_->dofs()[j]] = j;
  for (int i = 0; i < count("prescribed"); ++i)
    prescribed_.push_back(dof_of_[entries<std::int32_t>(given["prescribed"], count("prescribed"), "prescribed")[i]]);
}

// Of a row (root position, quaternion w, x, y, z, freedoms) in the user's order and units.
FitStart FitCore::start_of(const double* row) const {
  const double per_length = 1.0 / body_->length();
  FitStart start{{row[0] * per_length, row[1] * per_length, row[2] * per_length, row[4], row[5], row[6], row[3]},
                 reordered(row + 7, body_->dofs())};
  for (int j = 0; j < body_->view().ndofs; ++j) start.q[j] = body_->in_kernel_unit(j, start.q[j]);
  return start;
}

FitFound FitCore::found_of(nb::handle arrays) const {
  if (arrays.is_none()) return {};
  const std::size_t T = PyArray_DIM(reinterpret_cast<PyArrayObject*>(nb::object(arrays["root_pos"]).ptr()), 0);
  const std::size_t K = body_->view().njoints, N = body_->view().ndofs, S = sources_.npoints + sources_.ncameras;
  const std::size_t misfits = S * K + sources_.nturns + sources_.nties;
  const auto get = [&]<class Number>(const char* name, std::size_t columns, Number*& to) {
    to = entries<Number>(nb::object(arrays[name]), T * columns, name);
  };
  FitFound found;
  get("root_pos", 3, found.root_pos);
  get("root_quat_wxyz", 4, found.root_quat);
  get("dofs", N, found.dofs);
  get("costs", S + 3, found.costs);
  get("misfits", misfits, found.misfits);
  get("outlier", misfits, found.outlier);
  get("status_code", 1, found.status);
  get("at_limit", N, found.at_limit);
  get("iterations", 1, found.iterations);
  get("behind_camera", 1, found.behind);
  get("seen", N, found.seen);
  get("restarted", 1, found.restarted);
  return found;
}

// Observations of at least so many frames.
FitObserved FitCore::observed(const nb::kwargs& given, std::ptrdiff_t frames) const {
  FitObserved observed;
  for (nb::handle source : nb::borrow<nb::sequence>(given["points"])) observed.points.push_back(source_of(source, frames));
  for (nb::handle source : nb::borrow<nb::sequence>(given["cameras"]))
    observed.cameras.push_back(source_of(source, frames));
  if (sources_.nturns) observed.turns = source_of(given["turns"], frames);
  if (sources_.nties) observed.ties = source_of(given["ties"], frames);
  if (observed.points.size() != std::size_t(sources_.npoints) || observed.cameras.size() != std::size_t(sources_.ncameras))
    throw nb::value_error("other sources than the fit is for");
  return observed;
}

// The first start of a cold fit of one frame, as a row.
nb::object FitCore::aligned(const nb::kwargs& given) const {
  const auto frame = nb::cast<std::ptrdiff_t>(given["frame"]);
  if (frame < 0) throw nb::index_error("frames count from 0");
  const FitObserved seen = observed(given, frame + 1);
  const std::size_t width = 7 + body_->view().ndofs;
  const FitTask task{.body = body_.get(), .sources = &sources_, .settings = &settings_, .rules = &rules_,
                     .observed = &seen, .neutral = start_of(entries<double>(given["neutral"], width, "neutral")),
                     .found = {}, .aside = {}};
  const FitStart start = first_start(task, frame);
  const nb::object row = new_numbers({npy_intp(width)});
  double* const to = numbers_of(row);
  for (int i = 0; i < 3; ++i) to[i] = body_->length() * start.root[i];
  to[3] = start.root[6];
  std::copy_n(start.root + 3, 3, to + 4);
  for (int j = 0; j < body_->view().ndofs; ++j) to[7 + body_->dofs()[j]] = body_->in_user_unit(j, start.q[j]);
  return row;
}

std::ptrdiff_t FitCore::run(const nb::kwargs& given) const {
  const nb::object table = nb::borrow(given["tracks"]), starts = nb::borrow(given["starts"]);
  const std::size_t ntracks = size_of(table) / 6;
  const std::int64_t* const row = entries<std::int64_t>(table, 6 * ntracks, "tracks");
  std::int64_t frames = 0;
  for (std::size_t i = 0; i < ntracks; ++i) frames = std::max(frames, row[6 * i + 1]);
  FitObserved observed = this->observed(given, frames);
  observed.prescribed_dofs = prescribed_;
  observed.prescribed = rows_of(given["prescribed"], frames);

  const std::size_t width = 7 + body_->view().ndofs;
  const FitTask task{.body = body_.get(), .sources = &sources_, .settings = &settings_, .rules = &rules_,
                     .observed = &observed, .neutral = start_of(entries<double>(given["neutral"], width, "neutral")),
                     .found = found_of(given["found"]), .aside = found_of(given["aside"])};
  std::vector<FitStart> given_starts;
  const std::size_t nstarts = starts.is_none() ? 0 : size_of(starts) / width;
  for (std::size_t i = 0; i < nstarts; ++i)
    given_starts.push_back(start_of(entries<double>(starts, nstarts * width, "starts") + i * width));
  std::vector<FitTrack> tracks;
  std::ptrdiff_t total = 0;
  for (std::size_t i = 0; i < ntracks; ++i) {
    const std::int64_t* const r = row + 6 * i;
    tracks.push_back({r[0], r[1], r[2], r[3], r[4] < 0 ? nullptr : &given_starts.at(r[4]), r[5] != 0});
    total += r[1] - r[0];
  }

  const nb::object progress = nb::borrow(given["progress"]);
  const bool wide = nb::cast<bool>(given["wide"]);
  const int lanes = wide ? kernels().lanes : 1;
  const std::size_t most = (ntracks + lanes - 1) / lanes;
  const std::size_t workers = std::clamp<std::size_t>(nb::cast<int>(given["threads"]), 1, std::max<std::size_t>(most, 1));
  std::atomic<std::size_t> taken{0};
  std::atomic<std::ptrdiff_t> done{0};
  std::atomic<bool> stopped{false};
  std::exception_ptr interruption;
  const auto report = [&, looked = now()]() mutable {
    const long long time = now();
    if (time - looked < kSignalPeriod) return;
    looked = time;
    const nb::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!progress.is_none()) progress(std::ptrdiff_t(done), total);
  };
  const auto work = [&](std::size_t worker) {
    const FitKernels& kernel = kernels().fit;
    const std::size_t bytes = kernel.bytes(body_->view(), sources_, wide);
    const auto engine = aligned_scratch(bytes);
    std::memset(engine.get(), 0, bytes);
    kernel.prepare(engine.get(), body_->view(), sources_, settings_, wide);
    auto look = report;
    FitTracks all(
        task, lanes,
        [&]() -> const FitTrack* {
          const std::size_t k = taken.fetch_add(1);
          return k < ntracks ? &tracks[k] : nullptr;
        },
        [&](std::ptrdiff_t frames) {
          done.fetch_add(frames, std::memory_order_relaxed);
          if (worker == 0 && !stopped) {
            try {
              look();
            } catch (...) {
              interruption = std::current_exception();
              stopped = true;
            }
          }
          return !stopped.load(std::memory_order_relaxed);
        });
    kernel.run(engine.get(), all.supply(), wide);
  };
  {
    const nb::gil_scoped_release unlocked;
    on_threads(workers, work, [&] { stopped = true; });
  }
  if (interruption) std::rethrow_exception(interruption);
  return done;
}

// A new array with that many entries, or none for 0 axes, and where they lie.
template <class Number>
nb::object new_entries(npy_intp n, Number*& to) {
  PyObject* const array = PyArray_EMPTY(1, &n, kNumpyType<Number>, 0);
  if (!array) throw nb::python_error();
  to = static_cast<Number*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(array)));
  return nb::steal(array);
}

// Numbers of a plain array with that shape, whose squares do not overflow; NaN may be among them. Null for others.
const double* plain_numbers(nb::handle array, int axes, npy_intp rows, npy_intp columns) {
  if (!PyArray_CheckExact(array.ptr()) || !is_plain(array.ptr())) return nullptr;
  auto* const object = reinterpret_cast<PyArrayObject*>(array.ptr());
  if (PyArray_NDIM(object) != axes || PyArray_DIM(object, 0) != rows || (axes > 1 && PyArray_DIM(object, 1) != columns))
    return nullptr;
  const double* const numbers = data_of(object);
  bool sound = true;
  for (npy_intp i = 0; i < rows * columns; ++i) sound &= !(std::abs(numbers[i]) > 1e150);
  return sound ? numbers : nullptr;
}

// The fit of one frame of points, from a state or cold: a tuple of what is found, or None where an argument is not a
// plain array and has to be looked at first.
nb::object FitCore::solve_one(nb::handle points, nb::handle weights, nb::handle root_pos, nb::handle root_quat,
                              nb::handle dofs) {
  const int K = body_->view().njoints, N = body_->view().ndofs;
  const double* const numbers = plain_numbers(points, 2, K, 3);
  const double* const given = weights.is_none() ? nullptr : plain_numbers(weights, 1, K, 1);
  if (!numbers || (!given && !weights.is_none())) return nb::none();
  std::vector<double> row(7 + N);
  if (!dofs.is_none()) {
    const double *const p = plain_numbers(root_pos, 1, 3, 1), *const q = plain_numbers(root_quat, 1, 4, 1),
                 *const x = plain_numbers(dofs, 1, N, 1);
    if (!p || !q || !x || !body_->view().free_root) return nb::none();
    const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(norm > 1e-9)) return nb::none();
    std::copy_n(p, 3, row.data());
    for (int i = 0; i < 4; ++i) row[3 + i] = q[i] / norm;
    std::copy_n(x, N, row.data() + 7);
    for (double number : row)
      if (!std::isfinite(number)) return nb::none();
  }
  FitFound found;
  double costs[4];
  std::int8_t status;
  std::int32_t iterations, behind;
  bool restarted;
  const nb::object position = new_entries(3, found.root_pos), quaternion = new_entries(4, found.root_quat),
                   freedoms = new_entries(N, found.dofs), misfits = new_entries(K, found.misfits),
                   outlier = new_entries(K, found.outlier), at_limit = new_entries(N, found.at_limit),
                   seen = new_entries(N, found.seen);
  found.costs = costs;
  found.status = &status;
  found.iterations = &iterations;
  found.behind = &behind;
  found.restarted = &restarted;
  if (!single_) single_ = std::make_unique<FitSingle>(*body_, sources_, settings_, rules_, start_of(neutral_.data()));
  const FitStart start = start_of(row.data());
  single_->solve(numbers, given, dofs.is_none() ? nullptr : &start, found);
  if (found.root_quat[0] < 0.0)
    for (int i = 0; i < 4; ++i) found.root_quat[i] = -found.root_quat[i];
  nb::object counted = nb::none();
  if (given) {
    double* to;
    counted = new_entries(K, to);
    for (int k = 0; k < K; ++k) {
      const double* const x = numbers + 3 * k;
      to[k] = given[k] > 0.0 && std::isfinite(x[0] + x[1] + x[2]) ? given[k] : 0.0;
    }
  }
  return nb::make_tuple(position, quaternion, freedoms, misfits, outlier, at_limit, seen, counted, costs[0], costs[3],
                        int(status), iterations);
}

}  // namespace

void bind_fit(nb::module_& m) {
  nb::class_<FitCore>(m, "FitCore", "A body plan bound to what is observed of it and to how it is fitted.")
      .def(nb::init<const nb::kwargs&>(), nb::sig("def __init__(self, **given: object) -> None"))
      .def("aligned", &FitCore::aligned, nb::sig("def aligned(self, **given: object) -> " PANTIN_ARRAY),
           "Where the cold fit of a frame starts, as a row.")
      .def("solve_one", &FitCore::solve_one, nb::arg("points").none(), nb::arg("weights").none(),
           nb::arg("root_pos").none(), nb::arg("root_quat").none(), nb::arg("dofs").none(),
           nb::sig("def solve_one(self, points: object, weights: object, root_pos: object, root_quat: object, "
                   "dofs: object) -> tuple[typing.Any, ...] | None"),
           "The fit of one frame of points; None where an argument is no plain array.")
      .def("run", &FitCore::run, nb::sig("def run(self, **given: object) -> int"),
           "Fit the tracks of a recording; returns how many frames were begun.");
}

}  // namespace pantin
