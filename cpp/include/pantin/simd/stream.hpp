// Writing results row after row; what is longer than the caches goes past them.
#pragma once

#include <cstdint>

#include "pantin/simd/lanes.hpp"

namespace pantin::PANTIN_ISA {

// Numbers go to memory in their order. They are gathered in a small buffer, and whole cache lines are written at
// once, so that memory is not read first; what is longer than the caches is filled in half the time.
class Stream {
 public:
  static constexpr int kLine = 8;  // doubles

  // `buffer` starts on a cache line and has room for two lines more than are given at once.
  PANTIN_INLINE Stream(double* to, double* buffer)
      : buffer_(buffer), skip_(int(reinterpret_cast<std::uintptr_t>(to) / sizeof(double) % kLine)), held_(skip_),
        line_(to - skip_) {}

  // Where the next numbers are to be written, before `took`.
  PANTIN_INLINE double* room() { return buffer_ + held_; }
  PANTIN_INLINE void took(int count) {
    held_ += count;
    int k = 0;
    if (skip_ && held_ >= kLine) {
      copy(skip_, kLine);
      skip_ = 0;
      k = kLine;
    }
    for (; k + kLine <= held_; k += kLine) native::stream_line(buffer_ + k, line_ + k);
    line_ += k;
    held_ -= k;
    for (int i = 0; i < held_; ++i) buffer_[i] = buffer_[k + i];
  }
  PANTIN_INLINE void finish() {
    copy(skip_, held_);
    native::stream_done();
  }

 private:
  PANTIN_INLINE void copy(int first, int last) {
    for (int k = first; k < last; ++k) line_[k] = buffer_[k];
  }

  double* buffer_;
  int skip_, held_;  // numbers of the first line that are not ours, numbers in the buffer
  double* line_;
};

// The rows of a batch's results, `width` numbers each, written a pack at a time in their order.
class RowWriter {
 public:
  static constexpr std::size_t kPastCaches = std::size_t(1) << 20;  // doubles: no cache of one core holds as many

  // Room for the buffer of a stream, in doubles.
  static constexpr std::size_t buffer_size(int width) { return std::size_t(kLanes) * width + 2 * Stream::kLine; }

  RowWriter(double* to, int width, std::size_t rows, double* buffer)
      : to_(to), width_(width), streams_(rows * width > kPastCaches), stream_(to, buffer) {}

  template <class T>
  PANTIN_INLINE void write(const T* lanes, int count) {
    scatter_rows(lanes, count, width_, streams_ ? stream_.room() : to_, width_);
    if (streams_)
      stream_.took(count * width_);
    else
      to_ += count * width_;
  }
  PANTIN_INLINE void finish() {
    if (streams_) stream_.finish();
  }

 private:
  double* to_;
  int width_;
  bool streams_;
  Stream stream_;
};

}  // namespace pantin::PANTIN_ISA
