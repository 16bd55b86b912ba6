// Rigid alignment: the best rotation is the eigenvector of a 4x4 matrix (Horn 1987, J. Opt. Soc. Am. A 4, 629).
#include <algorithm>

#include "fit_start.hpp"
#include "space.hpp"
#include "symmetric.hpp"

namespace pantin {

namespace {

// Spread of points below which all are one, relative to their distance from the origin.
constexpr double kOnePoint = 1e-12;
// Part of the spread by which the best rotation must beat the next one.
constexpr double kDistinct = 1e-7;

// Sums over the seen pairs of points, which are as far from their means as a and b.
struct Sums {
  std::size_t count = 0;
  Vec from, to;                    // means
  Square<3> products{};            // of a and b
  double spread_from = 0.0, spread_to = 0.0, far_from = 0.0, far_to = 0.0;
};

Vec vec(const double* p) { return {p[0], p[1], p[2]}; }

Sums sum(std::size_t n, const double* from, const double* to, const double* weights) {
  Sums s;
  const auto each = [&](auto&& f) {
    for (std::size_t i = 0; i < n; ++i) {
      const Vec a = vec(from + 3 * i), b = vec(to + 3 * i);
      const double w = weights ? weights[i] : 1.0, square = w * (dot(a, a) + dot(b, b));
      if (w > 0.0 && square < 1e300) f(w, a, b);
    }
  };
  double total = 0.0;
  each([&](double w, Vec a, Vec b) {
    ++s.count;
    total += w;
    s.from = s.from + w * a;
    s.to = s.to + w * b;
  });
  if (!s.count) return s;
  s.from = (1.0 / total) * s.from;
  s.to = (1.0 / total) * s.to;
  each([&](double w, Vec a, Vec b) {
    s.far_from += w * dot(a, a);
    s.far_to += w * dot(b, b);
    a = a - s.from;
    b = b - s.to;
    s.spread_from += w * dot(a, a);
    s.spread_to += w * dot(b, b);
    const double as[3] = {a.x, a.y, a.z}, bs[3] = {b.x, b.y, b.z};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) s.products[i][j] += w * as[i] * bs[j];
  });
  return s;
}

Square<4> horn(const Square<3>& S) {
  const double x = S[1][2] - S[2][1], y = S[2][0] - S[0][2], z = S[0][1] - S[1][0];
  const double xy = S[0][1] + S[1][0], xz = S[2][0] + S[0][2], yz = S[1][2] + S[2][1];
  return {{{S[0][0] + S[1][1] + S[2][2], x, y, z},
           {x, S[0][0] - S[1][1] - S[2][2], xy, xz},
           {y, xy, S[1][1] - S[0][0] - S[2][2], yz},
           {z, xz, yz, S[2][2] - S[0][0] - S[1][1]}}};
}

// Rotation of a unit quaternion.
Rotation rotation_of(double w, Vec v) {
  const auto turned = [w, v](Vec e) { return e + 2.0 * w * cross(v, e) + 2.0 * cross(v, cross(v, e)); };
  return {turned({1, 0, 0}), turned({0, 1, 0}), turned({0, 0, 1})};
}

// The smallest rotation that takes the direction of most of the products on one side to that on the other.
Rotation along(const Square<3>& S) {
  Square<3> squared{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) squared[i][j] += S[i][k] * S[j][k];
  const Eigen<3> e = eigen<3>(squared);
  const int first = e.largest();
  const Vec a{e.vectors[0][first], e.vectors[1][first], e.vectors[2][first]};
  Vec b{S[0][0] * a.x + S[1][0] * a.y + S[2][0] * a.z, S[0][1] * a.x + S[1][1] * a.y + S[2][1] * a.z,
        S[0][2] * a.x + S[1][2] * a.y + S[2][2] * a.z};
  b = (1.0 / norm(b)) * b;
  const Vec axis = cross(a, b);
  const double sine = norm(axis), cosine = dot(a, b);
  if (sine > 1e-9) return rotation_about((1.0 / sine) * axis, std::atan2(sine, cosine));
  return cosine > 0.0 ? Rotation{} : rotation_about(turn_to(a).x, std::acos(-1.0));
}

}  // namespace

Alignment rigid_alignment(std::size_t n, const double* from, const double* to, const double* weights, double R[9],
                          double t[3]) {
  const Sums s = sum(n, from, to, weights);
  Rotation turn;
  Alignment told = s.count ? Alignment::kTranslation : Alignment::kNothing;
  const auto spread = [](double squares, double far) { return squares > kOnePoint * kOnePoint * far; };
  if (s.count > 2 && spread(s.spread_from, s.far_from) && spread(s.spread_to, s.far_to)) {
    const double scale = std::sqrt(s.spread_from) * std::sqrt(s.spread_to);
    Square<3> products = s.products;
    for (auto& row : products)
      for (double& entry : row) entry /= scale;
    const Eigen<4> e = eigen<4>(horn(products));
    const int best = e.largest(0);
    if (e.values[best] - e.values[e.largest(1)] > kDistinct) {
      turn = rotation_of(e.vectors[0][best], {e.vectors[1][best], e.vectors[2][best], e.vectors[3][best]});
      told = Alignment::kWhole;
    } else if (e.values[best] > kDistinct) {
      turn = along(products);
      told = Alignment::kLine;
    }
  }
  store(turn, R);
  const Vec shift = s.to - turn * s.from;
  t[0] = shift.x;
  t[1] = shift.y;
  t[2] = shift.z;
  return told;
}

}  // namespace pantin
