// What the batch calls share: rows of plain arrays in and out, cut into slices.
#pragma once

#include <initializer_list>

#include "model.hpp"
#include "numpy_api.hpp"
#include "pantin/kernels/table.hpp"
#include "threads.hpp"

namespace pantin {

// Memory of an array that `pantin.kinematics.batch` has made plain.
inline const double* input(nb::handle array) {
  if (!is_plain(array.ptr())) throw nb::type_error("expected a plain float64 array");
  return data_of(reinterpret_cast<PyArrayObject*>(array.ptr()));
}
inline double* output(nb::handle array) {
  if (!is_plain(array.ptr()) || !PyArray_ISWRITEABLE(reinterpret_cast<PyArrayObject*>(array.ptr())))
    throw nb::type_error("expected a plain, writable float64 array");
  return data_of(reinterpret_cast<PyArrayObject*>(array.ptr()));
}
// Rows of `width` numbers in each of several arrays, which must agree.
struct Rows {
  nb::handle array;
  int width;
};
inline std::size_t row_count(std::initializer_list<Rows> arrays) {
  std::size_t n = 0;
  bool first = true;
  for (const Rows& a : arrays) {
    if (a.width == 0) continue;
    const std::size_t size = PyArray_SIZE(reinterpret_cast<PyArrayObject*>(a.array.ptr()));
    if (size % a.width != 0 || (!first && size / a.width != n)) throw nb::value_error("arrays of different length");
    n = size / a.width;
    first = false;
  }
  return n;
}

// work(tree, range, scratch) over n rows, unlocked.
template <class Work>
void run(const CompiledTree& tree, std::size_t n, int threads, std::size_t scratch_bytes, Work&& work) {
  const nb::gil_scoped_release unlocked;
  in_slices(n, threads, kernels().lanes, scratch_bytes,
            [&](Range range, void* scratch) { work(tree.view(), range, scratch); });
}
template <class Work>
void run(const CompiledTree& tree, std::size_t n, int threads, Work&& work) {
  run(tree, n, threads, kernels().batch.scratch_bytes(tree.view()), work);
}

}  // namespace pantin
