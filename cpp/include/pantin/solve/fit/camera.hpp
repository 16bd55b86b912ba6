// What a camera sees of a point, and how that changes with the point.
//
// Pinhole: radial and tangential polynomials (Brown 1971), rational where k4 to k6 are given. Fisheye: an odd
// polynomial of the angle from the axis (Kannala and Brandt 2006). Both with the coefficients of OpenCV. A point
// beside or behind the camera gives numbers that mean nothing, but are finite: the depth tells.
#pragma once

#include "pantin/linalg/mat3.hpp"
#include "pantin/solve/fit/lens.hpp"

namespace pantin::PANTIN_ISA {

// A pixel, its derivatives with respect to the point in the camera frame, and the point's distance along the axis.
template <class T>
struct Seen {
  T u, v;
  Vec3<T> du, dv;
  T depth;
};

// A point of the image plane at distance 1, with its derivatives.
template <class T>
struct Plane {
  T x, y;
  Vec3<T> dx, dy;
};

// Keeps quotients finite beside and behind the camera: points in front pass unchanged, except those less than a
// millionth of a radian above its plane.
template <class T>
PANTIN_INLINE T depth_to_divide_by(const Vec3<T>& p) {
  return max(p.z, T(1e-6) * (abs(p.x) + abs(p.y)) + T(1e-30));
}

template <class T>
PANTIN_INLINE Plane<T> straight(const Vec3<T>& p) {
  const T over = T(1.0) / depth_to_divide_by(p);
  const T x = p.x * over, y = p.y * over;
  return {x, y, {over, T(0.0), -x * over}, {T(0.0), over, -y * over}};
}

// A distortion with its derivatives after x and y, which are symmetric.
template <class T>
PANTIN_INLINE Plane<T> bent(const Plane<T>& s, T x, T y, T xx, T xy, T yy) {
  return {x, y, xx * s.dx + xy * s.dy, xy * s.dx + yy * s.dy};
}

template <class T>
PANTIN_INLINE Plane<T> radial_tangential(const double* k, bool rational, const Plane<T>& s) {
  const T x = s.x, y = s.y, r2 = x * x + y * y;
  T radial = T(1.0) + r2 * (T(k[0]) + r2 * (T(k[1]) + r2 * T(k[4])));
  T slope = T(k[0]) + r2 * (T(2.0 * k[1]) + r2 * T(3.0 * k[4]));  // after r2
  if (rational) {
    const T under = T(1.0) + r2 * (T(k[5]) + r2 * (T(k[6]) + r2 * T(k[7])));
    const T over = T(1.0) / select(abs(under) > T(1e-30), under, T(1e-30));
    radial = radial * over;
    slope = (slope - radial * (T(k[5]) + r2 * (T(2.0 * k[6]) + r2 * T(3.0 * k[7])))) * over;
  }
  const T p1 = T(k[2]), p2 = T(k[3]), two = T(2.0);
  const T mixed = two * (x * y * slope + p1 * x + p2 * y);
  return bent(s, x * radial + two * p1 * x * y + p2 * (r2 + two * x * x),
              y * radial + p1 * (r2 + two * y * y) + two * p2 * x * y,
              radial + two * (x * x * slope + p1 * y + T(3.0) * p2 * x), mixed,
              radial + two * (y * y * slope + T(3.0) * p1 * y + p2 * x));
}

// With a the angle from the axis, r the distance from it and d(a) the polynomial: (X, Y) d(a)/r.
template <class T>
PANTIN_INLINE Plane<T> fisheye(const double* k, const Vec3<T>& p) {
  const T r2 = p.x * p.x + p.y * p.y, square = r2 + p.z * p.z + T(1e-200);
  const auto off_axis = r2 > T(1e-40) * square;
  const T r = sqrt(select(off_axis, r2, T(1.0))), over = T(1.0) / r;
  const T a = atan2(r, p.z), a2 = a * a;
  const T d = a * (T(1.0) + a2 * (T(k[0]) + a2 * (T(k[1]) + a2 * (T(k[2]) + a2 * T(k[3])))));
  const T slope =
      T(1.0) + a2 * (T(3.0 * k[0]) + a2 * (T(5.0 * k[1]) + a2 * (T(7.0 * k[2]) + a2 * T(9.0 * k[3]))));
  const T on_axis = T(1.0) / depth_to_divide_by(p);
  const T scale = select(off_axis, d * over, on_axis);
  // dscale/dr times r, and dscale/dz times r
  const T turn = slope / square;
  const T along = select(off_axis, turn * p.z - scale, T(0.0));
  const T inwards = select(off_axis, -turn * r, -scale * on_axis);
  const T x = select(off_axis, p.x * over, p.x), y = select(off_axis, p.y * over, p.y);
  return {p.x * scale,
          p.y * scale,
          {scale + x * x * along, x * y * along, x * inwards},
          {x * y * along, scale + y * y * along, y * inwards}};
}

template <class T>
PANTIN_INLINE Seen<T> look_through(const CameraLens& lens, const Vec3<T>& in_camera) {
  Plane<T> plane;
  if (lens.model == LensModel::kFisheye) {
    plane = fisheye(lens.k, in_camera);
  } else {
    plane = straight(in_camera);
    if (lens.model != LensModel::kStraight)
      plane = radial_tangential(lens.k, lens.model == LensModel::kRational, plane);
  }
  const T fx = T(lens.fx), fy = T(lens.fy), skew = T(lens.skew);
  return {fx * plane.x + skew * plane.y + T(lens.cx),
          fy * plane.y + T(lens.cy),
          fx * plane.dx + skew * plane.dy,
          fy * plane.dy,
          in_camera.z};
}

}  // namespace pantin::PANTIN_ISA
