// Limits as a solver reads them.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "joint_parts.hpp"

namespace pantin {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kLengthPerRadian = 0.35;  // part of the longest way to a frame that weighs as much as a radian
inline constexpr double kFar = 1e10;  // a limit beyond counts as none: URDF writes the largest double, or 1e20

// Limits of one number, infinite where it has none.
struct Interval {
  double lower, upper;

  Interval(double low, double high) : lower(low < -kFar ? -kInfinity : low), upper(high > kFar ? kInfinity : high) {}
  bool is_empty() const { return !(lower <= upper) || lower > kFar || upper < -kFar; }
  double farthest() const { return std::max(std::fabs(lower), std::fabs(upper)); }
  double middle() const {
    return std::isinf(lower) || std::isinf(upper) ? std::clamp(0.0, lower, upper) : lower + 0.5 * (upper - lower);
  }
};

// How many of a joint's first numbers can be limited, and where its rotation's 1 stands at rest, if it has one.
struct Rest {
  int limited, unit;
};
inline Rest rest_of(JointKind kind) {
  switch (kind) {
    case JointKind::kContinuous:
      return {0, 0};
    case JointKind::kSpherical:
      return {0, 3};
    case JointKind::kPlanar:
      return {2, 2};
    case JointKind::kFreeFlyer:
      return {3, 6};
    default:
      return {can_be_limited(kind) ? 1 : 0, -1};
  }
}

}  // namespace pantin
