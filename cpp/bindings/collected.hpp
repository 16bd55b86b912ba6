// How Python's collector of cycles sees the objects that a class of ours holds.
#pragma once

#include <nanobind/nanobind.h>

namespace pantin {

namespace nb = nanobind;

// Slots of a type whose members are visited, and which lets go of what may lead back to it.
template <class T, void (*let_go)(T&), nb::object T::*... members>
PyType_Slot* collected() {
  static constexpr auto traverse = [](PyObject* self, visitproc visit, void* arg) -> int {
    Py_VISIT(Py_TYPE(self));
    if (!nb::inst_ready(self)) return 0;
    T* const object = nb::inst_ptr<T>(self);
    for (PyObject* held : {(object->*members).ptr()...}) Py_VISIT(held);
    return 0;
  };
  static constexpr auto clear = [](PyObject* self) -> int {
    if (nb::inst_ready(self)) let_go(*nb::inst_ptr<T>(self));
    return 0;
  };
  static PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(static_cast<traverseproc>(traverse))},
                                {Py_tp_clear, reinterpret_cast<void*>(static_cast<inquiry>(clear))},
                                {0, nullptr}};
  return slots;
}

}  // namespace pantin
