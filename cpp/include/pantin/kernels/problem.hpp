// Entry points of the kernel for several residuals.
#pragma once

#include "pantin/solve/whole/problem.hpp"

namespace pantin {

struct WholeKernels {
  // Memory of a search, aligned to 64, is prepared once for a problem and serves any number of tasks.
  std::size_t (*search_bytes)(const WholeProblem&);
  void (*prepare)(void* search, const WholeProblem&);
  void (*answer)(void* search, const WholeTask&);
  // Stacked errors and rows of the transposed Jacobian (unknowns, rows) at the task's first seed, and the configuration
  // that a step u of the unknowns leads to from there.
  void (*derivatives)(void* search, const WholeTask&, double* e, double* J);
  void (*displace)(void* search, const WholeTask&, const double* u);
};

}  // namespace pantin
