// Cutting a batch into slices for several threads. Slices start at multiples of a pack, so every problem
// meets the same kernel in the same lane position whatever the number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <thread>
#include <vector>

#include "pantin/kernels/batch.hpp"

namespace pantin {

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

// Memory aligned for any pack.
inline std::unique_ptr<void, Free> aligned_scratch(std::size_t bytes) {
  void* const memory = std::aligned_alloc(64, (std::max<std::size_t>(bytes, 1) + 63) / 64 * 64);
  if (!memory) throw std::bad_alloc();
  return std::unique_ptr<void, Free>(memory);
}

// work(range, scratch) over [0, n) on `threads` threads, each with scratch of its own.
template <class Work>
void in_slices(std::size_t n, int threads, std::size_t lanes, std::size_t scratch_bytes, Work&& work) {
  const std::size_t packs = (n + lanes - 1) / lanes;
  const std::size_t workers = std::clamp<std::size_t>(threads, 1, std::max<std::size_t>(packs, 1));
  std::vector<std::exception_ptr> errors(workers);
  const auto slice = [&](std::size_t k) {
    try {
      const auto scratch = aligned_scratch(scratch_bytes);
      work(Range{packs * k / workers * lanes, std::min(n, packs * (k + 1) / workers * lanes)}, scratch.get());
    } catch (...) {
      errors[k] = std::current_exception();
    }
  };
  std::vector<std::jthread> helpers;
  for (std::size_t k = 1; k < workers; ++k) helpers.emplace_back(slice, k);
  slice(0);
  helpers.clear();  // joins
  for (const auto& error : errors)
    if (error) std::rethrow_exception(error);
}

}  // namespace pantin
