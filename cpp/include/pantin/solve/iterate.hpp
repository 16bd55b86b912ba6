// The iteration of reach: as many starts at once as a pack has lanes, each with a state of its own.
//
// Levenberg-Marquardt with damping proportional to the squared error (Chan and Lawrence 1988; Sugihara 2011),
// unknowns at a limit held while the descent direction points outward (Bertsekas 1982), and backtracking where
// a step did not lower the error.
#pragma once

#include "pantin/solve/hinges.hpp"
#include "pantin/solve/residual.hpp"
#include "pantin/solve/rest.hpp"

namespace pantin::PANTIN_ISA {

struct Lanes {
  SE3<P> target;
  P *x, *base, *u, *J;  // numbers tried, best numbers so far, step from these, columns of the Jacobian
  P* trial;             // the step of this iteration
  Line<P>* lines;
  P cost, position2, rotation2;  // at the best numbers
  P damping;                     // factor of the error
  P roams;                       // 1 where the start is nobody's branch to hold, else 0
  P iteration, most_iterations;
  P mark_iteration, mark_cost;   // where progress was last looked at
};

// Which lanes are done, as bits, and why.
struct Progress {
  int done, reached, stationary;
};

inline constexpr double kLeastDamping = 0.05, kMostDamping = 1e6, kDampingFloor = 1e-12;
inline constexpr double kMostWeight = 10.0;       // squared error beyond which damping grows no more
inline constexpr double kLargestStep = 1.0;       // radians
inline constexpr double kPatience = 100.0;         // a step may raise the squared error to this multiple
inline constexpr double kProgressPeriod = 3.0;    // iterations in which the squared error shall fall ...
inline constexpr double kNear = 0.05;             // a squared error at which a start holds its branch ...
inline constexpr double kNearPeriod = 16.0;       // ... for so much longer
inline constexpr double kProgress = 0.25;         // ... below this part of itself

// One iteration. Lanes that turn out to have reached go to settle(bits) before the step; where that leaves no work, it
// says so, and there is no step.
template <template <class> class Residual, class Chain, class Settle>
inline Progress iterate(const ReachProblem& problem, const ReachBounds& bounds, const ReachSettings& settings, Lanes& s,
                        Settle&& settle) {
  constexpr int rows = Residual<P>::rows;
  const int n = Chain::unknowns(problem), numbers = Chain::numbers(problem);
  const double per_length = 1.0 / bounds.length;

  // the error where the lanes stand
  const SE3<P> M = Chain::place(problem, s.x, s.lines);
  P e[rows];
  Residual<P> residual;
  const Remaining<P> left = residual.look(problem, s.target, M, per_length, e);
  P cost = e[0] * e[0];
  for (int i = 1; i < rows; ++i) cost = cost + e[i] * e[i];
  const auto reached = residual.reached(settings, left);

  // a step that lowers the error is kept, and the damping relaxed
  const auto first = s.iteration == P(0.0);
  const auto accept = reached | first | (cost < P(kPatience) * s.cost);
  for (int k = 0; k < numbers; ++k) s.base[k] = select(accept, s.x[k], s.base[k]);
  s.cost = select(accept, cost, s.cost);
  s.position2 = select(accept, left.position2, s.position2);
  s.rotation2 = select(accept, left.rotation2, s.rotation2);
  s.damping = select(accept, max(P(0.3) * s.damping, P(kLeastDamping)), P(4.0) * s.damping);
  s.iteration = s.iteration + P(1.0);
  if (any(reached) && settle(bits(reached))) return {0, 0, 0};

  // the damped step, no turn farther than a radian; after a failure a quarter of the last one
  P* const u = s.trial;
  const P lambda = s.damping * min(cost, P(kMostWeight)) + P(kDampingFloor);
  const P slope2 = Chain::step(problem, bounds, residual, s.lines, M.p, lambda, e, s.x, s.roams, s.J, u);
  const auto stationary = accept & (slope2 <= P(kStationary2) * cost);
  P largest = P(0.0);
  for (int k = 0; k < n; ++k)
    if (!Chain::is_length(problem, k)) largest = max(largest, abs(u[k]));
  const auto long_step = largest > P(kLargestStep);
  const P scale = any(long_step) ? select(long_step, P(kLargestStep) / largest, P(1.0)) : P(1.0);
  for (int k = 0; k < n; ++k) {
    const P whole = Chain::is_length(problem, k) ? P(bounds.length) * scale * u[k] : scale * u[k];
    s.u[k] = select(accept, whole, P(0.25) * s.u[k]);
  }
  Chain::integrate(problem, bounds, s.base, s.u, s.x);
  if (bounds.turn) wrap(problem, bounds, s.roams, s.base, s.u, s.x);

  // a start that has come to rest, or crawls, is over
  s.mark_iteration = select(first & (cost < P(kNear)), P(kNearPeriod), s.mark_iteration);
  const auto look = s.iteration - s.mark_iteration >= P(kProgressPeriod);
  const auto crawls = look & (s.cost > P(kProgress) * s.mark_cost);
  s.mark_iteration = select(look, s.iteration, s.mark_iteration);
  s.mark_cost = select(look, s.cost, s.mark_cost);
  const auto done = reached | stationary | crawls | (s.iteration >= s.most_iterations) | (s.damping > P(kMostDamping));
  return {bits(done), bits(reached), bits(stationary)};
}

}  // namespace pantin::PANTIN_ISA
