// Where cold fits start from.
#pragma once

#include <memory>

#include "fit_recording.hpp"
#include "pantin/kernels/fit.hpp"
#include "threads.hpp"

namespace pantin {

inline constexpr double kColdTurn = 0.5;  // of a step far from where it leads, rad

// An engine that is not wide, for looks at single frames.
class FitProbe {
 public:
  FitProbe(const FitPlan& plan, const FitSources& sources, const FitSettings& settings);
  const FitLane& rows() const { return rows_; }
  void set(const FitStart& start);
  // Where it is.
  FitStart state() const;
  // Keypoints from the root frame's origin, world axes, at a start.
  const double* keypoints(const FitStart& start);
  // Variances of the freedoms where it is set.
  void variances(double* to) { kernels_.variances(memory_.get(), to); }
  void run(const FitSupply& supply) { kernels_.run(memory_.get(), supply, false); }

 private:
  const FitPlan& plan_;
  const FitKernels& kernels_;
  std::unique_ptr<void, Free> memory_;
  FitLane rows_;
};

// The given pose, the same moved rigidly to what the rows show, and random poses there, within the limits.
std::vector<FitStart> cold_starts(FitProbe& probe, const FitBody& body, const FitSources& sources,
                                  const FitRules& rules, const FitStart& given, const FitLane& rows);

}  // namespace pantin
