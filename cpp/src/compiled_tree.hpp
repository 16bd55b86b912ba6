// The tree as it is compiled from a model's description: owns its numbers, never changes.
#pragma once

#include <memory>
#include <vector>

#include "pantin/tree/tree.hpp"

namespace pantin {

// What a model says of itself, one entry a joint or frame; the universe is joint 0.
struct TreeDescription {
  std::vector<int> kind, parent, q, v, master;  // master: the joint a mimic follows, or -1
  std::vector<double> multiplier, offset, pitch;
  std::vector<double> axis;        // 3 each
  std::vector<double> placement;   // 12 each: rotation by rows, translation
  std::vector<double> inertia;     // 10 each: mass, centre of mass, rotational xx xy xz yy yz zz about it
  std::vector<int> frame_joint;
  std::vector<double> frame_placement;  // 12 each
  std::vector<double> armature;    // nv
  std::vector<double> gravity;     // 3
};

class CompiledTree {
 public:
  // Throws std::invalid_argument where the description does not fit together.
  explicit CompiledTree(const TreeDescription& description);
  CompiledTree(const CompiledTree&) = delete;

  const Tree& view() const { return tree_; }
  const TreeDescription& description() const { return description_; }
  // The joints from the root to `joint`, that one included.
  std::vector<int> path(int joint) const;
  // First entry of a quaternion or (cos, sin) pair in q whose norm is farther than 1e-3 from 1, or -1.
  int first_not_unit(const double* q) const;

 private:
  TreeDescription description_;
  std::vector<Joint> joints_;
  std::vector<Frame> frames_;
  std::vector<Inertia> inertias_;
  std::vector<int> runs_, column_v_, column_parent_, column_run_;
  struct Unit {
    int q, size;
  };
  std::vector<Unit> units_;
  std::vector<Stretch> stretches_;
  std::vector<int> curved_;
  std::vector<double> neutral_, armature_, subtree_mass_;
  Tree tree_{};
};

// Owns the lists of a `Path`.
class JointPath {
 public:
  JointPath(const CompiledTree& tree, int joint);
  JointPath(const JointPath&) = delete;
  const Path& view() const { return path_; }

 private:
  std::vector<int> joints_, runs_, v_, screw_, neighbours_;
  std::vector<double> turn_, slide_;
  Path path_;
};

// Numbers that a joint of this kind takes in a configuration and in a velocity.
int configuration_size(JointKind kind);
int velocity_size(JointKind kind);

}  // namespace pantin
