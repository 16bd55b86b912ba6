#include "reach_target.hpp"

#include <algorithm>

#include "numpy_api.hpp"
#include "se3.hpp"
#include "space.hpp"

namespace pantin {

namespace {

constexpr double kRounding2 = 1e-26;  // squared distance of R R' from 1 that rounding makes
constexpr double kRotation2 = 1e-6;   // and the largest of what still counts as a rotation, as in `pantin.arrays`

// Squared Frobenius distance of R R' from the identity; infinite for a reflection.
double distance2(const Rotation& R) {
  const double xy = dot(R.x, R.y), yz = dot(R.y, R.z), zx = dot(R.z, R.x);
  const double x = dot(R.x, R.x) - 1.0, y = dot(R.y, R.y) - 1.0, z = dot(R.z, R.z) - 1.0;
  if (dot(cross(R.x, R.y), R.z) < 0.0) return 1.0 / 0.0;
  return x * x + y * y + z * z + 2.0 * (xy * xy + yz * yz + zx * zx);
}

}  // namespace

bool read_plain_target(bool asks_pose, PyObject* target, double* numbers) {
  constexpr double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  static PyTypeObject* const pose_type = reinterpret_cast<PyTypeObject*>(nb::type<Pose>().ptr());
  if (Py_TYPE(target) == pose_type) {
    if (!asks_pose || !nb::inst_ready(target)) return false;
    std::copy_n(nb::inst_ptr<Pose>(target)->numbers(), 12, numbers);
    return is_finite(numbers, 12) && distance2(rotation_of(numbers)) <= kRotation2;
  }
  if (!PyArray_CheckExact(target) || !is_plain(target)) return false;
  auto* const array = reinterpret_cast<PyArrayObject*>(target);
  const double* const from = data_of(array);
  if (asks_pose && PyArray_NDIM(array) == 2 && PyArray_DIM(array, 0) == 4 && PyArray_DIM(array, 1) == 4) {
    for (int i = 0; i < 3; ++i) {
      std::copy_n(from + 4 * i, 3, numbers + 3 * i);
      numbers[9 + i] = from[4 * i + 3];
    }
    return from[12] == 0.0 && from[13] == 0.0 && from[14] == 0.0 && from[15] == 1.0 && is_finite(numbers, 12) &&
           distance2(rotation_of(numbers)) <= kRotation2;
  }
  if (!asks_pose && PyArray_NDIM(array) == 1 && PyArray_DIM(array, 0) == 3) {
    std::copy_n(identity, 9, numbers);
    std::copy_n(from, 3, numbers + 9);
    return is_finite(numbers, 12);
  }
  return false;
}

bool project_rotation(double* numbers) {
  Rotation R = rotation_of(numbers);
  if (distance2(R) <= kRounding2) return false;
  R = nearest_rotation(R);
  store(R, numbers);
  return true;
}

bool TargetReader::read(nb::handle solver, PyObject* target, double* numbers) const {
  const bool plain = asks != Asks::kOrientation && asks != Asks::kDirection && read_plain_target(asks_pose(), target, numbers);
  if (!plain) {
    const nb::object array = reach_door("read_target")(solver, nb::handle(target));
    std::copy_n(data_of(reinterpret_cast<PyArrayObject*>(array.ptr())), 12, numbers);
  }
  return project_rotation(numbers);
}

bool TargetReader::translate(const double* numbers, double* question) const {
  std::copy_n(numbers, 12, question);
  const Rotation given = rotation_of(numbers);
  const Vec p{numbers[9], numbers[10], numbers[11]};
  switch (asks) {
    case Asks::kAxis:
      store(given * rotation_of(tool), question);
      return true;
    case Asks::kDirection:
      store(turn_to(p), question);
      return true;
    case Asks::kRcm: {
      const Vec shaft = p - Vec{pivot[0], pivot[1], pivot[2]};
      const double depth = norm(shaft);
      const Vec z = depth > 0.0 ? (1.0 / depth) * shaft : Vec{0, 0, 1};
      Rotation R = turn_to(z);
      const Vec x = (given * rotation_of(tool)).x, across = x - dot(x, z) * z;
      if (with_roll && norm(across) > 1e-9) {
        R.x = (1.0 / norm(across)) * across;
        R.y = cross(z, R.x);
      }
      // with the roll it is a pose of the frame, else an axis of the tool
      store(with_roll ? R * transposed(rotation_of(tool)) : R, question);
      return depth >= depths[0] && depth <= depths[1];
    }
    default:
      return true;
  }
}

}  // namespace pantin
