// Vectors, rotations and rigid motions in plain doubles, for what is compiled once.
#pragma once

#include <cmath>

#include "pantin/tree/tree.hpp"

namespace pantin {

struct Vec {
  double x = 0.0, y = 0.0, z = 0.0;
};

inline Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec operator-(Vec a) { return {-a.x, -a.y, -a.z}; }
inline Vec operator*(double s, Vec a) { return {s * a.x, s * a.y, s * a.z}; }
inline double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec cross(Vec a, Vec b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double norm(Vec a) { return std::sqrt(dot(a, a)); }

// A rotation by its columns.
struct Rotation {
  Vec x{1.0, 0.0, 0.0}, y{0.0, 1.0, 0.0}, z{0.0, 0.0, 1.0};
};

inline Vec operator*(const Rotation& R, Vec v) { return v.x * R.x + v.y * R.y + v.z * R.z; }
inline Rotation operator*(const Rotation& A, const Rotation& B) { return {A * B.x, A * B.y, A * B.z}; }
inline Rotation transposed(const Rotation& R) {
  return {{R.x.x, R.y.x, R.z.x}, {R.x.y, R.y.y, R.z.y}, {R.x.z, R.y.z, R.z.z}};
}

// What turns `v` by an angle about the unit axis k (Rodrigues).
inline Vec turned(Vec k, double angle, Vec v) {
  const double c = std::cos(angle), s = std::sin(angle);
  return c * v + s * cross(k, v) + ((1.0 - c) * dot(k, v)) * k;
}

inline Rotation rotation_about(Vec k, double angle) {
  const double c = std::cos(angle), s = std::sin(angle), v = 1.0 - c;
  return {{c + v * k.x * k.x, v * k.x * k.y + s * k.z, v * k.x * k.z - s * k.y},
          {v * k.x * k.y - s * k.z, c + v * k.y * k.y, v * k.y * k.z + s * k.x},
          {v * k.x * k.z + s * k.y, v * k.y * k.z - s * k.x, c + v * k.z * k.z}};
}

// Twice the axis times the sine of a rotation's angle.
inline Vec twist_of(const Rotation& R) { return {R.y.z - R.z.y, R.z.x - R.x.z, R.x.y - R.y.x}; }

// Angle about k of the rotation about k that comes nearest to R.
inline double angle_about(Vec k, const Rotation& R) {
  return std::atan2(dot(k, twist_of(R)), R.x.x + R.y.y + R.z.z - dot(k, R * k));
}

// The rotation nearest to a matrix that is close to one (Newton's iteration for the polar factor).
inline Rotation nearest_rotation(Rotation R) {
  for (int step = 0; step < 4; ++step) {
    const Rotation S = transposed(R) * R;
    const auto mended = [&](Vec v, Vec s) { return 1.5 * v - 0.5 * (R * s); };
    R = {mended(R.x, S.x), mended(R.y, S.y), mended(R.z, S.z)};
  }
  return R;
}

// A rotation that takes z to the unit vector a; exact for the axes x, y and z.
inline Rotation turn_to(Vec a) {
  const bool x_is_small = std::fabs(a.x) <= std::fabs(a.y) && std::fabs(a.x) <= std::fabs(a.z);
  const bool y_is_small = !x_is_small && std::fabs(a.y) <= std::fabs(a.z);
  const Vec e = x_is_small ? Vec{1, 0, 0} : y_is_small ? Vec{0, 1, 0} : Vec{0, 0, 1};
  const Vec across = e - dot(e, a) * a;
  const Vec x = (1.0 / norm(across)) * across;
  return {x, cross(a, x), a};
}

// x -> R x + p.
struct Rigid {
  Rotation R;
  Vec p;
};

inline Vec operator*(const Rigid& T, Vec v) { return T.R * v + T.p; }
inline Rigid operator*(const Rigid& A, const Rigid& B) { return {A.R * B.R, A * B.p}; }
inline Rigid inverse(const Rigid& T) {
  const Rotation back = transposed(T.R);
  return {back, -(back * T.p)};
}

// A rotation from its rows, and back.
inline Rotation rotation_of(const double* rows) {
  return {{rows[0], rows[3], rows[6]}, {rows[1], rows[4], rows[7]}, {rows[2], rows[5], rows[8]}};
}
inline void store(const Rotation& R, double* rows) {
  const Vec columns[3] = {R.x, R.y, R.z};
  for (int j = 0; j < 3; ++j) {
    rows[j] = columns[j].x;
    rows[3 + j] = columns[j].y;
    rows[6 + j] = columns[j].z;
  }
}

inline Rigid rigid_of(const Placement& placement) {
  return {rotation_of(placement.R), {placement.p[0], placement.p[1], placement.p[2]}};
}

// The rotation by rows.
inline Placement placement_of(const Rigid& T) {
  Placement placement{{}, {T.p.x, T.p.y, T.p.z}, Turn::kAny};
  store(T.R, placement.R);
  return placement;
}

}  // namespace pantin
