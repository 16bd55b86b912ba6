// The Jacobian by blocks, and the damped step out of it:
//     (J'J + lambda 1) u = J'e    or, the same,    u = J'(J J' + lambda 1)^-1 e
// (Levenberg 1944), in whichever of the two spaces is smaller. Blocks of joints that do not move a residual's frame
// are neither stored nor multiplied.
#pragma once

#include "pantin/solve/whole/factor.hpp"
#include "pantin/solve/whole/look.hpp"

namespace pantin::PANTIN_ISA {

// How one line moves the centre of mass, for a unit of its unknown, in lengths.
template <class T>
PANTIN_INLINE Vec3<T> centre_twist(const WholeProblem& problem, const WholeColumn& c, const Axle<T>& line,
                                   const Vec3<T>& moment) {
  const double carried = problem.links[c.link].carried;
  Vec3<T> v = T(c.slide * carried) * line.axis;
  if (c.turn != 0.0) v = v + T(c.turn / problem.length) * cross(line.axis, moment - T(carried) * line.point);
  return T(problem.per_mass) * v;
}

// How one line moves the body's point `point`, for a unit of its unknown, in lengths and radians.
template <class T>
PANTIN_INLINE Motion<T> line_twist(const WholeProblem& problem, const WholeColumn& c, const Axle<T>& line,
                                   const Vec3<T>& point) {
  if (c.turn == 0.0) return {T(c.slide) * line.axis, zero3<T>()};
  const Vec3<T> w = c.turn == 1.0 ? line.axis : T(c.turn) * line.axis;
  Vec3<T> v = T(1.0 / problem.length) * cross(w, point - line.point);
  if (c.slide != 0.0) v = v + T(c.slide) * line.axis;
  return {v, w};
}

// The Jacobian's blocks.
template <class T>
inline void fill_blocks(const WholeProblem& problem, const Axle<T>* axles, const Vec3<T>* moments, const Sight<T>* sights,
                        T* J) {
  for (int i = 0; i < problem.ncolumns; ++i) {
    const WholeColumn& c = problem.columns[i];
    const WholeResidual& residual = problem.residuals[c.residual];
    const Sight<T>& sight = sights[c.residual];
    const Axle<T>& line = axles[c.line];
    const Motion<T> s = residual.aim == WholeAim::kCentreOfMass
                            ? Motion<T>{centre_twist(problem, c, line, moments[c.link]), zero3<T>()}
                            : line_twist(problem, c, line, sight.point);
    T* const block = J + c.at;
    if (!c.adds) {
      see(residual, sight, s, block);
      continue;
    }
    T more[kMostRows];
    see(residual, sight, s, more);
    for (int k = 0; k < residual.rows; ++k) block[k] = block[k] + more[k];
  }
}

// Slope J_k' e of each unknown.
template <class T>
inline void slopes(const WholeProblem& problem, const T* J, const T* e, T* slope) {
  for (int k = 0; k < problem.unknowns.nv; ++k) slope[k] = T(0.0);
  for (int b = 0; b < problem.nblocks; ++b) {
    const WholeBlock& block = problem.blocks[b];
    const T *const column = J + block.at, *const error = e + block.first;
    T sum = column[0] * error[0];
    for (int i = 1; i < block.rows; ++i) sum = sum + column[i] * error[i];
    slope[block.unknown] = slope[block.unknown] + sum;
  }
}

template <class T>
inline void clear_blocks(const WholeProblem& problem, int unknown, mask_of<T> where, T* J) {
  for (int b = problem.blocks_of[unknown]; b < problem.blocks_of[unknown + 1]; ++b)
    for (int i = 0; i < problem.blocks[b].rows; ++i) {
      T& entry = J[problem.blocks[b].at + i];
      entry = select(where, T(0.0), entry);
    }
}

// y += J u
template <class T>
inline void add_product(const WholeProblem& problem, const T* J, const T* u, T* y) {
  for (int b = 0; b < problem.nblocks; ++b) {
    const WholeBlock& block = problem.blocks[b];
    for (int i = 0; i < block.rows; ++i) y[block.first + i] = y[block.first + i] + J[block.at + i] * u[block.unknown];
  }
}

template <class T>
inline void step_in_task_space(const WholeProblem& problem, const T* J, T lambda, const T* e, T* A, T* y, T* u) {
  const int m = problem.rows;
  for (int i = 0; i < m; ++i) {
    y[i] = e[i];
    for (int j = 0; j <= i; ++j) A[i * m + j] = i == j ? lambda : T(0.0);
  }
  for (int k = 0; k < problem.unknowns.nv; ++k)
    for (int a = problem.blocks_of[k]; a < problem.blocks_of[k + 1]; ++a)
      for (int b = problem.blocks_of[k]; b <= a; ++b) {
        const WholeBlock &row = problem.blocks[a], &column = problem.blocks[b];
        for (int i = 0; i < row.rows; ++i) {
          const T entry = J[row.at + i];
          T* const to = A + (row.first + i) * m + column.first;
          const int count = a == b ? i + 1 : column.rows;
          for (int j = 0; j < count; ++j) to[j] = to[j] + entry * J[column.at + j];
        }
      }
  solve_symmetric(m, A, y);
  slopes(problem, J, y, u);
}

template <class T>
inline void step_in_joint_space(const WholeProblem& problem, const T* J, T lambda, const T* slope, T* A, T* u) {
  const int n = problem.unknowns.nv;
  for (int k = 0; k < n; ++k) {
    u[k] = slope[k];
    for (int l = 0; l <= k; ++l) {
      T entry = k == l ? lambda : T(0.0);
      // blocks of one residual in both columns
      for (int a = problem.blocks_of[k], b = problem.blocks_of[l];
           a < problem.blocks_of[k + 1] && b < problem.blocks_of[l + 1];) {
        const WholeBlock &one = problem.blocks[a], &other = problem.blocks[b];
        if (one.first == other.first)
          for (int i = 0; i < one.rows; ++i) entry = entry + J[one.at + i] * J[other.at + i];
        const bool next_a = one.first <= other.first, next_b = other.first <= one.first;
        a += next_a;
        b += next_b;
      }
      A[k * n + l] = entry;
    }
  }
  solve_symmetric(n, A, u);
}

}  // namespace pantin::PANTIN_ISA
