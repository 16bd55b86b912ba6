// Moving within the solutions of a task towards a posture (null-space motion, Liegeois 1977),
//     u = weight / 10 (1 - J+ J) (posture - x),
// each time with steps of the task alone back to its tolerances.
#pragma once

#include "pantin/solve/rest.hpp"
#include "pantin/solve/step.hpp"

namespace pantin::PANTIN_ISA {

inline constexpr double kPull = 0.1;           // part of the way to the posture that a step goes at weight 1
inline constexpr double kLeastPull = 1e-3;     // the same where a longer step came no nearer, or left the solutions
inline constexpr double kPulled2 = 1e-20;      // squared way that is not worth going, rad^2
inline constexpr double kNullDamping = 1e-13;  // of the pseudo-inverse; the projection is applied twice

// The way to a posture in the units of the step, 0 for what is locked; returns its squared length.
inline double way_to(const ReachProblem& problem, const ReachBounds& bounds, const double* goal, const double* x,
                     double* way) {
  double length2 = 0.0;
  for (int i = 0; i < problem.nvariables; ++i) {
    const Joint& joint = problem.variables[i];
    difference_joint(joint, x + joint.q, goal + joint.q, way + joint.v);
    for (int k = joint.v; k < joint.v + joint.nv; ++k) {
      if (problem.is_length[k]) way[k] /= bounds.length;
      if (problem.scale) way[k] /= problem.scale[k];
      if (problem.locked && problem.locked[k]) way[k] = 0.0;
      length2 += way[k] * way[k];
    }
  }
  return length2;
}

// The part of a displacement, at most `part`, that ends at the first limit on it.
inline double part_to_limit(const ReachProblem& problem, const ReachBounds& bounds, const double* x, const double* u,
                            double part) {
  for (int k = 0; k < problem.nv; ++k) {
    const int i = problem.x_of_unknown[k];
    if (i < 0 || u[k] == 0.0) continue;
    const double room = (u[k] < 0.0 ? bounds.lower[i] : bounds.upper[i]) - x[i];
    if (abs(room) < part * abs(u[k])) part = abs(room / u[k]) * (1.0 + 1e-12);  // clamping makes it exact
  }
  return part;
}

// Turns a way into a displacement of the unknowns.
inline void displace(const ReachProblem& problem, const ReachBounds& bounds, double* way) {
  for (int k = 0; k < problem.nv; ++k)
    way[k] *= (problem.is_length[k] ? bounds.length : 1.0) * (problem.scale ? problem.scale[k] : 1.0);
}

// Takes out of a way what moves the errors, but for unknowns that stay.
template <int Rows>
inline void project(int n, const double* J, const bool* stays, double* way) {
  for (int k = 0; k < n; ++k)
    if (stays[k]) way[k] = 0.0;
  for (int turn = 0; turn < 2; ++turn) {
    double A[Rows][Rows] = {}, y[Rows] = {};
    for (int k = 0; k < n; ++k) {
      if (stays[k]) continue;
      for (int i = 0; i < Rows; ++i) {
        y[i] += J[Rows * k + i] * way[k];
        for (int j = 0; j <= i; ++j) A[i][j] += J[Rows * k + i] * J[Rows * k + j];
      }
    }
    for (int i = 0; i < Rows; ++i) A[i][i] += kNullDamping;
    solve_positive(A, y);
    for (int k = 0; k < n; ++k) {
      if (stays[k]) continue;
      for (int i = 0; i < Rows; ++i) way[k] -= J[Rows * k + i] * y[i];
    }
  }
}

// The part of the way to a posture that moves neither the errors nor what a limit stops, in m.u; returns its squared
// length.
template <int Rows>
inline double free_way(const ReachProblem& problem, const ReachBounds& bounds, const double* goal, const double* x,
                       RestMemory& m) {
  const int n = problem.nv;
  for (int k = 0; k < n; ++k) m.held[k] = problem.locked && problem.locked[k];
  for (bool stopped = true; stopped;) {
    stopped = false;
    way_to(problem, bounds, goal, x, m.u);
    project<Rows>(n, m.derivatives.J, m.held, m.u);
    for (int k = 0; k < n; ++k)
      if (!m.held[k] && held(problem, bounds, x, k, m.u[k])) m.held[k] = stopped = true;
  }
  double length2 = 0.0;
  for (int k = 0; k < n; ++k) length2 += m.u[k] * m.u[k];
  return length2;
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
    displace(problem, bounds, m.u);
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
  double pull = kPull * weight;
  for (int turn = 0; turn < settings.max_iterations; ++turn) {
    const auto residual = look<Residual>(problem, bounds, settings, target, x, d);
    find_columns(problem, bounds, residual, d);
    const double far2 = way_to(problem, bounds, goal, x, m.u);
    if (free_way<Residual<double>::rows>(problem, bounds, goal, x, m) <= kPulled2) return;
    displace(problem, bounds, m.u);
    const double part = part_to_limit(problem, bounds, x, m.u, pull);
    for (int k = 0; k < problem.nv; ++k) m.u[k] *= part;
    integrate_within(problem, bounds, x, m.u, m.x);
    const bool nearer = go_back<Residual>(problem, bounds, settings, target, m.x, m) &&
                        largest_motion(problem, seed, m.x, 1.0) <= change &&
                        way_to(problem, bounds, goal, m.x, m.u) < far2;
    pull *= nearer ? 2.0 : 0.25;
    if (pull > kPull * weight) pull = kPull * weight;
    if (pull < kLeastPull * weight) return;
    if (!nearer) continue;
    for (int k = 0; k < problem.nx; ++k) x[k] = m.x[k];
  }
}

}  // namespace pantin::PANTIN_ISA
