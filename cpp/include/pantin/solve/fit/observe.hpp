// What the sources of a fit say of a joint: its weighted residual, the weight of the point, and the costs.
//
// A robust loss rho(e^2) weighs a residual by rho'; along the residual its second derivative takes 2 rho'' e^2 off
// (Triggs and others 2000, "Bundle adjustment", section 4.3). That may leave less than nothing, so it counts where a
// step goes by exact second derivatives only.
#pragma once

#include "pantin/solve/fit/camera.hpp"
#include "pantin/solve/fit/lanes.hpp"
#include "pantin/solve/fit/loss.hpp"

namespace pantin::PANTIN_ISA {

// Of an observation of weight w whose squared misfit is m: its cost, the weight of its residual, and what the outer
// product of that adds.
template <class T>
struct Weighed {
  T cost, slope, along;
};

template <class T>
PANTIN_INLINE Weighed<T> weigh(const FitSources& sources, T w, T m, double unit) {
  const T u = T(unit);
  if (sources.loss == Loss::kLinear) return {w * u * m, w * u, T(0.0)};
  const Rho<T> rho_ = rho(sources.loss, u * m, sources.delta);
  return {w * rho_.value, w * u * rho_.slope, T(2.0) * w * u * u * rho_.curvature};
}

template <class T>
PANTIN_INLINE void observe_points(FitLanes<T>& c, int k) {
  const FitSources& sources = *c.sources;
  c.f[k] = zero3<T>();
  c.W[k] = zero_sym3<T>();
  const bool bends = sources.loss != Loss::kLinear;
  if (bends) c.bent[k] = zero_sym3<T>();
  for (int s = 0; s < sources.npoints; ++s) {
    const int at = s * c.plan->njoints + k;
    Vec3<T> r = load3(c.points + 4 * at) - load3(c.root) - c.p[k];
    if (sources.flat[s]) r.z = T(0.0);
    const T m = dot(r, r);
    const Weighed<T> weighed = weigh(sources, c.points[4 * at + 3], m, sources.point_unit[s]);
    c.misfits[at] = m;
    c.costs[s] += weighed.cost;
    c.f[k] = c.f[k] + weighed.slope * r;
    const T z = sources.flat[s] ? T(0.0) : weighed.slope;
    const Sym3<T> all{weighed.slope, T(0.0), T(0.0), weighed.slope, T(0.0), z};
    c.W[k] = c.W[k] + all;
    if (bends) c.bent[k] = c.bent[k] + outer(weighed.along, r);
  }
}

// Points that are seen, but nearer than `near`, make their lane `behind`.
template <class T>
PANTIN_INLINE void observe_pixels(FitLanes<T>& c, int k, T& behind) {
  const FitSources& sources = *c.sources;
  for (int s = 0; s < sources.ncameras; ++s) {
    const int at = s * c.plan->njoints + k;
    const T *const pose = c.poses + 12 * s, *const pixel = c.pixels + 3 * at;
    const Vec3<T> x{pose[0], pose[1], pose[2]}, y{pose[3], pose[4], pose[5]}, z{pose[6], pose[7], pose[8]};
    const Vec3<T> point = load3(c.root) + c.p[k];
    const Vec3<T> in_camera = Vec3<T>{dot(x, point), dot(y, point), dot(z, point)} + load3(pose + 9);
    const Seen<T> seen = look_through(sources.lenses[s], in_camera);
    const auto hidden = seen.depth < T(sources.near);
    behind = select(hidden & (pixel[2] > T(0.0)), T(1.0), behind);
    const T w = select(hidden, T(0.0), pixel[2]);
    const T u = pixel[0] - seen.u, v = pixel[1] - seen.v, m = u * u + v * v;
    const Weighed<T> weighed = weigh(sources, w, m, sources.camera_unit[s]);
    c.misfits[sources.npoints * c.plan->njoints + at] = m;
    c.depths[at] = seen.depth;
    c.costs[sources.npoints + s] += weighed.cost;
    const Vec3<T> du = seen.du.x * x + seen.du.y * y + seen.du.z * z;
    const Vec3<T> dv = seen.dv.x * x + seen.dv.y * y + seen.dv.z * z;
    const Vec3<T> pull = u * du + v * dv;
    c.f[k] = c.f[k] + weighed.slope * pull;
    c.W[k] = c.W[k] + outer(weighed.slope, du) + outer(weighed.slope, dv);
    if (sources.loss != Loss::kLinear) c.bent[k] = c.bent[k] + outer(weighed.along, pull);
  }
}

// Turn i, of a frame with the axes R: the rotation vector that is left, and its exact stiffness, 1 + beta [r]^2.
template <class T>
PANTIN_INLINE void observe_turn(FitLanes<T>& c, int i, const Mat3<T>& R) {
  const FitSources& sources = *c.sources;
  const T* const row = c.turns + 10 * i;
  Mat3<T> asked;
  for (int k = 0; k < 9; ++k) asked.m[k / 3][k % 3] = row[k];
  const Log3<T> left = log_quat(quaternion(asked * transpose(R)));
  const int nsources = sources.npoints + sources.ncameras;
  const Weighed<T> weighed = weigh(sources, row[9], left.angle2, 1.0);
  c.misfits[nsources * c.plan->njoints + i] = left.angle2;
  c.costs[nsources] += weighed.cost;
  c.torques[i] = weighed.slope * left.w;
  const T level = weighed.slope * (T(1.0) - left.beta * left.angle2);
  const Sym3<T> all{level, T(0.0), T(0.0), level, T(0.0), level};
  c.stiffness[i] = all + outer(weighed.slope * left.beta, left.w);
}

}  // namespace pantin::PANTIN_ISA
