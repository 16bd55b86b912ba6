// The way back through a lens: from a pixel to the ray that it is an image of.
#pragma once

#include "pantin/solve/fit/lens.hpp"
#include "space.hpp"

namespace pantin {

// Unit vector in the camera frame that the lens brings to a pixel. Of several such rays it is the one that a walk
// from the axis comes to; false where the lens turns back before, or no ray in front of the camera comes there.
bool ray_of(const CameraLens& lens, double u, double v, Vec& ray);

}  // namespace pantin
