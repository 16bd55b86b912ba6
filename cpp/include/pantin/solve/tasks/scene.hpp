// What a task sees: a robot whose joints are placed and whose screws are known.
#pragma once

#include "pantin/solve/tasks/task.hpp"
#include "pantin/tree/view.hpp"

namespace pantin::PANTIN_ISA {

struct Scene {
  const Tree& tree;
  const double* q;
  double* data;

  const SE3<double>& joint(int index) const { return oMi(tree, data)[index]; }
  const Motion<double>* screws() const { return ::pantin::PANTIN_ISA::screws(tree, data); }
  // Placement of a frame in the world; the world's own for none.
  SE3<double> frame(int index) const {
    if (index < 0) return identity_se3<double>();
    const Frame& f = tree.frames[index];
    return f.same ? joint(f.joint) : joint(f.joint) * placement(f);
  }
};

PANTIN_INLINE SE3<double> pose_of(const double* numbers) {
  SE3<double> M;
  std::memcpy(&M, numbers, sizeof(M));
  return M;
}

}  // namespace pantin::PANTIN_ISA
