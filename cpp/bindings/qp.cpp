// Quadratic programs for Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "numpy_api.hpp"
#include "pantin/kernels/table.hpp"
#include "threads.hpp"

namespace pantin {

namespace {

struct QpOutcome {
  nb::object x, held, multipliers;
  QpStatus status;
  int iterations;
  std::vector<int> conflicts;

  std::string status_name() const {
    const char* const names[] = {"solved", "infeasible", "not_finite", "stalled"};
    return names[static_cast<int>(status)];
  }
};

[[noreturn]] void refuse(const char* name, const std::string& message) {
  const nb::object type = nb::module_::import_("pantin.errors").attr("InvalidArgument");
  PyErr_SetObject(type.ptr(), type(name, message.c_str()).ptr());
  throw nb::python_error();
}

// A checked argument: numbers of some shape, or none.
class Numbers {
 public:
  Numbers(const char* name, nb::handle given, bool finite) : name_(name) {
    if (given.is_none()) return;
    array_ = nb::module_::import_("pantin.arrays").attr("array")(name, given, nb::arg("finite") = finite);
  }
  bool given() const { return array_.is_valid(); }
  int dimensions() const { return PyArray_NDIM(array()); }
  npy_intp size(int axis) const { return PyArray_DIM(array(), axis); }
  const double* data() const { return data_of(array()); }
  bool any_nan() const { return std::any_of(data(), data() + PyArray_SIZE(array()), [](double x) { return std::isnan(x); }); }

  // Refuses all shapes but (n) or (rows, n); -1 for any number of rows.
  void expect(npy_intp n) const {
    if (dimensions() != 1 || size(0) != n) refuse(name_, "expected " + std::to_string(n) + " numbers, got shape " + shape());
  }
  void expect(npy_intp rows, npy_intp n) const {
    if (dimensions() == 2 && size(1) == n && (rows < 0 || size(0) == rows)) return;
    refuse(name_, "expected shape (" + (rows < 0 ? "rows" : std::to_string(rows)) + ", " + std::to_string(n) + "), got " + shape());
  }
  std::string shape() const { return nb::steal<nb::str>(PyObject_Str(array_.attr("shape").ptr())).c_str(); }
  const char* name() const { return name_; }

 private:
  PyArrayObject* array() const { return reinterpret_cast<PyArrayObject*>(array_.ptr()); }
  const char* name_;
  nb::object array_;
};

// A program in memory as the kernels want it.
class QpInput {
 public:
  QpInput(nb::handle H, nb::handle c, nb::handle lower, nb::handle upper, nb::handle G, nb::handle h, nb::handle A,
          nb::handle b, bool finite) {
    // all of them before any is read: what is asked for its numbers may resize the arrays of others
    const Numbers matrix("H", H, finite), linear("c", c, finite), below("lower", lower, false), above("upper", upper, false);
    const Numbers equalities("A", A, finite), equal_to("b", b, finite);
    const Numbers inequalities("G", G, finite), at_most("h", h, false);
    if (!matrix.given()) refuse("H", "expected a symmetric matrix, got None");
    if (!linear.given()) refuse("c", "expected as many numbers as H has rows, got None");
    if (matrix.dimensions() != 2) refuse("H", "expected a symmetric matrix, got shape " + matrix.shape());
    n = int(matrix.size(0));
    matrix.expect(n, n);
    linear.expect(n);
    refuse_asymmetry(matrix);
    nequal = rows_of(equalities, equal_to);
    nrows = rows_of(inequalities, at_most);
    for (const Numbers* vector : {&below, &above, &at_most})
      if (finite && vector->given() && vector->any_nan()) refuse(vector->name(), "expected numbers, got nan");

    const int stride = qp_stride(n), rows = nequal + nrows;
    memory_ = aligned_scratch(sizeof(double) * (std::size_t(n + rows) * stride + 3 * stride + rows + 8));
    double* next = static_cast<double*>(memory_.get());
    const auto place = [&](const double* from, int count) {
      double* const to = next;
      for (int k = 0; k < count; ++k) {
        std::copy_n(from + std::size_t(k) * n, n, to + std::size_t(k) * stride);
        std::fill_n(to + std::size_t(k) * stride + n, stride - n, 0.0);
      }
      next += std::size_t(count) * stride;
      return to;
    };
    problem = {n, stride, place(matrix.data(), n), nullptr, nullptr, nullptr, nequal, nrows};
    problem.A = next;
    if (nequal > 0) place(equalities.data(), nequal);
    if (nrows > 0) place(inequalities.data(), nrows);
    problem.c = place(linear.data(), 1);
    if (below.given() || above.given()) {
      const std::vector<double> least(n, -HUGE_VAL), most(n, HUGE_VAL);
      if (below.given()) below.expect(n);
      if (above.given()) above.expect(n);
      problem.lower = place(below.given() ? below.data() : least.data(), 1);
      problem.upper = place(above.given() ? above.data() : most.data(), 1);
    }
    problem.b = next;
    if (nequal > 0) std::copy_n(equal_to.data(), nequal, next);
    if (nrows > 0) std::copy_n(at_most.data(), nrows, next + nequal);
  }

