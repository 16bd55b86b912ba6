#include "fit_body.hpp"

#include <algorithm>
#include <cmath>

namespace pantin {

namespace {

constexpr double kStraight = 1e-15;      // entries of a rotation or an axis that are rounding
constexpr double kLeastCurvature = 1e-6; // of a coordinate's, of the largest

bool is_identity(const double* R) {
  for (int i = 0; i < 9; ++i)
    if (std::abs(R[i] - (i % 4 == 0 ? 1.0 : 0.0)) > kStraight) return false;
  return true;
}

// The axis of the frame that a unit direction is, or 3.
int frame_axis(const double* direction) {
  for (int k = 0; k < 3; ++k)
    if (direction[k] == 1.0) return k;
  return 3;
}

}  // namespace

FitBody::FitBody(const FitDescription& given) : length_(given.length) {
  order(given);
  double largest = 1e-12;
  for (int j = 0; j < given.ndofs; ++j) largest = std::max(largest, given.curvature[j]);
  std::vector<int> kernel_joint(given.njoints);
  for (int k = 0; k < given.njoints; ++k) kernel_joint[joint_[k]] = k;
  for (int k = 0; k < given.njoints; ++k) {
    const int joint = joint_[k], parent = given.parents[joint] < 0 ? -1 : kernel_joint[given.parents[joint]];
    FitJoint compiled{.parent = parent, .chained = parent >= 0 && parent == k - 1,
                      .turned = !is_identity(given.offset_rot + 9 * joint), .slot = -1, .first = int(dofs_.size()),
                      .ndofs = 0, .offset = {}, .turn = {}};
    for (int i = 0; i < 3; ++i) compiled.offset[i] = given.offset_pos[3 * joint + i] / length_;
    std::copy_n(given.offset_rot + 9 * joint, 9, compiled.turn);
    for (int j = 0; j < given.ndofs; ++j) {
      if (given.dof_joint[j] != joint) continue;
      const double unit = given.slide[j] ? 1.0 / length_ : 1.0;
      FitDof dof{.slide = given.slide[j],
                 .bounded = std::isfinite(given.lower[j]) || std::isfinite(given.upper[j]),
                 .fixed = given.fixed[j], .axis = frame_axis(given.axis + 3 * j), .direction = {},
                 .lower = given.lower[j] * unit, .upper = given.upper[j] * unit,
                 .curvature = std::max(given.curvature[j], kLeastCurvature * largest)};
      std::copy_n(given.axis + 3 * j, 3, dof.direction);
      neutral_.push_back(given.neutral[j] * unit);
      lower_.push_back(given.lower[j]);
      upper_.push_back(given.upper[j]);
      dofs_.push_back(dof);
      dof_.push_back(j);
      ++compiled.ndofs;
    }
    joints_.push_back(compiled);
  }
  give_slots();
  int nslots = 0;
  for (const FitJoint& joint : joints_) nslots = std::max(nslots, joint.slot + 1);
  plan_ = {.njoints = given.njoints, .ndofs = given.ndofs, .nslots = nslots, .free_root = !given.fixed_base,
           .joints = joints_.data(), .dofs = dofs_.data()};
}

// Depth first, children in the user's order.
void FitBody::order(const FitDescription& given) {
  std::vector<std::vector<int>> children(given.njoints);
  int root = 0;
  for (int k = 0; k < given.njoints; ++k) {
    if (given.parents[k] < 0) {
      root = k;
    } else {
      children[given.parents[k]].push_back(k);
    }
  }
  std::vector<int> waiting{root};
  while (!waiting.empty()) {
    const int joint = waiting.back();
    waiting.pop_back();
    joint_.push_back(joint);
    waiting.insert(waiting.end(), children[joint].rbegin(), children[joint].rend());
  }
}

// A joint has a slot where a child does not follow at once.
void FitBody::give_slots() {
  int next = 0;
  for (const FitJoint& joint : joints_)
    if (!joint.chained && joint.parent >= 0 && joints_[joint.parent].slot < 0) joints_[joint.parent].slot = next++;
}

}  // namespace pantin
