// Entry points of the quadratic programs' kernels.
#pragma once

#include "pantin/solve/qp/problem.hpp"

namespace pantin {

struct QpKernels {
  // Memory aligned to 64 for problems of up to n unknowns and so many rows, equalities counted; any contents will do.
  std::size_t (*bounded_bytes)(int n);
  std::size_t (*general_bytes)(int n, int rows);
  std::size_t (*least_violating_bytes)(int n, int rows);
  // Within bounds alone: `held` has n entries, a guess that becomes the answer's.
  QpAnswer (*bounded)(const QpProblem&, void* memory, signed char* held, double* x);
  // With rows.
  QpAnswer (*general)(const QpProblem&, void* memory, const QpActive&, double* x);
  // Where nothing satisfies all rows: the x within the bounds with the least squares of what rows are missed by, and
  // the least objective among these.
  QpAnswer (*least_violating)(const QpProblem&, void* memory, double* x);
};

}  // namespace pantin
