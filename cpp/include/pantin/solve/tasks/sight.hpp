// Tasks that look at frames: their error, and its derivative by the frames' world twists.
//
// With the screws S of the joints about the world's origin the Jacobian of such a task is P S over the joints that
// carry its frame, and Q S over those that carry its root.
#pragma once

#include "pantin/solve/tasks/closed_loop.hpp"
#include "pantin/solve/tasks/places.hpp"

namespace pantin::PANTIN_ISA {

// Rows from `row` on: A times the body's own twist, for a body at M. The body's twist out of the world's (v, w) is
// (R'(v - p x w), R' w).
PANTIN_INLINE void put_body_rows(const Mat6<double>& A, double sign, const SE3<double>& M, double (&P)[kMostSeen][6]) {
  const Mat3<double> Rt = transpose(M.R), px = skew(M.p);
  const auto put = [&](int row, const Mat3<double>& v, const Mat3<double>& w) {
    const Mat3<double> linear = v * Rt, moved = linear * px, turned = w * Rt;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        P[row + i][j] = sign * linear.m[i][j];
        P[row + i][3 + j] = sign * (turned.m[i][j] - moved.m[i][j]);
      }
  };
  put(0, A.vv, A.vw);
  const Mat3<double> turned = A.ww * Rt;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      P[3 + i][j] = 0.0;
      P[3 + i][3 + j] = sign * turned.m[i][j];
    }
}

PANTIN_INLINE void put_twist(const Motion<double>& nu, double* e) {
  store3(e, nu.v);
  store3(e + 3, nu.w);
}

// The target seen from the frame: e = log6(T_bt), J = -Jlog6(T_tb) J_b (Caron 2023).
inline void look_at_frame(const Scene& scene, const TaskView& task, TaskSight& sight) {
  const SE3<double> M = scene.frame(task.frame.frame);
  const Log6<double> l = log6(between(M, pose_of(task.target)));
  put_twist(l.nu, sight.e);
  Log6<double> back = l;  // the way from the target to the frame
  back.nu = {-l.nu.v, -l.nu.w};
  back.rotation.w = -l.rotation.w;
  put_body_rows(Jlog6(back), -1.0, M, sight.P);
}

// The frame seen from its target, which is held in the root: e = log6(T_tf), J = Jlog6(T_tf) (J_f - Ad_fr J_r). About
// the world's origin both frames' twists pass through the same matrix, with opposite signs.
inline void look_at_relative_frame(const Scene& scene, const TaskView& task, TaskSight& sight) {
  const SE3<double> M = scene.frame(task.frame.frame);
  const SE3<double> target = scene.frame(task.root.frame) * pose_of(task.target);
  const Log6<double> l = log6(between(target, M));
  put_twist(l.nu, sight.e);
  put_body_rows(Jlog6(l), 1.0, M, sight.P);
  oppose(6, sight);
}

// True for kinds that look at frames; fills their sight.
inline bool look(const Scene& scene, const TaskView& task, TaskSight& sight) {
  switch (task.kind) {
    case TaskKind::kFrame:
      look_at_frame(scene, task, sight);
      return true;
    case TaskKind::kRelativeFrame:
      look_at_relative_frame(scene, task, sight);
      return true;
    case TaskKind::kLookAt:
      look_at_point(scene, task, sight);
      return true;
    case TaskKind::kPivot:
      look_at_pivot(scene, task, sight);
      return true;
    case TaskKind::kDistance:
      look_at_distance(scene, task, sight);
      return true;
    case TaskKind::kRolling:
    case TaskKind::kOmniwheel:
      look_at_wheel(scene, task, sight);
      return true;
    case TaskKind::kClosedLoop:
      if (closure_of(task.numbers) == Closure::kPose)
        look_at_relative_frame(scene, task, sight);
      else
        look_at_closure(scene, task, sight);
      return true;
    default:
      return false;
  }
}

}  // namespace pantin::PANTIN_ISA
