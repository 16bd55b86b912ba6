// SE3 and Motion for Python.
#include "se3.hpp"

#include <nanobind/stl/string.h>

#include <cmath>
#include <cstring>

#include "instance.hpp"
#include "numpy_api.hpp"
#include "pantin/kernels/table.hpp"

namespace pantin {

namespace {

Pose& pose(nb::handle self) { return instance<Pose>(self.ptr(), "self"); }

// Part of a twist as an array over its memory.
nb::object twist_view(nb::handle self, int first, int size) {
  return view(instance<Twist>(self.ptr(), "self").numbers + first, {size}, {1}, self.ptr(), true);
}

nb::object rotation_view(nb::handle self) {
  return view(pose(self).numbers(), {3, 3}, {3, 1}, self.ptr(), pose(self).is_writable());
}
nb::object translation_view(nb::handle self) {
  return view(pose(self).translation(), {3}, {1}, self.ptr(), pose(self).is_writable());
}

void require_writable(const Pose& self) {
  if (!self.is_writable())
    throw nb::type_error("this SE3 belongs to a Data or a model and is read-only; change a copy() and assign that");
}

void set_rotation(Pose& self, nb::handle value) {
  require_writable(self);
  const nb::object checked = nb::module_::import_("pantin.arrays").attr("rotation")("rotation", value);
  std::copy_n(data_of(reinterpret_cast<PyArrayObject*>(checked.ptr())), 9, self.numbers());
}
void set_translation(Pose& self, nb::handle value) {
  require_writable(self);
  std::copy_n(VectorArgument(value.ptr(), 3, "translation").data(), 3, self.translation());
}

Pose inverse(const Pose& self) {
  double numbers[12];
  kernels().lie.between(self.numbers(), Pose().numbers(), numbers);
  return Pose(numbers);
}

Pose product(const Pose& a, const Pose& b) {
  double numbers[12];
  kernels().lie.multiply(a.numbers(), b.numbers(), numbers);
  return Pose(numbers);
}

Pose between(const Pose& a, const Pose& b) {
  double numbers[12];
  kernels().lie.between(a.numbers(), b.numbers(), numbers);
  return Pose(numbers);
}

nb::object homogeneous(const Pose& self) {
  PyArrayObject* const array = new_array({4, 4});
  double* const H = data_of(array);
  for (int r = 0; r < 3; ++r) {
    std::copy_n(self.numbers() + 3 * r, 3, H + 4 * r);
    H[4 * r + 3] = self.translation()[r];
    H[12 + r] = 0.0;
  }
  H[15] = 1.0;
  return nb::steal(reinterpret_cast<PyObject*>(array));
}

// 6x6 matrix that carries twists (linear, angular): [R, skew(p) R; 0, R].
nb::object action(const Pose& self) {
  PyArrayObject* const array = new_array({6, 6});
  double* const A = data_of(array);
  std::fill_n(A, 36, 0.0);
  const double* const R = self.numbers();
  const double* const p = self.translation();
  for (int c = 0; c < 3; ++c) {
    const double x = R[c], y = R[3 + c], z = R[6 + c];
    const double coupling[3] = {p[1] * z - p[2] * y, p[2] * x - p[0] * z, p[0] * y - p[1] * x};
    for (int r = 0; r < 3; ++r) {
      A[6 * r + c] = A[6 * (r + 3) + c + 3] = R[3 * r + c];
      A[6 * r + c + 3] = coupling[r];
    }
  }
  return nb::steal(reinterpret_cast<PyObject*>(array));
}

Twist carried(const Pose& M, const Twist& a) {
  const double* const R = M.numbers();
  const double* const p = M.translation();
  Twist b;
  for (int r = 0; r < 3; ++r) {
    b.numbers[r] = R[3 * r] * a.numbers[0] + R[3 * r + 1] * a.numbers[1] + R[3 * r + 2] * a.numbers[2];
    b.numbers[3 + r] = R[3 * r] * a.numbers[3] + R[3 * r + 1] * a.numbers[4] + R[3 * r + 2] * a.numbers[5];
  }
  const double* const w = b.numbers + 3;
  b.numbers[0] += p[1] * w[2] - p[2] * w[1];
  b.numbers[1] += p[2] * w[0] - p[0] * w[2];
  b.numbers[2] += p[0] * w[1] - p[1] * w[0];
  return b;
}

// Points, shape (..., 3), through the transform.
nb::object moved_points(const Pose& self, nb::handle points) {
  const nb::object given = nb::module_::import_("pantin.arrays").attr("batch")("other", points, 3);
  auto* const from = reinterpret_cast<PyArrayObject*>(given.ptr());
  PyObject* const result = PyArray_NewLikeArray(from, NPY_CORDER, nullptr, 0);
  if (!result) throw nb::python_error();
  const double* x = data_of(from);
  double* y = data_of(reinterpret_cast<PyArrayObject*>(result));
  const double* const R = self.numbers();
  const double* const p = self.translation();
  for (npy_intp i = 0, n = PyArray_SIZE(from) / 3; i < n; ++i, x += 3, y += 3)
    for (int r = 0; r < 3; ++r) y[r] = R[3 * r] * x[0] + R[3 * r + 1] * x[1] + R[3 * r + 2] * x[2] + p[r];
  return nb::steal(result);
}

// The operators take arrays alone, so that a mistyped operand is a TypeError.
nb::object moved_array(const Pose& self, nb::handle other) {
  if (!PyArray_Check(other.ptr())) return nb::borrow(Py_NotImplemented);
  return moved_points(self, other);
}

Pose interpolate(const Pose& a, const Pose& b, nb::handle alpha_given) {
  const double alpha = nb::cast<double>(nb::module_::import_("pantin.arrays").attr("scalar")("alpha", alpha_given));
  double step[12], nu[6];
  kernels().lie.between(a.numbers(), b.numbers(), step);
  kernels().lie.log6(1, step, nu);
  for (double& x : nu) x *= alpha;
  kernels().lie.exp6(1, nu, step);
  return product(a, Pose(step));
}

bool is_approx(const Pose& a, const Pose& b, double tolerance) {
  for (int k = 0; k < 12; ++k) {
    const double gap = std::abs(a.numbers()[k] - b.numbers()[k]);
    if (!(gap <= tolerance + 1e-5 * std::abs(b.numbers()[k]))) return false;
  }
  return true;
}

nb::object as_dtype(nb::object array, nb::handle dtype) {
  return dtype.is_none() ? array : nb::object(array.attr("astype")(dtype, nb::arg("copy") = false));
}

}  // namespace

void bind_se3(nb::module_& m) {
  nb::class_<Twist>(m, "Motion", R"(Spatial velocity or displacement: linear part, then angular part.

Args:
    vector: Six numbers (linear, angular), m/s and rad/s or m and rad.

Raises:
    InvalidArgument: If the vector is not six finite numbers.)")
      .def(
          "__init__",
          [](Twist* self, nb::handle vector) {
            new (self) Twist;
            std::copy_n(VectorArgument(vector.ptr(), 6, "vector").data(), 6, self->numbers);
          },
          nb::arg("vector"), nb::sig("def __init__(self, vector: numpy.typing.ArrayLike) -> None"))
      .def_static(
          "Zero", [] { return Twist{}; }, "Motion of nothing.")
      .def_prop_rw(
          "vector",
          [](nb::handle self) { return twist_view(self, 0, 6); },
          [](Twist& self, nb::handle value) {
            std::copy_n(VectorArgument(value.ptr(), 6, "vector").data(), 6, self.numbers);
          },
          nb::for_getter(nb::sig("def vector(self) -> " PANTIN_ARRAY)),
          nb::for_setter(nb::sig("def vector(self, value: numpy.typing.ArrayLike, /) -> None")),
          "The six numbers (linear, angular), writable.")
      .def_prop_rw(
          "linear",
          [](nb::handle self) { return twist_view(self, 0, 3); },
          [](Twist& self, nb::handle value) {
            std::copy_n(VectorArgument(value.ptr(), 3, "linear").data(), 3, self.numbers);
          },
          nb::for_getter(nb::sig("def linear(self) -> " PANTIN_ARRAY)),
          nb::for_setter(nb::sig("def linear(self, value: numpy.typing.ArrayLike, /) -> None")),
          "Linear part, shape (3,), writable.")
      .def_prop_rw(
          "angular",
          [](nb::handle self) { return twist_view(self, 3, 3); },
          [](Twist& self, nb::handle value) {
            std::copy_n(VectorArgument(value.ptr(), 3, "angular").data(), 3, self.numbers + 3);
          },
          nb::for_getter(nb::sig("def angular(self) -> " PANTIN_ARRAY)),
          nb::for_setter(nb::sig("def angular(self, value: numpy.typing.ArrayLike, /) -> None")),
          "Angular part, shape (3,), writable.")
      .def(
          "asarray", [](nb::handle self) { return self.attr("vector"); },
          nb::sig("def asarray(self) -> " PANTIN_ARRAY), "The six numbers, sharing this motion's memory.")
      .def(
          "__array__",
          [](nb::handle self, nb::handle dtype, nb::handle copy) {
            nb::object array = self.attr("vector");
            const bool must_copy = !copy.is_none() && nb::cast<bool>(copy);
            return as_dtype(must_copy ? nb::object(array.attr("copy")()) : array, dtype);
          },
          nb::arg("dtype") = nb::none(), nb::arg("copy") = nb::none(),
          nb::sig("def __array__(self, dtype: object = None, copy: bool | None = None) -> " PANTIN_ARRAY))
      .def("copy", [](const Twist& self) { return Twist(self); }, "Motion with memory of its own.")
      .def("__add__", [](const Twist& a, const Twist& b) {
        Twist sum;
        for (int k = 0; k < 6; ++k) sum.numbers[k] = a.numbers[k] + b.numbers[k];
        return sum;
      }, nb::is_operator())
      .def("__sub__", [](const Twist& a, const Twist& b) {
        Twist gap;
        for (int k = 0; k < 6; ++k) gap.numbers[k] = a.numbers[k] - b.numbers[k];
        return gap;
      }, nb::is_operator())
      .def("__neg__", [](const Twist& a) {
        Twist negative;
        for (int k = 0; k < 6; ++k) negative.numbers[k] = -a.numbers[k];
        return negative;
      })
      .def("__mul__", [](const Twist& a, double s) {
        Twist scaled;
        for (int k = 0; k < 6; ++k) scaled.numbers[k] = s * a.numbers[k];
        return scaled;
      }, nb::is_operator())
      .def("__rmul__", [](const Twist& a, double s) {
        Twist scaled;
        for (int k = 0; k < 6; ++k) scaled.numbers[k] = s * a.numbers[k];
        return scaled;
      }, nb::is_operator())
      .def("__getstate__", [](nb::handle self) { return self.attr("vector").attr("copy")(); })
      .def("__setstate__", [](Twist& self, nb::handle state) {
        new (&self) Twist;
        std::copy_n(VectorArgument(state.ptr(), 6, "vector").data(), 6, self.numbers);
      })
      .def("__repr__", [](nb::handle self) { return nb::str("Motion({})").format(self.attr("vector")); });

  nb::class_<Pose>(m, "SE3", R"(Rigid transform: a rotation matrix and a translation.

`a_from_c = a_from_b * b_from_c`; `@` is the same product. Attributes are live memory: writing into
`rotation` or `translation` changes the transform. A transform taken out of a Data or a model is a
read-only window on it; `copy()` gives one of your own.

Args:
    rotation: Rotation matrix, shape (3, 3), identity by default; or a homogeneous matrix, shape (4, 4),
        with no translation given.
    translation: Translation, shape (3,), m; zero by default.

Raises:
    InvalidArgument: If the rotation is farther than 1e-3 (Frobenius) from a rotation, or a value is not finite.)")
      .def(
          "__init__",
          [](Pose* self, nb::handle rotation, nb::handle translation) {
            nb::object R = nb::borrow(rotation), p = nb::borrow(translation);
            if (!R.is_none() && p.is_none()) {
              const nb::object parts = nb::module_::import_("pantin.arrays").attr("rotation_and_translation")(R);
              R = parts[0];
              p = parts[1];
            }
            new (self) Pose;
            if (!R.is_none()) set_rotation(*self, R);
            if (!p.is_none()) set_translation(*self, p);
          },
          nb::arg("rotation") = nb::none(), nb::arg("translation") = nb::none(),
          nb::sig("def __init__(self, rotation: numpy.typing.ArrayLike | None = None, translation: "
                  "numpy.typing.ArrayLike | None = None) -> None"))
      .def_static("Identity", [] { return Pose(); }, "Transform that moves nothing.")
      .def_static(
          "Random",
          [] {
            const nb::object random = nb::module_::import_("numpy.random");
            const nb::object q = random.attr("randn")(4), p = random.attr("uniform")(-1.0, 1.0, 3);
            const double* const x = data_of(reinterpret_cast<PyArrayObject*>(q.ptr()));
            double norm = 0.0, numbers[12];
            for (int k = 0; k < 4; ++k) norm += x[k] * x[k];
            const double a = x[0], b = x[1], c = x[2], w = x[3], s = 2.0 / norm;
            const double R[9] = {1 - s * (b * b + c * c), s * (a * b - w * c), s * (a * c + w * b),
                                 s * (a * b + w * c), 1 - s * (a * a + c * c), s * (b * c - w * a),
                                 s * (a * c - w * b), s * (b * c + w * a), 1 - s * (a * a + b * b)};
            std::copy_n(R, 9, numbers);
            std::copy_n(data_of(reinterpret_cast<PyArrayObject*>(p.ptr())), 3, numbers + 9);
            return Pose(numbers);
          },
          "Uniform random rotation and a translation in [-1, 1]^3, from NumPy's global generator.")
      .def_static("Interpolate", interpolate, nb::arg("A"), nb::arg("B"), nb::arg("alpha").none(),
                  nb::sig("def Interpolate(A: SE3, B: SE3, alpha: float) -> SE3"),
                  "A exp(alpha log(A^-1 B)): A at alpha = 0, B at 1, along a screw.")
      .def_prop_rw("rotation", rotation_view, set_rotation,
                   nb::for_getter(nb::sig("def rotation(self) -> " PANTIN_ARRAY)),
                   nb::for_setter(nb::sig("def rotation(self, value: numpy.typing.ArrayLike, /) -> None")),
                   "Rotation matrix, shape (3, 3).")
      .def_prop_rw("translation", translation_view, set_translation,
                   nb::for_getter(nb::sig("def translation(self) -> " PANTIN_ARRAY)),
                   nb::for_setter(nb::sig("def translation(self, value: numpy.typing.ArrayLike, /) -> None")),
                   "Translation, shape (3,), m.")
      .def("copy", [](const Pose& self) { return Pose(self); }, "Transform with memory of its own.")
      .def("_frozen", [](const Pose& self) {
        Pose copy(self);
        copy.freeze();
        return copy;
      }, "Read-only copy, for what a model holds.")
      .def("__copy__", [](const Pose& self) { return Pose(self); })
      .def("__deepcopy__", [](const Pose& self, nb::handle) { return Pose(self); }, nb::arg("memo"),
           nb::sig("def __deepcopy__(self, memo: object) -> SE3"))
      .def("inverse", inverse, "Transform that undoes this one.")
      .def("act", product, nb::arg("other"), "Compose with a transform.")
      .def("act", carried, nb::arg("other"), "Carry a twist into the frame this transform maps to.")
      .def("act", moved_points, nb::arg("other"),
           nb::sig("def act(self, other: numpy.typing.ArrayLike) -> " PANTIN_ARRAY),
           "Move points, shape (..., 3), m.")
      .def("act_inv", between, nb::arg("other"), "What `inverse().act(other)` gives.")
      .def("act_inv", [](const Pose& self, const Twist& other) { return carried(inverse(self), other); },
           nb::arg("other"), "What `inverse().act(other)` gives.")
      .def("act_inv", [](const Pose& self, nb::handle other) { return moved_points(inverse(self), other); },
           nb::arg("other"), nb::sig("def act_inv(self, other: numpy.typing.ArrayLike) -> " PANTIN_ARRAY),
           "What `inverse().act(other)` gives.")
      .def("__mul__", product, nb::is_operator())
      .def("__mul__", carried, nb::is_operator())
      .def("__mul__", moved_array, nb::is_operator(),
           nb::sig("def __mul__(self, other: " PANTIN_ARRAY ", /) -> " PANTIN_ARRAY))
      .def("__matmul__", product, nb::is_operator())
      .def("__matmul__", carried, nb::is_operator())
      .def("__matmul__", moved_array, nb::is_operator(),
           nb::sig("def __matmul__(self, other: " PANTIN_ARRAY ", /) -> " PANTIN_ARRAY))
      .def_prop_ro("homogeneous", homogeneous, nb::sig("def homogeneous(self) -> " PANTIN_ARRAY),
                   "Homogeneous matrix, shape (4, 4), a copy.")
      .def("toarray", homogeneous, nb::sig("def toarray(self) -> " PANTIN_ARRAY),
           "Homogeneous matrix, shape (4, 4), a copy.")
      .def(
          "__array__",
          [](const Pose& self, nb::handle dtype, nb::handle copy) {
            if (!copy.is_none() && !nb::cast<bool>(copy))
              throw nb::value_error("copy: an SE3 keeps no 4x4 matrix to share; let it copy");
            return as_dtype(homogeneous(self), dtype);
          },
          nb::arg("dtype") = nb::none(), nb::arg("copy") = nb::none(),
          nb::sig("def __array__(self, dtype: object = None, copy: bool | None = None) -> " PANTIN_ARRAY))
      .def_prop_ro("action", action, nb::sig("def action(self) -> " PANTIN_ARRAY),
                   "Adjoint matrix, shape (6, 6): carries twists (linear, angular) as `act` does.")
      .def_prop_ro("action_inverse", [](const Pose& self) { return action(inverse(self)); },
                   nb::sig("def action_inverse(self) -> " PANTIN_ARRAY), "Adjoint matrix of the inverse.")
      .def("is_approx", is_approx, nb::arg("other"), nb::arg("prec") = 1e-12,
           "True if every number agrees within `prec`, plus 1e-5 of its size (NumPy's allclose).")
      .def("__getstate__", [](const Pose& self) { return homogeneous(self); })
      .def("__setstate__", [](Pose& self, nb::handle state) {
        new (&self) Pose;
        const nb::object parts = nb::module_::import_("pantin.arrays").attr("rotation_and_translation")(state);
        set_rotation(self, parts[0]);
        set_translation(self, parts[1]);
      })
      .def("__repr__", [](nb::handle self) {
        return nb::str("SE3(rotation=\n{},\ntranslation={})")
            .format(self.attr("rotation"), self.attr("translation"));
      })
      .attr("__array_priority__") = 100.0;
}

}  // namespace pantin
