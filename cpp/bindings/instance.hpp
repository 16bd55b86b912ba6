// Reaching the C++ part of a Python object safely.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

namespace pantin {

namespace nb = nanobind;

// The C++ part of `object`, which must be a `T` or of a class derived from it, and initialised: an exact type
// test would refuse subclasses, and `T.__new__(T)` hands out objects without a value.
template <class T>
T& instance(PyObject* object, const char* name) {
  static PyTypeObject* const type = reinterpret_cast<PyTypeObject*>(nb::type<T>().ptr());
  if (Py_TYPE(object) != type && !PyType_IsSubtype(Py_TYPE(object), type))
    throw nb::type_error((std::string(name) + ": expected a " + type->tp_name + ", got a " +
                          Py_TYPE(object)->tp_name)
                             .c_str());
  if (!nb::inst_ready(object)) throw nb::type_error((std::string(name) + " was never initialised").c_str());
  return *nb::inst_ptr<T>(object);
}

}  // namespace pantin
