// What a chain needs of its model's limits.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "pantin/kernels/table.hpp"
#include "reach_chain.hpp"

namespace pantin {

ReachLimits::ReachLimits(const ReachChain& chain, const double* lower, const double* upper, bool free)
    : ModelLimits(chain.model(), chain.view().nq, lower, upper) {
  const ReachProblem& problem = chain.view();
  lower_.assign(problem.nx, -kInfinity);
  upper_.assign(problem.nx, kInfinity);
  find_others(chain);
  if (contradiction() >= 0) return;
  for (int k = 0; k < problem.nx; ++k) middle_.push_back(problem.sign[k] * middle()[problem.entry[k]]);
  if (!free) bind(problem);
  measure(chain);
  const ReachKernels& reach = kernels().reach;
  const auto state = aligned_scratch(reach.state_bytes(problem));
  reach.prepare(state.get(), problem);
  atlas_ = aligned_scratch(reach.atlas_bytes);
  reach.make_atlas(problem, bounds_, atlas_.get(), state.get());
  bounds_.atlas = atlas_.get();
}

bool ReachLimits::clip_others(double* q) const {
  bool was_outside = false;
  for (int entry : others_) {
    const double inside = std::clamp(q[entry], lower()[entry], upper()[entry]);
    was_outside |= inside != q[entry];
    q[entry] = inside;
  }
  return was_outside;
}

void ReachLimits::find_others(const ReachChain& chain) {
  const int* const first = chain.view().entry;
  const int* const last = first + chain.view().nx;
  for (const Joint& joint : chain.model())
    for (int k = 0; !joint.mimic && joint.nq > 0 && k < rest_of(joint.kind).limited; ++k)
      if (std::find(first, last, joint.q + k) == last) others_.push_back(joint.q + k);
}

// The limits of the chain's numbers, the other way round where it passes a joint backwards.
void ReachLimits::bind(const ReachProblem& problem) {
  for (int k = 0; k < problem.nv; ++k) {
    const int x = problem.x_of_unknown[k];
    if (x < 0) continue;
    const int entry = problem.entry[x];
    lower_[x] = problem.sign[x] > 0 ? lower()[entry] : -upper()[entry];
    upper_[x] = problem.sign[x] > 0 ? upper()[entry] : -lower()[entry];
  }
}

// Hinges whose limits leave room for a whole turn, or all but a thousandth of it: files print pi with few digits.
void ReachLimits::find_turns(const ReachProblem& problem) {
  constexpr double kTurn = 2.0 * std::numbers::pi;
  turn_.assign(problem.nx, 0.0);
  for (int i = 0; i < problem.nvariables; ++i) {
    const int k = problem.variables[i].q;
    const double range = upper_[k] - lower_[k];
    if (problem.winds[i] && range > kTurn - 1e-3 && !std::isinf(range)) turn_[k] = kTurn;
  }
  if (std::any_of(turn_.begin(), turn_.end(), [](double turn) { return turn > 0.0; })) bounds_.turn = turn_.data();
}

// How long the chain is, and how far from its base it can reach at most.
void ReachLimits::measure(const ReachChain& chain) {
  const ReachProblem& problem = chain.view();
  double length = 0.0, slides = 0.0;
  for (int i = 0; i < problem.nlinks; ++i) {
    const Joint& joint = problem.links[i].joint;
    length += chain.segments()[i];
    if (joint.kind != JointKind::kPrismatic && joint.kind != JointKind::kHelical) continue;
    const double advance = joint.kind == JointKind::kPrismatic ? 1.0 : std::fabs(joint.pitch);
    double farthest = joint.mimic && joint.master_continuous ? std::numbers::pi
                                                             : Interval(lower_[joint.q], upper_[joint.q]).farthest();
    if (joint.mimic) {
      const double ratio = std::fabs(joint.multiplier);
      farthest = std::fabs(joint.offset) + (ratio == 0.0 ? 0.0 : ratio * farthest);
    }
    if (advance > 0.0) slides += advance * farthest;
  }
  const double span = length > 0.0 ? length : 1.0;
  bounds_ = {lower_.data(), upper_.data(), middle_.data(), kLengthPerRadian * span, span, length + slides, nullptr,
             nullptr};
  find_turns(problem);
}

}  // namespace pantin
