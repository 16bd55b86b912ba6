// Closed-form inverse kinematics for Python.
#include "closed_form.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <optional>
#include <string>

#include "numpy_api.hpp"

namespace pantin {

namespace {

std::optional<std::string> kind(const ClosedForm& form) {
  if (form.kind() == ClosedForm::Kind::kNone) return std::nullopt;
  const bool spherical = form.kind() == ClosedForm::Kind::kSpherical;
  const std::string joints = std::to_string(form.first() + 1) + " to " + std::to_string(form.first() + 3);
  return "axes " + joints + (spherical ? " meet in a point" : " are parallel");
}

nb::object solve(const ClosedForm& form, nb::handle pose, nb::handle rest) {
  const VectorArgument matrix(pose.ptr(), 16, "pose"), angles(rest.ptr(), 6, "rest");
  const double* const T = matrix.data();
  SixAngles free;
  std::copy_n(angles.data(), 6, free.begin());
  const std::vector<SixAngles> found =
      form.solve({{{T[0], T[4], T[8]}, {T[1], T[5], T[9]}, {T[2], T[6], T[10]}}, {T[3], T[7], T[11]}}, free);
  PyArrayObject* const array = new_array({npy_intp(found.size()), 6});
  for (std::size_t i = 0; i < found.size(); ++i) std::copy_n(found[i].begin(), 6, data_of(array) + 6 * i);
  return nb::steal(reinterpret_cast<PyObject*>(array));
}

}  // namespace

void bind_closed_form(nb::module_& m) {
  nb::class_<ClosedForm>(m, "ClosedForm", "Closed-form inverse kinematics of a frame that six turning joints move.")
      .def(
          "__init__",
          [](ClosedForm* self, std::shared_ptr<CompiledTree> tree, int frame, int root) {
            for (const int index : {frame, root})
              if (index < 0 || index >= tree->view().nframes) throw nb::index_error("no such frame");
            new (self) ClosedForm(*tree, frame, root);
          },
          nb::arg("tree"), nb::arg("frame"), nb::arg("root"))
      .def_prop_ro("kind", kind, "What makes the closed form possible, in words; None where there is none.")
      .def("solve", solve, nb::arg("pose"), nb::arg("rest"),
           nb::sig("def solve(self, pose: numpy.typing.ArrayLike, rest: numpy.typing.ArrayLike) "
                   "-> numpy.typing.NDArray[numpy.float64]"),
           R"(All angles that bring the frame to a pose.

Args:
    pose: Homogeneous matrix by rows, 16 numbers, in the root, m.
    rest: Angles for joints that a singular pose leaves free, shape (6,), rad.

Returns:
    Angles in (-pi, pi], shape (n, 6), rad.)");
}

}  // namespace pantin
