// Python's SE3 and Motion: a value of its own, or a window on a working set.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>

namespace pantin {

namespace nb = nanobind;

// Rotation by rows and translation, twelve numbers.
class Pose {
 public:
  Pose() : numbers_(own_) {
    std::fill_n(own_, 12, 0.0);
    own_[0] = own_[4] = own_[8] = 1.0;
  }
  explicit Pose(const double* numbers) : numbers_(own_) { std::copy_n(numbers, 12, own_); }
  // A window on memory that `owner` keeps alive.
  Pose(double* numbers, nb::object owner) : numbers_(numbers), owner_(std::move(owner)), writable_(false) {}
  Pose(const Pose& other) : Pose(other.numbers_) {}
  Pose(Pose&& other) noexcept
      : numbers_(other.numbers_), owner_(std::move(other.owner_)), writable_(other.writable_) {
    if (other.numbers_ == other.own_) {
      std::copy_n(other.own_, 12, own_);
      numbers_ = own_;
    }
  }
  Pose& operator=(const Pose&) = delete;

  double* numbers() { return numbers_; }
  const double* numbers() const { return numbers_; }
  double* translation() { return numbers_ + 9; }
  const double* translation() const { return numbers_ + 9; }
  bool is_writable() const { return writable_; }
  void freeze() { writable_ = false; }

 private:
  double own_[12];
  double* numbers_;
  nb::object owner_;
  bool writable_ = true;
};

struct Twist {
  double numbers[6];  // linear, angular
};

}  // namespace pantin
