// Every solution of the inverse kinematics of an arm with six turning joints, where it has a closed form.
#pragma once

#include <array>
#include <vector>

#include "compiled_tree.hpp"
#include "space.hpp"
#include "subproblems.hpp"

namespace pantin {

using SixAngles = std::array<double, 6>;

// Six axes in space, where they are at angles of zero.
struct SixAxes {
  Vec direction[6], point[6];
};

class ClosedForm {
 public:
  enum class Kind { kNone, kSpherical, kParallel };

  // Of a frame as a root frame sees it that stands on the way to it.
  ClosedForm(const CompiledTree& tree, int frame, int root);

  Kind kind() const { return kind_; }
  // First of the three joints, 0 to 3, whose axes meet in a point or are parallel.
  int first() const { return first_; }
  // Angles in (-pi, pi] that bring the frame to a pose in the root; angles that a singular pose leaves free are
  // those of `rest`.
  std::vector<SixAngles> solve(Rigid pose, const SixAngles& rest) const;

 private:
  struct Solution {
    SixAngles angles;
    double error;
  };

  struct Place;

  bool take_axes(const CompiledTree& tree, int frame, int root);
  bool moves_freely() const;
  bool meet(int first, Vec& centre) const;
  bool parallel(int first) const;
  Rigid displacement(const SixAngles& angles, double (*jacobian)[6]) const;
  double error(const Rigid& reached, const Rigid& wanted, double* parts) const;
  bool polish(const Rigid& wanted, Solution& solution) const;
  bool descend(const Rigid& wanted, double damping, Solution& solution) const;
  bool blurred(const Rigid& wanted, const Solution& one, const Solution& other) const;

  Kind kind_ = Kind::kNone;
  int first_ = 0;
  double size_ = 1.0;  // metres; lengths below are in units of it
  SixAxes axes_;
  Rigid frame_;        // at angles of zero
  Vec centre_;         // where the three axes meet
};

}  // namespace pantin
