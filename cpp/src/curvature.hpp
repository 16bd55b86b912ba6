// What errors that stay add to the curvature of the tasks' objective, learnt from how its slope changes.
#pragma once

#include <vector>

#include "pantin/solve/tasks/task.hpp"

namespace pantin {

// Gauss-Newton steps leave out the second derivatives of the errors themselves. From one step to the next the slope
// tells of them: a positive semidefinite matrix B is kept so that H + B maps the last displacement to the change of
// slope, as in the symmetric rank-one secant update (Dennis, Gay and Welsch 1981 for the idea), as far as that bends up;
// where B bends up more than the slope does, all of it is made less.
class Curvature {
 public:
  // Learns from the slope at hand, where the last step is known, and adds B to the objective.
  void bend(StepMemory& m);
  // Takes note of a step: its slope, its displacement, and what H made of that.
  void take(const StepMemory& m);
  // Does not learn from the last step.
  void pause() { known_ = false; }
  void forget();

 private:
  void learn(const double* slope);

  std::vector<double> B_, missing_;
  std::vector<double> slope_, step_, image_;  // of the last step; the image is that by Gauss-Newton's H alone
  double added_ = 0.0;                        // to the diagonal of H, by damping
  bool known_ = false;
};

}  // namespace pantin
