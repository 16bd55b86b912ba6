// Tasks on the places of two frames: their distance, and a wheel on a floor.
#pragma once

#include "pantin/solve/tasks/points.hpp"

namespace pantin::PANTIN_ISA {

// Distance of two frames less its target; along x where both are at one place.
inline void look_at_distance(const Scene& scene, const TaskView& task, TaskSight& sight) {
  const Vec3<double> p = scene.frame(task.frame.frame).p;
  const Vec3<double> away = p - scene.frame(task.root.frame).p;
  const double distance = sqrt(dot(away, away));
  const Vec3<double> n = distance > 1e-150 ? (1.0 / distance) * away : Vec3<double>{1.0, 0.0, 0.0};
  sight.e[0] = distance - task.target[0];
  put_row(along(n, p), sight.P[0]);
  oppose(1, sight);
}

// A wheel that touches the root's xy plane below its hub: its point there moves along neither x nor y, and the hub is
// a radius high. An omniwheel may move along y.
inline void look_at_wheel(const Scene& scene, const TaskView& task, TaskSight& sight) {
  const SE3<double> floor = scene.frame(task.root.frame);
  const Vec3<double> hub = scene.frame(task.frame.frame).p, up = floor.R.column(2);
  const double radius = task.numbers[0];
  const Vec3<double> contact = hub - radius * up;
  int row = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (axis == 1 && task.kind == TaskKind::kOmniwheel) continue;
    sight.e[row] = axis == 2 ? dot(up, hub - floor.p) - radius : 0.0;
    put_row(along(floor.R.column(axis), contact), sight.P[row++]);
  }
  oppose(row, sight);
}

}  // namespace pantin::PANTIN_ISA
