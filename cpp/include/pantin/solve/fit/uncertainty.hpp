// The diagonal of the inverse of the Gauss-Newton matrix, in time linear in the joints.
//
// The elimination of a step writes the matrix as a sum of D_j (dq_j + U_j' m / D_j)^2, with m the motion of what carries
// freedom j. So the freedoms are like independent noises of variance 1 / D_j that add up along the tree, and the
// covariance of the motion is carried from the root outwards.
#pragma once

#include "pantin/solve/fit/engine.hpp"

namespace pantin::PANTIN_ISA {

struct Spread {
  double C[6][6];
};

inline void as_row(const Motion<double>& a, double (&row)[6]) {
  store3(row, a.v);
  store3(row + 3, a.w);
}

// Of the root frame's motion, the inverse of what the whole tree asks, a column at a time.
inline constexpr double kTurnOfAll = 1e300;

template <bool plain>
inline Spread root_spread(const Subtree<double>& whole, double weight) {
  Spread spread;
  for (int i = 0; i < 6; ++i) {
    Subtree<double> one = whole;
    double unit[6] = {};
    unit[i] = 1.0;
    one.b = {load3(unit), load3(unit + 3)};
    FitPass<double> pass{0.0, 0.0, 0.0, 0.0, weight, zero_motion<double>()};
    as_row(root_step<plain>(one, 0.0, kLeastDamping, 1.0, kTurnOfAll, pass), spread.C[i]);
  }
  return spread;
}

// Takes the spread across freedom j, whose variance is returned.
inline double carry(Spread& spread, const Motion<double>& screw, const Motion<double>& U_, double reciprocal) {
  double s[6], U[6], CU[6], along = 0.0;
  as_row(screw, s);
  as_row(U_, U);
  for (int i = 0; i < 6; ++i) {
    CU[i] = 0.0;
    for (int k = 0; k < 6; ++k) CU[i] += spread.C[i][k] * U[k];
    along += U[i] * CU[i];
  }
  const double variance = reciprocal + along * reciprocal * reciprocal;
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 6; ++k)
      spread.C[i][k] += s[i] * s[k] * variance - reciprocal * (s[i] * CU[k] + CU[i] * s[k]);
  return variance;
}

// Where the lane looks; `slots` has one entry per slot of the plan, `variances` one per freedom.
template <bool plain>
inline void inverse_diagonal(FitLanes<double>& c, Spread* slots, double* variances) {
  const FitPlan& plan = *c.plan;
  double behind, beyond;
  look<plain>(c, behind);
  for (int j = 0; j < plan.ndofs; ++j) c.held[j] = 0.0;
  Subtree<double> whole;
  walk<plain>(c, 0.0, 1.0, *c.weight, kLeastDamping, beyond, &whole);
  const Spread root = plan.free_root ? root_spread<plain>(whole, *c.weight) : Spread{};
  Spread spread = root;
  for (int k = 0; k < plan.njoints; ++k) {
    const FitJoint& joint = plan.joints[k];
    if (!joint.chained) spread = joint.parent < 0 ? root : slots[plan.joints[joint.parent].slot];
    for (int j = joint.first; j < joint.first + joint.ndofs; ++j)
      variances[j] = plan.dofs[j].fixed ? 0.0 : carry(spread, c.screws[j], c.U[j], c.reciprocals[j]);
    if (joint.slot >= 0) slots[joint.slot] = spread;
  }
}

}  // namespace pantin::PANTIN_ISA
