// The largest entry of the projected gradient, by sums along the tree alone.
#pragma once

#include "pantin/solve/fit/pass.hpp"

namespace pantin::PANTIN_ISA {

struct Pulls {
  Vec3<double> F, torque;
};

inline void add(Pulls& a, const Pulls& b) { a = {a.F + b.F, a.torque + b.torque}; }

inline double steepest(FitLanes<double>& c, Pulls* slots) {
  const FitPlan& plan = *c.plan;
  double largest = 0.0;
  for (int s = 0; s < plan.nslots; ++s) slots[s] = {};
  Pulls sum{}, whole{};
  for (int k = plan.njoints - 1; k >= 0; --k) {
    const FitJoint& joint = plan.joints[k];
    if (joint.slot >= 0) add(sum, slots[joint.slot]);
    for (int i = 0; i < c.sources->nturns; ++i)
      if (c.sources->turn_joint[i] == k) sum.torque = sum.torque + c.torques[i];
    for (int j = joint.first; j < joint.first + joint.ndofs; ++j) {
      const FitDof& dof = plan.dofs[j];
      if (dof.fixed) continue;
      const double g = dot(c.screws[j].v, sum.F) + dot(c.screws[j].w, sum.torque) + c.pull[j] * (c.centre[j] - c.q[j]);
      const bool stuck = dof.bounded && ((c.q[j] <= dof.lower && g < 0.0) || (c.q[j] >= dof.upper && g > 0.0));
      if (!stuck) largest = max(largest, abs(g) * (dof.slide ? c.settings->per_length : 1.0));
    }
    add(sum, {c.f[k], cross(c.p[k], c.f[k])});
    if (joint.chained) continue;
    add(joint.parent < 0 ? whole : slots[plan.joints[joint.parent].slot], sum);
    sum = {};
  }
  if (plan.free_root) {
    const double root[6] = {whole.F.x, whole.F.y, whole.F.z, whole.torque.x, whole.torque.y, whole.torque.z};
    for (int i = 0; i < 6; ++i) largest = max(largest, abs(root[i]) * (i < 3 ? c.settings->per_length : 1.0));
  }
  return largest;
}

}  // namespace pantin::PANTIN_ISA
