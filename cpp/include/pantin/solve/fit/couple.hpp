// What the step of a fit misses where ties couple branches of the tree, by conjugate gradients among the ties.
//
// With k the curvature of a tie along one of three directions d, and a and b what a motion moves its ends by along d, the
// walks know 2 k (a^2 + b^2) where k is positive, and nothing else; that is k (a + b)^2 more than the k (a - b)^2 that is,
// and |k| (a - b)^2 more where k is negative. So the matrix of a Newton step is B - V V', B that of the walks and V with a
// column per direction, and the step is s + B^-1 V y, with s the walks' own and (1 - V' B^-1 V) y = V' s (Woodbury). The
// iteration ends early where that matrix is not positive; the step goes down all the same.
#pragma once

#include "pantin/solve/fit/pass.hpp"

namespace pantin::PANTIN_ISA {

inline constexpr int kRounds = 30;            // of conjugate gradients, at most
inline constexpr double kAnyTurn = 1e300;
inline constexpr double kCoupled = 1e-20;     // squared residual that ends them, of the first

// The factors of the walks: what the root frame is asked, and how.
template <class T>
struct Factors {
  T exact, damping;
  Subtree<T> whole;
};

template <class T>
PANTIN_INLINE void each_direction(const FitLanes<T>& c, auto&& visit) {
  for (int i = 0; i < c.sources->nties; ++i)
    for (int d = 0; d < 3; ++d)
      visit(3 * i + d, c.sources->tie_joint[2 * i], c.sources->tie_joint[2 * i + 1], c.coupling[3 * i + d]);
}

// V y, as pushes on the keypoints.
template <class T>
inline void push(FitLanes<T>& c, const T* y) {
  for (int k = 0; k < c.plan->njoints; ++k) c.pushes[k] = zero3<T>();
  each_direction(c, [&](int i, int a, int b, const Coupling<T>& along) PANTIN_LAMBDA {
    const Vec3<T> f = y[i] * along.d;
    c.pushes[a] = c.pushes[a] + f;
    c.pushes[b] = c.pushes[b] + along.sign * f;
  });
}

// V' of a motion that moves the keypoints by what `pushes` hold.
template <class T>
inline void gather(const FitLanes<T>& c, T* y) {
  each_direction(c, [&](int i, int a, int b, const Coupling<T>& along) PANTIN_LAMBDA {
    y[i] = dot(along.d, c.pushes[a] + along.sign * c.pushes[b]);
  });
}

// The motion of each joint's keypoint, from those of the root frame and the freedoms, `step(j, motion)` each.
template <class T, class Step>
PANTIN_INLINE void carry_out(FitLanes<T>& c, const Motion<T>& root, Step&& step) {
  const FitPlan& plan = *c.plan;
  Motion<T> motion = root;
  for (int k = 0; k < plan.njoints; ++k) {
    const FitJoint& joint = plan.joints[k];
    if (!joint.chained) motion = joint.parent < 0 ? root : c.motions[plan.joints[joint.parent].slot];
    c.pushes[k] = motion.v + cross(motion.w, c.p[k]);
    for (int j = joint.first; j < joint.first + joint.ndofs; ++j) {
      if (plan.dofs[j].fixed) continue;
      const T by = step(j, motion);
      motion = motion + Motion<T>{by * c.screws[j].v, by * c.screws[j].w};
    }
    if (joint.slot >= 0) c.motions[joint.slot] = motion;
  }
}

// B^-1 of the pushes: the step of each freedom to `steps`, that of the root frame, and its motions of the keypoints.
template <bool plain, class T>
inline Motion<T> respond(FitLanes<T>& c, const Factors<T>& factors, T* steps) {
  const FitPlan& plan = *c.plan;
  const Motion<T> none = zero_motion<T>();
  for (int s = 0; s < plan.nslots; ++s) c.motions[s] = none;
  Motion<T> sum = none;
  Subtree<T> whole = factors.whole;
  whole.b = none;
  for (int k = plan.njoints - 1; k >= 0; --k) {
    const FitJoint& joint = plan.joints[k];
    if (joint.slot >= 0) sum = sum + c.motions[joint.slot];
    for (int j = joint.first + joint.ndofs - 1; j >= joint.first; --j) {
      if (plan.dofs[j].fixed) continue;
      steps[j] = dot(c.screws[j].v, sum.v) + dot(c.screws[j].w, sum.w);
      const T by = steps[j] * c.reciprocals[j];
      sum = {sum.v - by * c.U[j].v, sum.w - by * c.U[j].w};
    }
    sum = {sum.v + c.pushes[k], sum.w + cross(c.p[k], c.pushes[k])};
    if (joint.chained) continue;
    Motion<T>& to = joint.parent < 0 ? whole.b : c.motions[plan.joints[joint.parent].slot];
    to = to + sum;
    sum = none;
  }
  FitPass<T> pass{T(0.0), T(0.0), T(0.0), T(0.0), *c.weight, none};
  if (plan.free_root)
    pass.root = root_step<plain>(whole, factors.exact, factors.damping, T(c.settings->per_length), T(kAnyTurn), pass);
  carry_out(c, pass.root, [&](int j, const Motion<T>& motion) PANTIN_LAMBDA {
    return steps[j] = (steps[j] - dot(c.U[j].v, motion.v) - dot(c.U[j].w, motion.w)) * c.reciprocals[j];
  });
  return pass.root;
}

// The step of the walks made that of the coupled tree, in the lanes where it promises more.
template <bool plain, class T>
inline void couple(FitLanes<T>& c, const Factors<T>& factors, mask_of<T> mask, FitPass<T>& pass) {
  const FitPlan& plan = *c.plan;
  const int n = 3 * c.sources->nties;
  T *const y = c.couple, *const r = y + n, *const p = r + n, *const z = p + n, *const steps = z + n;
  carry_out(c, pass.root, [&](int j, const Motion<T>&) PANTIN_LAMBDA { return c.step[j]; });
  gather(c, r);
  T left = T(0.0);
  for (int i = 0; i < n; ++i) {
    y[i] = T(0.0);
    p[i] = r[i];
    left += r[i] * r[i];
  }
  const T enough = T(kCoupled) * left;
  auto going = mask & (left > T(0.0));
  for (int round = 0; round < min(n, kRounds) && any(going); ++round) {
    push(c, p);
    respond<plain>(c, factors, steps);
    gather(c, z);
    T curvature = T(0.0), size = T(0.0), next = T(0.0);
    for (int i = 0; i < n; ++i) {
      z[i] = p[i] - z[i];
      curvature += p[i] * z[i];
      size += p[i] * p[i];
    }
    going = going & (curvature > T(kNoCurvature) * size);
    const T by = left / select(going, curvature, T(1.0));
    for (int i = 0; i < n; ++i) {
      y[i] = select(going, y[i] + by * p[i], y[i]);
      r[i] = r[i] - by * z[i];
      next += r[i] * r[i];
    }
    going = going & (next > enough);
    const T share = next / select(going, left, T(1.0));
    for (int i = 0; i < n; ++i) p[i] = r[i] + share * p[i];
    left = next;
  }
  push(c, y);
  const Motion<T> more = respond<plain>(c, factors, steps);
  Motion<T> root = pass.root + more;
  const T part = *c.farthest / max(sqrt(dot(root.w, root.w)), *c.farthest);
  root = {part * root.v, part * root.w};
  T slope = plan.free_root ? dot(factors.whole.F, root.v) + dot(torque<plain>(factors.whole), root.w) : T(0.0);
  for (int j = 0; j < plan.ndofs; ++j) {
    const FitDof& dof = plan.dofs[j];
    if (dof.fixed) continue;
    const T farthest = dof.slide ? T(kFarthestSlide) : *c.farthest;
    T step = clamp(c.step[j] + steps[j], -farthest, farthest);
    if (dof.bounded) step = clamp(step, T(dof.lower) - c.q[j], T(dof.upper) - c.q[j]);
    slope += c.gradient[j] * step;
    steps[j] = step;
  }
  const auto better = slope >= pass.slope;
  for (int j = 0; j < plan.ndofs; ++j)
    if (!plan.dofs[j].fixed) c.step[j] = select(better, steps[j], c.step[j]);
  pass.slope = select(better, slope, pass.slope);
  pass.root = {select(better, root.v, pass.root.v), select(better, root.w, pass.root.w)};
}

}  // namespace pantin::PANTIN_ISA
