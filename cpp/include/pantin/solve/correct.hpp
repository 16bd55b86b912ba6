// Back onto a target from close by: damped Newton's steps that hold their branch.
#pragma once

#include "pantin/solve/bounds.hpp"
#include "pantin/solve/chain.hpp"
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
template <class T>
inline constexpr int kEveryLane = (1 << lanes_of<T>) - 1;

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

// Brings x to the target by at most `most` steps, and tells the lanes that came there. The first step also moves by
// that part of `pull` that leaves the frame where it is; without a pull, there may be no step at all.
template <template <class> class Residual, class T>
inline int correct(const ReachProblem& problem, const ReachBounds& bounds, const ReachSettings& settings,
                   const SE3<T>& target, int most, const T* pull, T* x, CorrectionMemory<T>& m, Remaining<T>& left) {
  constexpr int rows = Residual<T>::rows;
  const int n = problem.nv;
  auto* const J = reinterpret_cast<T(*)[rows]>(m.J);
  for (;; --most, pull = nullptr) {
    const SE3<T> M = place_chain(problem, x, m.lines);
    T e[rows];
    Residual<T> residual;
    left = residual.look(problem, target, M, 1.0 / bounds.length, e);
    const int reached = lanes_where(residual.reached(settings, left));
    if (most == 0 || (!pull && reached == kEveryLane<T>)) return reached;
    T cost = e[0] * e[0];
    for (int i = 1; i < rows; ++i) cost = cost + e[i] * e[i];

    each_column(problem, m.lines, M.p, bounds.length, [&](const ReachLink& link, int k, const Motion<T>& twist) {
      T column[rows];
      residual.column(twist, column);
      for (int i = 0; i < rows; ++i) J[k][i] = link.adds ? J[k][i] + column[i] : column[i];
    });
    if (pull)
      for (int k = 0; k < n; ++k)
        for (int i = 0; i < rows; ++i) e[i] = e[i] - J[k][i] * pull[k];
    if (problem.scale)
      for (int k = 0; k < n; ++k)
        for (int i = 0; i < rows; ++i) J[k][i] = T(problem.scale[k]) * J[k][i];
    const T damping = T(kCorrectionDamping) * min(cost, T(1.0)) + T(kCorrectionFloor);
    damped_step(n, J, damping, e, m.u, [&](int k, T slope, T(&column)[rows]) {
      const auto stays = held(problem, bounds, x, k, slope);
      if (any(stays))
        for (int i = 0; i < rows; ++i) column[i] = select(stays, T(0.0), column[i]);
    });
    if (problem.scale)
      for (int k = 0; k < n; ++k) m.u[k] = T(problem.scale[k]) * m.u[k];
    if (pull)
      for (int k = 0; k < n; ++k) m.u[k] = m.u[k] + pull[k];
    move_by(problem, bounds, kLongestCorrection, x, m.u);
  }
}

}  // namespace pantin::PANTIN_ISA
