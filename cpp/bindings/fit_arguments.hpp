// Arguments of the parts of a fit, which Python has checked.
#pragma once

#include "numpy_api.hpp"
#include "pantin/solve/fit/lens.hpp"

namespace pantin {

// Rows of so many numbers in a plain array.
inline const double* rows(nb::handle values, npy_intp width, npy_intp& n) {
  if (!is_plain(values.ptr())) throw nb::type_error("expected a plain float64 array");
  auto* const array = reinterpret_cast<PyArrayObject*>(values.ptr());
  n = PyArray_SIZE(array) / width;
  if (n * width != PyArray_SIZE(array)) throw nb::value_error("expected whole rows");
  return data_of(array);
}

inline CameraLens lens_argument(nb::handle lens) {
  npy_intp n;
  const double* const numbers = rows(lens, kLensNumbers, n);
  if (n != 1) throw nb::value_error("expected one lens");
  return lens_of(numbers);
}

}  // namespace pantin
