// Vectors that are given away again when nobody holds them any more. A new array costs as much as a small kernel.
#pragma once

#include <utility>

#include "numpy_api.hpp"

namespace pantin {

class Recycled {
 public:
  // A vector of n numbers, of any contents, which is the caller's as a new one is.
  nb::object take(npy_intp n) {
    for (nb::object& kept : kept_)
      if (kept.is_valid() && is_forgotten(kept.ptr(), n)) {
        PyArray_ENABLEFLAGS(reinterpret_cast<PyArrayObject*>(kept.ptr()), NPY_ARRAY_WRITEABLE);
        return kept;
      }
    std::swap(kept_[0], kept_[1]);
    kept_[0] = nb::steal(reinterpret_cast<PyObject*>(new_array({n})));
    return kept_[0];
  }

 private:
  // True for an array that is ours alone, with memory of its own, and as it was made: one may reshape what one gets.
  static bool is_forgotten(PyObject* object, npy_intp n) {
    auto* const array = reinterpret_cast<PyArrayObject*>(object);
    return Py_REFCNT(object) == 1 && PyArray_NDIM(array) == 1 && PyArray_DIM(array, 0) == n &&
           PyArray_TYPE(array) == NPY_DOUBLE && PyArray_ISCARRAY_RO(array) && PyArray_CHKFLAGS(array, NPY_ARRAY_OWNDATA) &&
           !reinterpret_cast<PyArrayObject_fields*>(object)->weakreflist;
  }
  nb::object kept_[2];
};

}  // namespace pantin
