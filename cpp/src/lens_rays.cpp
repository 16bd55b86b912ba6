#include "lens_rays.hpp"

#include <algorithm>

#include "pantin/kernels/table.hpp"

namespace pantin {

namespace {

// The lens at a ray: how far its pixel is from another, and the shortest change of the ray that brings it there to
// first order.
struct Look {
  double left;
  Vec change;
  bool upright;  // the image is not turned over: rays one beside the other are pixels one beside the other
};

Look look(const CameraLens& lens, Vec ray, double u, double v) {
  double seen[kSeenNumbers];
  kernels().fit_parts.look(lens, 1, &ray.x, seen);
  const Vec du{seen[2], seen[3], seen[4]}, dv{seen[5], seen[6], seen[7]};
  const double a = dot(du, du), b = dot(du, dv), c = dot(dv, dv), ru = u - seen[0], rv = v - seen[1];
  const double determinant = a * c - b * b;
  const Vec change = (1.0 / determinant) * ((c * ru - b * rv) * du + (a * rv - b * ru) * dv);
  return {std::hypot(ru, rv), change, determinant > 0.0 && dot(cross(du, dv), ray) > 0.0};
}

// Newton's iteration from a ray to one whose pixel is so near to another.
bool polish(const CameraLens& lens, double u, double v, double near, Vec& ray) {
  for (int step = 0; step < 10; ++step) {
    const Look here = look(lens, ray, u, v);
    if (!here.upright || !(ray.z > 1e-9)) return false;
    if (here.left <= near) return true;
    // a quarter of a radian at most
    const double length = norm(here.change);
    const Vec moved = ray + (std::min(1.0, 0.25 / length)) * here.change;
    ray = (1.0 / norm(moved)) * moved;
  }
  return false;
}

}  // namespace

bool ray_of(const CameraLens& lens, double u, double v, Vec& ray) {
  ray = {0.0, 0.0, 1.0};
  const double rounding = 1e-14 * (std::fabs(u) + std::fabs(v) + std::fabs(lens.cx) + std::fabs(lens.cy) + lens.fx);
  if (!(rounding < 1e150)) return false;
  // along the line from the principal point, in strides that grow where they succeed
  const double du = u - lens.cx, dv = v - lens.cy, whole = std::hypot(du, dv);
  double done = 0.0, stride = 0.25;
  while (done < 1.0) {
    const double next = std::min(1.0, done + stride);
    const double near = std::max(8.0 * rounding, next < 1.0 ? 0.01 * stride * whole : 0.0);
    Vec tried = ray;
    if (polish(lens, lens.cx + next * du, lens.cy + next * dv, near, tried)) {
      ray = tried;
      done = next;
      stride *= 2.0;
    } else if ((stride *= 0.5) < 1e-4) {
      return false;
    }
  }
  return true;
}

}  // namespace pantin
