// The damped Newton step of a fit in two walks along the tree, in time linear in its joints.
//
// Towards the root each freedom is eliminated from what its subtree asks, as in the articulated-body algorithm
// (Featherstone 2008, section 7.3); away from it the motions follow. Freedoms at a limit whose gradient points outward
// are held, and those that the step would take beyond one go just there: the walks are repeated with these motions given
// (`again`, 1 for the lanes where they are). A step that goes too far is cut, which those further out then know.
#pragma once

#include "pantin/solve/fit/lanes.hpp"

namespace pantin::PANTIN_ISA {

inline constexpr double kFarthestSlide = 1e3;  // of a step, lengths of the plan
inline constexpr double kSmallPivot = 1e-10, kConcave = 1e-3, kNoCurvature = 1e-8;  // of a coordinate's curvature

// How much a step promises, and how surely.
template <class T>
struct FitPass {
  T slope;       // decrease that a Newton step promises: gradient times step
  T steepest;    // largest entry of the projected gradient
  T flat;        // 1 where some direction has no curvature
  T concave;     // 1 where some direction curves downward
  T weight;      // of a unit of curvature
  Motion<T> root;
};

// A pivot made positive: concave directions count by their size.
template <class T>
PANTIN_INLINE T safe_pivot(T pivot, T curvature) {
  return select(pivot > T(kSmallPivot) * curvature, pivot, max(abs(pivot), T(kConcave) * curvature));
}

// Adds what joint k observes itself.
template <bool plain, class T>
PANTIN_INLINE void add_observed(const FitLanes<T>& c, int k, T exact, Subtree<T>& sum) {
  add_pull(sum, c.p[k], c.f[k]);
  if constexpr (plain) {
    add_mass(sum.A, c.points[4 * k + 3], c.p[k]);
  } else {
    add_block(sum.A, c.sources->loss == Loss::kLinear ? c.W[k] : c.W[k] + scaled(exact, c.bent[k]), c.p[k]);
  }
}

template <bool plain, class T>
PANTIN_INLINE void add_turns(const FitLanes<T>& c, int k, Subtree<T>& sum) {
  if constexpr (!plain) {
    for (int i = 0; i < c.sources->nturns; ++i) {
      if (c.sources->turn_joint[i] != k) continue;
      sum.b.w = sum.b.w + c.torques[i];
      sum.turn = sum.turn + c.torques[i];
      sum.A.ww = sum.A.ww + c.stiffness[i];
    }
  }
}

// Takes freedom j out of what its subtree asks.
template <bool plain, class T>
PANTIN_INLINE void eliminate(FitLanes<T>& c, int j, T exact, T again, T damping, Subtree<T>& sum, FitPass<T>& pass) {
  const FitDof& dof = c.plan->dofs[j];
  const Motion<T> s = c.screws[j];
  const T rest = c.pull[j] * (c.centre[j] - c.q[j]);
  Motion<T> U;
  T gradient;
  if (dof.slide) {
    U = sum.A * SlideScrew<T>{s.v};
    gradient = dot(s.v, sum.F) + rest;
  } else {
    U = sum.A * s;
    U.w = U.w + exact * bend<!plain>(sum, s);
    gradient = dot(s.v, sum.F) + dot(s.w, torque<!plain>(sum)) + rest;
  }
  const T curvature = T(dof.curvature) * pass.weight + c.pull[j];
  const T bare = (dof.slide ? dot(s.v, U.v) : dot(s.v, U.v) + dot(s.w, U.w)) + c.pull[j];
  const T pivot = bare + damping * curvature;
  const T inverse = T(1.0) / safe_pivot(pivot, curvature);
  const T u = (dof.slide ? dot(s.v, sum.b.v) : dot(s.v, sum.b.v) + dot(s.w, sum.b.w)) + rest;
  T reciprocal = inverse, motion = u * inverse, slope = gradient;
  if (dof.bounded) {
    const T q = c.q[j];
    const auto stuck = ((q <= T(dof.lower)) & (gradient < T(0.0))) | ((q >= T(dof.upper)) & (gradient > T(0.0)));
    const auto given = again > T(0.0);
    c.held[j] = select(given, c.held[j], select(stuck, T(1.0), T(0.0)));
    c.press[j] = select(given, c.press[j], T(0.0));
    const auto held = c.held[j] > T(0.0);
    reciprocal = select(held, T(0.0), inverse);
    motion = select(held, c.press[j], motion);
    slope = select(stuck, T(0.0), gradient);
  }
  pass.steepest = max(pass.steepest, abs(slope) * T(dof.slide ? c.settings->per_length : 1.0));
  pass.flat = select((bare <= T(kNoCurvature) * curvature) & (reciprocal > T(0.0)), T(1.0), pass.flat);
  pass.concave = select((pivot <= T(kSmallPivot) * curvature) & (reciprocal > T(0.0)), T(1.0), pass.concave);
  c.U[j] = U;
  c.reciprocals[j] = reciprocal;
  c.u[j] = u;
  sum.A = plus_outer(sum.A, -reciprocal, U);
  sum.b = {sum.b.v - motion * U.v, sum.b.w - motion * U.w};
  c.gradient[j] = gradient;
}

// The root frame's own step against what the whole tree asks, by L D L'.
template <bool plain, class T>
inline Motion<T> root_step(const Subtree<T>& sum, T exact, T damping, T per_length, T farthest, FitPass<T>& pass) {
  const Vec3<T> torque_ = torque<!plain>(sum);
  const T gradient[6] = {sum.F.x, sum.F.y, sum.F.z, torque_.x, torque_.y, torque_.z};
  const Sym3<T>&v = sum.A.vv, &w = sum.A.ww;
  const Mat3<T>&m = sum.A.vw, &M = sum.M;
  T A[6][6] = {{v.xx}, {v.xy, v.yy}, {v.xz, v.yz, v.zz},
               {m.m[0][0], m.m[1][0], m.m[2][0], w.xx},
               {m.m[0][1], m.m[1][1], m.m[2][1], w.xy, w.yy},
               {m.m[0][2], m.m[1][2], m.m[2][2], w.xz, w.yz, w.zz}};
  // the symmetric part of the bend of a turn about the origin
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < i; ++k) A[3 + i][3 + k] -= T(0.5) * exact * (M.m[i][k] + M.m[k][i]);
    A[3 + i][3 + i] += exact * (trace(M) - M.m[i][i]);
  }
  T x[6] = {sum.b.v.x, sum.b.v.y, sum.b.v.z, sum.b.w.x, sum.b.w.y, sum.b.w.z};
  T reciprocal[6];
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < i; ++k) {
      for (int l = 0; l < k; ++l) A[i][k] -= A[i][l] * A[k][l];
      // holds L D up to here
    }
    T pivot = A[i][i];
    for (int k = 0; k < i; ++k) {
      const T scaled = A[i][k] * reciprocal[k];
      pivot -= scaled * A[i][k];
      x[i] -= scaled * x[k];
      A[i][k] = scaled;
    }
    pass.flat = select(pivot <= T(kNoCurvature) * pass.weight, T(1.0), pass.flat);
    pivot += damping * pass.weight;
    pass.concave = select(pivot <= T(kSmallPivot) * pass.weight, T(1.0), pass.concave);
    reciprocal[i] = T(1.0) / safe_pivot(pivot, pass.weight);
    pass.steepest = max(pass.steepest, abs(gradient[i]) * (i < 3 ? per_length : T(1.0)));
  }
  for (int i = 0; i < 6; ++i) x[i] = x[i] * reciprocal[i];
  for (int i = 5; i >= 0; --i)
    for (int k = 0; k < i; ++k) x[k] -= A[i][k] * x[i];
  const T turn = sqrt(x[3] * x[3] + x[4] * x[4] + x[5] * x[5]);
  const T part = farthest / max(turn, farthest);
  for (T& motion : x) motion = part * motion;
  for (int i = 0; i < 6; ++i) pass.slope += gradient[i] * x[i];
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

