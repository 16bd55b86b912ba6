// Bringing the best of the starts to rest where none has reached.
//
// Gauss-Newton crawls where a large error stays. What it lacks, the errors times their second derivatives, is learned
// from the steps: a secant update with sizing (Dennis, Gay and Welsch 1981), damped so that the error falls each time.
#pragma once

#include "pantin/solve/free_system.hpp"
#include "pantin/solve/whole/iterate.hpp"

namespace pantin::PANTIN_ISA {

struct WholeRestMemory {
  double *x, *next;              // the best numbers, and where a step leads
  double *S, *L;                 // (nv, nv): what is learned; a factor
  double *u, *step;              // a step, and the same in the unknowns' units
  double *slope, *old_slope;     // J'e here, and J'e with the Jacobian of the point before
  double *J;                     // of the point before
  double *change, *gap, *image;  // of the secant update
  bool* held;
};

namespace whole {
inline constexpr double kResting = 1e-13;   // part by which a step has to lower the squared error
inline constexpr double kRestDamping = 1e8;
}  // namespace whole

// Solves (J'J + S + damping) u = slope for the unknowns that are not held; false where the matrix is not positive.
inline bool secant_step(const WholeProblem& problem, const WholeState<double>& s, double damping, WholeRestMemory& m) {
  const int n = problem.unknowns.nv;
  for (int i = 0; i < n * n; ++i) m.L[i] = m.S[i];
  for (int r = 0; r < problem.nblocks; ++r) {
    const WholeBlock& one = problem.blocks[r];
    for (int b = 0; b <= r; ++b) {
      const WholeBlock& other = problem.blocks[b];
      if (other.first != one.first) continue;
      double& entry = m.L[one.unknown * n + other.unknown];
      for (int i = 0; i < one.rows; ++i) entry += s.J[one.at + i] * s.J[other.at + i];
    }
  }
  if (!factor_free(n, m.L, damping, m.held, m.L)) return false;
  solve_free(n, m.L, m.held, m.slope, m.u);
  return true;
}

inline double dot(int n, const double* a, const double* b) {
  double sum = 0.0;
  for (int k = 0; k < n; ++k) sum += a[k] * b[k];
  return sum;
}

// Learns from the step u that led here. `change` is the gradient's, of which what the Jacobian's change makes is known:
// S u shall be that.
inline void learn(const WholeProblem& problem, WholeState<double>& s, WholeRestMemory& m) {
  const int n = problem.unknowns.nv;
  for (int k = 0; k < n; ++k) m.change[k] = m.slope[k];  // the slope before
  slopes(problem, m.J, s.e, m.old_slope);
  slopes(problem, s.J, s.e, m.slope);
  for (int k = 0; k < n; ++k) {
    m.change[k] -= m.slope[k];
    m.image[k] = dot(n, m.S + k * n, m.u);
    m.gap[k] = m.old_slope[k] - m.slope[k];
  }
  const double along = dot(n, m.change, m.u), wanted = dot(n, m.gap, m.u), had = dot(n, m.image, m.u);
  if (!(along > 1e-14 * sqrt(dot(n, m.change, m.change) * dot(n, m.u, m.u)))) return;
  const double size = abs(had) > abs(wanted) ? abs(wanted) / abs(had) : 1.0;
  for (int k = 0; k < n; ++k) m.gap[k] -= size * m.image[k];
  const double rest = dot(n, m.gap, m.u) / (along * along);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      m.S[i * n + j] = size * m.S[i * n + j] +
                       (m.gap[i] * m.change[j] + m.change[i] * m.gap[j]) / along - rest * m.change[i] * m.change[j];
}

// Descends from s.x to where the error rests; s then is the state there. Returns the iterations.
template <class Late>
inline int come_to_rest(const WholeProblem& problem, const ReachBounds& bounds, int most, WholeState<double>& s,
                        WholeRestMemory& m, Late&& late) {
  const int n = problem.unknowns.nv;
  double damping = 1e-3;  // times the squared error
  for (int k = 0; k < n * n; ++k) m.S[k] = 0.0;
  for (int k = 0; k < problem.nx; ++k) m.x[k] = s.x[k];
  look_around(problem, s);
  fill_blocks(problem, s.lines, s.moments, s.sights, s.J);
  slopes(problem, s.J, s.e, m.slope);
  int iterations = 1;
  for (; !s.reached && iterations < most && !late(iterations); ++iterations) {
    const double cost = s.cost;
    double slope2 = 0.0;
    for (int k = 0; k < n; ++k) {
      m.held[k] = held(problem.unknowns, bounds, m.x, k, m.slope[k]);
      if (!m.held[k]) slope2 += m.slope[k] * m.slope[k];
    }
    if (slope2 <= kStationary2 * cost) break;
    for (int k = 0; k < problem.jacobian; ++k) m.J[k] = s.J[k];

    // the least damped step that lowers the error; where there is none, it rests to rounding
    bool lower = false;
    for (; !lower && damping <= whole::kRestDamping; damping *= lower ? 0.1 : 8.0) {
      for (int k = 0; k < problem.jacobian; ++k) s.J[k] = m.J[k];
      if (!secant_step(problem, s, damping * min(cost, whole::kMostWeight), m)) continue;
      const double scale = shortening(problem, m.u, whole::kLargestStep);
      for (int k = 0; k < n; ++k) {
        m.u[k] *= scale;
        m.step[k] = problem.unknowns.is_length[k] ? problem.length * m.u[k] : m.u[k];
      }
      integrate_within(problem.unknowns, bounds, m.x, m.step, m.next);
      for (int k = 0; k < problem.unknowns.nx; ++k) s.x[k] = m.next[k];
      look_around(problem, s);
      lower = s.reached || s.cost < cost * (1.0 - whole::kResting);
    }
    if (!lower) break;
    for (int k = 0; k < n; ++k) {  // what limits left of the step
      const int at = problem.unknowns.x_of_unknown[k];
      if (at >= 0) m.u[k] = (m.next[at] - m.x[at]) / (problem.unknowns.is_length[k] ? problem.length : 1.0);
    }
    damping = max(damping, 1e-9);
    for (int k = 0; k < problem.unknowns.nx; ++k) m.x[k] = s.x[k];
    fill_blocks(problem, s.lines, s.moments, s.sights, s.J);
    learn(problem, s, m);
  }
  for (int k = 0; k < problem.nx; ++k) s.x[k] = m.x[k];
  look_around(problem, s);
  return iterations;
}

}  // namespace pantin::PANTIN_ISA
