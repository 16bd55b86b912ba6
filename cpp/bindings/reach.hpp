// What Python's ReachSolver and ReachResult are underneath.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <vector>

#include "hot.hpp"
#include "pantin/kernels/table.hpp"
#include "reach_chain.hpp"
#include "reach_target.hpp"
#include "threads.hpp"

namespace pantin {

// Memory of the kernels for a problem.
inline std::unique_ptr<void, Free> reach_state(const ReachProblem& problem) {
  auto memory = aligned_scratch(kernels().reach.state_bytes(problem));
  kernels().reach.prepare(memory.get(), problem);
  return memory;
}

// A chain bound to a model: it follows edits of the model and its limits, and keeps the memory of one solve.
class ReachCore {
 public:
  // What is asked and how to solve, as `pantin.reaching.question` spells it out.
  explicit ReachCore(const nb::kwargs& given);

  // Brings chain and limits up to date with the model.
  void refresh();
  const TreePointer& tree() const { return tree_; }
  const std::shared_ptr<const ReachChain>& chain() const { return chain_; }
  const std::shared_ptr<const ReachLimits>& limits() const { return limits_; }
  // The same as some limits of a chain, but binding nothing; both may be older than the model.
  std::shared_ptr<const ReachLimits> without(const std::shared_ptr<const ReachLimits>& limits, const ReachChain& chain);
  const ReachSettings& settings() const { return settings_; }
  const TargetReader& targets() const { return targets_; }
  long long time_limit() const { return time_limit_; }  // ns, 0 for none
  // A task of settings that the caller copied, as solves on other threads and in signals' handlers refresh the core's;
  // rows, targets, seeds and answers are the caller's, too.
  ReachTask task(const ReachSettings& settings) const;

  // Memory of one solve: the core's, or fresh where that is in use (a signal's handler may solve, too).
  class Memory {
   public:
    explicit Memory(ReachCore& core) : core_(core), chain_(core.chain_.get()), memory_(std::move(core.memory_)) {
      if (!memory_) memory_ = reach_state(chain_->view());
    }
    ~Memory() {
      if (core_.chain_.get() == chain_) core_.memory_ = std::move(memory_);
    }
    Memory(const Memory&) = delete;
    void* get() const { return memory_.get(); }

   private:
    ReachCore& core_;
    const ReachChain* chain_;  // whoever solves keeps it
    std::unique_ptr<void, Free> memory_;
  };

  nb::object model, lower, upper;  // the model and its live limit vectors
  nb::object chooser;              // answers in the core's place, unless it is None

 private:
  ReachQuestion question_;
  TargetReader targets_;
  ReachSettings settings_, asked_;
  long long time_limit_;
  double max_change_, posture_weight_;
  std::vector<double> posture_;
  TreePointer tree_;
  std::shared_ptr<const ReachChain> chain_;
  std::shared_ptr<const ReachLimits> limits_, no_limits_;
  std::unique_ptr<void, Free> memory_;
};

// Answer to one target, and what its lazy parts are computed from.
struct ReachOutcome {
  nb::object solver, q;
  std::shared_ptr<const ReachChain> chain;
  std::shared_ptr<const ReachLimits> limits;
  double target[12];
  ReachAnswer answer;
  bool seed_clipped, target_projected;
  std::vector<int> beyond;  // entries of a configuration that reaches, outside their limits
};

}  // namespace pantin
