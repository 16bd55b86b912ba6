// Points in space of their pixels: where rays come nearest to each other, then Gauss and Newton's steps on pixels.
#include <cmath>
#include <limits>
#include <vector>

#include "fit_start.hpp"
#include "lens_rays.hpp"
#include "pantin/kernels/table.hpp"
#include "symmetric.hpp"

namespace pantin {

namespace {

constexpr int kSteps = 8;
// Least part of a pivot that rays must leave: they are parallel to about its root.
constexpr double kParallel = 1e-12;

// One camera's say on a point.
struct Sight {
  const CameraPlace* place;
  double u, v, weight;
};

Vec turned_back(const double R[9], Vec p) { return transposed(rotation_of(R)) * p; }

// Weighted squares of pixels with their normal equations; infinite where the point is not before a camera.
double misfit(const Sight* sights, int count, Vec X, Square<3>& A, Column<3>& b) {
  A = {};
  b = {};
  double squares = 0.0;
  for (int i = 0; i < count; ++i) {
    const auto& [place, u, v, weight] = sights[i];
    const Vec p = rotation_of(place->R) * X + Vec{place->t[0], place->t[1], place->t[2]};
    if (!(p.z > 0.0)) return std::numeric_limits<double>::infinity();
    double seen[kSeenNumbers];
    kernels().fit_parts.look(place->lens, 1, &p.x, seen);
    const double left[2] = {u - seen[0], v - seen[1]};
    for (int r = 0; r < 2; ++r) {
      const Vec slope = turned_back(place->R, {seen[2 + 3 * r], seen[3 + 3 * r], seen[4 + 3 * r]});
      const double J[3] = {slope.x, slope.y, slope.z};
      squares += weight * left[r] * left[r];
      for (int j = 0; j < 3; ++j) {
        b[j] += weight * J[j] * left[r];
        for (int k = 0; k <= j; ++k) A[j][k] += weight * J[j] * J[k];
      }
    }
  }
  return squares;
}

bool meet(const Sight* sights, int count, Vec& X) {
  // where the squared distances from the rays, weighted, are least
  Square<3> A{};
  Column<3> b{};
  int rays = 0;
  for (int i = 0; i < count; ++i) {
    const auto& [place, u, v, weight] = sights[i];
    Vec ray;
    if (!ray_of(place->lens, u, v, ray)) continue;
    ++rays;
    const Vec d = turned_back(place->R, ray), c = -turned_back(place->R, {place->t[0], place->t[1], place->t[2]});
    const Vec across = c - dot(c, d) * d;
    const double ds[3] = {d.x, d.y, d.z}, cs[3] = {across.x, across.y, across.z};
    for (int j = 0; j < 3; ++j) {
      b[j] += weight * cs[j];
      for (int k = 0; k <= j; ++k) A[j][k] += weight * ((j == k) - ds[j] * ds[k]);
    }
  }
  const auto x = solve_positive<3>(A, b, kParallel);
  if (rays < 2 || !x) return false;
  X = {(*x)[0], (*x)[1], (*x)[2]};
  return true;
}

bool find(const Sight* sights, int count, Vec& X) {
  if (count < 2 || !meet(sights, count, X)) return false;
  Square<3> A, next_A;
  Column<3> b, next_b;
  double squares = misfit(sights, count, X, A, b);
  if (!(squares < 1e300)) return false;
  for (int i = 0; i < kSteps; ++i) {
    const auto step = solve_positive<3>(A, b, kParallel);
    if (!step) break;
    const Vec next = X + Vec{(*step)[0], (*step)[1], (*step)[2]};
    const double better = misfit(sights, count, next, next_A, next_b);
    if (!(better < squares)) break;
    X = next;
    squares = better;
    A = next_A;
    b = next_b;
  }
  return true;
}

}  // namespace

std::size_t triangulate(std::size_t cameras, const CameraPlace* places, std::size_t n, const double* pixels,
                        const double* weights, double* points) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  std::vector<Sight> sights(cameras);
  std::size_t found = 0;
  for (std::size_t i = 0; i < n; ++i) {
    int count = 0;
    for (std::size_t c = 0; c < cameras; ++c) {
      const std::size_t k = c * n + i;
      const Sight sight{places + c, pixels[2 * k], pixels[2 * k + 1], weights ? weights[k] : 1.0};
      if (sight.weight > 0.0 && std::isfinite(sight.weight) && std::isfinite(sight.u) && std::isfinite(sight.v))
        sights[count++] = sight;
    }
    Vec X;
    if (find(sights.data(), count, X))
      ++found;
    else
      X = {kNaN, kNaN, kNaN};
    points[3 * i] = X.x;
    points[3 * i + 1] = X.y;
    points[3 * i + 2] = X.z;
  }
  return found;
}

}  // namespace pantin
