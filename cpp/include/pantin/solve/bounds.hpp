// Limits inside the step: which unknowns are held, and numbers put back within their limits.
#pragma once

#include "pantin/solve/problem.hpp"
#include "pantin/tree/configuration.hpp"

namespace pantin::PANTIN_ISA {

// True where the unknown is locked, or stands at a limit and the descent direction points outward.
template <class T>
PANTIN_INLINE mask_of<T> held(const ReachProblem& problem, const ReachBounds& bounds, const T* x, int unknown,
                              T descent) {
  if (problem.locked && problem.locked[unknown]) return T(0.0) <= T(0.0);
  const int k = problem.x_of_unknown[unknown];
  if (k < 0) return T(0.0) > T(0.0);
  return ((x[k] <= T(bounds.lower[k])) & (descent < T(0.0))) | ((x[k] >= T(bounds.upper[k])) & (descent > T(0.0)));
}

// Where number k may wrap: its limits leave room for a whole turn, and the lane's start roams.
template <class T>
PANTIN_INLINE mask_of<T> wraps(const ReachBounds& bounds, int k, T roams) {
  return T(bounds.turn[k]) * roams > T(0.0);
}

// Numbers that a step took beyond a limit come in at the other one, where they may.
template <class T>
inline void wrap(const ReachProblem& problem, const ReachBounds& bounds, T roams, const T* x, const T* u, T* out) {
  for (int i = 0; i < problem.nvariables; ++i) {
    const int k = problem.variables[i].q;
    if (bounds.turn[k] == 0.0) continue;
    const T lower = T(bounds.lower[k]), upper = T(bounds.upper[k]), turn = T(bounds.turn[k]) * roams;
    const T y = x[k] + u[problem.variables[i].v];
    out[k] = clamp(select(y > upper, y - turn, select(y < lower, y + turn, y)), lower, upper);
  }
}

// Numbers reached from x by the step u, within limits exactly.
template <class T>
PANTIN_INLINE void integrate_within(const ReachProblem& problem, const ReachBounds& bounds, const T* x, const T* u,
                                    T* out) {
  for (int i = 0; i < problem.nvariables; ++i) {
    const Joint& joint = problem.variables[i];
    const int k = joint.q;
    if (joint.nq == 1)
      out[k] = clamp(x[k] + u[joint.v], T(bounds.lower[k]), T(bounds.upper[k]));
    else if (problem.locked && problem.locked[joint.v])
      for (int j = k; j < k + joint.nq; ++j) out[j] = x[j];
    else
      integrate_joint(joint, x + k, u + joint.v, out + k);
  }
}

// Numbers of locked joints, as others have them.
inline void keep_locked(const ReachProblem& problem, const double* from, double* x) {
  if (!problem.locked) return;
  for (int i = 0; i < problem.nvariables; ++i) {
    const Joint& joint = problem.variables[i];
    if (!problem.locked[joint.v]) continue;
    for (int k = joint.q; k < joint.q + joint.nq; ++k) x[k] = from[k];
  }
}

// How far a motion of one joint goes.
PANTIN_INLINE double length_of(const Joint& joint, const double* v) {
  return joint.nv == 3 ? sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) : abs(v[0]);
}

// Puts what has no limits, continuous hinges and balls, back to where it moves no farther than a change from the seed;
// true where it was farther.
inline bool keep_near(const ReachProblem& problem, const double* seed, double change, double* x) {
  bool any = false;
  for (int i = 0; i < problem.nvariables; ++i) {
    const Joint& joint = problem.variables[i];
    if (joint.nq == 1) continue;
    double v[3];
    difference_joint(joint, seed + joint.q, x + joint.q, v);
    const double angle = length_of(joint, v);
    if (angle <= change) continue;
    for (int k = 0; k < joint.nv; ++k) v[k] *= (1.0 - 1e-12) * change / angle;
    integrate_joint(joint, seed + joint.q, v, x + joint.q);
    any = true;
  }
  return any;
}

// Whole turns that bring hinge i nearer to a number, where the limits allow them.
PANTIN_INLINE bool unwind_one(const ReachProblem& problem, const ReachBounds& bounds, int i, double towards, double* x) {
  constexpr double kTurn = 6.28318530717958647693;
  const int k = problem.variables[i].q;
  const double turns = __builtin_rint((x[k] - towards) / kTurn);
  const double nearer = x[k] - turns * kTurn;
  if (problem.locked && problem.locked[problem.variables[i].v]) return false;
  if (!problem.winds[i] || turns == 0.0 || nearer < bounds.lower[k] || nearer > bounds.upper[k]) return false;
  x[k] = nearer;
  return true;
}

// Every hinge as near to the seed as whole turns allow.
inline void unwind(const ReachProblem& problem, const ReachBounds& bounds, const double* seed, double* x) {
  for (int i = 0; i < problem.nvariables; ++i) unwind_one(problem, bounds, i, seed[problem.variables[i].q], x);
}

// Hinges that a limit stops though a whole turn less would be free; true where there was one.
inline bool unwind_held(const ReachProblem& problem, const ReachBounds& bounds, double* x) {
  bool any = false;
  for (int i = 0; i < problem.nvariables; ++i) {
    const int k = problem.variables[i].q;
    if (x[k] <= bounds.lower[k] || x[k] >= bounds.upper[k]) any |= unwind_one(problem, bounds, i, bounds.middle[k], x);
  }
  return any;
}

// Largest joint motion between two sets of numbers, in radians, slides in units of `length`.
PANTIN_INLINE double largest_motion(const ReachProblem& problem, const double* from, const double* to, double length) {
  double largest = 0.0;
  for (int i = 0; i < problem.nvariables; ++i) {
    const Joint& joint = problem.variables[i];
    double v[3];
    if (joint.nq == 1)
      v[0] = to[joint.q] - from[joint.q];
    else
      difference_joint(joint, from + joint.q, to + joint.q, v);
    const double unit = joint.kind == JointKind::kPrismatic ? length : 1.0;
    largest = max(largest, length_of(joint, v) / unit);
  }
  return largest;
}

}  // namespace pantin::PANTIN_ISA
