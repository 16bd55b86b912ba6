#include "fit_robust.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fit_rows.hpp"

namespace pantin {

namespace {

constexpr int kLeftOut = 3;
constexpr double kCalm = 1.0 / 3.0;    // of the scale squared: where every loss is convex
constexpr int kIterations = 12;        // of a fit that is a start alone, at most
constexpr long long kTimeShare = 16;   // of the time for a frame, for each of them

FitSettings brief(FitSettings settings) {
  settings.max_iterations = std::min(settings.max_iterations, kIterations);
  settings.time_limit /= kTimeShare;
  return settings;
}

// One fit of an engine that is not wide: hands over one frame, and keeps what comes back.
struct OneFit {
  FitProbe& probe;
  const FitStart& start;
  FitOutcome outcome{};

  static bool next(void* self, int, const FitOutcome* outcome, const FitLane&) {
    OneFit& fit = *static_cast<OneFit*>(self);
    if (outcome) {
      fit.outcome = *outcome;
      return false;
    }
    fit.probe.set(fit.start);
    return true;
  }

  bool run() {
    probe.run({.self = this, .next = next});
    return outcome.end != FitEnd::kFailed;
  }
};

// The state that is lowest of those that an engine finds from the starts; false where it fails from each. `load` gives it
// the frame, `keep` sees it where it is lower than before.
template <class Load, class Keep>
bool lowest(FitProbe& probe, const std::vector<FitStart>& starts, Load&& load, Keep&& keep, FitStart& state) {
  double least = INFINITY;
  for (const FitStart& start : starts) {
    load(probe.rows());
    OneFit fit{probe, start};
    if (!fit.run() || !(fit.outcome.cost < least)) continue;
    least = fit.outcome.cost;
    state = probe.state();
    keep(probe);
  }
  return least < INFINITY;
}

// Joints whose observations are farthest off, the worst first.
std::vector<int> worst_joints(const std::vector<double>& misfits) {
  std::vector<int> joints(misfits.size());
  std::iota(joints.begin(), joints.end(), 0);
  std::stable_sort(joints.begin(), joints.end(), [&](int a, int b) { return misfits[a] > misfits[b]; });
  joints.resize(std::min<std::size_t>(joints.size(), kLeftOut));
  return joints;
}

}  // namespace

RobustStarts::RobustStarts(const FitBody& body, const FitSources& sources, const FitSettings& settings)
    : plan_(body.view()), huber_(by_loss(sources, Loss::kHuber)), squares_(by_loss(sources, Loss::kLinear)),
      settings_(brief(settings)), by_huber_(plan_, huber_, settings_), by_squares_(plan_, squares_, settings_) {}

// Per joint the largest squared misfit of what is observed of it, in units of the objective, where the lane looks.
std::vector<double> RobustStarts::misfits(const FitLane& rows) const {
  const FitSources& sources = huber_;
  const int K = plan_.njoints;
  std::vector<double> worst(K);
  const double* misfit = rows.misfits;
  const auto note = [&](int joint, double weight, double unit) {
    if (weight > 0.0) worst[joint] = std::max(worst[joint], unit * *misfit);
  };
  for (int i = 0; i < sources.npoints * K; ++i, ++misfit) note(i % K, rows.points[4 * i + 3], sources.point_unit[i / K]);
  for (int i = 0; i < sources.ncameras * K; ++i, ++misfit) note(i % K, rows.pixels[3 * i + 2], sources.camera_unit[i / K]);
  for (int i = 0; i < sources.nturns; ++i, ++misfit) note(sources.turn_joint[i], rows.turns[10 * i + 9], 1.0);
  for (int i = 0; i < sources.nties; ++i, ++misfit)
    for (int end = 0; end < 2; ++end) note(sources.tie_joint[2 * i + end], rows.ties[2 * i + 1], sources.tie_unit);
  return worst;
}

void RobustStarts::leave_out(int joint, const FitLane& rows) const {
  const int K = plan_.njoints;
  for (int s = 0; s < squares_.npoints; ++s) rows.points[4 * (s * K + joint) + 3] = 0.0;
  for (int s = 0; s < squares_.ncameras; ++s) rows.pixels[3 * (s * K + joint) + 2] = 0.0;
  for (int i = 0; i < squares_.nturns; ++i)
    if (squares_.turn_joint[i] == joint) rows.turns[10 * i + 9] = 0.0;
  for (int i = 0; i < 2 * squares_.nties; ++i)
    if (squares_.tie_joint[i] == joint) rows.ties[2 * (i / 2) + 1] = 0.0;
}

std::vector<FitStart> RobustStarts::of(std::vector<FitStart> starts, const FitLane& rows) {
  std::vector<double> misfit;
  const auto keep = [&](const FitProbe& probe) { misfit = misfits(probe.rows()); };
  FitStart state;
  const auto load_huber = [&](const FitLane& to) { copy_frame(plan_, huber_, rows, to); };
  if (!lowest(by_huber_, starts, load_huber, keep, state)) return starts;
  std::vector<FitStart> found{state};
  // where nothing is far off there is nothing to leave out
  if (*std::max_element(misfit.begin(), misfit.end()) <= kCalm * huber_.delta * huber_.delta) return found;
  starts.push_back(state);
  for (int joint : worst_joints(misfit)) {
    const auto load_squares = [&](const FitLane& to) {
      copy_frame(plan_, squares_, rows, to);
      leave_out(joint, to);
    };
    if (lowest(by_squares_, starts, load_squares, [](const FitProbe&) {}, state)) found.push_back(state);
  }
  return found;
}

}  // namespace pantin
