#include "subproblems.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pantin {

namespace {

constexpr double kPi = 3.14159265358979323846;

// Coefficients below this, of terms that are of the arm's size, leave their angle free.
constexpr double kNothing = 1e-10;

// A pair of rows whose lesser direction is this much smaller than the other counts as one row.
constexpr double kOneRow = 1e-9;

// A polynomial that comes this near to zero, of the sum of its terms, may touch it: rounding lifts it by little, but
// the equations of an arm that is not exact by more.
constexpr double kTouch = 1e-3;

// t with |a cos t + b sin t - d| least.
OneAngle level_angles(double a, double b, double d, double rest) {
  OneAngle angles;
  const double amplitude = std::hypot(a, b);
  if (amplitude < kNothing) {
    angles.add(rest);
    return angles;
  }
  const double middle = std::atan2(b, a);
  const double rise = (amplitude - d) * (amplitude + d);
  if (rise <= 0.0) {
    angles.add(d > 0.0 ? middle : middle + kPi);
    return angles;
  }
  const double spread = std::atan2(std::sqrt(rise), d);
  angles.add(middle + spread);
  angles.add(middle - spread);
  return angles;
}

// h' R(k, t) p = cosine cos t + sine sin t + constant.
struct Wave {
  double cosine, sine, constant;
};

Wave wave(Vec h, Vec p, Vec k) {
  const double along = dot(h, k) * dot(k, p);
  return {dot(h, p) - along, dot(h, cross(k, p)), along};
}

// Polynomial by its coefficients, lowest first.
struct Value {
  double value, slope, size;
};

Value evaluate(const double* c, int degree, double t) {
  Value at{c[degree], 0.0, std::fabs(c[degree])};
  for (int i = degree; i-- > 0;) {
    at.slope = at.slope * t + at.value;
    at.value = at.value * t + c[i];
    at.size = at.size * std::fabs(t) + std::fabs(c[i]);
  }
  return at;
}

// The root between two ends with values of opposite sign: Newton's steps, halving where they leave the interval.
double root_between(const double* c, int degree, double low, double high) {
  const bool rises = evaluate(c, degree, low).value < 0.0;
  double t = 0.5 * (low + high);
  for (int step = 0; step < 80; ++step) {
    const Value at = evaluate(c, degree, t);
    (at.value < 0.0) == rises ? low = t : high = t;
    double next = t - at.value / at.slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::fabs(next - t) <= 1e-15 * (1.0 + std::fabs(t))) return next;
    t = next;
  }
  return t;
}

// Real roots within +-bound, in ascending order; those of the derivative part the line where the sign may change,
// and count themselves where the polynomial all but vanishes there.
Few<double, 8> real_roots(const double* c, int degree, double bound) {
  Few<double, 8> roots;
  if (degree == 1) {
    if (c[1] != 0.0 && std::fabs(c[0]) <= bound * std::fabs(c[1])) roots.add(-c[0] / c[1]);
    return roots;
  }
  double derivative[4];
  for (int i = 0; i < degree; ++i) derivative[i] = (i + 1) * c[i + 1];
  double low = -bound;
  const auto up_to = [&](double high) {
    const double before = evaluate(c, degree, low).value, after = evaluate(c, degree, high).value;
    if ((before < 0.0) != (after < 0.0)) roots.add(root_between(c, degree, low, high));
    low = high;
  };
  for (const double turn : real_roots(derivative, degree - 1, bound)) {
    up_to(turn);
    const Value at = evaluate(c, degree, turn);
    if (degree == 4 && std::fabs(at.value) <= kTouch * at.size) roots.add(turn);
  }
  up_to(bound);
  return roots;
}

// Two equations A x + B y = d in points x, y of the unit circle; rows may be mixed by a rotation.
struct Circles {
  double A[2][2], B[2][2], d[2];
};

struct Rows {
  double large, small;
};

// Turns the rows so that the second row of M is as small as can be; gives their lengths.
Rows part_rows(const double (&M)[2][2], double& c, double& s) {
  const double e = M[0][0] * M[0][0] + M[0][1] * M[0][1], g = M[1][0] * M[1][0] + M[1][1] * M[1][1];
  const double f = M[0][0] * M[1][0] + M[0][1] * M[1][1], angle = 0.5 * std::atan2(2.0 * f, e - g);
  c = std::cos(angle);
  s = std::sin(angle);
  return {std::hypot(c * M[0][0] + s * M[1][0], c * M[0][1] + s * M[1][1]),
          std::hypot(c * M[1][0] - s * M[0][0], c * M[1][1] - s * M[0][1])};
}

