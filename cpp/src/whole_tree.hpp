// Questions about several frames compiled from a tree, and what the model's limits mean for them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "compiled_tree.hpp"
#include "joint_parts.hpp"
#include "model_limits.hpp"
#include "pantin/solve/whole/problem.hpp"
#include "space.hpp"

namespace pantin {

// One residual as it is asked for.
struct WholeQuestion {
  WholeAim aim;
  int frame, root;
  double axis[3];             // the tool's, a unit vector; where the aim has one
  double weight[kMostRows];   // of each component, 0 where it is free
  double position_tolerance, rotation_tolerance;
};

class WholeTree {
 public:
  // `locked` has one entry a joint. Where there is a posture, all other joints take part. Throws std::invalid_argument
  // naming the residual that no joint moves.
  WholeTree(const CompiledTree& tree, const std::vector<WholeQuestion>& questions, const std::vector<bool>& locked,
            bool has_posture, std::uint64_t random_seed);
  WholeTree(const WholeTree&) = delete;

  const WholeProblem& view() const { return problem_; }
  const std::vector<Joint>& model() const { return model_; }
  // Joints between the root of a residual and its frame, and the lengths of what is between them, where the residual
  // asks for a position that is seen from something that stays; else no joints.
  struct Way {
    Vec from;  // where the first of them is, seen from the root
    double segments = 0.0;
    std::vector<int> joints;
  };
  const std::vector<Way>& ways() const { return ways_; }
  // Unknown of a velocity entry of the model, or -1.
  const std::vector<int>& unknown_of() const { return unknown_of_; }

 private:
  std::vector<bool> support(int frame) const;
  void add_numbers(const JointPart& part, bool moves);
  void add_links(const CompiledTree& tree, const std::vector<bool>& needed);
  void add_residual(const CompiledTree& tree, const WholeQuestion& question);
  void add_columns(int residual, const std::vector<int>& signs);
  void add_way(const CompiledTree& tree, const WholeQuestion& question);
  void describe_blocks();
  void describe_products();

  std::vector<Joint> model_;
  std::vector<int> frame_joint_, x_of_entry_, unknown_of_entry_, unknown_of_, last_link_, joint_of_link_;
  std::vector<WholeLink> links_;
  std::vector<WholeResidual> residuals_;
  std::vector<WholeColumn> columns_;
  std::vector<int> column_unknown_;
  std::vector<WholeBlock> blocks_;
  std::vector<WholeProduct> products_;
  std::vector<WholeTerm> terms_;
  std::vector<Way> ways_;
  std::vector<int> blocks_of_, entry_, x_of_unknown_;
  std::vector<Joint> variables_;
  std::vector<double> sign_, stride_, shift_;
  std::unique_ptr<bool[]> winds_, is_length_;
  WholeProblem problem_{};
};

// Limits of a model as a problem needs them.
class WholeLimits : public ModelLimits {
 public:
  // Reads the model's limit vectors, nq each; where the problem is `free`, they do not bind it.
  WholeLimits(const WholeTree& tree, const double* lower, const double* upper, bool free = false);

  const ReachBounds& view() const { return bounds_; }
  // How far from where its way begins each residual's point can be at most; infinite where that is not known.
  struct Way {
    Vec from;
    double most;
  };
  const std::vector<Way>& ways() const { return ways_; }

 private:
  std::vector<double> lower_, upper_, middle_;  // nx
  std::vector<Way> ways_;
  ReachBounds bounds_{};
};

}  // namespace pantin
