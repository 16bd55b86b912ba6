#include "reach_target.hpp"

#include <algorithm>
#include <cmath>

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

constexpr double kIdentity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

// An array of doubles as it lies in memory, whatever its strides.
struct Numbers {
  PyArrayObject* array;
  bool has(npy_intp rows, npy_intp columns) const {
    return PyArray_NDIM(array) == 2 && PyArray_DIM(array, 0) == rows && PyArray_DIM(array, 1) == columns;
  }
  bool has(npy_intp size) const { return PyArray_NDIM(array) == 1 && PyArray_DIM(array, 0) == size; }
  double operator()(npy_intp i, npy_intp j) const { return *static_cast<double*>(PyArray_GETPTR2(array, i, j)); }
  double operator()(npy_intp i) const { return *static_cast<double*>(PyArray_GETPTR1(array, i)); }
};

// Scales a direction to length 1 as `pantin.reaching.doors` does, to the bit; false for zero.
bool make_unit(double* v) {
  const double largest = std::max({std::fabs(v[0]), std::fabs(v[1]), std::fabs(v[2])});
  if (largest == 0.0) return false;
  int exponent;
  std::frexp(largest, &exponent);
  for (int i = 0; i < 3; ++i) v[i] = std::ldexp(v[i], -exponent);
  const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (int i = 0; i < 3; ++i) v[i] /= length;
  return true;
}

}  // namespace

bool is_rotation(const double* numbers) {
  return is_finite(numbers, 12) && distance2(rotation_of(numbers)) <= kRotation2;
}

bool read_plain_target(TargetForm form, PyObject* target, double* numbers) {
  static PyTypeObject* const pose_type = reinterpret_cast<PyTypeObject*>(nb::type<Pose>().ptr());
  if (Py_TYPE(target) == pose_type) {
    if (form != TargetForm::kPose || !nb::inst_ready(target)) return false;
    std::copy_n(nb::inst_ptr<Pose>(target)->numbers(), 12, numbers);
    return is_rotation(numbers);
  }
  if (!PyArray_CheckExact(target)) return false;
  const Numbers given{reinterpret_cast<PyArrayObject*>(target)};
  if (PyArray_TYPE(given.array) != NPY_DOUBLE || !PyArray_ISBEHAVED_RO(given.array)) return false;
  if (form == TargetForm::kPose) {
    if (!given.has(4, 4)) return false;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) numbers[3 * i + j] = given(i, j);
      numbers[9 + i] = given(i, 3);
      if (given(3, i) != 0.0) return false;
    }
    return given(3, 3) == 1.0 && is_rotation(numbers);
  }
  if (form == TargetForm::kOrientation) {
    if (!given.has(3, 3)) return false;
    for (int k = 0; k < 9; ++k) numbers[k] = given(k / 3, k % 3);
    std::fill_n(numbers + 9, 3, 0.0);
    return is_rotation(numbers);
  }
  if (!given.has(3)) return false;
  std::copy_n(kIdentity, 9, numbers);
  for (int i = 0; i < 3; ++i) numbers[9 + i] = given(i);
  if (!is_finite(numbers + 9, 3)) return false;
  return form == TargetForm::kPoint || make_unit(numbers + 9);
}

bool project_rotation(double* numbers) {
  Rotation R = rotation_of(numbers);
  if (distance2(R) <= kRounding2) return false;
  R = nearest_rotation(R);
  store(R, numbers);
  return true;
}

bool TargetReader::read(nb::handle solver, PyObject* target, double* numbers) const {
  if (!read_plain_target(form(), target, numbers)) {
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
      store(R, question);  // of the tool, which the chain's tip is turned to
      return depth >= depths[0] && depth <= depths[1];
    }
    default:
      return true;
  }
}

}  // namespace pantin
