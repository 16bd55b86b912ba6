// Reaching the C++ part of a Python object safely.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

namespace pantin {

namespace nb = nanobind;

[[noreturn]] inline void refuse_type(const char* name, std::string expected, const char* given) {
  if (expected.ends_with("Base")) expected.resize(expected.size() - 4);  // users know the class derived from it
  throw nb::type_error((std::string(name) + ": expected a " + expected + ", got a " + given).c_str());
}

// The C++ part of `object`, which must be a `T` or of a class derived from it, and initialised: an exact type
// test would refuse subclasses, and `T.__new__(T)` hands out objects without a value.
template <class T>
T& instance(PyObject* object, const char* name) {
  static PyTypeObject* const type = reinterpret_cast<PyTypeObject*>(nb::type<T>().ptr());
  PyTypeObject* const given = Py_TYPE(object);
  if (given != type && given->tp_base != type && !PyType_IsSubtype(given, type))
    refuse_type(name, type->tp_name, Py_TYPE(object)->tp_name);
  if (!nb::inst_ready(object)) throw nb::type_error((std::string(name) + " was never initialised").c_str());
  return *nb::inst_ptr<T>(object);
}

}  // namespace pantin
