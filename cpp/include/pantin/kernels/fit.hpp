// Entry points of the kernel that fits body plans to what is observed of them.
#pragma once

#include "pantin/solve/fit/plan.hpp"

namespace pantin {

struct FitKernels {
  // Memory of an engine, aligned to 64, prepared once: `wide` ones fit a frame in each lane, others one frame.
  std::size_t (*bytes)(const FitPlan&, const FitSources&, bool wide);
  void (*prepare)(void* engine, const FitPlan&, const FitSources&, const FitSettings&, bool wide);
  // Until the supply has no more.
  void (*run)(void* engine, const FitSupply&, bool wide);
  // Of an engine that is not wide: the rows of its lane, its keypoints, and the variances of freedoms where it looks.
  FitLane (*rows)(void* engine);
  void (*place)(void* engine);
  void (*variances)(void* engine, double* variances);
};

}  // namespace pantin