Circles mixed(const Circles& e, double c, double s) {
  Circles m;
  const auto mix = [c, s](double above, double below, double& first, double& second) {
    first = c * above + s * below;
    second = c * below - s * above;
  };
  for (int j = 0; j < 2; ++j) {
    mix(e.A[0][j], e.A[1][j], m.A[0][j], m.A[1][j]);
    mix(e.B[0][j], e.B[1][j], m.B[0][j], m.B[1][j]);
  }
  mix(e.d[0], e.d[1], m.d[0], m.d[1]);
  return m;
}

// y does not occur: x alone meets both equations, as far as it can.
AnglePairs without_second(const Circles& equations, AnglePair rest) {
  double c, s;
  const Rows rows = part_rows(equations.A, c, s);
  const Circles e = mixed(equations, c, s);
  AnglePairs pairs;
  if (rows.small > kOneRow * rows.large && rows.large > kNothing) {
    const double det = e.A[0][0] * e.A[1][1] - e.A[0][1] * e.A[1][0];
    const double cosine = (e.A[1][1] * e.d[0] - e.A[0][1] * e.d[1]) / det;
    const double sine = (e.A[0][0] * e.d[1] - e.A[1][0] * e.d[0]) / det;
    pairs.add({std::atan2(sine, cosine), rest.second});
  } else {
    for (const double x : level_angles(e.A[0][0], e.A[0][1], e.d[0], rest.first)) pairs.add({x, rest.second});
  }
  return pairs;
}

// The second row has no y: it gives x, and then the first gives y.
AnglePairs one_after_the_other(const Circles& e, AnglePair rest) {
  AnglePairs pairs;
  for (const double x : level_angles(e.A[1][0], e.A[1][1], e.d[1], rest.first)) {
    const double left = e.d[0] - e.A[0][0] * std::cos(x) - e.A[0][1] * std::sin(x);
    for (const double y : level_angles(e.B[0][0], e.B[0][1], left, rest.second)) pairs.add({x, y});
  }
  return pairs;
}

// B is regular: det(B) y = adj(B) (d - A x) has length |det(B)|, which is one equation in x.
AnglePairs by_elimination(const Circles& e, AnglePair rest) {
  const auto adjugate = [&e](double first, double second, double (&out)[2]) {
    out[0] = e.B[1][1] * first - e.B[0][1] * second;
    out[1] = e.B[0][0] * second - e.B[1][0] * first;
  };
  const double det = e.B[0][0] * e.B[1][1] - e.B[0][1] * e.B[1][0];
  double n[2], u[2], v[2];
  adjugate(e.d[0], e.d[1], n);
  adjugate(-e.A[0][0], -e.A[1][0], u);
  adjugate(-e.A[0][1], -e.A[1][1], v);
  const double uu = u[0] * u[0] + u[1] * u[1], vv = v[0] * v[0] + v[1] * v[1], uv = u[0] * v[0] + u[1] * v[1];
  AnglePairs pairs;
  for (const double x :
       harmonic_roots(0.5 * (uu - vv), uv, 2.0 * (n[0] * u[0] + n[1] * u[1]), 2.0 * (n[0] * v[0] + n[1] * v[1]),
                      n[0] * n[0] + n[1] * n[1] + 0.5 * (uu + vv) - det * det, rest.first)) {
    const double c = std::cos(x), s = std::sin(x), sign = det < 0.0 ? -1.0 : 1.0;
    pairs.add({x, std::atan2(sign * (n[1] + c * u[1] + s * v[1]), sign * (n[0] + c * u[0] + s * v[0]))});
  }
  return pairs;
}

// How far the rows of a matrix are from being one, and the rotation that parts them.
struct Parting {
  double c, s, ratio;

  explicit Parting(const double (&M)[2][2]) {
    const Rows rows = part_rows(M, c, s);
    ratio = rows.large < kNothing ? -1.0 : rows.small / rows.large;  // negative: there is nothing to part
  }
};

// Pairs for equations whose second angle has the parting `b`.
AnglePairs solve_second_last(const Circles& e, const Parting& b, AnglePair rest) {
  if (b.ratio < 0.0) return without_second(e, rest);
  return b.ratio < kOneRow ? one_after_the_other(mixed(e, b.c, b.s), rest) : by_elimination(e, rest);
}

