// First and second derivatives of the squared error at one configuration, in plain double.
//
// For unknowns i before j on the chain, with twists s = (v, w) of the frame's point, and g the slope of half the squared
// error along twists, the second derivative is
//     s_j' (dg/ds) s_i + g' (w_i x v_j, w_i x w_j),
// where dg/ds, six by six, is taken by central differences: what modes have to tell are errors and columns.
#pragma once

#include "pantin/solve/bounds.hpp"
#include "pantin/solve/chain.hpp"
#include "pantin/solve/residual.hpp"

namespace pantin::PANTIN_ISA {

// The error at some numbers, and what surrounds it; memory is the caller's.
struct Derivatives {
  double *e, *J, *slope, *H;  // rows; columns of J, one an unknown; J' e; second derivatives (nv, nv)
  Line<double>* lines;
  Motion<double>* twists;     // one a line
  int *unknown, *link;        // of each twist
  SE3<double> M;
  double cost, position2, rotation2;
  bool reached;
};

// The error alone.
template <template <class> class Residual>
inline Residual<double> look(const ReachProblem& problem, const ReachBounds& bounds, const ReachSettings& settings,
                             const SE3<double>& target, const double* x, Derivatives& d) {
  constexpr int rows = Residual<double>::rows;
  double e[rows];
  Residual<double> residual;
  d.M = place_chain(problem, x, d.lines);
  const Remaining<double> left = residual.look(problem, target, d.M, 1.0 / bounds.length, e);
  d.position2 = left.position2;
  d.rotation2 = left.rotation2;
  d.reached = residual.reached(settings, left);
  d.cost = 0.0;
  for (int i = 0; i < rows; ++i) {
    d.e[i] = e[i];
    d.cost += e[i] * e[i];
  }
  return residual;
}

inline Motion<double> unit_twist(int axis, double size) {
  double s[6] = {};
  s[axis] = size;
  return {load3(s), load3(s + 3)};
}

// Slope of half the squared error along the six twists of the frame's point at a pose.
template <template <class> class Residual>
inline void slope_at(const ReachProblem& problem, const SE3<double>& target, const SE3<double>& M, double per_length,
                     double (&g)[6]) {
  constexpr int rows = Residual<double>::rows;
  double e[rows], column[rows];
  Residual<double> residual;
  residual.look(problem, target, M, per_length, e);
  for (int a = 0; a < 6; ++a) {
    residual.column(unit_twist(a, 1.0), column);
    g[a] = 0.0;
    for (int i = 0; i < rows; ++i) g[a] -= column[i] * e[i];
  }
}

// Second derivative of half the squared error along two twists of the frame's point, the first nearer to the root.
template <template <class> class Residual>
struct Bend {
  double g[6], K[6][6];

  Bend(const ReachProblem& problem, const SE3<double>& target, const SE3<double>& M, double length) {
    constexpr double step = 0x1p-17;
    slope_at<Residual>(problem, target, M, 1.0 / length, g);
    for (int b = 0; b < 6; ++b) {
      double forth[6], back[6];
      slope_at<Residual>(problem, target, displaced(M, unit_twist(b, step), length), 1.0 / length, forth);
      slope_at<Residual>(problem, target, displaced(M, unit_twist(b, -step), length), 1.0 / length, back);
      for (int a = 0; a < 6; ++a) K[a][b] = (forth[a] - back[a]) / (2.0 * step);
    }
  }
  static SE3<double> displaced(const SE3<double>& M, const Motion<double>& s, double length) {
    return {exp3(s.w) * M.R, M.p + length * s.v};
  }
  double operator()(const Motion<double>& first, const Motion<double>& then) const {
    double a[6], b[6];
    store3(a, first.v), store3(a + 3, first.w);
    store3(b, then.v), store3(b + 3, then.w);
    double sum = dot(load3(g), cross(first.w, then.v)) + dot(load3(g + 3), cross(first.w, then.w));
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) sum += b[i] * K[i][j] * a[j];
    return sum;
  }
};

// How the unknowns move the errors at which a residual has just looked; returns the number of twists.
template <template <class> class Residual>
inline int find_columns(const ReachProblem& problem, const ReachBounds& bounds, const Residual<double>& residual,
                        Derivatives& d) {
  constexpr int rows = Residual<double>::rows;
  for (int k = 0; k < rows * problem.nv; ++k) d.J[k] = 0.0;
  int count = 0;
  each_column(problem, d.lines, d.M.p, bounds.length,
              [&](const ReachLink& link, int unknown, const Motion<double>& given) {
                const double scale = problem.scale ? problem.scale[unknown] : 1.0;
                const Motion<double> twist{scale * given.v, scale * given.w};
                double column[rows];
                residual.column(twist, column);
                for (int i = 0; i < rows; ++i) d.J[rows * unknown + i] += column[i];
                d.twists[count] = twist;
                d.link[count] = int(&link - problem.links);
                d.unknown[count++] = unknown;
              });
  return count;
}

// All derivatives where a residual has just looked.
template <template <class> class Residual>
inline void derive(const ReachProblem& problem, const ReachBounds& bounds, const SE3<double>& target,
                   const Residual<double>& residual, Derivatives& d) {
  constexpr int rows = Residual<double>::rows;
  const int n = problem.nv;
  const int count = find_columns(problem, bounds, residual, d);
  for (int k = 0; k < n * n; ++k) d.H[k] = 0.0;
  const Bend<Residual> bend(problem, target, d.M, bounds.length);
  for (int j = 0; j < count; ++j) {
    d.H[d.unknown[j] * (n + 1)] += bend(d.twists[j], d.twists[j]);
    for (int i = 0; i < j; ++i) {
      double second = bend(d.twists[i], d.twists[j]);
      // the turns of one ball have no order among themselves
      if (d.link[i] == d.link[j]) second = 0.5 * (second + bend(d.twists[j], d.twists[i]));
      d.H[d.unknown[i] * n + d.unknown[j]] += second;
      d.H[d.unknown[j] * n + d.unknown[i]] += second;
    }
  }
  for (int k = 0; k < n; ++k) {
    d.slope[k] = 0.0;
    for (int i = 0; i < rows; ++i) d.slope[k] += d.J[rows * k + i] * d.e[i];
  }
}

}  // namespace pantin::PANTIN_ISA
