// Bringing the best of the starts to rest where none has reached: Newton's method with exact second derivatives on
// the joints that no limit holds, damped so that the error falls at each step. Gauss-Newton crawls where a large
// error stays.
#pragma once

#include "pantin/solve/derivatives.hpp"
#include "pantin/solve/free_system.hpp"

namespace pantin::PANTIN_ISA {

inline constexpr double kStationary2 = 1e-14;  // squared sine of the angle between error and what joints can do
inline constexpr double kFlat = 1e-9;          // curvature that counts as none

struct RestMemory {
  Derivatives derivatives;
  double *x, *u, *L;       // nx, nv, (nv, nv)
  double *goal, *turned;   // nx each
  bool* held;         // nv
};

struct Rest {
  double cost, position2, rotation2;
  int iterations;
  bool reached;
};

// Solves (H + damping) u = slope for the unknowns that are not held; false where the matrix is not positive.
inline bool newton_step(int n, const RestMemory& m, double damping) {
  if (!factor_free(n, m.derivatives.H, damping, m.held, m.L)) return false;
  solve_free(n, m.L, m.held, m.derivatives.slope, m.u);
  return true;
}

// Which unknowns a limit holds, and the squared slope along the others.
inline double free_slope2(const ReachProblem& problem, const ReachBounds& bounds, const double* x, RestMemory& m) {
  double slope2 = 0.0;
  for (int k = 0; k < problem.nv; ++k) {
    m.held[k] = held(problem, bounds, x, k, m.derivatives.slope[k]);
    if (!m.held[k]) slope2 += m.derivatives.slope[k] * m.derivatives.slope[k];
  }
  return slope2;
}

// Whether no free direction from numbers at which the error rests curves down.
template <template <class> class Residual>
inline bool is_minimum(const ReachProblem& problem, const ReachBounds& bounds, const ReachSettings& settings,
                       const SE3<double>& target, const double* x, RestMemory& m) {
  const Residual<double> residual = look<Residual>(problem, bounds, settings, target, x, m.derivatives);
  derive(problem, bounds, target, residual, m.derivatives);
  free_slope2(problem, bounds, x, m);
  return newton_step(problem.nv, m, kFlat);
}

// Descends from the numbers x to where the error rests, and leaves x there.
template <template <class> class Residual>
inline Rest come_to_rest(const ReachProblem& problem, const ReachBounds& bounds, const ReachSettings& settings,
                         const SE3<double>& target, double* x, RestMemory& m) {
  const int n = problem.nv;
  Derivatives& d = m.derivatives;
  double damping = 1e-3;  // times the squared error
  Residual<double> residual = look<Residual>(problem, bounds, settings, target, x, d);
  Rest rest{d.cost, d.position2, d.rotation2, 1, d.reached};
  for (; !rest.reached && rest.iterations < settings.max_iterations; ++rest.iterations) {
    derive(problem, bounds, target, residual, d);
    const double cost = d.cost;
    if (free_slope2(problem, bounds, x, m) <= kStationary2 * cost) break;

    // the least damped step that lowers the error; where there is none, it rests to rounding
    for (bool lower = false; !lower; damping *= lower ? 0.1 : 8.0) {
      if (damping > 1e8) return rest;
      if (!newton_step(n, m, damping * min(cost, 10.0))) continue;
      if (problem.scale)
        for (int k = 0; k < n; ++k) m.u[k] *= problem.scale[k];
      double longest = 1.0;
      for (int k = 0; k < n; ++k)
        if (!problem.is_length[k]) longest = max(longest, abs(m.u[k]));
      for (int k = 0; k < n; ++k) m.u[k] *= (problem.is_length[k] ? bounds.length : 1.0) / longest;
      integrate_within(problem, bounds, x, m.u, m.x);
      residual = look<Residual>(problem, bounds, settings, target, m.x, d);
      lower = d.reached || d.cost < cost;
    }
    damping = max(damping, 1e-9);
    for (int k = 0; k < problem.nx; ++k) x[k] = m.x[k];
    rest.cost = d.cost;
    rest.position2 = d.position2;
    rest.rotation2 = d.rotation2;
    rest.reached = d.reached;
  }
  return rest;
}

}  // namespace pantin::PANTIN_ISA
