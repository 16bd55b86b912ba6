// What Python's tasks are underneath: the live numbers that the core reads at each call.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>

#include "pantin/solve/tasks/task.hpp"

namespace pantin {

namespace nb = nanobind;

// Index of a kind by its name, or a ValueError that lists them.
int kind_of(const char* name, const char* const* kinds, int count);

// Numbers that an object holds at this moment: a float64 vector's, or a pose's twelve. Null for none, or for what was
// made unreadable behind our back.
struct Live {
  const double* numbers = nullptr;
  int count = 0;
};
Live live(nb::handle object);

class TaskBase {
 public:
  explicit TaskBase(const char* kind);

  TaskKind kind;
  double gain = 1.0, lm_damping = 0.0;
  int priority = 0;
  nb::object cost = nb::none();     // None, a float, or a float64 vector
  nb::object target = nb::none();   // None, an SE3, or a float64 vector
  nb::object numbers = nb::none();  // None, or a float64 vector
  nb::object frames;                // tuple of names
  std::uint64_t version = 0;        // counts the changes of what a compiled step depends on
  double cost_value = 1.0;          // where the cost is one number for all rows

  void set_cost(nb::handle value);
};

class LimitBase {
 public:
  explicit LimitBase(const char* kind);

  LimitKind kind;
  double gain = 1.0;
  nb::object indices = nb::none();   // int32 vector: entries of a velocity that it bounds
  nb::object limited = nb::none();   // the same size: nonzero where it counts even if it leaves no room; None for nowhere
  nb::object most = nb::none();      // JointVector or float64 vector (nv,): velocities or accelerations
  nb::object previous = nb::none();  // float64 vector (nv,): the last displacement
  double previous_dt = 0.0;          // and how long it took, s; 0 where that is not known
  nb::object lower = nb::none(), upper = nb::none();  // JointVector or float64 vector (nq,)
  std::uint64_t version = 0;
};

}  // namespace pantin
