// From the mode of a question to the residual that its kernels are made for.
#pragma once

#include "pantin/solve/residual.hpp"

namespace pantin::PANTIN_ISA {

// Calls f, a template over residuals, with that of a mode.
template <class F>
inline auto with_residual(ReachMode mode, F&& f) {
  switch (mode) {
    case ReachMode::kPosition:
      return f.template operator()<PositionResidual>();
    case ReachMode::kOrientation:
      return f.template operator()<OrientationResidual>();
    case ReachMode::kAxis:
      return f.template operator()<AxisResidual>();
    case ReachMode::kDirection:
      return f.template operator()<DirectionResidual>();
    case ReachMode::kPointing:
      return f.template operator()<PointingResidual>();
    case ReachMode::kWeighted:
      return f.template operator()<WeightedResidual>();
    case ReachMode::kPose:
      break;
  }
  return f.template operator()<PoseResidual>();
}

}  // namespace pantin::PANTIN_ISA
