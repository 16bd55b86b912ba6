#include "settling.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace pantin {

namespace {

constexpr double kHonest = 0.05;     // of what was promised, that keeps a promise
constexpr double kVisible = 1e-13;   // of the error, below which a promise cannot be checked
constexpr double kMoving = 1e-7;     // rad or m, below which a robot counts as still
constexpr double kBack = 0.25;       // squared cosine of the angle to the way back
constexpr int kPatience = 6;         // a broken promise counts 2, a kept one that leads lower than ever takes 1 back
constexpr int kLessons = 24;         // the same, for which curvature is given time to be learnt
constexpr int kTrust = 8;            // kept promises in a row, after which damping shrinks
constexpr double kFirst = 1e-3;      // damping over the squared error, to begin with
constexpr double kGrowth = 4.0, kShrinkage = 0.5;
constexpr double kMargin = 1.5;      // over what was too little

// True for tasks whose target is a motion, which may change from step to step.
bool asks_for_motion(TaskKind kind) {
  return kind == TaskKind::kJointVelocity || kind == TaskKind::kLowAcceleration;
}

}  // namespace

bool Settling::is_same(const std::vector<TaskView>& tasks) {
  std::size_t at = 0;
  bool same = true;
  const auto compare = [&](const double* numbers, std::size_t n) {
    if (question_.size() < at + n) question_.resize(at + n);
    same = same && std::memcmp(question_.data() + at, numbers, n * sizeof(double)) == 0;
    if (!same) std::copy_n(numbers, n, question_.data() + at);
    at += n;
  };
  for (const TaskView& task : tasks) {
    const double gains[2] = {task.gain, task.lm_damping};
    compare(gains, 2);
    if (task.cost) compare(task.cost, task.cost_stride ? task.rows : 1);
    if (task.target && !asks_for_motion(task.kind)) compare(task.target, task.ntarget);
  }
  return same;
}

void Settling::forget() {
  promised_ = damping_ = too_little_ = 0.0;
  least_ = std::numeric_limits<double>::infinity();
  broken_ = kept_ = 0;
  turned_back_ = bends_ = false;
  curvature_.forget();
}

void Settling::bend(StepMemory& m) {
  if (bends_ && may_bend_) curvature_.bend(m);
}

void Settling::take(double promised, const StepMemory& m) {
  if (bends_ && may_bend_) curvature_.take(m);
  const double* const x = m.x;
  const int n = m.n;
  promised_ = promised;
  double along = 0.0, length2 = 0.0, last2 = 0.0;
  last_.resize(n, 0.0);
  for (int k = 0; k < n; ++k) {
    along += x[k] * last_[k];
    length2 += x[k] * x[k];
    last2 += last_[k] * last_[k];
  }
  turned_back_ = length2 > kMoving * kMoving && along < 0.0 && along * along > kBack * length2 * last2;
  std::copy_n(x, n, last_.data());
}

// The slopes of tasks with gains below 1 do not tell of one objective's curvature.
void Settling::give_way(double error2) {
  broken_ = 0;
  if (!bends_ && may_bend_ && gain_ == 1.0) {
    bends_ = true;
    broken_ = -kLessons;
    return;
  }
  too_little_ = damping_;
  damping_ = std::max(kGrowth * damping_, kFirst * error2);
}

void Settling::judge(double error2) {
  const bool record = error2 < least_;
  least_ = std::min(least_, error2);
  const bool visible = promised_ > kVisible * error2_;
  if (!visible && !turned_back_) return;
  if (!visible || error2_ - error2 < kHonest * gain_ * promised_) {
    kept_ = 0;
    broken_ += 2;
    if (broken_ >= kPatience) give_way(error2);
    return;
  }
  if (record && broken_ > 0) --broken_;
  if (++kept_ % kTrust == 0 && kShrinkage * damping_ >= kMargin * too_little_) damping_ *= kShrinkage;
}

double Settling::damping(const std::vector<TaskView>& tasks, double error2, bool plain) {
  may_bend_ = plain;
  if (!plain) curvature_.pause();
  gain_ = 1.0;
  for (const TaskView& task : tasks) gain_ = std::min(gain_, task.gain);
  if (is_same(tasks))
    judge(error2);
  else
    forget();
  error2_ = error2;
  promised_ = 0.0;
  return damping_;
}

}  // namespace pantin
