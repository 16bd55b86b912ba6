// First and second derivatives of the squared error at one configuration, in plain double.
//
// For unknowns i before j on the chain, with twists (v, w) of the frame's point, the second derivative of that
// point is w_i x v_j, and that of the rotation error's square follows from the logarithm's inverse Jacobian.
#pragma once

#include "pantin/solve/bounds.hpp"
#include "pantin/solve/chain.hpp"
#include "pantin/solve/residual.hpp"

namespace pantin::PANTIN_ISA {

// Second derivative of half the squared error along two twists of the frame's point, the first nearer to the root.
template <class Residual>
struct Bend {
  Vec3<double> p, w;  // errors of position, over length, and of rotation
  double beta;        // of the inverse Jacobian at w

  explicit Bend(const double* e) : p(zero3<double>()), w(zero3<double>()), beta(0.0) {
    if (Residual::asks_position) p = load3(e);
    if (Residual::asks_rotation) w = load3(e + (Residual::asks_position ? 3 : 0));
    const double angle2 = dot(w, w);
    if (angle2 < kSmallAngle2) {
      beta = 1.0 / 12 + angle2 * (1.0 / 720 + angle2 * (1.0 / 30240 + angle2 * (1.0 / 1209600)));
    } else {
      const SinCos<double> half = sincos(0.5 * sqrt(angle2));
      beta = (1.0 - 0.5 * sqrt(angle2) * half.c / half.s) / angle2;
    }
  }
  double operator()(const Motion<double>& a, const Motion<double>& b) const {
    double sum = 0.0;
    if (Residual::asks_position) sum += dot(a.v, b.v) - dot(p, cross(a.w, b.v));
    if (Residual::asks_rotation) {
      const Vec3<double> turned = cross(w, b.w);
      sum += dot(a.w, b.w + 0.5 * turned + beta * cross(w, turned));
    }
    return sum;
  }
};

// The error at some numbers, and what surrounds it; memory is the caller's.
struct Derivatives {
  double *e, *J, *slope, *H;  // rows; columns of J, one an unknown; J' e; second derivatives (nv, nv)
  Line<double>* lines;
  Motion<double>* twists;     // one a line
  int *unknown, *link;        // of each twist
  Vec3<double> tip;
  double cost, position2, rotation2;
};

// The error alone.
template <class Residual>
inline void look(const ReachProblem& problem, const ReachBounds& bounds, const SE3<double>& target, const double* x,
                 Derivatives& d) {
  double e[Residual::rows];
  const SE3<double> M = place_chain(problem, x, d.lines);
  const Remaining<double> left = Residual::error(target, M, 1.0 / bounds.length, e);
  d.tip = M.p;
  d.position2 = left.position2;
  d.rotation2 = left.rotation2;
  d.cost = 0.0;
  for (int i = 0; i < Residual::rows; ++i) {
    d.e[i] = e[i];
    d.cost += e[i] * e[i];
  }
}

// The derivatives where `look` has been.
template <class Residual>
inline void derive(const ReachProblem& problem, const ReachBounds& bounds, Derivatives& d) {
  constexpr int rows = Residual::rows;
  const int n = problem.nv;
  for (int k = 0; k < rows * n; ++k) d.J[k] = 0.0;
  for (int k = 0; k < n * n; ++k) d.H[k] = 0.0;
  int count = 0;
  each_column(problem, d.lines, d.tip, bounds.length,
              [&](const ReachLink& link, int unknown, const Motion<double>& twist) {
                double column[rows];
                Residual::column(twist, column);
                for (int i = 0; i < rows; ++i) d.J[rows * unknown + i] += column[i];
                d.twists[count] = twist;
                d.link[count] = int(&link - problem.links);
                d.unknown[count++] = unknown;
              });
  const Bend<Residual> bend(d.e);
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
