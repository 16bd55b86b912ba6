// A reach question compiled from a tree: the chain from the root to the frame, and what its limits mean.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "compiled_tree.hpp"
#include "joint_parts.hpp"
#include "model_limits.hpp"
#include "pantin/solve/problem.hpp"
#include "space.hpp"
#include "threads.hpp"

namespace pantin {

// What is asked, of which frame.
struct ReachQuestion {
  int frame, root;
  ReachMode mode;
  double tool[9];                       // rotation of the tool, whose axis is z, seen from the frame
  double weights[6], per_tolerance[6];  // of the components of a kWeighted pose
  bool in_tool;                         // these are components along the tool's axes
  std::vector<double> readiness;        // of each of the model's velocities to move, 0: locked; empty: all 1
  std::uint64_t random_seed;
};

class ReachChain {
 public:
  // Throws std::invalid_argument where no joint moves the frame against the root.
  ReachChain(const CompiledTree& tree, const ReachQuestion& question);
  ReachChain(const ReachChain&) = delete;

  const ReachProblem& view() const { return problem_; }
  const std::vector<Joint>& model() const { return model_; }
  // Lengths of the ways between the links as the model has them.
  const std::vector<double>& segments() const { return segments_; }

 private:
  void add_variable(const JointPart& part);
  void add_link(const JointPart& part, Rigid& pending);
  void describe_ways(const Rotation& tool);
  void weigh(const std::vector<double>& readiness);
  int hinges() const;

  std::vector<Joint> model_;
  std::vector<int> x_of_entry_;
  std::vector<ReachLink> links_;
  std::vector<Rigid> ways_;  // ways_[i] leads to link i, the last one to the frame
  std::vector<double> segments_;
  std::vector<Joint> variables_;
  std::vector<int> entry_, x_of_unknown_;
  std::vector<int> velocity_;  // of the model, for each unknown
  std::unique_ptr<bool[]> is_length_, winds_, locked_;
  std::vector<double> sign_, stride_, shift_, scale_;
  ReachProblem problem_{};
};

// Limits of a model as a chain needs them.
class ReachLimits : public ModelLimits {
 public:
  // Reads the model's limit vectors, nq each; where the chain is `free`, they do not bind it.
  ReachLimits(const ReachChain& chain, const double* lower, const double* upper, bool free = false);

  const ReachBounds& view() const { return bounds_; }
  // Moves the model's other joints, which the chain does not have, into their limits; true if any was outside.
  bool clip_others(double* q) const;

 private:
  void find_others(const ReachChain& chain);
  void bind(const ReachProblem& problem);
  void measure(const ReachChain& chain);
  void find_turns(const ReachProblem& problem);

  std::vector<double> lower_, upper_, middle_, turn_;  // nx
  std::vector<int> others_;                            // entries of the configuration
  ReachBounds bounds_{};
  std::unique_ptr<void, Free> atlas_;
};

}  // namespace pantin
