// Parts of a fit for many elements in a row: what a lens makes of points, and what losses make of misfits.
#pragma once

#include <cstddef>

#include "pantin/solve/fit/lens.hpp"
#include "pantin/solve/fit/losses.hpp"

namespace pantin {

inline constexpr int kSeenNumbers = 9;

struct FitPartKernels {
  // Points in the camera frame (3) -> pixel, derivative of u, derivative of v, depth (9)
  void (*look)(const CameraLens&, std::size_t n, const double* points, double* seen);
  // Squared misfits (1) -> loss and its two derivatives (3)
  void (*rho)(Loss, double scale, std::size_t n, const double* e2, double* losses);
};

}  // namespace pantin
