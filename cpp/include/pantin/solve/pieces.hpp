// Memory that is taken once, before the first solve.
#pragma once

#include <cstddef>

namespace pantin::PANTIN_ISA {

// Memory in pieces, each aligned for a pack; without memory, only counted.
struct Pieces {
  char* next;
  std::size_t taken = 0;
  template <class T>
  T* take(std::size_t n) {
    T* const piece = reinterpret_cast<T*>(next);
    const std::size_t bytes = (n * sizeof(T) + 63) / 64 * 64;
    taken += bytes;
    if (next) next += bytes;
    return piece;
  }
};

}  // namespace pantin::PANTIN_ISA
