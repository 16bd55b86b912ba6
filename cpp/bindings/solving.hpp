// What the bindings of solvers share.
#pragma once

#include <nanobind/nanobind.h>
#include <structmember.h>

#include <chrono>
#include <string>
#include <vector>

#include "numpy_api.hpp"

namespace pantin {

inline constexpr int kFreeStarts = 8;  // starts of the question without limits that tells `limits` from `not_found`

// Calls a function of a module of `pantin.reaching` that raises.
template <class... Args>
[[noreturn]] void raise_from(const char* module, const char* name, Args&&... args) {
  nb::module_::import_((std::string("pantin.reaching.") + module).c_str()).attr(name)(std::forward<Args>(args)...);
  throw nb::type_error((std::string(name) + " did not raise").c_str());
}

// Refuses a model that was given other joints after rows of its configurations had been read.
[[noreturn]] inline void raise_edited(const nb::object& model) { raise_from("doors", "raise_edited", model); }

// A clock in ns.
inline long long now() {
  using namespace std::chrono;
  return duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count();
}

inline constexpr long long kSignalPeriod = 20'000'000;  // ns between looks at signals where the interpreter's lock is given back

// Looks at signals now and then: another thread may keep the interpreter's lock for a while.
class SignalWatch {
 public:
  // Takes the lock, and raises what a signal's handler does.
  void look() {
    const long long time = now();
    if (time - looked_ < kSignalPeriod) return;
    looked_ = time;
    const nb::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }

 private:
  long long looked_ = now();
};

inline double* numbers_of(nb::handle array) {
  if (!is_plain(array.ptr())) throw nb::type_error("expected a plain float64 array");
  return data_of(reinterpret_cast<PyArrayObject*>(array.ptr()));
}
inline nb::object new_numbers(std::initializer_list<npy_intp> shape) {
  return nb::steal(reinterpret_cast<PyObject*>(new_array(shape)));
}

inline std::size_t size_of(nb::handle array) { return PyArray_SIZE(reinterpret_cast<PyArrayObject*>(array.ptr())); }

// One member of each of some answers, as an array of numbers.
template <class Answer, class Number>
nb::object column(const std::vector<Answer>& answers, Number Answer::*member) {
  const nb::object array = new_numbers({npy_intp(answers.size())});
  double* const numbers = numbers_of(array);
  for (std::size_t i = 0; i < answers.size(); ++i) numbers[i] = answers[i].*member;
  return array;
}

// Gives a bound class a method of the interpreter's fast call.
template <class Class>
void add_fast_method(PyMethodDef& method) {
  PyObject* const type = nb::type<Class>().ptr();
  const nb::object descriptor = nb::steal(PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(type), &method));
  if (!descriptor.is_valid() || PyObject_SetAttrString(type, method.ml_name, descriptor.ptr()) < 0)
    throw nb::python_error();
}

// True for an array of shape (n, columns), or of one row, (columns,).
inline bool are_rows(nb::handle object, std::size_t n, int columns) {
  auto* const array = reinterpret_cast<PyArrayObject*>(object.ptr());
  const int axes = PyArray_NDIM(array);
  return (axes == 1 || (axes == 2 && PyArray_DIM(array, 0) == npy_intp(n))) && PyArray_DIM(array, axes - 1) == columns;
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
