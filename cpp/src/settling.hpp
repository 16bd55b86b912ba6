// Steps that tremble about a place they cannot settle at: when to damp them, and how hard.
#pragma once

#include <vector>

#include "pantin/solve/tasks/task.hpp"

namespace pantin {

// Gauss-Newton steps overshoot where errors stay large, as at a target out of reach, and then go to and fro for ever.
// While the question stays the same (targets, costs, gains), each step is compared with what it promised to lessen the
// error by; one that promises nothing, as limits may leave it, must not turn back on the one before. Where steps keep
// breaking their promises, damping grows, as in the method of Levenberg and Marquardt; where
// they keep them, it shrinks again, though not to where it was too little. The next question begins without.
class Settling {
 public:
  // Damping of a step of this question, whose squared weighted error is known.
  double damping(const std::vector<TaskView>& tasks, const Tree& tree, double error2);
  // What the step promised to lessen the squared weighted error by, to first order and for a gain of 1, and where it went.
  void take(double promised, const double* x, int n);
  // The robot was put somewhere else.
  void forget();

 private:
  // True if nothing changed since the last look.
  bool is_same(const std::vector<TaskView>& tasks, const Tree& tree);
  void judge(double error2, double gain);

  std::vector<double> question_;
  double error2_ = 0.0, promised_ = 0.0;  // of the step before
  double least_ = 0.0;                    // error so far
  std::vector<double> last_;              // displacement
  bool turned_back_ = false;              // against the one before
  double damping_ = 0.0;
  double too_little_ = 0.0;  // damping that steps broke their promises with
  int broken_ = 0, kept_ = 0;
};

}  // namespace pantin
