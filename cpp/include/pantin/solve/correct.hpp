// Back onto a target from close by: damped Newton's steps that hold their branch.
#pragma once

#include <type_traits>

#include "pantin/solve/bounds.hpp"
#include "pantin/solve/chain.hpp"
#include "pantin/solve/hinges.hpp"
#include "pantin/solve/residual.hpp"
#include "pantin/solve/step.hpp"

namespace pantin::PANTIN_ISA {

inline constexpr double kCorrectionDamping = 0.05, kCorrectionFloor = 1e-12;
inline constexpr double kLongestCorrection = 0.5;  // radians at once

template <class T>
struct CorrectionMemory {
  T *J, *u;  // columns of the Jacobian, one an unknown, and a step
  Line<T>* lines;
};

PANTIN_INLINE int lanes_where(bool mask) { return mask; }
template <int N>
PANTIN_INLINE int lanes_where(Mask<N> mask) {
  return bits(mask);
}

// Moves x by u, whose unknowns are radians and lengths in units of `bounds.length`; none by more than `longest`.
template <class T>
PANTIN_INLINE void move_by(const ReachProblem& problem, const ReachBounds& bounds, double longest, T* x, T* u) {
  T largest = T(0.0);
  for (int k = 0; k < problem.nv; ++k) largest = max(largest, abs(u[k]));
  const auto long_step = largest > T(longest);
  if (any(long_step)) {
    const T scale = select(long_step, T(longest) / largest, T(1.0));
    for (int k = 0; k < problem.nv; ++k) u[k] = scale * u[k];
  }
  for (int k = 0; k < problem.nv; ++k)
    if (problem.is_length[k]) u[k] = T(bounds.length) * u[k];
  integrate_within(problem, bounds, x, u, x);
}

// Brings x to the target by at most `most` steps, and tells whether it came there. The first step also moves by
// that part of `pull` that leaves the frame where it is; without a pull, there may be no step at all.
template <template <class> class Residual>
inline bool correct(const ReachProblem& problem, const ReachBounds& bounds, const ReachSettings& settings,
                    const SE3<double>& target, int most, const double* pull, double* x, CorrectionMemory<double>& m,
                    Remaining<double>& left) {
  constexpr int rows = Residual<double>::rows;
  const int n = problem.nv;
  auto* const J = reinterpret_cast<double(*)[rows]>(m.J);
  for (;; --most, pull = nullptr) {
    const SE3<double> M = place_chain(problem, x, m.lines);
    double e[rows];
    Residual<double> residual;
    left = residual.look(problem, target, M, 1.0 / bounds.length, e);
    const bool reached = residual.reached(settings, left);
    if (most == 0 || (!pull && reached)) return reached;
    double cost = e[0] * e[0];
    for (int i = 1; i < rows; ++i) cost = cost + e[i] * e[i];

    each_column(problem, m.lines, M.p, bounds.length, [&](const ReachLink& link, int k, const Motion<double>& twist) {
      double column[rows];
      residual.column(twist, column);
      for (int i = 0; i < rows; ++i) J[k][i] = link.adds ? J[k][i] + column[i] : column[i];
    });
    if (pull)
      for (int k = 0; k < n; ++k)
        for (int i = 0; i < rows; ++i) e[i] = e[i] - J[k][i] * pull[k];
    if (problem.scale)
      for (int k = 0; k < n; ++k)
        for (int i = 0; i < rows; ++i) J[k][i] = problem.scale[k] * J[k][i];
    const double damping = kCorrectionDamping * min(cost, 1.0) + kCorrectionFloor;
    damped_step(n, J, damping, e, m.u, [&](int k, double slope, double(&column)[rows]) {
      if (held(problem, bounds, x, k, slope))
        for (double& entry : column) entry = 0.0;
    });
    if (problem.scale)
      for (int k = 0; k < n; ++k) m.u[k] = problem.scale[k] * m.u[k];
    if (pull)
      for (int k = 0; k < n; ++k) m.u[k] = m.u[k] + pull[k];
    move_by(problem, bounds, kLongestCorrection, x, m.u);
  }
}

// The same without a pull, for as many as a pack holds; the lanes that came there, as bits.
template <template <class> class Residual, class Chain>
inline int correct_chain(const ReachProblem& problem, const ReachBounds& bounds, const ReachSettings& settings,
                         const SE3<P>& target, int most, P* x, CorrectionMemory<P>& m, Remaining<P>& left) {
  const int n = Chain::unknowns(problem);
  for (;; --most) {
    const SE3<P> M = Chain::place(problem, x, m.lines);
    P e[Residual<P>::rows];
    Residual<P> residual;
    left = residual.look(problem, target, M, 1.0 / bounds.length, e);
    const int reached = bits(residual.reached(settings, left));
    if (most == 0 || reached == (1 << kReachLanes) - 1) return reached;
    P cost = e[0] * e[0];
    for (int i = 1; i < Residual<P>::rows; ++i) cost = cost + e[i] * e[i];
    const P damping = P(kCorrectionDamping) * min(cost, P(1.0)) + P(kCorrectionFloor);
    Chain::step(problem, bounds, residual, m.lines, M.p, damping, e, x, P(0.0), m.J, m.u);
    P largest = P(kLongestCorrection);
    for (int k = 0; k < n; ++k) largest = max(largest, abs(m.u[k]));
    const P scale = P(kLongestCorrection) / largest;
    for (int k = 0; k < n; ++k)
      m.u[k] = (Chain::is_length(problem, k) ? P(bounds.length) * scale : scale) * m.u[k];
    Chain::integrate(problem, bounds, x, m.u, x);
  }
}

template <template <class> class Residual>
inline int correct_lanes(const ReachProblem& problem, const ReachBounds& bounds, const ReachSettings& settings,
                         const SE3<P>& target, int most, P* x, CorrectionMemory<P>& m, Remaining<P>& left) {
  if constexpr (std::is_same_v<Residual<P>, PoseResidual<P>>) {
    if (problem.hinges == 6)
      return correct_chain<Residual, Hinges<6>>(problem, bounds, settings, target, most, x, m, left);
    if (problem.hinges == 7)
      return correct_chain<Residual, Hinges<7>>(problem, bounds, settings, target, most, x, m, left);
    if (problem.hinges == 9)
      return correct_chain<Residual, Hinges<9>>(problem, bounds, settings, target, most, x, m, left);
  }
  return correct_chain<Residual, AnyChain>(problem, bounds, settings, target, most, x, m, left);
}

}  // namespace pantin::PANTIN_ISA
