#include "fit_seen.hpp"

#include <algorithm>

namespace pantin {

namespace {

constexpr double kNoCurvature = 1e-8;  // of a coordinate's own, where the data say nothing
constexpr double kWellSeen = 0.5;      // share of the weight there might be

}  // namespace

FitSeen::FitSeen(const FitBody& body, const FitSources& sources, const FitSettings& settings, const FitRules& rules)
    : body_(body), plan_(body.view()), sources_(by_loss(sources, Loss::kLinear)), rules_(rules),
      probe_(plan_, sources_, settings), variances_(plan_.ndofs) {}

const std::vector<bool>& FitSeen::at(const std::vector<bool>& pattern, const FitStart& start, const FitLane& rows,
                                     Met& met) {
  if (shows_all(pattern, rows)) {
    if (if_all_.empty()) {
      show_all();
      if_all_ = seen_at({{0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0}, body_.neutral()});
    }
    return if_all_;
  }
  const auto [entry, is_new] = met.try_emplace(pattern);
  if (is_new) {
    copy_frame(plan_, sources_, rows, probe_.rows());
    entry->second = seen_at(start);
  }
  return entry->second;
}

std::vector<bool> FitSeen::gaps(const std::vector<bool>& pattern, const std::vector<bool>& seen) const {
  const int nsources = sources_.npoints + sources_.ncameras;
  std::vector<bool> gap(plan_.ndofs), below(plan_.njoints);  // whether a keypoint further out is missing
  for (int k = plan_.njoints - 1; k >= 0; --k) {
    const FitJoint& joint = plan_.joints[k];
    for (int j = joint.first; j < joint.first + joint.ndofs; ++j) gap[j] = !seen[j] && below[k];
    bool observed = nsources == 0 || !(rules_.point_scale[k] > 0.0);
    for (int s = 0; s < nsources; ++s) observed |= pattern[s * plan_.njoints + k];
    if (joint.parent >= 0 && (below[k] || !observed)) below[joint.parent] = true;
  }
  return gap;
}

// True where points are all there is to see, and each that some freedom moves is seen, not much less than it might be.
bool FitSeen::shows_all(const std::vector<bool>& pattern, const FitLane& rows) const {
  if (sources_.npoints == 0 || sources_.ncameras + sources_.nturns + sources_.nties > 0 || *rows.weight < kWellSeen)
    return false;
  for (int k = 1; k < plan_.njoints; ++k)
    if (!pattern[k] && rules_.point_scale[k] > 0.0) return false;
  return true;
}

// All points of the first source, anywhere.
void FitSeen::show_all() {
  const FitLane& rows = probe_.rows();
  std::fill_n(rows.points, 4 * plan_.njoints * sources_.npoints, 0.0);
  for (int k = 0; k < plan_.njoints; ++k) rows.points[4 * k + 3] = rules_.point_scale[k];
  *rows.weight = 1.0;
}

// Which freedoms the data in the probe say something of, at a state.
std::vector<bool> FitSeen::seen_at(const FitStart& state) {
  const FitLane& rows = probe_.rows();
  probe_.set(state);
  std::copy(body_.neutral().begin(), body_.neutral().end(), rows.centre);
  std::copy(rules_.pull.begin(), rules_.pull.end(), rows.pull);
  probe_.variances(variances_.data());
  std::vector<bool> seen(plan_.ndofs);
  for (int j = 0; j < plan_.ndofs; ++j) {
    const double pull = rules_.pull[j], spread = variances_[j] * plan_.dofs[j].curvature * *rows.weight;
    const bool shown = pull > 0.0 ? 1.0 - pull * variances_[j] >= rules_.seen_from : spread < 1.0 / kNoCurvature;
    seen[j] = plan_.dofs[j].fixed || shown;
  }
  return seen;
}

}  // namespace pantin
