// Wrenches on their way from the leaves to the root, each about its joint's origin.
#pragma once

#include "pantin/tree/screw.hpp"

namespace pantin::PANTIN_ISA {

// What joints hand on stays in registers where the next in line is the parent: a round trip through memory at
// each joint would take longer than the arithmetic.
template <class T>
class WrenchSum {
 public:
  PANTIN_INLINE WrenchSum(const SE3<T>* M, Motion<T>* wrenches) : M_(M), wrenches_(wrenches) {}

  // Own wrench of joint i and those of its subtree, all of which come before it.
  PANTIN_INLINE Motion<T> at(int i) const { return wrenches_[i] + handed_; }

  PANTIN_INLINE void hand_on(const Motion<T>& wrench, int i, int parent) {
    handed_ = {wrench.v, wrench.w + cross(M_[i].p - M_[parent].p, wrench.v)};
    if (parent == i - 1) return;
    wrenches_[parent] = wrenches_[parent] + handed_;
    handed_ = zero_motion<T>();
  }

 private:
  const SE3<T>* M_;
  Motion<T>* wrenches_;
  Motion<T> handed_ = zero_motion<T>();
};

}  // namespace pantin::PANTIN_ISA