AnglePairs solve(const Circles& e, AnglePair rest) {
  const Parting a(e.A), b(e.B);
  // An angle that does not occur, or stands in one row only, comes last; else the one with the better rows does.
  const bool second_last = b.ratio < kOneRow || (a.ratio >= kOneRow && b.ratio >= a.ratio);
  if (second_last && !(a.ratio < 0.0 && b.ratio >= 0.0)) return solve_second_last(e, b, rest);
  Circles swapped;
  std::copy_n(&e.B[0][0], 4, &swapped.A[0][0]);
  std::copy_n(&e.A[0][0], 4, &swapped.B[0][0]);
  std::copy_n(e.d, 2, swapped.d);
  AnglePairs pairs = solve_second_last(swapped, a, {rest.second, rest.first});
  for (int i = 0; i < pairs.count; ++i) std::swap(pairs.entry[i].first, pairs.entry[i].second);
  return pairs;
}

}  // namespace

double subproblem1(Vec p, Vec target, Vec k, double rest) {
  const double sine = dot(k, cross(p, target)), cosine = dot(p, target) - dot(k, p) * dot(k, target);
  return std::hypot(sine, cosine) < 1e-14 ? rest : std::atan2(sine, cosine);
}

OneAngle subproblem3(Vec p, Vec target, Vec k, double distance, double rest) {
  return subproblem4(target, p, k, 0.5 * (dot(p, p) + dot(target, target) - distance * distance), rest);
}

OneAngle subproblem4(Vec h, Vec p, Vec k, double d, double rest) {
  const Wave w = wave(h, p, k);
  return level_angles(w.cosine, w.sine, d - w.constant, rest);
}

AnglePairs subproblem6(const Term first[2], Vec k1, const Term second[2], Vec k2, const double d[2], AnglePair rest) {
  Circles equations;
  for (int i = 0; i < 2; ++i) {
    const Wave s = wave(first[i].h, first[i].p, k1), t = wave(second[i].h, second[i].p, k2);
    equations.A[i][0] = s.cosine;
    equations.A[i][1] = s.sine;
    equations.B[i][0] = t.cosine;
    equations.B[i][1] = t.sine;
    equations.d[i] = d[i] - s.constant - t.constant;
  }
  return solve(equations, rest);
}

// Both sides have the same length and the same part along k2, which does not depend on s.
AngleTriples subproblem5(Vec p0, Vec k1, Vec p1, Vec k2, Vec p2, Vec k3, Vec p3, AngleTriple rest) {
  const Term first[2] = {{p0, p1}, {k2, p1}}, second[2] = {{-p2, p3}, {-k2, p3}};
  const double d[2] = {0.5 * (dot(p2, p2) + dot(p3, p3) - dot(p0, p0) - dot(p1, p1)), dot(k2, p2 - p0)};
  AngleTriples triples;
  for (const auto& [r, t] : subproblem6(first, k1, second, k3, d, {rest.first, rest.third})) {
    const Vec left = p0 + turned(k1, r, p1), right = p2 + turned(k3, t, p3);
    triples.add({r, subproblem1(right, left, k2, rest.second), t});
  }
  return triples;
}

// With t = start + pi + f and the half tangent of f this is a quartic; `start` is where the sum is largest, so that
// its leading coefficient is.
Few<double, 8> harmonic_roots(double a2, double b2, double a1, double b1, double a0, double rest) {
  constexpr int samples = 8;
  double start = 0.0, largest = 0.0;
  for (int i = 0; i < samples; ++i) {
    const double t = 2.0 * kPi * i / samples;
    const double value = a2 * std::cos(2.0 * t) + b2 * std::sin(2.0 * t) + a1 * std::cos(t) + b1 * std::sin(t) + a0;
    if (std::fabs(value) > largest) {
      largest = std::fabs(value);
      start = t;
    }
  }
  Few<double, 8> roots;
  if (largest < 1e-15) {
    roots.add(rest);
    return roots;
  }
  const double turn = start + kPi, c = std::cos(turn), s = std::sin(turn), cc = c * c - s * s, ss = 2.0 * c * s;
  const double A2 = a2 * cc + b2 * ss, B2 = b2 * cc - a2 * ss, A1 = a1 * c + b1 * s, B1 = b1 * c - a1 * s;
  const double quartic[5] = {A2 + A1 + a0, 4.0 * B2 + 2.0 * B1, 2.0 * a0 - 6.0 * A2, 2.0 * B1 - 4.0 * B2, A2 - A1 + a0};
  double bound = 0.0;
  for (int i = 0; i < 4; ++i) bound = std::max(bound, std::fabs(quartic[i] / quartic[4]));
  for (const double half : real_roots(quartic, 4, 1.0 + bound)) roots.add(turn + 2.0 * std::atan(half));
  return roots;
}

}  // namespace pantin
