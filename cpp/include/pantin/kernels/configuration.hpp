// Entry points of the configuration manifold's kernels.
#pragma once

#include "pantin/tree/tree.hpp"

namespace pantin {

struct ConfigurationKernels {
  void (*integrate)(const Tree&, const double* q, const double* v, double* out);
  void (*difference)(const Tree&, const double* q0, const double* q1, double* v);
  void (*d_difference)(const Tree&, const double* q0, const double* q1, int argument, double* out);
  void (*d_integrate)(const Tree&, const double* v, int argument, double* out);
};

}  // namespace pantin
