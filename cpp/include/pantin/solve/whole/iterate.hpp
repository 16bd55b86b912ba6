// The iteration for several residuals at once: that of a chain (iterate.hpp), on the blocks of a tree.
//
// Levenberg-Marquardt with damping proportional to the squared error (Chan and Lawrence 1988; Sugihara 2011), unknowns
// at a limit held while the descent direction points outward (Bertsekas 1982), and backtracking where a step did not
// lower the error.
#pragma once

#include "pantin/solve/bounds.hpp"
#include "pantin/solve/rest.hpp"
#include "pantin/solve/whole/system.hpp"

namespace pantin::PANTIN_ISA {

// Memory of one configuration and of all that is computed from it.
template <class T>
struct WholeState {
  T *x, *e, *J, *slope, *target;  // numbers, errors, blocks, J'e, twelve numbers a residual
  SE3<T>* poses;
  Line<T>* lines;
  Vec3<T>* moments;
  Sight<T>* sights;
  T *A, *y;  // the system of a step
  T cost;    // squared error
  mask_of<T> reached;
};

// Computes errors, and whether all are within their tolerances, at the numbers x.
template <class T>
inline void look_around(const WholeProblem& problem, WholeState<T>& s) {
  place_links(problem, s.x, s.poses, s.lines);
  const Vec3<T> centre = problem.weighs ? weigh(problem, s.poses, s.moments) : zero3<T>();
  s.reached = T(0.0) <= T(0.0);
  s.cost = T(0.0);
  for (int r = 0; r < problem.nresiduals; ++r) {
    const WholeResidual& residual = problem.residuals[r];
    T* const e = s.e + residual.first;
    look(problem, residual, s.poses, centre, s.target + 12 * r, s.sights[r], e);
    for (int i = 0; i < residual.rows; ++i) s.cost = s.cost + e[i] * e[i];
    s.reached = s.reached & (s.sights[r].position2 <= T(residual.position2)) &
                (s.sights[r].rotation2 <= T(residual.rotation2));
  }
}

// Takes unknowns that a limit stops out of the Jacobian, and returns the squared slope along the others.
template <class T>
inline T hold(const WholeProblem& problem, const ReachBounds& bounds, WholeState<T>& s) {
  T slope2 = T(0.0);
  for (int k = 0; k < problem.unknowns.nv; ++k) {
    const auto stays = held(problem.unknowns, bounds, s.x, k, s.slope[k]);
    if (any(stays)) {
      s.slope[k] = select(stays, T(0.0), s.slope[k]);
      clear_blocks(problem, k, stays, s.J);
    }
    slope2 = slope2 + s.slope[k] * s.slope[k];
  }
  return slope2;
}

template <class T>
PANTIN_INLINE void damped_step(const WholeProblem& problem, WholeState<T>& s, T lambda, T* u) {
  if (problem.in_task_space)
    step_in_task_space(problem, s.J, lambda, s.e, s.A, s.y, u);
  else
    step_in_joint_space(problem, s.J, lambda, s.slope, s.A, s.y, u);
}

// A factor that leaves no joint to turn by more than `most`.
template <class T>
PANTIN_INLINE T shortening(const WholeProblem& problem, const T* u, double most) {
  T largest = T(0.0);
  for (int k = 0; k < problem.unknowns.nv; ++k)
    if (!problem.unknowns.is_length[k]) largest = max(largest, abs(u[k]));
  const auto is_long = largest > T(most);
  return any(is_long) ? select(is_long, T(most) / largest, T(1.0)) : T(1.0);
}

// Starts under way, one a lane.
struct WholeLanes {
  WholeState<P> state;  // at the numbers tried
  P *base, *u, *trial;  // best numbers so far, step from these, step of this iteration
  P* errors2;           // squared position and rotation error of each residual, at the best numbers
  P cost;               // at the best numbers
  P damping;            // factor of the error
  P iteration, most_iterations;
  P mark_iteration, mark_cost, period;  // where progress was last looked at, and how long it may take
};

// Which lanes are done, as bits, and why.
struct WholeProgress {
  int done, reached;
};

namespace whole {
inline constexpr double kLeastDamping = 0.05, kMostDamping = 1e6, kDampingFloor = 1e-12;
inline constexpr double kMostWeight = 10.0;      // squared error beyond which damping grows no more
inline constexpr double kLargestStep = 1.0;      // radians
inline constexpr double kPatience = 10.0;        // a step may raise the squared error to this multiple
inline constexpr double kProgress = 0.25;        // a search is over unless the error falls below this part of itself ...
inline constexpr double kPeriod = 8.0, kSeedPeriod = 16.0;  // ... in so many iterations
}  // namespace whole

// One iteration; `busy` are the lanes that count.
inline WholeProgress iterate(const WholeProblem& problem, const ReachBounds& bounds, int busy, WholeLanes& lanes) {
  WholeState<P>& s = lanes.state;
  const int n = problem.unknowns.nv;
  look_around(problem, s);

  // a step that lowers the error is kept, and the damping relaxed
  const auto first = lanes.iteration == P(0.0);
  const auto accept = s.reached | first | (s.cost < P(whole::kPatience) * lanes.cost);
  for (int k = 0; k < problem.unknowns.nx; ++k) lanes.base[k] = select(accept, s.x[k], lanes.base[k]);
  for (int r = 0; r < problem.nresiduals; ++r) {
    lanes.errors2[2 * r] = select(accept, s.sights[r].position2, lanes.errors2[2 * r]);
    lanes.errors2[2 * r + 1] = select(accept, s.sights[r].rotation2, lanes.errors2[2 * r + 1]);
  }
  lanes.cost = select(accept, s.cost, lanes.cost);
  if ((bits(s.reached) & busy) == busy) {
    lanes.iteration = lanes.iteration + P(1.0);
    return {busy, busy};
  }
  lanes.damping = select(accept, max(P(0.3) * lanes.damping, P(whole::kLeastDamping)), P(4.0) * lanes.damping);

  // the damped step, no turn farther than a radian; after a failure a quarter of the last one
  fill_blocks(problem, s.lines, s.moments, s.sights, s.J);
  slopes(problem, s.J, s.e, s.slope);
  const P slope2 = hold(problem, bounds, s);
  const auto stationary = accept & (slope2 <= P(kStationary2) * s.cost);
  damped_step(problem, s, lanes.damping * min(s.cost, P(whole::kMostWeight)) + P(whole::kDampingFloor), lanes.trial);
  const P scale = shortening(problem, lanes.trial, whole::kLargestStep);
  for (int k = 0; k < n; ++k) {
    const P step = scale * lanes.trial[k];
    const P whole_step = problem.unknowns.is_length[k] ? P(problem.length) * step : step;
    lanes.u[k] = select(accept, whole_step, P(0.25) * lanes.u[k]);
  }
  integrate_within(problem.unknowns, bounds, lanes.base, lanes.u, s.x);

  // a start that has come to rest, or crawls, is over
  lanes.iteration = lanes.iteration + P(1.0);
  const auto look = lanes.iteration - lanes.mark_iteration >= lanes.period;
  const auto crawls = look & (lanes.cost > P(whole::kProgress) * lanes.mark_cost);
  lanes.mark_iteration = select(look, lanes.iteration, lanes.mark_iteration);
  lanes.mark_cost = select(look, lanes.cost, lanes.mark_cost);
  const auto done = s.reached | stationary | crawls | (lanes.iteration >= lanes.most_iterations) |
                    (lanes.damping > P(whole::kMostDamping));
  return {bits(done), bits(s.reached)};
}

}  // namespace pantin::PANTIN_ISA
