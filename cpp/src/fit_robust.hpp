// Where the cold fit of a loss that is not convex starts: such a loss has minima that give up good points for a bad one.
#pragma once

#include <array>
#include <vector>

#include "fit_starts.hpp"

namespace pantin {

// Whether a loss has minima beside the lowest even where the objective of squares has none.
inline bool is_convex(Loss loss) { return loss != Loss::kCauchy && loss != Loss::kGemanMcClure; }

// Fits of one frame by milder losses.
class RobustStarts {
 public:
  RobustStarts(const FitBody& body, const FitSources& sources, const FitSettings& settings);
  RobustStarts(const RobustStarts&) = delete;

  // The Huber solution that is lowest of those from the given starts, and likewise the solutions by squares that leave
  // out one of its three worst joints: all that is observed of it, by any source. `rows` hold the frame and its prior.
  std::vector<FitStart> of(std::vector<FitStart> starts, const FitLane& rows);

 private:
  std::vector<double> misfits(const FitLane& rows) const;
  void leave_out(int joint, const FitLane& rows) const;

  const FitPlan& plan_;
  FitSources huber_, squares_;
  FitSettings settings_;
  FitProbe by_huber_, by_squares_;
};

}  // namespace pantin
