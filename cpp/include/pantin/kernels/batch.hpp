// Entry points of the batch kernels: `first` to `last` of n problems, as many at once as there are lanes.
//
// `scratch` holds one working set of packs, `scratch_bytes` long and aligned to 64.
#pragma once

#include <cstddef>

#include "pantin/tree/tree.hpp"

namespace pantin {

struct Range {
  std::size_t first, last;
};

struct BatchKernels {
  std::size_t (*scratch_bytes)(const Tree&);
  void (*frame_placements)(const Tree&, const Path&, int frame, Range, const double* q, double* out, void* scratch);
  void (*frame_jacobians)(const Tree&, const Path&, int frame, ReferenceFrame, Range, const double* q, double* out,
                          void* scratch);
  void (*center_of_mass)(const Tree&, Range, const double* q, double* out, void* scratch);
  void (*integrate)(const Tree&, Range, const double* q, const double* v, double* out, void* scratch);
  void (*difference)(const Tree&, Range, const double* q0, const double* q1, double* out, void* scratch);
};

}  // namespace pantin
