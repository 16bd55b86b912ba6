#include "fit_tracks.hpp"

#include <algorithm>
#include <cmath>

#include "fit_quaternion.hpp"

namespace pantin {

namespace {

constexpr double kWarmTurn = 1.2;  // of a step, rad
constexpr double kFine = 1e-8;     // cost of a unit of weight below which no fit can be told from a better one

}  // namespace

void RunningMedian::add(double cost) {
  if (costs_.size() == kWindow) {
    order_.erase(std::lower_bound(order_.begin(), order_.end(), costs_[oldest_]));
    costs_[oldest_] = cost;
    oldest_ = (oldest_ + 1) % kWindow;
  } else {
    costs_.push_back(cost);
  }
  order_.insert(std::upper_bound(order_.begin(), order_.end(), cost), cost);
}

FitTracks::FitTracks(const FitTask& task, int lanes, std::function<const FitTrack*()> next_track,
                     std::function<bool(std::ptrdiff_t)> go_on)
    : task_(task), plan_(task.body->view()), next_track_(std::move(next_track)), go_on_(std::move(go_on)),
      probe_(plan_, *task.sources, *task.settings),
      seen_(*task.body, *task.sources, *task.settings, *task.rules), lanes_(lanes),
      nsources_(task.sources->npoints + task.sources->ncameras),
      nmisfits_(nsources_ * plan_.njoints + task.sources->nturns + task.sources->nties) {
  if (!is_convex(task.sources->loss)) robust_.emplace(*task.body, *task.sources, *task.settings);
  for (Lane& lane : lanes_) {
    for (Answer* answer : {&lane.best, &lane.trial}) {
      answer->state.q.resize(plan_.ndofs);
      answer->misfits.resize(nmisfits_);
      answer->costs.resize(nsources_ + 3);
    }
    lane.seen.resize(plan_.ndofs);
    lane.gap.resize(plan_.ndofs);
  }
}

std::vector<FitStart> FitTracks::starts_of(std::ptrdiff_t frame, const FitLane& rows) {
  Lane& lane = lanes_.front();
  lane.frame = frame;
  load(lane, rows);
  return cold(rows);
}

FitStart first_start(const FitTask& task, std::ptrdiff_t frame) {
  FitProbe rows(task.body->view(), *task.sources, *task.settings);
  FitTracks tracks(task, 1, [] { return nullptr; }, [](std::ptrdiff_t) { return false; });
  return tracks.starts_of(frame, rows.rows()).front();
}

bool FitTracks::next(void* self, int lane, const FitOutcome* outcome, const FitLane& rows) {
  FitTracks& tracks = *static_cast<FitTracks*>(self);
  return tracks.next(tracks.lanes_[lane], outcome, rows);
}

FitRival FitTracks::rival(void* self) {
  const Lane& lane = static_cast<FitTracks*>(self)->lanes_.front();
  if (!lane.any || lane.best.outcome.end != FitEnd::kConverged) return {nullptr, nullptr};
  return {lane.best.state.root, lane.best.state.q.data()};
}

bool FitTracks::next(Lane& lane, const FitOutcome* outcome, const FitLane& rows) {
  if (outcome) {
    read(lane.trial, *outcome, rows);
    const FitEnd end = lane.trial.outcome.end;
    const bool better = end != FitEnd::kFailed && end != FitEnd::kBeaten &&
                        lane.trial.outcome.cost < lane.best.outcome.cost;
    if (!lane.any || better) std::swap(lane.best, lane.trial);
    lane.any = true;
  }
  for (;;) {
    if (lane.any && ((outcome && outcome->end == FitEnd::kDeadline) || !go_on_(0))) lane.starts.clear();
    if (!lane.starts.empty()) {
      if (lane.any && task_.sources->ncameras) load(lane, rows);  // what another start had behind a camera
      load_start(lane, lane.starts.back(), rows);
      lane.starts.pop_back();
      return true;
    }
    if (lane.any) {
      if (!lane.cold && !lane.restarted && is_doubtful(lane)) {
        lane.restarted = true;
        if (task_.sources->ncameras) load(lane, rows);
        lane.starts = cold(rows);
        ease_in(lane, rows);
        continue;
      }
      commit(lane);
      lane.any = false;
      ++lane.frame;
    }
    if (!lane.track || lane.frame == lane.track->end) {
      lane.track = next_track_();
      if (!lane.track) return false;
      begin(lane, *lane.track);
    }
    if (!go_on_(1)) {
      lane.track = nullptr;
      return false;
    }
    if (!begin_frame(lane, rows)) rest(lane);
  }
}

void FitTracks::begin(Lane& lane, const FitTrack& track) {
  lane.frame = track.begin;
  lane.known = track.continues ? 1 : 0;
  lane.last_cost = 0.0;
  lane.last = track.start ? *track.start : task_.neutral;
  lane.median.clear();
  lane.pattern.clear();
  lane.met.clear();
  std::fill(lane.seen.begin(), lane.seen.end(), true);
}

// Starts of a cold fit of the frame in the rows.
std::vector<FitStart> FitTracks::cold(const FitLane& rows) {
  return cold_starts(probe_, *task_.body, *task_.sources, *task_.rules, task_.neutral, rows);
}

// Loads a frame and its starts; false where nothing is seen.
bool FitTracks::begin_frame(Lane& lane, const FitLane& rows) {
  lane.restarted = false;
  const bool given = lane.track->start && lane.frame == lane.track->begin;
  lane.cold = lane.known == 0 && !given;
  if (!load(lane, rows)) return false;
  if (lane.cold) {
    lane.starts = cold(rows);
    std::reverse(lane.starts.begin(), lane.starts.end());
  } else {
    lane.starts.push_back(warm_start(lane));
  }
  look_up_seen(lane, lane.starts.back(), rows);
  load_prior(lane, rows);
  if (lane.cold) ease_in(lane, rows);
  return true;
}

// The observations of a frame, missing ones as 0 with weight 0; false where all are missing.
bool FitTracks::load(Lane& lane, const FitLane& rows) {
  const FitObserved& observed = *task_.observed;
  const FitRules& rules = *task_.rules;
  const std::size_t stride = rows.stride;
  const int njoints = plan_.njoints;
  const double per_length = 1.0 / task_.body->length();
  const std::vector<int>& joints = task_.body->joints();
  std::vector<bool>& pattern = lane.pattern;
  lane.changed = pattern.size() != std::size_t(nmisfits_);
  pattern.resize(nmisfits_);
  int at = 0;
  double total = 0.0;
  // The weight of an observation, or 0 where one of its numbers is missing.
  const auto weigh = [&](const FitRows& weights, int k, const double* numbers, int n) {
    double w = weights.numbers ? *weights.at(lane.frame, k) : 1.0;
    if (!(w > 0.0)) return 0.0;
    for (int i = 0; i < n; ++i)
      if (!std::isfinite(numbers[i])) return 0.0;
    return w;
  };
  const auto note = [&](double w) {
    const bool seen = w > 0.0;
    lane.changed |= pattern[at] != seen;
    pattern[at++] = seen;
  };
  for (std::size_t s = 0; s < observed.points.size(); ++s) {
    const FitSource& source = observed.points[s];
    const int columns = task_.sources->flat[s] ? 2 : 3;
    for (int k = 0; k < njoints; ++k) {
      const double* const given = source.positions.at(lane.frame, joints[k]);
      const double w = rules.point_scale[k] * weigh(source.weights, joints[k], given, columns);
      double* const row = rows.points + 4 * (s * njoints + k) * stride;
      for (int i = 0; i < 3; ++i) row[i * stride] = w > 0.0 && i < columns ? given[i] * per_length : 0.0;
      row[3 * stride] = w;
      total += w;
      note(w);
    }
  }
  for (std::size_t s = 0; s < observed.cameras.size(); ++s) {
    const FitSource& source = observed.cameras[s];
    for (int k = 0; k < njoints; ++k) {
      const double* const given = source.positions.at(lane.frame, joints[k]);
      const double w = rules.point_scale[k] * weigh(source.weights, joints[k], given, 2);
      double* const row = rows.pixels + 3 * (s * njoints + k) * stride;
      for (int i = 0; i < 2; ++i) row[i * stride] = w > 0.0 ? given[i] : 0.0;
      row[2 * stride] = w;
      total += rules.camera_weight * w;
      note(w);
    }
    const double* const pose = source.poses.at(lane.frame, 0);
    for (int i = 0; i < 12; ++i) rows.poses[(12 * s + i) * stride] = i < 9 ? pose[i] : pose[i] * per_length;
  }
  for (int i = 0; i < task_.sources->nturns; ++i) {
    const double* const given = observed.turns.positions.at(lane.frame, i);
    const double w = rules.turn_scale[i] * weigh(observed.turns.weights, i, given, 9);
    for (int k = 0; k < 9; ++k) rows.turns[(10 * i + k) * stride] = w > 0.0 ? given[k] : (k % 4 == 0 ? 1.0 : 0.0);
    rows.turns[(10 * i + 9) * stride] = w;
    total += w;
    note(w);
  }
  for (int i = 0; i < task_.sources->nties; ++i) {
    const double* const given = observed.ties.positions.at(lane.frame, i);
    const double w = rules.tie_scale[i] * weigh(observed.ties.weights, i, given, 1);
    rows.ties[2 * i * rows.stride] = w > 0.0 ? *given * per_length : 0.0;
    rows.ties[(2 * i + 1) * rows.stride] = w;
    total += w;
    note(w);
  }
  *rows.weight = total / rules.weight;
  return total > 0.0;
}

// Where a loss is not convex the starts of a cold fit become those that milder losses lead to from them.
void FitTracks::ease_in(Lane& lane, const FitLane& rows) {
  if (!robust_) return;
  for (FitStart& start : lane.starts) start = within(lane, std::move(start));
  lane.starts = robust_->of(lane.starts, rows);
  std::reverse(lane.starts.begin(), lane.starts.end());
}

// The start with its freedoms within their limits, and those that are prescribed as they are.
FitStart FitTracks::within(const Lane& lane, FitStart start) const {
  for (int j = 0; j < plan_.ndofs; ++j) {
    const FitDof& dof = plan_.dofs[j];
    if (!dof.fixed) start.q[j] = std::clamp(start.q[j], dof.lower, dof.upper);
  }
  const FitObserved& observed = *task_.observed;
  for (std::size_t i = 0; i < observed.prescribed_dofs.size(); ++i)
    start.q[observed.prescribed_dofs[i]] =
        task_.body->in_kernel_unit(observed.prescribed_dofs[i], *observed.prescribed.at(lane.frame, int(i)));
  return start;
}

void FitTracks::load_start(const Lane& lane, const FitStart& start, const FitLane& rows) {
  const FitStart to = within(lane, start);
  *rows.farthest = lane.known == 0 || lane.restarted ? kColdTurn : kWarmTurn;
  for (int i = 0; i < 7; ++i) rows.root[i * rows.stride] = to.root[i];
  for (int j = 0; j < plan_.ndofs; ++j) rows.q[j * rows.stride] = to.q[j];
}

// Looked up anew where other observations are missing than before.
void FitTracks::look_up_seen(Lane& lane, const FitStart& start, const FitLane& rows) {
  if (!lane.changed) return;
  lane.seen = seen_.at(lane.pattern, start, rows, lane.met);
  lane.gap = seen_.gaps(lane.pattern, lane.seen);
}

// Freedoms that nothing shows are pulled to where they were, where gaps are held, instead of to neutral.
void FitTracks::load_prior(const Lane& lane, const FitLane& rows) {
  for (int j = 0; j < plan_.ndofs; ++j) {
    const bool hold = task_.rules->hold_gaps && lane.known > 0 && lane.gap[j];
    rows.centre[j * rows.stride] = hold ? lane.last.q[j] : task_.body->neutral()[j];
    rows.pull[j * rows.stride] = hold ? task_.rules->hold[j] : task_.rules->pull[j];
  }
}

// Where the frame before was, or what the last two lead to.
FitStart FitTracks::warm_start(const Lane& lane) const {
  FitStart start = lane.last;
  if (!task_.rules->predict || lane.known < 2) return start;
  const double *const now = lane.last.root, *const then = lane.before.root;
  for (int i = 0; i < 3; ++i) start.root[i] += now[i] - then[i];
  // the turn from then to now once more
  double back[4], turn[4];
  conjugate(then + 3, back);
  multiply(now + 3, back, turn);
  multiply(turn, now + 3, start.root + 3);
  for (int j = 0; j < plan_.ndofs; ++j) start.q[j] += lane.last.q[j] - lane.before.q[j];
  return start;
}

void FitTracks::read(Answer& answer, const FitOutcome& outcome, const FitLane& rows) const {
  answer.outcome = outcome;
  const auto copy = [&](const double* from, double* to, int n) {
    for (int i = 0; i < n; ++i) to[i] = from[i * rows.stride];
  };
  copy(rows.root, answer.state.root, 7);
  copy(rows.q, answer.state.q.data(), plan_.ndofs);
  copy(rows.misfits, answer.misfits.data(), nmisfits_);
  copy(rows.costs, answer.costs.data(), nsources_ + 3);
  double* const of_cameras = answer.misfits.data() + task_.sources->npoints * plan_.njoints;
  for (int k = 0; k < task_.sources->ncameras * plan_.njoints; ++k)
    if (!(rows.pixels[(3 * k + 2) * rows.stride] > 0.0)) of_cameras[k] = std::nan("");
}

// The answer to a frame in which nothing is seen: the prior's, and the root stays.
void FitTracks::rest(Lane& lane) {
  Answer& answer = lane.best;
  answer.state = lane.last;
  answer.outcome = {.cost = 0.0, .iterations = 0, .behind = 0, .end = FitEnd::kUnseen};
  std::fill(answer.costs.begin(), answer.costs.end(), 0.0);
  std::fill(answer.misfits.begin(), answer.misfits.end(), 0.0);
  const FitRules& rules = *task_.rules;
  for (int j = 0; j < plan_.ndofs; ++j) {
    const FitDof& dof = plan_.dofs[j];
    lane.seen[j] = dof.fixed;
    if (dof.fixed) continue;
    const bool hold = rules.hold_gaps && lane.known > 0;
    double& q = answer.state.q[j];
    const double neutral = task_.body->neutral()[j];
    if (!hold && rules.pull[j] > 0.0) q = std::clamp(neutral, dof.lower, dof.upper);
    if (!hold) answer.costs.back() += rules.pull[j] * (q - neutral) * (q - neutral);
  }
  answer.outcome.cost = answer.costs.back();
  lane.any = true;
}

// True where one objective is so far above another that no fit of the same movement explains it.
bool FitTracks::exceeds(double cost, double other) const {
  return cost > task_.rules->restart_factor * other && cost > kFine * task_.rules->weight;
}

// True where the objective is far above that of the frames before.
bool FitTracks::jumps(const Lane& lane) const {
  return lane.median.is_full() && lane.best.outcome.end != FitEnd::kUnseen &&
         exceeds(lane.best.outcome.cost, lane.median.value());
}

// True where a cold start may do better: the objective jumps, or the frame before was one that nothing explained.
bool FitTracks::is_doubtful(const Lane& lane) const {
  return jumps(lane) || (lane.known > 0 && exceeds(lane.last_cost, lane.best.outcome.cost));
}

void FitTracks::commit(Lane& lane) {
  const FitTrack& track = *lane.track;
  const std::ptrdiff_t k = lane.frame - track.begin;
  if (k < track.aside) {
    write(lane, task_.aside, track.aside_row + k);
  } else {
    write(lane, task_.found, lane.frame);
  }
  const FitEnd end = lane.best.outcome.end;
  if (end == FitEnd::kFailed) return;
  if (end == FitEnd::kUnseen) {
    lane.last = lane.best.state;
    return;
  }
  // the frame after one that nothing explains starts from the one before it
  if (!jumps(lane)) {
    if (lane.known > 0) std::swap(lane.before, lane.last);
    lane.last = lane.best.state;
    lane.last_cost = lane.best.outcome.cost;
    lane.known = std::min(lane.known + 1, 2);
  }
  lane.median.add(lane.best.outcome.cost);
}

void FitTracks::write(const Lane& lane, const FitFound& found, std::ptrdiff_t row) const {
  const Answer& answer = lane.best;
  const double length = task_.body->length();
  const int K = plan_.njoints, N = plan_.ndofs;
  double* const q = found.root_quat + 4 * row;
  for (int i = 0; i < 3; ++i) found.root_pos[3 * row + i] = length * answer.state.root[i];
  q[0] = answer.state.root[6];
  for (int i = 0; i < 3; ++i) q[1 + i] = answer.state.root[3 + i];
  for (int j = 0; j < N; ++j) {
    const FitDof& dof = plan_.dofs[j];
    const std::ptrdiff_t at = N * row + task_.body->dofs()[j];
    const double value = answer.state.q[j];
    const int side = !dof.bounded || dof.fixed ? 0 : value <= dof.lower ? -1 : value >= dof.upper ? 1 : 0;
    found.dofs[at] = side ? task_.body->limit(j, side) : task_.body->within(j, value);
    found.at_limit[at] = static_cast<std::int8_t>(side);
    found.seen[at] = lane.seen[j];
  }
  for (int s = 0; s < nsources_; ++s) {
    const double unit = s < task_.sources->npoints ? length : 1.0;
    const double squared = s < task_.sources->npoints ? task_.sources->point_unit[s]
                                                      : task_.sources->camera_unit[s - task_.sources->npoints];
    for (int k = 0; k < K; ++k) {
      const int from = s * K + k;
      const std::ptrdiff_t to = nmisfits_ * row + s * K + task_.body->joints()[k];
      const bool seen = lane.pattern[from];
      found.misfits[to] = seen ? unit * std::sqrt(answer.misfits[from]) : std::nan("");
      found.outlier[to] = seen && squared * answer.misfits[from] > task_.rules->outlier_from;
    }
  }
  for (int from = nsources_ * K; from < nmisfits_; ++from) {
    const bool tie = from >= nsources_ * K + task_.sources->nturns, seen = lane.pattern[from];
    const double unit = tie ? length : 1.0, squared = tie ? task_.sources->tie_unit : 1.0;
    found.misfits[nmisfits_ * row + from] = seen ? unit * std::sqrt(answer.misfits[from]) : std::nan("");
    found.outlier[nmisfits_ * row + from] = seen && squared * answer.misfits[from] > task_.rules->outlier_from;
  }
  std::copy(answer.costs.begin(), answer.costs.end(), found.costs + (nsources_ + 3) * row);
  found.status[row] = static_cast<std::int8_t>(answer.outcome.end);
  found.iterations[row] = answer.outcome.iterations;
  found.behind[row] = answer.outcome.behind;
  found.restarted[row] = lane.restarted;
}

}  // namespace pantin
