// What the bindings of solvers share.
#pragma once

#include <nanobind/nanobind.h>
#include <structmember.h>

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

// Numbers of a live limit vector, whose array is one of its slots.
inline const double* limit_vector(const nb::object& vector, int nq) {
  static PyObject* const type =
      nb::object(nb::module_::import_("pantin.kinematics.vectors").attr("JointVector")).release().ptr();
  static const Py_ssize_t offset = [] {
    const nb::object slot = nb::getattr(nb::handle(type), "_values");
    if (Py_TYPE(slot.ptr()) != &PyMemberDescr_Type) throw nb::type_error("a JointVector keeps its values in a slot");
    return reinterpret_cast<PyMemberDescrObject*>(slot.ptr())->d_member->offset;
  }();
  if (reinterpret_cast<PyObject*>(Py_TYPE(vector.ptr())) != type) throw nb::type_error("expected a JointVector");
  PyObject* const values = *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(vector.ptr()) + offset);
  auto* const array = reinterpret_cast<PyArrayObject*>(values);
  if (!values || !is_plain(values) || PyArray_NDIM(array) != 1 || PyArray_DIM(array, 0) != nq)
    throw nb::value_error("the model's limit vectors do not have one entry per configuration number");
  return data_of(array);
}

}  // namespace pantin
