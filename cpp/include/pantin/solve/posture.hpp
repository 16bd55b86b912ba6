// Moving within the solutions of a task towards a posture (null-space motion, Liegeois 1977),
//     u = weight / 10 (1 - J+ J) (posture - x),
// each time with steps of the task alone back to its tolerances.
#pragma once

#include "pantin/solve/rest.hpp"
#include "pantin/solve/step.hpp"

namespace pantin::PANTIN_ISA {

inline constexpr double kPull = 0.1;           // part of the way to the posture that a step goes at weight 1
inline constexpr double kPulled2 = 1e-20;      // squared way that is not worth going, rad^2
inline constexpr double kNullDamping = 1e-10;  // of the pseudo-inverse; the projection is applied twice

// The way to a posture in the units of the step, 0 for unknowns that cannot go it; returns its squared length.
inline double way_to(const ReachProblem& problem, const ReachBounds& bounds, const double* goal, const double* x, double* way) {
  double length2 = 0.0;
  for (int i = 0; i < problem.nvariables; ++i) {
    const Joint& joint = problem.variables[i];
    difference_joint(joint, x + joint.q, goal + joint.q, way + joint.v);
    for (int k = joint.v; k < joint.v + joint.nv; ++k) {
      if (problem.is_length[k]) way[k] /= bounds.length;
      if (problem.scale) way[k] /= problem.scale[k];
      if (held(problem, bounds, x, k, way[k])) way[k] = 0.0;
      length2 += way[k] * way[k];
    }
  }
  return length2;
}

// Turns a way into a displacement of the unknowns.
inline void displace(const ReachProblem& problem, const ReachBounds& bounds, double part, double* way) {
  for (int k = 0; k < problem.nv; ++k)
    way[k] *= part * (problem.is_length[k] ? bounds.length : 1.0) * (problem.scale ? problem.scale[k] : 1.0);
}

// Takes out of a way what moves the errors.
template <int Rows>
inline void project(int n, const double* J, double* way) {
  for (int turn = 0; turn < 2; ++turn) {
    double A[Rows][Rows] = {}, y[Rows] = {};
    for (int k = 0; k < n; ++k) {
      if (way[k] == 0.0) continue;
      for (int i = 0; i < Rows; ++i) {
        y[i] += J[Rows * k + i] * way[k];
        for (int j = 0; j <= i; ++j) A[i][j] += J[Rows * k + i] * J[Rows * k + j];
      }
    }
    for (int i = 0; i < Rows; ++i) A[i][i] += kNullDamping;
    solve_positive(A, y);
    for (int k = 0; k < n; ++k) {
      if (way[k] == 0.0) continue;
      for (int i = 0; i < Rows; ++i) way[k] -= J[Rows * k + i] * y[i];
    }
  }
}

// Steps of the task alone; true where they end within its tolerances.
template <template <class> class Residual>
inline bool go_back(const ReachProblem& problem, const ReachBounds& bounds, const ReachSettings& settings,
                    const SE3<double>& target, double* x, RestMemory& m) {
  constexpr int rows = Residual<double>::rows;
  Derivatives& d = m.derivatives;
  for (int turn = 0; turn < 6; ++turn) {
    const auto residual = look<Residual>(problem, bounds, settings, target, x, d);
    if (d.reached) return true;
    find_columns(problem, bounds, residual, d);
    double e[rows];
    for (int i = 0; i < rows; ++i) e[i] = d.e[i];
    damped_step(problem.nv, reinterpret_cast<double(*)[rows]>(d.J), 0.05 * d.cost + 1e-12, e, m.u,
                [&](int k, double slope, double(&column)[rows]) {
                  if (held(problem, bounds, x, k, slope))
                    for (double& entry : column) entry = 0.0;
                });
    displace(problem, bounds, 1.0, m.u);
    integrate_within(problem, bounds, x, m.u, m.turned);
    for (int k = 0; k < problem.nx; ++k) x[k] = m.turned[k];
  }
  return false;
}

// From numbers x that reach to others nearer to the goal, none farther from the seed than the change.
template <template <class> class Residual>
inline void approach(const ReachProblem& problem, const ReachBounds& bounds, const ReachSettings& settings,
                     const SE3<double>& target, const double* goal, double weight, const double* seed, double change,
                     double* x, RestMemory& m) {
  Derivatives& d = m.derivatives;
  double far2 = way_to(problem, bounds, goal, x, m.u);
  for (int turn = 0; turn < settings.max_iterations; ++turn) {
    const auto residual = look<Residual>(problem, bounds, settings, target, x, d);
    find_columns(problem, bounds, residual, d);
    project<Residual<double>::rows>(problem.nv, d.J, m.u);
    double free2 = 0.0;
    for (int k = 0; k < problem.nv; ++k) free2 += m.u[k] * m.u[k];
    if (free2 <= kPulled2) return;
    displace(problem, bounds, kPull * weight, m.u);
    integrate_within(problem, bounds, x, m.u, m.x);
    if (!go_back<Residual>(problem, bounds, settings, target, m.x, m)) return;
    if (largest_motion(problem, seed, m.x, 1.0) > change) return;
    const double nearer2 = way_to(problem, bounds, goal, m.x, m.u);
    if (!(nearer2 < far2)) return;
    far2 = nearer2;
    for (int k = 0; k < problem.nx; ++k) x[k] = m.x[k];
  }
}

}  // namespace pantin::PANTIN_ISA
