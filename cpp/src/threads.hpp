// Work on several threads, and batches cut into slices for them. Slices start at multiples of a pack, so every
// problem meets the same kernel in the same lane position whatever the number of threads.
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

// work(k) for each k below `workers`, on a thread each, of which the caller's is the first. Where one throws,
// failed() is called at once, and the first exception is thrown on when all have ended.
template <class Work, class Failed>
void on_threads(std::size_t workers, Work&& work, Failed&& failed) {
  std::vector<std::exception_ptr> errors(workers);
  const auto guarded_work = [&](std::size_t k) {
    try {
      work(k);
    } catch (...) {
      errors[k] = std::current_exception();
      failed();
    }
  };
  std::vector<std::jthread> helpers;
  for (std::size_t k = 1; k < workers; ++k) helpers.emplace_back(guarded_work, k);
  guarded_work(0);
  helpers.clear();  // joins
  for (const auto& error : errors)
    if (error) std::rethrow_exception(error);
}

// work(range, scratch) over [0, n) on `threads` threads, each with scratch of its own.
template <class Work>
void in_slices(std::size_t n, int threads, std::size_t lanes, std::size_t scratch_bytes, Work&& work) {
  const std::size_t packs = (n + lanes - 1) / lanes;
  const std::size_t workers = std::clamp<std::size_t>(threads, 1, std::max<std::size_t>(packs, 1));
  const auto slice = [&](std::size_t k) {
    const auto scratch = aligned_scratch(scratch_bytes);
    work(Range{packs * k / workers * lanes, std::min(n, packs * (k + 1) / workers * lanes)}, scratch.get());
  };
  on_threads(workers, slice, [] {});
}

}  // namespace pantin
