// Chains of N hinges, each with a number of its own: sizes are known when this is compiled, and nothing is asked of the
// joints. `AnyChain` offers the same for all other chains.
#pragma once

#include "pantin/solve/bounds.hpp"
#include "pantin/solve/chain.hpp"
#include "pantin/solve/step.hpp"

namespace pantin::PANTIN_ISA {

// Takes an unknown out of the step in the lanes where it stays; returns its squared slope. There is no branch on lanes:
// what follows may be contracted differently on its two ways, and lanes would tell each other.
template <int Rows>
PANTIN_INLINE P hold(mask_of<P> stays, P slope, P (&column)[Rows]) {
  for (P& entry : column) entry = select(stays, P(0.0), entry);
  const P free = select(stays, P(0.0), slope);
  return free * free;
}

template <int N>
struct Hinges {
  static constexpr int unknowns(const ReachProblem&) { return N; }
  static constexpr int numbers(const ReachProblem&) { return N; }

  static PANTIN_INLINE SE3<P> place(const ReachProblem& problem, const P* x, Line<P>* lines) {
    SE3<P> M = broadcast_pose<P>(problem.base.R);
    SinCos<P> turns[N];
#pragma GCC unroll 16
    for (int i = 0; i < N; ++i) turns[i] = sincos_inline(x[i] + P(problem.links[i].turn));
#pragma GCC unroll 16
    for (int i = 0; i < N; ++i) {
      turn_columns<0, 1>(M.R, turns[i].s, turns[i].c);
      lines[i] = {M.R.column(2), M.p};
      follow_way(problem.links[i], M);
    }
    return M;
  }

  // The damped step u, and the squared slope along the hinges that no limit holds; `columns` is memory for J.
  template <class Residual>
  static PANTIN_INLINE P step(const ReachProblem&, const ReachBounds& bounds, const Residual& residual,
                              const Line<P>* lines, const Vec3<P>& tip, P lambda, const P (&e)[Residual::rows],
                              const P* x, P roams, P*, P* u) {
    const double per_length = 1.0 / bounds.length;
    P J[N][Residual::rows], slope2 = P(0.0);
#pragma GCC unroll 16
    for (int i = 0; i < N; ++i) {
      const Vec3<P> axis = lines[i].axis;
      residual.column({P(per_length) * cross(axis, tip - lines[i].point), axis}, J[i]);
    }
    damped_step(N, J, lambda, e, u, [&](int i, P slope, P(&column)[Residual::rows]) __attribute__((always_inline)) {
      auto stays = ((x[i] <= P(bounds.lower[i])) & (slope < P(0.0))) |
                   ((x[i] >= P(bounds.upper[i])) & (slope > P(0.0)));
      if (bounds.turn) stays = stays & !wraps(bounds, i, roams);
      slope2 = slope2 + hold(stays, slope, column);
    });
    return slope2;
  }

  static PANTIN_INLINE void integrate(const ReachProblem&, const ReachBounds& bounds, const P* x, const P* u, P* out) {
#pragma GCC unroll 16
    for (int i = 0; i < N; ++i) out[i] = clamp(x[i] + u[i], P(bounds.lower[i]), P(bounds.upper[i]));
  }
  static constexpr bool is_length(const ReachProblem&, int) { return false; }
};

struct AnyChain {
  static int unknowns(const ReachProblem& problem) { return problem.nv; }
  static int numbers(const ReachProblem& problem) { return problem.nx; }
  static PANTIN_INLINE SE3<P> place(const ReachProblem& problem, const P* x, Line<P>* lines) {
    return place_chain(problem, x, lines);
  }

  template <class Residual>
  static PANTIN_INLINE P step(const ReachProblem& problem, const ReachBounds& bounds, const Residual& residual,
                              const Line<P>* lines, const Vec3<P>& tip, P lambda, const P (&e)[Residual::rows],
                              const P* x, P roams, P* columns, P* u) {
    constexpr int rows = Residual::rows;
    auto* const J = reinterpret_cast<P(*)[rows]>(columns);
    const int n = problem.nv;
    each_column(problem, lines, tip, bounds.length, [&](const ReachLink& link, int unknown, const Motion<P>& twist) {
      P column[rows];
      residual.column(twist, column);
      for (int i = 0; i < rows; ++i) J[unknown][i] = link.adds ? J[unknown][i] + column[i] : column[i];
    });
    if (problem.scale)
      for (int k = 0; k < n; ++k)
        for (int i = 0; i < rows; ++i) J[k][i] = P(problem.scale[k]) * J[k][i];
    P slope2 = P(0.0);
    damped_step(n, J, lambda, e, u, [&](int k, P slope, P(&column)[rows]) __attribute__((always_inline)) {
      auto stays = held(problem, bounds, x, k, slope);
      const int number = problem.x_of_unknown[k];
      const bool locked = problem.locked && problem.locked[k];
      if (bounds.turn && number >= 0 && !locked) stays = stays & !wraps(bounds, number, roams);
      slope2 = slope2 + hold(stays, slope, column);
    });
    if (problem.scale)
      for (int k = 0; k < n; ++k) u[k] = P(problem.scale[k]) * u[k];
    return slope2;
  }

  static PANTIN_INLINE void integrate(const ReachProblem& problem, const ReachBounds& bounds, const P* x, const P* u,
                                      P* out) {
    integrate_within(problem, bounds, x, u, out);
  }
  static bool is_length(const ReachProblem& problem, int k) { return problem.is_length[k]; }
};

}  // namespace pantin::PANTIN_ISA
