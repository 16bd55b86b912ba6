// Subproblems of inverse kinematics: small equations in one to three angles that have closed solutions.
//
// 1 is Paden's and Kahan's (1986), 3 and 4 as well; 5 and 6, and the numbering, are Elias and Wen's (2022, "IK-Geo:
// unified robot inverse kinematics using subproblem decomposition"). Subproblem 2 is number 5 without offsets.
// Axes k are unit vectors; lengths are in units of the arm. R(k, t) turns by the angle t about k. Where an equation
// has no solution, the angles that come nearest to one are given, so that rounding at the edge loses none; the
// caller judges what it gets. Where an angle is free, it is the caller's `rest`.
#pragma once

#include "space.hpp"

namespace pantin {

// Up to N answers.
template <class T, int N>
struct Few {
  T entry[N];
  int count = 0;

  void add(const T& value) {
    if (count < N) entry[count++] = value;
  }
  const T* begin() const { return entry; }
  const T* end() const { return entry + count; }
};

using OneAngle = Few<double, 2>;

struct AnglePair {
  double first, second;
};
using AnglePairs = Few<AnglePair, 8>;

struct AngleTriple {
  double first, second, third;
};
using AngleTriples = Few<AngleTriple, 8>;

// t with least |R(k, t) p - target|.
double subproblem1(Vec p, Vec target, Vec k, double rest);

// t with | |R(k, t) p - target| - distance | least.
OneAngle subproblem3(Vec p, Vec target, Vec k, double distance, double rest);

// t with |h' R(k, t) p - d| least.
OneAngle subproblem4(Vec h, Vec p, Vec k, double d, double rest);

// h' R(k, t) p for a given k.
struct Term {
  Vec h, p;
};

// (s, t) with  first[i].h' R(k1, s) first[i].p + second[i].h' R(k2, t) second[i].p = d[i]  for i = 0, 1.
AnglePairs subproblem6(const Term first[2], Vec k1, const Term second[2], Vec k2, const double d[2], AnglePair rest);

// (r, s, t) with  p0 + R(k1, r) p1 = R(k2, s) (p2 + R(k3, t) p3).
AngleTriples subproblem5(Vec p0, Vec k1, Vec p1, Vec k2, Vec p2, Vec k3, Vec p3, AngleTriple rest);

// Angles where  a2 cos 2t + b2 sin 2t + a1 cos t + b1 sin t + a0  vanishes, or touches zero to rounding.
Few<double, 8> harmonic_roots(double a2, double b2, double a1, double b1, double a0, double rest);

}  // namespace pantin
