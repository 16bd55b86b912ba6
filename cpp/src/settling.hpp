// Steps that tremble about a place they cannot settle at: when to damp them, and how hard.
#pragma once

#include <vector>

#include "curvature.hpp"
#include "pantin/solve/tasks/task.hpp"

namespace pantin {

// Gauss-Newton steps overshoot where errors stay large, as at a target out of reach, and then go to and fro for ever.
// While the question stays the same (targets, costs, gains), each step is compared with what it promised to lessen the
// error by; one that promises nothing, as limits may leave it, must not turn back on the one before. Where steps keep
// breaking their promises, the curvature that Gauss-Newton leaves out is learnt; where that does not help, damping grows,
// as in the method of Levenberg and Marquardt, and where steps then keep their promises, it shrinks again, though not to
// where it was too little. The next question begins without.
class Settling {
 public:
  // Damping of a step of this question, whose squared weighted error is known. Only a `plain` step, that bounds alone
  // hold back, goes by the curvature of the objective.
  double damping(const std::vector<TaskView>& tasks, double error2, bool plain);
  // Adds the curvature that is known to the objective of the step, whose damping is in its memory.
  void bend(StepMemory& m);
  // Takes note of a step, and of what it promised to lessen the squared weighted error by, to first order and for a gain
  // of 1.
  void take(double promised, const StepMemory& m);
  // The robot was put somewhere else.
  void forget();

 private:
  // True if nothing changed since the last look.
  bool is_same(const std::vector<TaskView>& tasks);
  void judge(double error2);
  void give_way(double error2);

  std::vector<double> question_;
  double error2_ = 0.0, promised_ = 0.0;  // of the step before
  double least_ = 0.0;                    // error so far
  std::vector<double> last_;              // displacement
  bool turned_back_ = false;              // against the one before
  Curvature curvature_;
  bool bends_ = false;
  bool may_bend_ = true;
  double gain_ = 1.0;  // the least of all tasks
  double damping_ = 0.0;
  double too_little_ = 0.0;  // damping that steps broke their promises with
  int broken_ = 0, kept_ = 0;
};

}  // namespace pantin
