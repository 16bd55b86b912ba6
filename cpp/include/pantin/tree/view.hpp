// Typed views of the tree's plain numbers and of a working set.
#pragma once

#include "pantin/lie/se3.hpp"
#include "pantin/tree/tree.hpp"

namespace pantin::PANTIN_ISA {

PANTIN_INLINE const SE3<double>& placement(const Joint& joint) {
  return *reinterpret_cast<const SE3<double>*>(&joint.placement);
}
PANTIN_INLINE const SE3<double>& placement(const Frame& frame) {
  return *reinterpret_cast<const SE3<double>*>(&frame.placement);
}

template <class T>
PANTIN_INLINE SE3<T>* poses(T* data, std::size_t offset) {
  return reinterpret_cast<SE3<T>*>(data + offset);
}
template <class T>
PANTIN_INLINE Motion<T>* motions(T* data, std::size_t offset) {
  return reinterpret_cast<Motion<T>*>(data + offset);
}

// Joint frames and frames in the world, the screws of the joints about the world's origin.
template <class T>
PANTIN_INLINE SE3<T>* oMi(const Tree& tree, T* data) {
  return poses(data, tree.layout.oMi);
}
template <class T>
PANTIN_INLINE SE3<T>* oMf(const Tree& tree, T* data) {
  return poses(data, tree.layout.oMf);
}
template <class T>
PANTIN_INLINE Motion<T>* screws(const Tree& tree, T* data) {
  return motions(data, tree.layout.screws);
}

}  // namespace pantin::PANTIN_ISA
