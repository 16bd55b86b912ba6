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
PANTIN_INLINE Vec3<T> centre_twist(const WholeProblem& problem, const WholeColumn& c, const Line<T>& line,
                                   const Vec3<T>& moment) {
  const double carried = problem.links[c.link].carried;
  Vec3<T> v = T(c.slide * carried) * line.axis;
  if (c.turn != 0.0) v = v + T(c.turn / problem.length) * cross(line.axis, moment - T(carried) * line.point);
  return T(problem.per_mass) * v;
}

// How one line moves the body's point `point`, for a unit of its unknown, in lengths and radians.
template <class T>
PANTIN_INLINE Motion<T> line_twist(const WholeProblem& problem, const WholeColumn& c, const Line<T>& line,
                                   const Vec3<T>& point) {
  if (c.turn == 0.0) return {T(c.slide) * line.axis, zero3<T>()};
  const Vec3<T> w = c.turn == 1.0 ? line.axis : T(c.turn) * line.axis;
  Vec3<T> v = T(1.0 / problem.length) * cross(w, point - line.point);
  if (c.slide != 0.0) v = v + T(c.slide) * line.axis;
  return {v, w};
}

// The Jacobian's blocks.
template <class T>
inline void fill_blocks(const WholeProblem& problem, const Line<T>* lines, const Vec3<T>* moments, const Sight<T>* sights,
                        T* J) {
  for (int i = 0; i < problem.ncolumns; ++i) {
    const WholeColumn& c = problem.columns[i];
    const WholeResidual& residual = problem.residuals[c.residual];
    const Sight<T>& sight = sights[c.residual];
    const Line<T>& line = lines[c.line];
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

// A tile of Rows by Columns entries of a product of blocks, summed over what the two have in common.
template <int Rows, int Columns, class T>
inline void add_tile(const WholeTerm* terms, int count, const T* J, int row, int column, int stride, T* A) {
  T sum[Rows][Columns];
#pragma GCC unroll 3
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 3
    for (int j = 0; j < Columns; ++j) sum[i][j] = A[i * stride + j];
  for (int k = 0; k < count; ++k) {
    const T *const a = J + terms[k].a + row, *const b = J + terms[k].b + column;
#pragma GCC unroll 3
    for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 3
      for (int j = 0; j < Columns; ++j) sum[i][j] = sum[i][j] + a[i] * b[j];
  }
#pragma GCC unroll 3
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 3
    for (int j = 0; j < Columns; ++j) A[i * stride + j] = sum[i][j];
}

// Adds the product of two blocks by tiles of three; of a block with itself the lower half.
template <class T>
inline void add_product_of(const WholeProduct& product, const T* J, int stride, T* A) {
  constexpr int kTile = 3;
  for (int i = 0; i < product.rows; i += kTile)
    for (int j = 0; j < product.columns; j += kTile) {
      if (product.row == product.column && j > i) break;
      T* const to = A + (product.row + i) * stride + product.column + j;
      const auto add = [&](auto rows, auto columns) {
        add_tile<rows, columns>(product.terms, product.count, J, i, j, stride, to);
      };
      const auto across = [&](auto rows) {
        using std::integral_constant;
        switch (product.columns - j) {
          case 1:
            return add(rows, integral_constant<int, 1>());
          case 2:
            return add(rows, integral_constant<int, 2>());
          default:
            return add(rows, integral_constant<int, 3>());
        }
      };
      switch (product.rows - i) {
        case 1:
          across(std::integral_constant<int, 1>());
          break;
        case 2:
          across(std::integral_constant<int, 2>());
          break;
        default:
          across(std::integral_constant<int, 3>());
      }
    }
}

// A matrix of n rows, lambda on the diagonal and beyond `n` up to `padded` ones.
template <class T>
PANTIN_INLINE void begin_matrix(int n, int padded, T lambda, T* A, T* y) {
  for (int i = 0; i < padded; ++i) {
    for (int j = 0; j < i; ++j) A[i * padded + j] = T(0.0);
    A[i * padded + i] = i < n ? lambda : T(1.0);
    if (i >= n) y[i] = T(0.0);
  }
}

template <class T>
inline void step_in_task_space(const WholeProblem& problem, const T* J, T lambda, const T* e, T* A, T* y, T* u) {
  const int m = problem.rows, padded = problem.padded;
  begin_matrix(m, padded, lambda, A, y);
  for (int i = 0; i < m; ++i) y[i] = e[i];
  for (int k = 0; k < problem.nproducts; ++k) add_product_of(problem.products[k], J, padded, A);
  solve_symmetric(padded, A, y);
  slopes(problem, J, y, u);
}

template <class T>
inline void step_in_joint_space(const WholeProblem& problem, const T* J, T lambda, const T* slope, T* A, T* y, T* u) {
  const int n = problem.unknowns.nv, padded = problem.padded;
  begin_matrix(n, padded, lambda, A, y);
  for (int k = 0; k < n; ++k) y[k] = slope[k];
  // blocks of one residual in the columns of two unknowns
  for (int k = 0; k < problem.nproducts; ++k) {
    const WholeProduct& product = problem.products[k];
    T& entry = A[product.row * padded + product.column];
    for (int t = 0; t < product.count; ++t) entry = entry + J[product.terms[t].a] * J[product.terms[t].b];
  }
  solve_symmetric(padded, A, y);
  for (int k = 0; k < n; ++k) u[k] = y[k];
}

}  // namespace pantin::PANTIN_ISA
