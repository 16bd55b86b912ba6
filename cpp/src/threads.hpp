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

// Threads that share work: the caller's, and helpers that start when they are called. Each runs work(k, crew), with
// k = 0 on the caller's. Where one throws, failed() is called at once, and the first exception is thrown on when all
// have ended.
template <class Work, class Failed>
class Crew {
 public:
  Crew(std::size_t most, Work work, Failed failed)
      : work_(std::move(work)), failed_(std::move(failed)), errors_(std::max<std::size_t>(most, 1)) {}

  // Starts helpers until there are so many threads; for the caller's thread.
  void call(std::size_t threads) {
    try {
      while (helpers_.size() + 1 < std::min(threads, errors_.size()))
        helpers_.emplace_back([this, k = helpers_.size() + 1] { run(k); });
    } catch (...) {
      failed_();
      throw;
    }
  }
  // Works along, and waits for all.
  void work() {
    run(0);
    helpers_.clear();  // joins
    for (const auto& error : errors_)
      if (error) std::rethrow_exception(error);
  }

 private:
  void run(std::size_t k) {
    try {
      work_(k, *this);
    } catch (...) {
      errors_[k] = std::current_exception();
      failed_();
    }
  }
  Work work_;
  Failed failed_;
  std::vector<std::exception_ptr> errors_;
  std::vector<std::jthread> helpers_;
};

// work(k) for each k below `workers`, on a thread each, of which the caller's is the first.
template <class Work, class Failed>
void on_threads(std::size_t workers, const Work& work, Failed failed) {
  Crew crew(workers, [&](std::size_t k, auto&) { work(k); }, failed);
  crew.call(workers);
  crew.work();
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
