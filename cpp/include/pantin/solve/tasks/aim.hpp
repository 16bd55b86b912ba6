// Where a direction is off an axis: the logarithm of the sphere, and tasks that are made of it.
#pragma once

#include "pantin/solve/tasks/points.hpp"

namespace pantin::PANTIN_ISA {

// Angle from half a turn within which the derivative stays as it is there; beyond it would have no bound.
inline constexpr double kNearlyOpposite = 0.01;
// Distance, m, below which what is looked at counts as that far away in the derivative.
inline constexpr double kNearest = 1e-3;

// Direction u off the axis of F: e is its angle times the direction aside, along F.x and F.y; `rows` are its gradients
// by u. Half a turn away the direction aside is F.x.
struct Aside {
  double e[2];
  Vec3<double> rows[2];
};

inline Aside aside(const AxisFrame& F, const Vec3<double>& u) {
  const double x = dot(F.x, u), y = dot(F.y, u), cosine = dot(F.axis, u);
  const double sine = sqrt(x * x + y * y);
  const double angle = atan2(sine, cosine);
  const bool straight = sine < 1e-150;
  const double a = straight ? 1.0 : x / sine, b = straight ? 0.0 : y / sine;
  // along the great circle the angle grows as the direction moves; across it grows as the circle does
  const Vec3<double> out = a * F.x + b * F.y;
  const Vec3<double> tangent = cosine * out - sine * F.axis, across = a * F.y - b * F.x;
  const double least = cosine < 0.0 ? kNearlyOpposite : 1e-150;
  const double stretch = straight && cosine > 0.0 ? 1.0 : angle / (sine > least ? sine : least);
  return {{angle * a, angle * b}, {a * tangent - (stretch * b) * across, b * tangent + (stretch * a) * across}};
}

// A point of the root as the frame sees it.
struct Seen {
  SE3<double> M;
  Vec3<double> point;  // in the world
  Vec3<double> y;      // in the frame
  AxisFrame axis;      // in the frame
};

inline Seen seen(const Scene& scene, const TaskView& task) {
  const SE3<double> M = scene.frame(task.frame.frame), root = scene.frame(task.root.frame);
  const Vec3<double> point = root.p + root.R * load3(task.target);
  return {M, point, transposed_times(M.R, point - M.p), axis_frame(task.numbers)};
}

// A derivative by what the frame sees of the point.
PANTIN_INLINE void put_seen(const Seen& s, const Vec3<double>& by_y, double (&row)[6]) {
  put_row(along(-(s.M.R * by_y), s.point), row);
}

// The axis aims at the point.
inline void look_at_point(const Scene& scene, const TaskView& task, TaskSight& sight) {
  const Seen s = seen(scene, task);
  const double distance = sqrt(dot(s.y, s.y));
  const Aside off = aside(s.axis, distance > 1e-150 ? (1.0 / distance) * s.y : s.axis.axis);
  const double nearness = 1.0 / (distance > kNearest ? distance : kNearest);
  for (int r = 0; r < 2; ++r) {
    sight.e[r] = off.e[r];
    put_seen(s, nearness * off.rows[r], sight.P[r]);
  }
  oppose(2, sight);
}

// The axis passes through the point.
inline void look_at_pivot(const Scene& scene, const TaskView& task, TaskSight& sight) {
  const Seen s = seen(scene, task);
  sight.e[0] = dot(s.axis.x, s.y);
  sight.e[1] = dot(s.axis.y, s.y);
  put_seen(s, s.axis.x, sight.P[0]);
  put_seen(s, s.axis.y, sight.P[1]);
  oppose(2, sight);
}

}  // namespace pantin::PANTIN_ISA
