// Steps that tremble about a place they cannot settle at: when to damp them, and how hard.
#pragma once

#include <limits>
#include <vector>

#include "pantin/solve/tasks/task.hpp"

namespace pantin {

// Gauss-Newton steps overshoot where errors stay large, as at a target out of reach, and then go to and fro for ever.
// While the question stays the same (targets, costs, gains) the least error so far is kept; where the robot moves and
// no step lessens that for some time, damping grows, as in the method of Levenberg and Marquardt. The next question
// begins without.
class Settling {
 public:
  // Damping of a step of this question, whose squared weighted error is known. `moved` is the largest entry of the last
  // displacement.
  double damping(const std::vector<TaskView>& tasks, const Tree& tree, double error2, double moved);

  // The robot was put somewhere else.
  void forget() {
    least_ = std::numeric_limits<double>::infinity();
    damping_ = 0.0;
    idle_ = 0;
  }

 private:
  // True if nothing changed since the last look.
  bool is_same(const std::vector<TaskView>& tasks, const Tree& tree);

  std::vector<double> question_;
  double least_ = std::numeric_limits<double>::infinity();
  double damping_ = 0.0;
  int idle_ = 0;  // steps that lessened nothing
};

}  // namespace pantin
