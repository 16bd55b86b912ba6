// Entry points of the differential step.
#pragma once

#include "pantin/solve/qp/problem.hpp"
#include "pantin/solve/tasks/task.hpp"

namespace pantin {

struct StepKernels {
  std::size_t (*bytes)(int n, int rows);
  StepMemory* (*prepare)(void* memory, int n, int rows);
  // e (rows) and J (rows, stride) of one task; `room` takes nv numbers. Joints and screws of q are placed in data.
  void (*rows)(const Tree&, const double* q, double* data, const TaskView&, int stride, double* room, double* e, double* J);
  // H and c of all tasks of the core.
  void (*objective)(const StepView&, const double* q, double* data, StepMemory&);
  // Sum of the squared weighted errors of all tasks of the core.
  double (*squared_error)(const StepView&, const double* q, double* data, StepMemory&);
  // Weighs the rows of a task that stand in the memory's J and e, and adds them.
  void (*add_rows)(const TaskView&, StepMemory&);
  void (*box)(const StepView&, const double* q, double dt, StepMemory&);
  // The minimum within the bounds, left in x.
  QpAnswer (*bounded)(StepMemory&);
};

}  // namespace pantin
