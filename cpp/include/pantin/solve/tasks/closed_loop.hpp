// Two frames that coincide: as a weld, in a point, or in a point and an axis.
#pragma once

#include "pantin/solve/tasks/aim.hpp"

namespace pantin::PANTIN_ISA {

enum class Closure : int { kPose = 0, kPosition, kAxis };

PANTIN_INLINE Closure closure_of(const double* numbers) { return static_cast<Closure>(int(numbers[0])); }

// The frame's place, and the direction of its axis, along the axes of a target that the root carries.
inline void look_at_closure(const Scene& scene, const TaskView& task, TaskSight& sight) {
  const SE3<double> M = scene.frame(task.frame.frame);
  const SE3<double> target = scene.frame(task.root.frame) * pose_of(task.target);
  store3(sight.e, transposed_times(target.R, M.p - target.p));
  for (int r = 0; r < 3; ++r) put_row(along(target.R.column(r), M.p), sight.P[r]);
  if (closure_of(task.numbers) == Closure::kPosition) return oppose(3, sight);

  const AxisFrame axis = axis_frame(task.numbers + 1);
  const Vec3<double> direction = M.R * axis.axis;
  const Aside off = aside(axis, transposed_times(target.R, direction));
  for (int r = 0; r < 2; ++r) {
    sight.e[3 + r] = off.e[r];
    put_row(towards(target.R * off.rows[r], direction), sight.P[3 + r]);
  }
  oppose(5, sight);
}

}  // namespace pantin::PANTIN_ISA