// Both walks. The motions of freedoms go to c.step; those that would leave their limits are marked as held, and
// `beyond` is 1 in their lanes. What the whole tree asks of the root frame goes to `asked`, where given.
template <bool plain, class T>
inline FitPass<T> walk(FitLanes<T>& c, T exact, T again, T weight, T damping, T& beyond,
                       Subtree<T>* asked = nullptr) {
  const FitPlan& plan = *c.plan;
  FitPass<T> pass{T(0.0), T(0.0), T(0.0), T(0.0), weight, zero_motion<T>()};
  for (int s = 0; s < plan.nslots; ++s) c.sums[s] = nothing<T>();
  Subtree<T> sum = nothing<T>(), whole = nothing<T>();
  for (int k = plan.njoints - 1; k >= 0; --k) {
    const FitJoint& joint = plan.joints[k];
    if (joint.slot >= 0) add<!plain>(sum, c.sums[joint.slot]);
    add_turns<plain>(c, k, sum);
    for (int j = joint.first + joint.ndofs - 1; j >= joint.first; --j)
      if (!plan.dofs[j].fixed) eliminate<plain>(c, j, exact, again, damping, sum, pass);
    add_observed<plain>(c, k, exact, sum);
    if (joint.chained) continue;
    add<!plain>(joint.parent < 0 ? whole : c.sums[plan.joints[joint.parent].slot], sum);
    sum = nothing<T>();
  }
  if (asked) *asked = whole;
  if (plan.free_root) pass.root = root_step<plain>(whole, exact, damping, T(c.settings->per_length), *c.farthest, pass);

  beyond = T(0.0);
  Motion<T> motion = pass.root;
  for (int k = 0; k < plan.njoints; ++k) {
    const FitJoint& joint = plan.joints[k];
    if (!joint.chained) motion = joint.parent < 0 ? pass.root : c.motions[plan.joints[joint.parent].slot];
    for (int j = joint.first; j < joint.first + joint.ndofs; ++j) {
      const FitDof& dof = plan.dofs[j];
      if (dof.fixed) {
        c.step[j] = T(0.0);
        continue;
      }
      T step = (c.u[j] - dot(c.U[j].v, motion.v) - dot(c.U[j].w, motion.w)) * c.reciprocals[j];
      if (dof.bounded) step = select(c.held[j] > T(0.0), c.press[j], step);
      const T farthest = dof.slide ? T(kFarthestSlide) : *c.farthest;
      step = clamp(step, -farthest, farthest);
      if (dof.bounded) {
        const T low = T(dof.lower) - c.q[j], high = T(dof.upper) - c.q[j];
        const auto over = (step < low) | (step > high);
        c.held[j] = select(over, T(1.0), c.held[j]);
        step = clamp(step, low, high);
        c.press[j] = select(over, step, c.press[j]);
        beyond = select(over, T(1.0), beyond);
      }
      c.step[j] = step;
      pass.slope += c.gradient[j] * step;
      const Motion<T>& s = c.screws[j];
      motion = {motion.v + step * s.v, motion.w + step * s.w};
    }
    if (joint.slot >= 0) c.motions[joint.slot] = motion;
  }
  return pass;
}

}  // namespace pantin::PANTIN_ISA
