// Entry points of the Lie group kernels for n elements in a row; matrices are row-major, poses 12 numbers.
#pragma once

#include <cstddef>

namespace pantin {

using Elementwise = void (*)(std::size_t n, const double* in, double* out);

struct LieKernels {
  Elementwise exp3;    // (3) -> (9)
  Elementwise log3;    // (9) -> (3)
  Elementwise exp6;    // (6) -> (12)
  Elementwise log6;    // (12) -> (6)
  Elementwise Jexp3;   // (3) -> (9)
  Elementwise Jlog3;   // (9) -> (9)
  Elementwise Jexp6;   // (6) -> (36)
  Elementwise Jlog6;   // (12) -> (36)
  Elementwise quaternion;  // (9) -> (4)
  void (*multiply)(const double* a, const double* b, double* out);
  void (*between)(const double* a, const double* b, double* out);
};

}  // namespace pantin
