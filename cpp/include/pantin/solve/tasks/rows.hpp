// Error and Jacobian of any task of the core, over all entries of a velocity.
#pragma once

#include "pantin/kin/com.hpp"
#include "pantin/solve/tasks/columns.hpp"
#include "pantin/solve/tasks/dense.hpp"
#include "pantin/solve/tasks/manipulability.hpp"
#include "pantin/tree/configuration.hpp"

namespace pantin::PANTIN_ISA {

// True for tasks on single joints, whose Jacobian is the identity behind the root.
PANTIN_INLINE bool is_on_joints(TaskKind kind) {
  return kind == TaskKind::kPosture || kind == TaskKind::kDamping || kind == TaskKind::kJointVelocity ||
         kind == TaskKind::kLowAcceleration;
}

// Error of a task on joints, for entries from task.first on; `room` takes nv numbers.
inline void joint_errors(const Scene& scene, const TaskView& task, double* room, double* e) {
  const int n = scene.tree.nv - task.first;
  switch (task.kind) {
    case TaskKind::kPosture:  // e = q (-) q*
      difference(scene.tree, task.target, scene.q, room);
      std::memcpy(e, room + task.first, n * sizeof(double));
      return;
    case TaskKind::kJointVelocity:  // the target is a displacement behind the root
      for (int k = 0; k < n; ++k) e[k] = -task.target[k];
      return;
    case TaskKind::kLowAcceleration:
      for (int k = 0; k < n; ++k) e[k] = task.target ? -task.target[task.first + k] : 0.0;
      return;
    default:
      for (int k = 0; k < n; ++k) e[k] = 0.0;
  }
}

// Centre of mass less its target.
inline void com_rows(const Scene& scene, const TaskView& task, int stride, double* e, double* J) {
  const Tree& tree = scene.tree;
  auto* const moments = reinterpret_cast<Vec3<double>*>(scene.data + tree.layout.moments);
  const Vec3<double> com = center_of_mass(tree, oMi(tree, scene.data), moments);
  store3(scene.data + tree.layout.com, com);
  store3(e, com - load3(task.target));
  double* const Jcom = scene.data + tree.layout.Jcom;
  jacobian_center_of_mass(tree, scene.screws(), moments, Jcom);
  for (int r = 0; r < 3; ++r) std::memcpy(J + r * stride, Jcom + r * tree.nv, tree.nv * sizeof(double));
}

// e (rows) and J (rows, stride); `room` takes nv numbers. J is cleared first.
inline void task_rows(const Scene& scene, const TaskView& task, int stride, double* room, double* e, double* J) {
  clear_matrix(J, task.rows * stride);
  TaskSight sight;
  if (look(scene, task, sight)) {
    std::memcpy(e, sight.e, task.rows * sizeof(double));
    if (task.frame.path) add_path_columns(*task.frame.path, scene.screws(), sight.P, task.rows, stride, J);
    if (task.root.path) add_path_columns(*task.root.path, scene.screws(), sight.Q, task.rows, stride, J);
    return;
  }
  if (is_on_joints(task.kind)) {
    joint_errors(scene, task, room, e);
    for (int k = 0; k < task.rows; ++k) J[k * stride + task.first + k] = 1.0;
    return;
  }
  switch (task.kind) {
    case TaskKind::kCom:
      com_rows(scene, task, stride, e, J);
      return;
    case TaskKind::kHolonomic:
      holonomic_rows(scene, task, stride, room, e, J);
      return;
    case TaskKind::kMomentum:
      momentum_rows(scene, task, stride, e, J);
      return;
    case TaskKind::kManipulability:
      manipulability_rows(scene, task, e, J);
      return;
    default:
      for (int k = 0; k < task.rows; ++k) e[k] = 0.0;
  }
}

}  // namespace pantin::PANTIN_ISA