  QpProblem problem;
  int n, nequal, nrows;

 private:
  static void refuse_asymmetry(const Numbers& matrix) {
    const npy_intp n = matrix.size(0);
    const double* const H = matrix.data();
    double largest = 0.0, apart = 0.0;
    for (npy_intp i = 0; i < n; ++i)
      for (npy_intp j = 0; j < n; ++j) {
        largest = std::fmax(largest, std::fabs(H[i * n + j]));
        apart = std::fmax(apart, std::fabs(H[i * n + j] - H[j * n + i]));
      }
    if (apart > 1e-8 * largest) refuse("H", "expected a symmetric matrix, got one with |H - H'| = " + std::to_string(apart));
  }

  int rows_of(const Numbers& matrix, const Numbers& right) const {
    if (!matrix.given()) {
      if (right.given()) refuse(right.name(), std::string("expected none where ") + matrix.name() + " is None");
      return 0;
    }
    matrix.expect(-1, n);
    if (!right.given()) refuse(right.name(), std::string("expected a number for each row of ") + matrix.name() + ", got None");
    right.expect(matrix.size(0));
    return int(matrix.size(0));
  }

  std::unique_ptr<void, Free> memory_;
};

nb::object signs(nb::handle given, npy_intp size) {
  npy_intp shape[] = {size};
  PyObject* const array = PyArray_ZEROS(1, shape, NPY_INT8, 0);
  if (!array) throw nb::python_error();
  nb::object result = nb::steal(array);
  if (given.is_none()) return result;
  const Numbers numbers("held", given, true);
  numbers.expect(size);
  auto* const to = static_cast<signed char*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(array)));
  for (npy_intp k = 0; k < size; ++k) to[k] = numbers.data()[k] < 0.0 ? -1 : numbers.data()[k] > 0.0 ? 1 : 0;
  return result;
}

QpOutcome solve_qp(nb::handle H, nb::handle c, nb::handle lower, nb::handle upper, nb::handle G, nb::handle h,
                   nb::handle A, nb::handle b, nb::handle held, bool finite) {
  const QpInput input(H, c, lower, upper, G, h, A, b, finite);
  const int all = input.n + input.nequal + input.nrows;
  QpOutcome outcome;
  outcome.held = signs(held, all);
  PyArrayObject *const x = new_array({input.n}), *const multipliers = new_array({all});
  outcome.x = nb::steal(reinterpret_cast<PyObject*>(x));
  outcome.multipliers = nb::steal(reinterpret_cast<PyObject*>(multipliers));
  const auto memory = aligned_scratch(kernels().qp.general_bytes(input.n, input.nequal + input.nrows));
  std::vector<signed char> conflicts(all);
  auto* const flags = static_cast<signed char*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(outcome.held.ptr())));
  const QpAnswer answer =
      kernels().qp.general(input.problem, memory.get(), {flags, data_of(multipliers), conflicts.data()}, data_of(x));
  outcome.status = answer.status;
  outcome.iterations = answer.iterations;
  for (int k = 0; k < all; ++k)
    if (conflicts[k]) outcome.conflicts.push_back(k);
  return outcome;
}

