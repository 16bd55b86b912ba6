// What the bindings of solvers share.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>

#include "numpy_api.hpp"

namespace pantin {

// A clock in ns.
inline long long now() {
  using namespace std::chrono;
  return duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count();
}

inline double* numbers_of(nb::handle array) {
  if (!is_plain(array.ptr())) throw nb::type_error("expected a plain float64 array");
  return data_of(reinterpret_cast<PyArrayObject*>(array.ptr()));
}
inline nb::object new_numbers(std::initializer_list<npy_intp> shape) {
  return nb::steal(reinterpret_cast<PyObject*>(new_array(shape)));
}

// Numbers of a live limit vector; the model keeps them.
inline const double* limit_vector(const nb::object& vector, int nq) {
  static PyObject* const name = PyUnicode_InternFromString("_values");
  const nb::object values = nb::steal(PyObject_GetAttr(vector.ptr(), name));
  if (!values.is_valid()) throw nb::python_error();
  auto* const array = reinterpret_cast<PyArrayObject*>(values.ptr());
  if (!is_plain(values.ptr()) || PyArray_NDIM(array) != 1 || PyArray_DIM(array, 0) != nq)
    throw nb::value_error("the model's limit vectors do not have one entry per configuration number");
  return data_of(array);
}

}  // namespace pantin
