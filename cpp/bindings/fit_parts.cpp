// Parts of a fit for Python: lenses and losses, many elements at once.
#include <nanobind/nanobind.h>

#include <limits>

#include "fit_arguments.hpp"
#include "lens_rays.hpp"
#include "numpy_api.hpp"
#include "pantin/kernels/table.hpp"

namespace pantin {

namespace {

nb::object look(nb::handle lens, nb::handle points) {
  npy_intp n;
  const double* const p = rows(points, 3, n);
  const CameraLens inside = lens_argument(lens);
  PyArrayObject* const seen = new_array({n, kSeenNumbers});
  kernels().fit_parts.look(inside, n, p, data_of(seen));
  return nb::steal(reinterpret_cast<PyObject*>(seen));
}

nb::object rho(int loss, double scale, nb::handle e2) {
  if (loss < 0 || loss >= kLosses) throw nb::value_error("no such loss");
  npy_intp n;
  const double* const squares = rows(e2, 1, n);
  PyArrayObject* const losses = new_array({n, 3});
  kernels().fit_parts.rho(static_cast<Loss>(loss), scale, n, squares, data_of(losses));
  return nb::steal(reinterpret_cast<PyObject*>(losses));
}

nb::object undistort(nb::handle lens, nb::handle pixels) {
  npy_intp n;
  const double* const from = rows(pixels, 2, n);
  const CameraLens inside = lens_argument(lens);
  PyArrayObject* const points = new_array({n, 2});
  double* const to = data_of(points);
  for (npy_intp i = 0; i < n; ++i) {
    Vec ray;
    const bool found = ray_of(inside, from[2 * i], from[2 * i + 1], ray);
    to[2 * i] = found ? ray.x / ray.z : std::numeric_limits<double>::quiet_NaN();
    to[2 * i + 1] = found ? ray.y / ray.z : std::numeric_limits<double>::quiet_NaN();
  }
  return nb::steal(reinterpret_cast<PyObject*>(points));
}

}  // namespace

void bind_fit_parts(nb::module_& m) {
  m.def("fit_look", look, nb::arg("lens"), nb::arg("points"),
        nb::sig("def fit_look(lens: " PANTIN_ARRAY ", points: " PANTIN_ARRAY ") -> " PANTIN_ARRAY),
        "Rows of points in the camera frame to rows of u, v, du (3), dv (3) and depth; the caller has checked them.");
  m.def("fit_undistort", undistort, nb::arg("lens"), nb::arg("pixels"),
        nb::sig("def fit_undistort(lens: " PANTIN_ARRAY ", pixels: " PANTIN_ARRAY ") -> " PANTIN_ARRAY),
        "Rows of pixels to rows of x and y at depth 1, NaN where no ray comes to them; the caller has checked them.");
  m.def("fit_rho", rho, nb::arg("loss"), nb::arg("scale"), nb::arg("e2"),
        nb::sig("def fit_rho(loss: int, scale: float, e2: " PANTIN_ARRAY ") -> " PANTIN_ARRAY),
        "Squared misfits to rows of a loss and its first two derivatives; the caller has checked them.");
}

}  // namespace pantin
