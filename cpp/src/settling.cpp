#include "settling.hpp"

#include <algorithm>
#include <cstring>

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
    if (task.target) compare(task.target, target_size(task, tree));
  }
  return same;
}

double Settling::damping(const std::vector<TaskView>& tasks, const Tree& tree, double error2, double moved) {
  const bool nearer = error2 < (1.0 - kProgress) * least_;
  if (nearer && damping_ == 0.0) {
    least_ = error2;
    idle_ = 0;
    return 0.0;
  }
  if (!is_same(tasks, tree)) {
    forget();
    least_ = error2;
    return 0.0;
  }
  least_ = std::min(least_, error2);
  idle_ = nearer || moved < kResting ? 0 : idle_ + 1;
  if (idle_ >= kPatience) {
    damping_ = std::max(kGrowth * damping_, kFirst * error2);
    idle_ = 0;
  }
  return damping_;
}

}  // namespace pantin
