// Tasks on all joints at once: linear relations, and the momentum about the centre of mass.
#pragma once

#include "pantin/dyn/energy.hpp"
#include "pantin/solve/tasks/scene.hpp"
#include "pantin/tree/tangent.hpp"

namespace pantin::PANTIN_ISA {

// A (q (-) q0) - b. The numbers are A by rows, then q0 unless that is neutral; the target is b.
inline void holonomic_rows(const Scene& scene, const TaskView& task, int stride, double* room, double* e, double* J) {
  const Tree& tree = scene.tree;
  const int nv = tree.nv;
  const double* const A = task.numbers;
  const double* const q0 = task.nnumbers > task.rows * nv ? A + task.rows * nv : tree.neutral;
  difference(tree, q0, scene.q, room);
  for (int r = 0; r < task.rows; ++r) {
    e[r] = -task.target[r];
    for (int k = 0; k < nv; ++k) e[r] += A[r * nv + k] * room[k];
  }
  for (int i = 1; i < tree.njoints; ++i) {
    const Joint& joint = tree.joints[i];
    if (joint.mimic) continue;
    double block[36];
    d_difference_joint(joint, q0 + joint.q, scene.q + joint.q, Argument::kSecond, joint.nv, block);
    for (int r = 0; r < task.rows; ++r)
      for (int k = 0; k < joint.nv; ++k) {
        double sum = 0.0;
        for (int l = 0; l < joint.nv; ++l) sum += A[r * nv + joint.v + l] * block[l * joint.nv + k];
        J[r * stride + joint.v + k] = sum;
      }
  }
}

// The target is a momentum times the duration of a step.
inline void momentum_rows(const Scene& scene, const TaskView& task, int stride, double* e, double* J) {
  const Tree& tree = scene.tree;
  double* const Ag = scene.data + tree.layout.Ag;
  const Vec3<double> centre = common_point(tree, oMi(tree, scene.data)) + centroidal_map(tree, scene.data, Ag);
  store3(scene.data + tree.layout.com, centre);
  for (int r = 0; r < 6; ++r) {
    e[r] = -task.target[r];
    std::memcpy(J + r * stride, Ag + r * tree.nv, tree.nv * sizeof(double));
  }
}

}  // namespace pantin::PANTIN_ISA
