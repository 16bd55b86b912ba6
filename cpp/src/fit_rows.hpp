// A frame's observations on the way from the lane of one engine to that of another.
#pragma once

#include "pantin/solve/fit/plan.hpp"

namespace pantin {

// The same sources by another loss. Rows stay as they are: what is plain by squares has its unit in the weights.
inline FitSources by_loss(const FitSources& sources, Loss loss) {
  FitSources other = sources;
  other.loss = loss;
  other.plain = sources.plain && loss == Loss::kLinear;
  return other;
}

// The observations, the prior and the weight; not where the lane looks.
inline void copy_frame(const FitPlan& plan, const FitSources& sources, const FitLane& from, const FitLane& to) {
  const auto copy = [&](const double* row, double* to_row, int n) {
    for (int i = 0; i < n; ++i) to_row[i * to.stride] = row[i * from.stride];
  };
  copy(from.points, to.points, 4 * plan.njoints * sources.npoints);
  copy(from.pixels, to.pixels, 3 * plan.njoints * sources.ncameras);
  copy(from.poses, to.poses, 12 * sources.ncameras);
  copy(from.turns, to.turns, 10 * sources.nturns);
  copy(from.ties, to.ties, 2 * sources.nties);
  copy(from.centre, to.centre, plan.ndofs);
  copy(from.pull, to.pull, plan.ndofs);
  *to.weight = *from.weight;
}

}  // namespace pantin
