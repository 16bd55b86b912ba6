// Limits of a model at one time.
#pragma once

#include <algorithm>
#include <vector>

#include "interval.hpp"

namespace pantin {

// What all solvers read of them.
class ModelLimits {
 public:
  // Reads the limit vectors of a model with these joints, nq each.
  ModelLimits(const std::vector<Joint>& joints, int nq, const double* lower, const double* upper)
      : given_lower_(lower, lower + nq),
        given_upper_(upper, upper + nq),
        all_lower_(nq, -kInfinity),
        all_upper_(nq, kInfinity),
        all_middle_(nq, 0.0) {
    for (const Joint& joint : joints) {
      if (joint.mimic || joint.nq == 0) continue;
      const Rest rest = rest_of(joint.kind);
      for (int entry = joint.q; entry < joint.q + rest.limited; ++entry) {
        const Interval range(lower[entry], upper[entry]);
        if (range.is_empty()) {
          if (contradiction_ < 0) contradiction_ = entry;
          continue;
        }
        all_middle_[entry] = range.middle();
        all_lower_[entry] = range.lower;
        all_upper_[entry] = range.upper;
      }
      if (rest.unit >= 0) all_middle_[joint.q + rest.unit] = 1.0;
    }
  }
  ModelLimits(const ModelLimits&) = delete;

  // True while these are still the model's limits.
  bool are(const double* lower, const double* upper) const {
    return std::equal(given_lower_.begin(), given_lower_.end(), lower) &&
           std::equal(given_upper_.begin(), given_upper_.end(), upper);
  }
  // First entry of the configuration that its limits leave no room, or whose limits are NaN; else -1.
  int contradiction() const { return contradiction_; }
  // The limit vectors as they were read.
  const double* given_lower() const { return given_lower_.data(); }
  const double* given_upper() const { return given_upper_.data(); }
  // Of each entry of the configuration: its limits, infinite where there are none, and the middle between them, at rest
  // where there are none.
  const std::vector<double>& lower() const { return all_lower_; }
  const std::vector<double>& upper() const { return all_upper_; }
  const double* middle() const { return all_middle_.data(); }

 private:
  std::vector<double> given_lower_, given_upper_, all_lower_, all_upper_, all_middle_;
  int contradiction_ = -1;
};

}  // namespace pantin
