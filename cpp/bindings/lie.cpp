// Exponentials, logarithms and their Jacobians for Python: any number of elements at once.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "instance.hpp"
#include "numpy_api.hpp"
#include "pantin/kernels/table.hpp"
#include "se3.hpp"

namespace pantin {

namespace {

// Elements of `in_size` numbers, one after the other, mapped to elements of `out_size`.
nb::object elementwise(Elementwise LieKernels::* kernel, int in_size, int out_size, nb::handle values) {
  if (!is_plain(values.ptr())) throw nb::type_error("expected a plain float64 array");
  auto* const in = reinterpret_cast<PyArrayObject*>(values.ptr());
  const npy_intp n = PyArray_SIZE(in) / in_size;
  if (n * in_size != PyArray_SIZE(in)) throw nb::value_error("expected whole rows");
  PyArrayObject* const out = new_array({n, out_size});
  (kernels().lie.*kernel)(n, data_of(in), data_of(out));
  return nb::steal(reinterpret_cast<PyObject*>(out));
}

}  // namespace

void bind_lie(nb::module_& m) {
  struct Entry {
    const char* name;
    Elementwise LieKernels::* kernel;
    int in, out;
  };
  static constexpr Entry entries[] = {
      {"_exp3", &LieKernels::exp3, 3, 9},    {"_log3", &LieKernels::log3, 9, 3},
      {"_exp6", &LieKernels::exp6, 6, 12},   {"_log6", &LieKernels::log6, 12, 6},
      {"_Jexp3", &LieKernels::Jexp3, 3, 9},  {"_Jlog3", &LieKernels::Jlog3, 9, 9},
      {"_Jexp6", &LieKernels::Jexp6, 6, 36}, {"_Jlog6", &LieKernels::Jlog6, 12, 36},
      {"_quaternion", &LieKernels::quaternion, 9, 4},
  };
  for (const Entry& e : entries)
    m.def(
        e.name, [&e](nb::handle values) { return elementwise(e.kernel, e.in, e.out, values); },
        nb::arg("values"),
        nb::sig((std::string("def ") + e.name +
                 "(values: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.float64]")
                    .c_str()),
        "Rows of numbers mapped by the kernel of this name; the caller has checked them.");

  m.def(
      "exp3",
      [](nb::handle w) {
        PyArrayObject* const R = new_array({3, 3});
        nb::object result = nb::steal(reinterpret_cast<PyObject*>(R));
        kernels().lie.exp3(1, VectorArgument(w.ptr(), 3, "w").data(), data_of(R));
        return result;
      },
      nb::arg("w").none(), nb::sig("def exp3(w: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]"),
      R"(Rotation matrix of a rotation vector (Rodrigues' formula).

Args:
    w: Rotation vector, shape (3,): axis times angle, rad.

Returns:
    Rotation matrix, shape (3, 3).

Raises:
    InvalidArgument: If `w` is not three finite numbers.)");
  m.def(
      "exp6",
      [](nb::handle nu) {
        double numbers[12];
        const double* const in = nb::isinstance<Twist>(nu) ? instance<Twist>(nu.ptr(), "nu").numbers : nullptr;
        kernels().lie.exp6(1, in ? in : VectorArgument(nu.ptr(), 6, "nu").data(), numbers);
        return Pose(numbers);
      },
      nb::arg("nu").none(), nb::sig("def exp6(nu: Motion | numpy.typing.ArrayLike) -> SE3"),
      R"(Rigid transform reached by following a constant twist for unit time.

Args:
    nu: Motion, or six numbers (linear, angular), m and rad.

Returns:
    The transform whose logarithm is the twist.

Raises:
    InvalidArgument: If `nu` is not six finite numbers.)");
  m.def(
      "log6",
      [](nb::handle M) {
        nb::object converted = nb::isinstance<Pose>(M)
                                   ? nb::borrow(M)
                                   : nb::object(nb::module_::import_("pantin.kinematics.se3").attr("as_se3")("M", M));
        Twist nu;
        kernels().lie.log6(1, instance<Pose>(converted.ptr(), "M").numbers(), nu.numbers);
        return nu;
      },
      nb::arg("M").none(), nb::sig("def log6(M: SE3) -> Motion"),
      R"(Twist whose exponential is a rigid transform.

Args:
    M: Transform, or what `as_se3` accepts in its place.

Returns:
    Twist (linear, angular), m and rad, with a turn of at most pi.

Raises:
    InvalidArgument: If `M` is not a rigid transform.)");
}

}  // namespace pantin
