// What Python's Problem and ProblemResult are underneath.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <vector>

#include "hot.hpp"
#include "pantin/kernels/table.hpp"
#include "solving.hpp"
#include "threads.hpp"
#include "whole_tree.hpp"

namespace pantin {

// Puts the nearest rotations into targets of an aim whose rotations are not quite ones.
void tidy(WholeAim aim, double* numbers, std::size_t n);

// Memory of the kernels for a problem.
std::unique_ptr<void, Free> search_memory(const WholeProblem& problem);

// Residuals bound to a model: they follow edits of the model and its limits, and keep the memory of one solve.
class ProblemCore {
 public:
  ProblemCore(nb::object model, nb::object lower, nb::object upper, const ReachSettings& settings,
              std::uint64_t random_seed, double time_limit_ms);

  // A posture as the kernels take it: a configuration, and the weight of each unknown.
  struct Posture {
    std::vector<double> q, weights;
  };

  // What is asked: `residuals` is what Python calls them, `targets` an array (n, 12) that nobody writes to any more.
  void ask(std::vector<WholeQuestion> questions, std::vector<bool> locked, nb::object residuals, nb::object targets);
  // Configuration to be near to and the weight of each entry of the tangent; none where `q` is empty.
  void be_near(std::vector<double> q, std::vector<double> weights);
  // Replaces the target of a residual, which has this index.
  void set_target(int index, nb::object residual, nb::object target);
  // Brings the compiled problem and the limits up to date with the model.
  void refresh();

  long long time_limit() const { return time_limit_; }

  // What one solve works with, whatever a signal's handler does to the core meanwhile: the problem, limits and posture
  // as they are, and memory, which is the core's or fresh where that is in use.
  class Solve {
   public:
    explicit Solve(ProblemCore& core);
    ~Solve() {
      if (core_.whole_ == whole_) core_.workspace_ = std::move(workspace_);
    }
    Solve(const Solve&) = delete;

    const CompiledTree& tree() const { return *tree_; }
    const WholeProblem& problem() const { return whole_->view(); }
    const std::shared_ptr<const WholeLimits>& limits() const { return limits_; }
    const std::shared_ptr<const WholeLimits>& no_limits();
    void* memory() const { return workspace_.memory.get(); }
    // A task without rows, seeds and answers; targets are an array (n, 12), or set by the caller where null.
    WholeTask task(const double* targets);

   private:
    ProblemCore& core_;
    TreePointer tree_;
    std::shared_ptr<const WholeTree> whole_;
    std::shared_ptr<const WholeLimits> limits_, no_limits_;
    std::shared_ptr<const Posture> posture_;
    struct Workspace {
      std::unique_ptr<void, Free> memory;
      std::vector<const double*> targets;
      std::vector<std::size_t> strides;
    } workspace_;
    friend ProblemCore;
  };

  nb::object model, lower, upper;   // the model and its live limit vectors
  nb::object residuals, targets;    // replaced, never changed

 private:
  // Reads one target as the kernels take it; true where that took nothing of Python.
  static bool read(const WholeQuestion& question, nb::handle residual, nb::handle target, double* numbers);

  std::vector<WholeQuestion> questions_;
  std::vector<bool> locked_;
  std::vector<double> posture_q_, posture_weights_;  // as given
  ReachSettings settings_;
  std::uint64_t random_seed_;
  long long time_limit_;
  TreePointer tree_;
  std::shared_ptr<const WholeTree> whole_;
  std::shared_ptr<const WholeLimits> limits_, no_limits_;
  std::shared_ptr<const Posture> posture_;
  Solve::Workspace workspace_;
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
