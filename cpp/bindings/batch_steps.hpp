// Differential steps of many robots: each row goes its own way, whatever the others do.
#pragma once

#include <vector>

#include "model.hpp"
#include "pantin/kernels/table.hpp"
#include "settling.hpp"
#include "step_end.hpp"
#include "threads.hpp"

namespace pantin {

// Where the targets of a task are: one for each row and step, or for several of them where a stride is 0.
struct Aims {
  const double* numbers = nullptr;  // null for what the task holds
  std::ptrdiff_t row = 0, step = 0;

  const double* at(std::size_t r, std::size_t s) const { return numbers + std::ptrdiff_t(r) * row + std::ptrdiff_t(s) * step; }
};

// What is asked: `steps` one after the other, from each of `rows` configurations.
struct StepBatch {
  TreePointer tree;
  StepView view;
  int most_rows;            // of a task
  std::vector<Aims> aims;   // of each task
  bool settles;             // damps steps that tremble
  double dt;
  std::size_t rows, steps;
  const double* q;          // (rows, nq)
  const double* before;     // (rows, nv): displacements of the steps before, or null for what tasks and limits hold
  double *q_after, *v;      // (rows, steps, nq), (rows, steps, nv)
  signed char* ends;        // (rows, steps)
};

// Steps rows of a batch, one at a time, with memory of its own.
class RowStepper {
 public:
  explicit RowStepper(const StepBatch& batch);

  // All steps of a row; asks stop() now and then, and returns false where that says so.
  template <class Stop>
  bool run(std::size_t row, Stop&& stop) {
    begin(row);
    for (std::size_t s = 0; s < batch_.steps; ++s) {
      if (++done_ % kStepsAtOnce == 0 && stop()) return false;
      step(row, s);
    }
    return true;
  }

 private:
  static constexpr unsigned kStepsAtOnce = 32;  // between questions whether to stop

  void begin(std::size_t row);
  void step(std::size_t row, std::size_t s);
  void remember(const double* displacement);

  const StepBatch& batch_;
  Data data_;
  std::unique_ptr<void, Free> room_;
  StepMemory& m_;
  std::vector<TaskView> tasks_;
  std::vector<LimitView> limits_;
  Settling settling_;
  std::vector<double> q_, last_;
  unsigned done_ = 0;
};

}  // namespace pantin
