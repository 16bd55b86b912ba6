// Where a cold fit starts: a body placed by points in space, points in space by several cameras, and a body placed by
// one camera. Points of which a number is not finite, or a weight not positive, are left out everywhere; where there
// are no weights all are 1.
#pragma once

#include <cstddef>

#include "pantin/solve/fit/lens.hpp"

namespace pantin {

// What points tell of a rotation.
enum class Alignment : int { kNothing, kTranslation, kLine, kWhole };

// The rigid motion x -> R x + t (R by rows) with the least weighted sum of squares |R from - to|^2. Of one or two
// points, or where all coincide, only the translation is told, and R is the identity; of points on a line, R is the
// smallest rotation that lays one line along the other.
Alignment rigid_alignment(std::size_t n, const double* from, const double* to, const double* weights, double R[9],
                          double t[3]);

// A lens, and where it is: a point X is at R X + t before it.
struct CameraPlace {
  CameraLens lens;
  double R[9], t[3];
};

// Points (n, 3) of their pixels (cameras, n, 2) with weights (cameras, n): those with the least weighted squares of
// pixels. NaN where fewer than two cameras see a point, their rays are parallel, or meet behind one of them. How many
// were found.
std::size_t triangulate(std::size_t cameras, const CameraPlace* places, std::size_t n, const double* pixels,
                        const double* weights, double* points);

// The pose of a rigid body in the camera frame, x -> R x + t (R by rows), that brings its points nearest to their
// pixels, all in front of the camera. False where fewer than four points are seen, or none was found.
bool resect(const CameraLens& lens, std::size_t n, const double* points, const double* pixels, const double* weights,
            double R[9], double t[3]);

}  // namespace pantin
