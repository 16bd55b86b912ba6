// One differential step of Python's tasks, limits, barriers and constraints.
#pragma once

#include <string>
#include <vector>

#include "step_end.hpp"
#include "step_plan.hpp"

namespace pantin {

// Where a row of the program comes from.
struct RowSource {
  enum Kind : int { kBound, kConstraint, kLimit, kBarrier } kind;
  int index, row;
};

struct StepParts {
  Several tasks, limits, barriers, constraints;
};

// The program of one step; it is filled in order, then solved.
class StepRun {
 public:
  // `constraints` is a plan of the constraints alone, or null where there are none.
  StepRun(StepPlan& plan, StepPlan* constraints, ConfigurationBase& configuration, nb::handle python, StepParts parts,
          double dt, double damping);

  // Objective, box and rows as they stand for one level of tasks; all of them where there is one.
  void fill();
  // Damps all levels, beside the damping that is asked for.
  void damp(double more) {
    damping_ += more;
    m_.diagonal += more;
    settling_ = more;
  }
  // What constraints are missed by, squared, and what the displacement promises to lessen that by.
  double missed2() const;
  double promised_by_rows() const;
  // The displacement, left in memory().x.
  void solve();
  StepMemory& memory() { return m_; }
  const double* start() const { return q_; }

  nb::object solver = nb::none();  // of programs with rows, in place of the core's own
  StepEnd end = StepEnd::kSolved;
  int iterations = 0;
  bool contradictory = false;  // limits on single joints leave some joint nothing
  std::vector<RowSource> conflicts;

  // True where bounds are all that limits one level of the core's own tasks.
  bool is_plain() const { return sources_.empty() && plan_.python_tasks().empty() && plan_.levels().size() == 1; }
  // True where rows hold the displacement back, as far as is known.
  bool is_held_by_rows() const;
  // H, c, G, h, A, b, lower, upper as arrays.
  nb::tuple program() const;

 private:
  void objective(int level);
  void add_python_task(int index);
  void add_barrier_objectives();
  void read_rows();
  void add_inequalities(nb::handle part, const nb::object& given, RowSource source);
  void add_limit_rows(int index);
  void add_barrier_rows(int index);
  void add_constraint_rows(int index);
  void hold_level(int level);
  void add_row(const double* row, double right, RowSource source);
  void solve_level();
  void solve_with_rows();
  int least_violating();
  bool misses_rows(double part) const;
  bool solve_elsewhere();
  int rows() const { return int(sources_.size()) - nequal_; }

  StepPlan& plan_;
  StepPlan* constraints_;
  ConfigurationBase& configuration_;
  nb::handle python_;
  StepParts parts_;
  double dt_, damping_, settling_ = 0.0;
  StepMemory& m_;
  const Tree& tree_;
  double* data_;
  std::vector<double> start_;  // q at the beginning, whatever a user's own tasks do to the configuration
  const double* q_;
  std::vector<double> A_, b_;
  std::vector<RowSource> sources_;
  int nequal_ = 0, nheld_ = 0;  // equalities, and those of them that come from constraints
};

}  // namespace pantin
