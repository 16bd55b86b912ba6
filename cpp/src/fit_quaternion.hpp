// Quaternions (x, y, z, w) as rows of numbers.
#pragma once

#include <algorithm>

namespace pantin {

inline void multiply(const double* a, const double* b, double* to) {
  const double product[4] = {a[3] * b[0] + b[3] * a[0] + a[1] * b[2] - a[2] * b[1],
                             a[3] * b[1] + b[3] * a[1] + a[2] * b[0] - a[0] * b[2],
                             a[3] * b[2] + b[3] * a[2] + a[0] * b[1] - a[1] * b[0],
                             a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
  std::copy_n(product, 4, to);
}

inline void conjugate(const double* a, double* to) {
  for (int i = 0; i < 3; ++i) to[i] = -a[i];
  to[3] = a[3];
}

}  // namespace pantin
