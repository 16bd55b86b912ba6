// Poses of joints and frames.
#pragma once

#include "pantin/tree/joint.hpp"

namespace pantin::PANTIN_ISA {

// Pose of one joint from its parent's.
template <class T>
PANTIN_INLINE void place_joint(const Joint& joint, const T* q, SE3<T>* oMi, int i) {
  const SE3<T>& parent = oMi[joint.parent];
  const SE3<double>& P = placement(joint);
  const Vec3<T> p = parent.p + parent.R * P.p;
  oMi[i] = joint.level ? moved(joint, q + joint.q, parent.R, p) : moved(joint, q + joint.q, parent.R * P.R, p);
}

template <class T>
inline void forward(const Tree& tree, const T* q, T* data) {
  SE3<T>* const oMi = ::pantin::PANTIN_ISA::oMi(tree, data);
  oMi[0] = identity_se3<T>();
  for (int i = 1; i < tree.njoints; ++i) place_joint(tree.joints[i], q, oMi, i);
}

// The same for the joints of one path alone, root first.
template <class T>
inline void forward_path(const Tree& tree, Path path, const T* q, T* data) {
  SE3<T>* const oMi = ::pantin::PANTIN_ISA::oMi(tree, data);
  oMi[0] = identity_se3<T>();
  for (int k = 0; k < path.length; ++k) place_joint(tree.joints[path.joints[k]], q, oMi, path.joints[k]);
}

template <class T>
PANTIN_INLINE SE3<T> frame_pose(const Frame& frame, const SE3<T>& M) {
  const SE3<double>& P = placement(frame);
  return {frame.level ? M.R : M.R * P.R, M.p + M.R * P.p};
}

template <class T>
inline void place_frames(const Tree& tree, T* data) {
  const SE3<T>* const oMi = ::pantin::PANTIN_ISA::oMi(tree, data);
  SE3<T>* const oMf = ::pantin::PANTIN_ISA::oMf(tree, data);
  for (int f = 0; f < tree.nframes; ++f) oMf[f] = frame_pose(tree.frames[f], oMi[tree.frames[f].joint]);
}

}  // namespace pantin::PANTIN_ISA
