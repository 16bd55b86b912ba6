// NumPy's C interface, loaded once by module.cpp, and the two shapes of array that the bindings make.
#pragma once

#include <nanobind/nanobind.h>

#define PY_ARRAY_UNIQUE_SYMBOL pantin_numpy_api
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_2_0_API_VERSION
#ifndef PANTIN_IMPORTS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>

#include <initializer_list>

// What such an array is called in signatures.
#define PANTIN_ARRAY "numpy.typing.NDArray[numpy.float64]"

namespace pantin {

namespace nb = nanobind;

// New C-ordered float64 array, uninitialised.
inline PyArrayObject* new_array(std::initializer_list<npy_intp> shape) {
  PyObject* const array =
      PyArray_EMPTY(static_cast<int>(shape.size()), const_cast<npy_intp*>(shape.begin()), NPY_DOUBLE, 0);
  if (!array) throw nb::python_error();
  return reinterpret_cast<PyArrayObject*>(array);
}

// Array over memory that `owner` keeps alive; strides in doubles.
inline nb::object view(double* memory, std::initializer_list<npy_intp> shape,
                       std::initializer_list<npy_intp> strides, PyObject* owner, bool writable) {
  npy_intp bytes[NPY_MAXDIMS_LEGACY_ITERS];
  int k = 0;
  for (npy_intp stride : strides) bytes[k++] = stride * npy_intp(sizeof(double));
  PyObject* const array =
      PyArray_New(&PyArray_Type, k, const_cast<npy_intp*>(shape.begin()), NPY_DOUBLE, bytes, memory, 0,
                  writable ? NPY_ARRAY_WRITEABLE : 0, nullptr);
  if (!array) throw nb::python_error();
  Py_INCREF(owner);
  if (PyArray_SetBaseObject(reinterpret_cast<PyArrayObject*>(array), owner) < 0) {
    Py_DECREF(array);
    throw nb::python_error();
  }
  PyArray_UpdateFlags(reinterpret_cast<PyArrayObject*>(array), NPY_ARRAY_UPDATE_ALL);
  return nb::steal(array);
}

inline double* data_of(PyArrayObject* array) { return static_cast<double*>(PyArray_DATA(array)); }

// True for an array the kernels can read as it is: double, native, aligned, C-ordered.
inline bool is_plain(PyObject* object) {
  if (!PyArray_Check(object)) return false;
  auto* const array = reinterpret_cast<PyArrayObject*>(object);
  return PyArray_TYPE(array) == NPY_DOUBLE && PyArray_ISCARRAY_RO(array);
}

// True when every number is finite and its square does not overflow; the bound of `pantin.arrays`.
inline bool is_finite(const double* x, std::size_t n) {
  bool finite = true;
  for (std::size_t i = 0; i < n; ++i) finite &= __builtin_fabs(x[i]) <= 1e150;
  return finite;
}

// A vector argument: the caller's memory where it is plain and finite, else what `arrays.vector` makes of it
// (a converted copy, or its error). Subclasses go there too: a masked array is more than its numbers.
class VectorArgument {
 public:
  VectorArgument(PyObject* object, npy_intp size, const char* name) {
    if (PyArray_CheckExact(object) && is_plain(object)) {
      auto* const array = reinterpret_cast<PyArrayObject*>(object);
      if (PyArray_NDIM(array) == 1 && PyArray_DIM(array, 0) == size && is_finite(data_of(array), size)) {
        data_ = data_of(array);
        return;
      }
    }
    converted_ = nb::module_::import_("pantin.arrays").attr("vector")(name, nb::handle(object), size);
    data_ = data_of(reinterpret_cast<PyArrayObject*>(converted_.ptr()));
  }
  const double* data() const { return data_; }

 private:
  const double* data_;
  nb::object converted_;
};

}  // namespace pantin
