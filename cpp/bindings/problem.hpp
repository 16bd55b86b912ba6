// What Python's Problem and ProblemResult are underneath.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <vector>

#include "hot.hpp"
#include "pantin/kernels/table.hpp"
#include "threads.hpp"
#include "whole_tree.hpp"

namespace pantin {

// Residuals bound to a model: they follow edits of the model and its limits, and keep the memory of one solve.
class ProblemCore {
 public:
  ProblemCore(nb::object model, nb::object lower, nb::object upper, const ReachSettings& settings,
              std::uint64_t random_seed, double time_limit_ms);

  // What is asked: `residuals` is what Python calls them, `targets` an array (n, 12) that nobody writes to any more.
  void ask(std::vector<WholeQuestion> questions, std::vector<bool> locked, nb::object residuals, nb::object targets);
  // Configuration to be near to and the weight of each entry of the tangent; none where `q` is empty.
  void be_near(std::vector<double> q, std::vector<double> weights);
  // Reads one target as the kernels take it.
  void read(int index, nb::handle residual, nb::handle target, double* numbers) const;
  // Puts the nearest rotations into targets whose rotations are not quite ones.
  void tidy(int residual, double* numbers, std::size_t n) const;
  // Brings the compiled problem and the limits up to date with the model.
  void refresh();

  const CompiledTree& tree() const { return *tree_; }
  const std::shared_ptr<const WholeTree>& whole() const { return whole_; }
  const std::shared_ptr<const WholeLimits>& limits() const { return limits_; }
  const std::shared_ptr<const WholeLimits>& no_limits();
  const ReachSettings& settings() const { return settings_; }
  long long time_limit() const { return time_limit_; }
  // A task without rows, seeds and answers, for targets as they are set.
  WholeTask task(const double* targets);

  // Memory of one solve: the core's, or fresh where that is in use.
  class Memory {
   public:
    explicit Memory(ProblemCore& core);
    ~Memory() {
      if (core_.whole_ == whole_) core_.memory_ = std::move(memory_);
    }
    Memory(const Memory&) = delete;
    void* get() const { return memory_.get(); }

   private:
    ProblemCore& core_;
    std::shared_ptr<const WholeTree> whole_;
    std::unique_ptr<void, Free> memory_;
  };

  nb::object model, lower, upper;   // the model and its live limit vectors
  nb::object residuals, targets;    // replaced, never changed

 private:
  std::vector<WholeQuestion> questions_;
  std::vector<bool> locked_;
  std::vector<double> posture_, posture_weights_, unknown_weights_;
  ReachSettings settings_;
  std::uint64_t random_seed_;
  long long time_limit_;
  TreePointer tree_;
  std::shared_ptr<const WholeTree> whole_;
  std::shared_ptr<const WholeLimits> limits_, no_limits_;
  std::vector<const double*> target_rows_;
  std::vector<std::size_t> strides_;
  std::unique_ptr<void, Free> memory_;
};

// Answer to one question, and what its lazy parts are computed from.
struct ProblemOutcome {
  nb::object problem, residuals, targets, q, errors;
  std::shared_ptr<const WholeLimits> limits;
  WholeAnswer answer;
  bool seed_clipped;
  std::vector<int> beyond;  // entries of a configuration that reaches, outside their limits
};

}  // namespace pantin