nb::object least_violating_qp(nb::handle H, nb::handle c, nb::handle lower, nb::handle upper, nb::handle G, nb::handle h,
                              nb::handle A, nb::handle b, bool finite) {
  const QpInput input(H, c, lower, upper, G, h, A, b, finite);
  PyArrayObject* const x = new_array({input.n});
  const auto memory = aligned_scratch(kernels().qp.least_violating_bytes(input.n, input.nequal + input.nrows));
  kernels().qp.least_violating(input.problem, memory.get(), data_of(x));
  return nb::steal(reinterpret_cast<PyObject*>(x));
}

}  // namespace

#define PANTIN_QP                                                                                            \
  "H: numpy.typing.ArrayLike, c: numpy.typing.ArrayLike, lower: numpy.typing.ArrayLike | None = None, "       \
  "upper: numpy.typing.ArrayLike | None = None, G: numpy.typing.ArrayLike | None = None, "                    \
  "h: numpy.typing.ArrayLike | None = None, A: numpy.typing.ArrayLike | None = None, "                        \
  "b: numpy.typing.ArrayLike | None = None, "

void bind_qp(nb::module_& m) {
  nb::class_<QpOutcome>(m, "QpOutcome", "What a quadratic program came to.")
      .def_ro("x", &QpOutcome::x, nb::sig("def x(self, /) -> " PANTIN_ARRAY), "Unknowns, shape (n,); finite and within the bounds.")
      .def_prop_ro("status", &QpOutcome::status_name, "solved, infeasible, not_finite or stalled.")
      .def_ro("iterations", &QpOutcome::iterations, "Sets of constraints that were tried, or changes of one.")
      .def_ro("held", &QpOutcome::held, nb::sig("def held(self, /) -> numpy.typing.NDArray[numpy.int8]"),
              "What holds: -1 at the lower bound, 1 at the upper one or at a row, else 0; bounds, then rows of A and G.")
      .def_ro("multipliers", &QpOutcome::multipliers, nb::sig("def multipliers(self, /) -> " PANTIN_ARRAY),
              "Of each constraint in the same order: H x + c + y[:n] + [A, G]' y[n:] = 0.")
      .def_ro("conflicts", &QpOutcome::conflicts, "Numbers of constraints, in the same order, that cannot hold together.");
  m.def("solve_qp", solve_qp, nb::arg("H").none(), nb::arg("c").none(), nb::arg("lower").none() = nb::none(),
        nb::arg("upper").none() = nb::none(), nb::arg("G").none() = nb::none(), nb::arg("h").none() = nb::none(),
        nb::arg("A").none() = nb::none(), nb::arg("b").none() = nb::none(), nb::arg("held").none() = nb::none(), nb::kw_only(),
        nb::arg("finite") = true,
        nb::sig("def solve_qp(" PANTIN_QP "held: numpy.typing.ArrayLike | None = None, *, finite: bool = True) -> QpOutcome"),
        R"(Minimise x'Hx / 2 + c'x where A x = b, G x <= h and lower <= x <= upper.

Args:
    H: Symmetric positive semidefinite, shape (n, n); where it is singular, x is the minimum of least norm.
    c: Shape (n,).
    lower: Lower bounds, shape (n,), -inf where there is none.
    upper: Upper bounds alike.
    G: Rows of inequalities, shape (m, n).
    h: Their right sides, shape (m,); inf where there is none.
    A: Rows of equalities, shape (k, n).
    b: Their right sides, shape (k,).
    held: What held the last time, as an outcome tells it; a guess that saves time.
    finite: Refuse numbers that are not finite; otherwise the status tells of them.

Raises:
    InvalidArgument: If a shape does not fit, H is not symmetric, or a number is none.)");
  m.def("least_violating_qp", least_violating_qp, nb::arg("H").none(), nb::arg("c").none(), nb::arg("lower").none() = nb::none(),
        nb::arg("upper").none() = nb::none(), nb::arg("G").none() = nb::none(), nb::arg("h").none() = nb::none(),
        nb::arg("A").none() = nb::none(), nb::arg("b").none() = nb::none(), nb::kw_only(), nb::arg("finite") = true,
        nb::sig("def least_violating_qp(" PANTIN_QP "*, finite: bool = True) -> " PANTIN_ARRAY),
        R"(The x within bounds that misses rows least, by the sum of squares, and of these the one of least objective.

Takes the arguments of `solve_qp`, and raises as it does.)");
}

}  // namespace pantin
