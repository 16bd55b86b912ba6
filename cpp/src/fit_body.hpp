// A body plan as the fit kernel walks it: joints in depth-first order, lengths in units of the plan's own.
#pragma once

#include <algorithm>
#include <vector>

#include "pantin/solve/fit/plan.hpp"

namespace pantin {

// A plan as Python keeps it: joints with parents before children, rows of numbers, lengths in the user's unit.
struct FitDescription {
  int njoints, ndofs;
  bool fixed_base;
  double length;
  const int *parents, *dof_joint;
  const bool *slide, *fixed;
  const double *offset_pos, *offset_rot, *axis, *neutral, *lower, *upper, *curvature;
};

class FitBody {
 public:
  explicit FitBody(const FitDescription& given);
  FitBody(const FitBody&) = delete;

  const FitPlan& view() const { return plan_; }
  double length() const { return length_; }
  // Where joints and freedoms of the kernel's order stand in the user's.
  const std::vector<int>& joints() const { return joint_; }
  const std::vector<int>& dofs() const { return dof_; }
  // Of the kernel's order and units.
  const std::vector<double>& neutral() const { return neutral_; }
  // The user's own limit of a freedom of the kernel's order, and a value in the user's unit, within both unless it is
  // fixed.
  double limit(int dof, int side) const { return side < 0 ? lower_[dof] : upper_[dof]; }
  double within(int dof, double q) const {
    const double value = in_user_unit(dof, q);
    return dofs_[dof].fixed ? value : std::clamp(value, lower_[dof], upper_[dof]);
  }
  double in_user_unit(int dof, double q) const { return dofs_[dof].slide ? length_ * q : q; }
  double in_kernel_unit(int dof, double q) const { return dofs_[dof].slide ? q / length_ : q; }

 private:
  void order(const FitDescription& given);
  void give_slots();

  double length_;
  std::vector<int> joint_, dof_;
  std::vector<double> neutral_, lower_, upper_;
  std::vector<FitJoint> joints_;
  std::vector<FitDof> dofs_;
  FitPlan plan_;
};

}  // namespace pantin
