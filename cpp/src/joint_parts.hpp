// Joints taken apart into hinges, slides, screws, continuous hinges and balls, so that every limit belongs to one
// number.
#pragma once

#include <algorithm>
#include <vector>

#include "compiled_tree.hpp"
#include "space.hpp"

namespace pantin {

// One of what a joint consists of.
struct JointPart {
  Joint joint;  // `q` and `v` are its first entries in the model's configuration and velocity
  Vec axis;     // z for a ball
  double sign;  // of its numbers: -1 where the joint is passed from its moving side
};

inline Vec axis_of(const Joint& joint) { return {joint.axis[0], joint.axis[1], joint.axis[2]}; }

// The parts of a joint in the order in which they are met.
inline std::vector<JointPart> parts_of(const Joint& joint, bool backwards) {
  constexpr Vec x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  std::vector<JointPart> parts;
  const auto add = [&](JointKind kind, int offset, Vec axis) {
    JointPart part{joint, axis, backwards ? -1.0 : 1.0};
    part.joint.kind = kind;
    part.joint.q += offset;
    part.joint.v += offset;
    part.joint.nq = configuration_size(kind);
    part.joint.nv = velocity_size(kind);
    parts.push_back(part);
  };
  switch (joint.kind) {
    case JointKind::kPlanar:
      add(JointKind::kPrismatic, 0, x);
      add(JointKind::kPrismatic, 1, y);
      add(JointKind::kContinuous, 2, z);
      break;
    case JointKind::kFreeFlyer:
      add(JointKind::kPrismatic, 0, x);
      add(JointKind::kPrismatic, 1, y);
      add(JointKind::kPrismatic, 2, z);
      add(JointKind::kSpherical, 3, z);
      break;
    case JointKind::kSpherical:
      add(joint.kind, 0, z);
      break;
    default:
      add(joint.kind, 0, axis_of(joint));
  }
  if (backwards) std::reverse(parts.begin(), parts.end());
  return parts;
}

// Joints of which one number can be limited.
inline bool can_be_limited(JointKind kind) {
  return kind == JointKind::kRevolute || kind == JointKind::kPrismatic || kind == JointKind::kHelical;
}

}  // namespace pantin
