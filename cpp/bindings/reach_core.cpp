// A chain bound to its model.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "reach.hpp"
#include "solving.hpp"

namespace pantin {

ReachCore::ReachCore(const nb::kwargs& given) {
  const auto numbers = [&](const char* name, double* to, std::size_t n) {
    const nb::object array = nb::borrow(given[name]);
    if (size_of(array) != n) throw nb::value_error(name);
    std::copy_n(numbers_of(array), n, to);
  };
  const auto many = [&](const char* name) {
    const nb::object array = nb::borrow(given[name]);
    if (array.is_none()) return std::vector<double>();
    return std::vector<double>(numbers_of(array), numbers_of(array) + size_of(array));
  };
  model = nb::borrow(given["model"]);
  lower = nb::borrow(given["lower"]);
  upper = nb::borrow(given["upper"]);
  chooser = nb::borrow(given["chooser"]);
  question_.frame = nb::cast<int>(given["frame"]);
  question_.root = nb::cast<int>(given["root"]);
  question_.mode = static_cast<ReachMode>(nb::cast<int>(given["residual"]));
  numbers("tool", question_.tool, 9);
  numbers("weights", question_.weights, 6);
  numbers("per_tolerance", question_.per_tolerance, 6);
  question_.in_tool = nb::cast<bool>(given["in_tool"]);
  question_.readiness = many("readiness");
  question_.random_seed = nb::cast<std::uint64_t>(given["random_seed"]);
  targets_.asks = static_cast<Asks>(nb::cast<int>(given["asks"]));
  targets_.with_roll = nb::cast<bool>(given["with_roll"]);
  std::copy_n(question_.tool, 9, targets_.tool);
  numbers("pivot", targets_.pivot, 3);
  numbers("depths", targets_.depths, 2);
  asked_ = {nb::cast<double>(given["position_tolerance"]), nb::cast<double>(given["rotation_tolerance"]),
            nb::cast<int>(given["max_iterations"]), nb::cast<int>(given["max_starts"])};
  time_limit_ = static_cast<long long>(1e6 * nb::cast<double>(given["time_limit_ms"]));
  max_change_ = nb::cast<double>(given["max_joint_change"]);
  posture_ = many("posture");
  posture_weight_ = nb::cast<double>(given["posture_weight"]);
  refresh();
}

ReachTask ReachCore::task(const ReachSettings& settings) const {
  return {.problem = &chain_->view(), .bounds = &limits_->view(), .settings = &settings, .range = {0, 0},
          .targets = nullptr, .seeds = limits_->middle(), .seed_stride = 0, .seeded = false, .max_change = max_change_,
          .posture = posture_.empty() ? nullptr : posture_.data(), .posture_weight = posture_weight_, .q = nullptr,
          .answers = nullptr};
}

void ReachCore::refresh() {
  const TreePointer tree = compiled(model);
  if (tree != tree_) {
    const auto fits = [](const std::vector<double>& given, int n) { return given.empty() || int(given.size()) == n; };
    if (!fits(posture_, tree->view().nq) || !fits(question_.readiness, tree->view().nv))
      raise_from("doors", "raise_outgrown", model);
    try {
      chain_ = std::make_shared<ReachChain>(*tree, question_);
    } catch (const std::invalid_argument&) {
      raise_from("doors", "movable_frame", model, question_.frame, question_.root);
    }
    tree_ = tree;
    limits_ = nullptr;
    memory_ = nullptr;
  }
  const int nq = chain_->view().nq;
  const double *const low = limit_vector(lower, nq), *const high = limit_vector(upper, nq);
  if (limits_ && limits_->are(low, high)) return;
  const std::shared_ptr<const ReachLimits> limits = std::make_shared<ReachLimits>(*chain_, low, high);
  if (limits->contradiction() >= 0) raise_from("doors", "raise_contradiction", model, limits->contradiction());
  limits_ = limits;
  no_limits_ = nullptr;
  settings_ = asked_;
  if (targets_.asks != Asks::kRcm) return;
  // the shaft is within the tolerance of the pivot where the tip is within half of it, and the direction makes up for
  // the other half at most
  settings_.position_tolerance *= 0.5;
  const double(&base)[3] = chain_->view().base.p, (&pivot)[3] = targets_.pivot;
  const double away = std::hypot(pivot[0] - base[0], pivot[1] - base[1], pivot[2] - base[2]);
  const double depth = std::min(targets_.depths[1], limits_->view().reach + away);
  settings_.rotation_tolerance = std::min(asked_.rotation_tolerance, settings_.position_tolerance / depth);
}

std::shared_ptr<const ReachLimits> ReachCore::without(const std::shared_ptr<const ReachLimits>& limits,
                                                      const ReachChain& chain) {
  if (limits == limits_ && no_limits_) return no_limits_;
  const auto free = std::make_shared<const ReachLimits>(chain, limits->given_lower(), limits->given_upper(), true);
  if (limits == limits_) no_limits_ = free;
  return free;
}

}  // namespace pantin
