#include "settling.hpp"

#include <algorithm>

namespace pantin {

namespace {

constexpr int kPatience = 4;        // steps without progress
constexpr double kProgress = 1e-9;  // of the error, that counts
constexpr double kResting = 1e-8;   // rad or m, below which a robot does not move
constexpr double kFirst = 1e-4;     // damping over the squared error, to begin with
constexpr double kGrowth = 4.0;

int target_size(const TaskView& task, const Tree& tree) {
  switch (task.kind) {
    case TaskKind::kFrame:
    case TaskKind::kRelativeFrame:
    case TaskKind::kClosedLoop:
      return 12;
    case TaskKind::kPosture:
      return tree.nq;
    case TaskKind::kCom:
    case TaskKind::kLookAt:
    case TaskKind::kPivot:
      return 3;
    case TaskKind::kMomentum:
      return 6;
    case TaskKind::kHolonomic:
    case TaskKind::kDistance:
      return task.rows;
    default:
      return 0;
  }
}

}  // namespace

bool Settling::is_same(const std::vector<TaskView>& tasks, const Tree& tree) {
  asked_.clear();
  for (const TaskView& task : tasks) {
    asked_.push_back(task.gain);
    asked_.push_back(task.lm_damping);
    if (task.cost) asked_.insert(asked_.end(), task.cost, task.cost + (task.cost_stride ? task.rows : 1));
    if (task.target) asked_.insert(asked_.end(), task.target, task.target + target_size(task, tree));
  }
  const bool same = asked_ == question_;
  question_.swap(asked_);
  return same;
}

double Settling::damping(const std::vector<TaskView>& tasks, const Tree& tree, double error2, double moved) {
  if (!is_same(tasks, tree)) {
    least_ = error2;
    damping_ = 0.0;
    idle_ = 0;
    return 0.0;
  }
  const bool nearer = error2 < (1.0 - kProgress) * least_;
  least_ = std::min(least_, error2);
  idle_ = nearer || moved < kResting ? 0 : idle_ + 1;
  if (idle_ >= kPatience) {
    damping_ = std::max(kGrowth * damping_, kFirst * error2);
    idle_ = 0;
  }
  return damping_;
}

}  // namespace pantin
