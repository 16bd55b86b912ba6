// Where cold fits start, for Python.
#include "fit_start.hpp"

#include <nanobind/nanobind.h>

#include <algorithm>
#include <vector>

#include "fit_arguments.hpp"
#include "numpy_api.hpp"

namespace pantin {

namespace {

// Rows of numbers, or null for None.
const double* optional_rows(nb::handle values, npy_intp expected) {
  if (values.is_none()) return nullptr;
  npy_intp n;
  const double* const numbers = rows(values, 1, n);
  if (n != expected) throw nb::value_error("expected as many weights as points");
  return numbers;
}

const double* exactly(nb::handle values, npy_intp width, npy_intp expected) {
  npy_intp n;
  const double* const numbers = rows(values, width, n);
  if (n != expected) throw nb::value_error("expected as many rows in each array");
  return numbers;
}

// A pose as (word, R, t).
template <class Word>
nb::object posed(Word word, const double R[9], const double t[3]) {
  PyArrayObject* const rotation = new_array({3, 3});
  PyArrayObject* const translation = new_array({3});
  std::copy_n(R, 9, data_of(rotation));
  std::copy_n(t, 3, data_of(translation));
  return nb::make_tuple(word, nb::steal(reinterpret_cast<PyObject*>(rotation)),
                        nb::steal(reinterpret_cast<PyObject*>(translation)));
}

nb::object rigid(nb::handle from, nb::handle to, nb::handle weights) {
  npy_intp n;
  const double* const a = rows(from, 3, n);
  double R[9], t[3];
  const Alignment told = rigid_alignment(n, a, exactly(to, 3, n), optional_rows(weights, n), R, t);
  return posed(static_cast<int>(told), R, t);
}

nb::object triangulated(nb::handle lenses, nb::handle rotations, nb::handle translations, nb::handle pixels,
                        nb::handle weights) {
  npy_intp cameras, all;
  const double* const inside = rows(lenses, kLensNumbers, cameras);
  const double* const R = exactly(rotations, 9, cameras);
  const double* const t = exactly(translations, 3, cameras);
  const double* const seen = rows(pixels, 2, all);
  if (cameras == 0 || all % cameras) throw nb::value_error("expected as many pixels of each camera");
  std::vector<CameraPlace> places(cameras);
  for (npy_intp c = 0; c < cameras; ++c) {
    places[c].lens = lens_of(inside + kLensNumbers * c);
    std::copy_n(R + 9 * c, 9, places[c].R);
    std::copy_n(t + 3 * c, 3, places[c].t);
  }
  const double* const w = optional_rows(weights, all);
  PyArrayObject* const points = new_array({all / cameras, 3});
  triangulate(cameras, places.data(), all / cameras, seen, w, data_of(points));
  return nb::steal(reinterpret_cast<PyObject*>(points));
}

nb::object resected(nb::handle lens, nb::handle points, nb::handle pixels, nb::handle weights) {
  npy_intp n;
  const double* const body = rows(points, 3, n);
  double R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, t[3] = {};
  const bool found =
      resect(lens_argument(lens), n, body, exactly(pixels, 2, n), optional_rows(weights, n), R, t);
  return posed(found, R, t);
}

}  // namespace

void bind_fit_start(nb::module_& m) {
  m.def("fit_rigid", rigid, nb::arg("from_points"), nb::arg("to_points"), nb::arg("weights").none() = nb::none(),
        nb::sig("def fit_rigid(from_points: " PANTIN_ARRAY ", to_points: " PANTIN_ARRAY ", weights: " PANTIN_ARRAY
                " | None = None) -> tuple[int, " PANTIN_ARRAY ", " PANTIN_ARRAY "]"),
        "What points tell of a rigid motion (0 nothing, 1 its translation, 2 a line, 3 all), its R and its t; the "
        "caller has checked them.");
  m.def("fit_triangulate", triangulated, nb::arg("lenses"), nb::arg("rotations"), nb::arg("translations"),
        nb::arg("pixels"), nb::arg("weights").none() = nb::none(),
        nb::sig("def fit_triangulate(lenses: " PANTIN_ARRAY ", rotations: " PANTIN_ARRAY ", translations: " PANTIN_ARRAY
                ", pixels: " PANTIN_ARRAY ", weights: " PANTIN_ARRAY " | None = None) -> " PANTIN_ARRAY),
        "Points of their pixels in several cameras, NaN where there is none; the caller has checked them.");
  m.def("fit_resect", resected, nb::arg("lens"), nb::arg("points"), nb::arg("pixels"),
        nb::arg("weights").none() = nb::none(),
        nb::sig("def fit_resect(lens: " PANTIN_ARRAY ", points: " PANTIN_ARRAY ", pixels: " PANTIN_ARRAY
                ", weights: " PANTIN_ARRAY " | None = None) -> tuple[bool, " PANTIN_ARRAY ", " PANTIN_ARRAY "]"),
        "Whether a pose of a body in the camera frame was found, its R and its t; the caller has checked them.");
}

}  // namespace pantin
