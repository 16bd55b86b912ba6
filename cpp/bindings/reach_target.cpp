#include "reach_target.hpp"

#include <algorithm>

#include "numpy_api.hpp"
#include "se3.hpp"
#include "space.hpp"

namespace pantin {

namespace {

constexpr double kRounding2 = 1e-26;  // squared distance of R R' from 1 that rounding makes
constexpr double kRotation2 = 1e-6;   // and the largest of what still counts as a rotation, as in `pantin.arrays`

Rotation rotation_of(const double* rows) {
  return {{rows[0], rows[3], rows[6]}, {rows[1], rows[4], rows[7]}, {rows[2], rows[5], rows[8]}};
}

// Squared Frobenius distance of R R' from the identity; infinite for a reflection.
double distance2(const Rotation& R) {
  const double xy = dot(R.x, R.y), yz = dot(R.y, R.z), zx = dot(R.z, R.x);
  const double x = dot(R.x, R.x) - 1.0, y = dot(R.y, R.y) - 1.0, z = dot(R.z, R.z) - 1.0;
  if (dot(cross(R.x, R.y), R.z) < 0.0) return 1.0 / 0.0;
  return x * x + y * y + z * z + 2.0 * (xy * xy + yz * yz + zx * zx);
}

// Reads what most targets are, an SE3 or a plain matrix (4, 4) or vector (3); false for anything else.
bool read_plain(ReachMode mode, PyObject* target, double* numbers) {
  constexpr double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  static PyTypeObject* const pose_type = reinterpret_cast<PyTypeObject*>(nb::type<Pose>().ptr());
  if (Py_TYPE(target) == pose_type) {
    if (mode != ReachMode::kPose || !nb::inst_ready(target)) return false;
    std::copy_n(nb::inst_ptr<Pose>(target)->numbers(), 12, numbers);
    return is_finite(numbers, 12);
  }
  if (!PyArray_CheckExact(target) || !is_plain(target)) return false;
  auto* const array = reinterpret_cast<PyArrayObject*>(target);
  const double* const from = data_of(array);
  if (mode == ReachMode::kPose && PyArray_NDIM(array) == 2 && PyArray_DIM(array, 0) == 4 && PyArray_DIM(array, 1) == 4) {
    for (int i = 0; i < 3; ++i) {
      std::copy_n(from + 4 * i, 3, numbers + 3 * i);
      numbers[9 + i] = from[4 * i + 3];
    }
    return from[12] == 0.0 && from[13] == 0.0 && from[14] == 0.0 && from[15] == 1.0 && is_finite(numbers, 12);
  }
  if (mode == ReachMode::kPosition && PyArray_NDIM(array) == 1 && PyArray_DIM(array, 0) == 3) {
    std::copy_n(identity, 9, numbers);
    std::copy_n(from, 3, numbers + 9);
    return is_finite(numbers, 12);
  }
  return false;
}

}  // namespace

bool project_rotation(double* numbers) {
  Rotation R = rotation_of(numbers);
  if (distance2(R) <= kRounding2) return false;
  R = nearest_rotation(R);
  const Vec columns[3] = {R.x, R.y, R.z};
  for (int j = 0; j < 3; ++j) {
    numbers[j] = columns[j].x;
    numbers[3 + j] = columns[j].y;
    numbers[6 + j] = columns[j].z;
  }
  return true;
}

bool read_target(ReachMode mode, PyObject* target, double* numbers) {
  if (!read_plain(mode, target, numbers) || !(distance2(rotation_of(numbers)) <= kRotation2)) {
    const nb::object array = reach_door("read_target")(static_cast<int>(mode), nb::handle(target));
    std::copy_n(data_of(reinterpret_cast<PyArrayObject*>(array.ptr())), 12, numbers);
  }
  return project_rotation(numbers);
}

}  // namespace pantin
