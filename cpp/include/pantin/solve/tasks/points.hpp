// Rows of a sight that tell how points and directions of two bodies move against each other.
//
// Whatever depends only on where the frame is in its root does not change when both move together, so the rows of the
// root's twist are those of the frame's with the other sign.
#pragma once

#include "pantin/solve/tasks/scene.hpp"

namespace pantin::PANTIN_ISA {

inline constexpr int kMostSeen = 6;

struct TaskSight {
  double e[kMostSeen];
  double P[kMostSeen][6];  // by the twist of the frame (linear, angular) about the world's origin
  double Q[kMostSeen][6];  // by that of the root, where there is one
};

PANTIN_INLINE void put_row(const Motion<double>& by_twist, double (&row)[6]) {
  store3(row, by_twist.v);
  store3(row + 3, by_twist.w);
}

// How fast the body's point that is at `point` moves along n.
PANTIN_INLINE Motion<double> along(const Vec3<double>& n, const Vec3<double>& point) { return {n, cross(point, n)}; }

// How fast the body's direction d turns towards n.
PANTIN_INLINE Motion<double> towards(const Vec3<double>& n, const Vec3<double>& d) {
  return {zero3<double>(), cross(d, n)};
}

PANTIN_INLINE void oppose(int rows, TaskSight& sight) {
  for (int r = 0; r < rows; ++r)
    for (int k = 0; k < 6; ++k) sight.Q[r][k] = -sight.P[r][k];
}

// An axis and two directions across it, so that x, y, axis are right-handed.
struct AxisFrame {
  Vec3<double> x, y, axis;
};

// Of the two directions x is across the coordinate axis that is least along the given one, which need not be of unit
// length; z where it is none.
inline AxisFrame axis_frame(const double* given) {
  const Vec3<double> a = load3(given);
  const double length = sqrt(dot(a, a));
  const Vec3<double> z = length > 1e-150 ? (1.0 / length) * a : Vec3<double>{0.0, 0.0, 1.0};
  const double ax = abs(z.x), ay = abs(z.y), az = abs(z.z);
  const Vec3<double> across = ax <= ay && ax <= az ? Vec3<double>{1.0, 0.0, 0.0}
                              : ay <= az           ? Vec3<double>{0.0, 1.0, 0.0}
                                                   : Vec3<double>{0.0, 0.0, 1.0};
  const Vec3<double> aside = across - dot(across, z) * z;
  const Vec3<double> x = (1.0 / sqrt(dot(aside, aside))) * aside;
  return {x, cross(z, x), z};
}

}  // namespace pantin::PANTIN_ISA
