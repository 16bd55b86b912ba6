// Poses of joints and frames.
#pragma once

#include "pantin/tree/columns.hpp"

namespace pantin::PANTIN_ISA {

inline constexpr int kRun = 8;  // joints whose angles are looked up together

// Sines and cosines of the angles of up to kRun joints: of one problem, as many joints at once as there are lanes.
template <class T>
struct Turns {
  SinCos<T> k[kRun];

  template <class JointAt>
  PANTIN_INLINE Turns(int count, const T* q, JointAt&& joint_at) {
    for (int i = 0; i < count; ++i) {
      const Joint& joint = joint_at(i);
      if (stores_angle(joint)) k[i] = sincos(coordinate(joint, q + joint.q));
    }
  }
};
template <>
struct Turns<double> {
  SinCos<double> k[kRun];

  template <class JointAt>
  PANTIN_INLINE Turns(int count, const double* q, JointAt&& joint_at) {
    using P = Pack<kLanes>;
    alignas(64) double angle[kRun] = {}, s[kRun], c[kRun];
    for (int i = 0; i < count; ++i) {
      const Joint& joint = joint_at(i);
      if (stores_angle(joint)) angle[i] = coordinate(joint, q + joint.q);
    }
    for (int i = 0; i < count; i += kLanes) {
      const SinCos<P> turned = sincos(*reinterpret_cast<const P*>(angle + i));
      *reinterpret_cast<P*>(s + i) = turned.s;
      *reinterpret_cast<P*>(c + i) = turned.c;
    }
    for (int i = 0; i < count; ++i) k[i] = {s[i], c[i]};
  }
};

// Columns of one problem lie in registers, those of packs in three.
template <class T>
struct ColumnOf {
  using type = Vec3<T>;
};
template <>
struct ColumnOf<double> {
  using type = Quad;
};
template <class T>
using column_of = typename ColumnOf<T>::type;

template <class T>
PANTIN_INLINE Columns<column_of<T>> load(const SE3<T>& M) {
  if constexpr (lanes_of<T> == 1)
    return quads(&M.R.m[0][0]);
  else
    return columns(M);
}

template <class T>
inline void forward(const Tree& tree, const T* q, T* data) {
  SE3<T>* const oMi = ::pantin::PANTIN_ISA::oMi(tree, data);
  oMi[0] = identity_se3<T>();
  Columns<column_of<T>> M = load(oMi[0]);
  int at = 0;
  for (int first = 1; first < tree.njoints; first += kRun) {
    const int count = tree.njoints - first < kRun ? tree.njoints - first : kRun;
    const Joint* const joints = tree.joints + first;
    const Turns<T> turns(count, q, [&](int i) -> const Joint& { return joints[i]; });
    for (int i = 0; i < count; ++i) {
      const Joint& joint = joints[i];
      if (joint.parent != at) M = load(oMi[joint.parent]);
      place(M, joint.placement);
      move(M, joint, q + joint.q, turns.k[i]);
      at = first + i;
      store(M, oMi[at]);
    }
  }
}

// The same for the joints of one path alone, root first.
template <class T>
inline void forward_path(const Tree& tree, Path path, const T* q, T* data) {
  SE3<T>* const oMi = ::pantin::PANTIN_ISA::oMi(tree, data);
  oMi[0] = identity_se3<T>();
  Columns<column_of<T>> M = load(oMi[0]);
  for (int first = 0; first < path.length; first += kRun) {
    const int count = path.length - first < kRun ? path.length - first : kRun;
    const auto joint_at = [&](int i) -> const Joint& { return tree.joints[path.joints[first + i]]; };
    const Turns<T> turns(count, q, joint_at);
    for (int i = 0; i < count; ++i) {
      const Joint& joint = joint_at(i);
      place(M, joint.placement);
      move(M, joint, q + joint.q, turns.k[i]);
      store(M, oMi[path.joints[first + i]]);
    }
  }
}

template <class T>
PANTIN_INLINE void place_frame(const Frame& frame, const SE3<T>& M, SE3<T>& to) {
  Columns<column_of<T>> columns = load(M);
  place(columns, frame.placement);
  store(columns, to);
}

template <class T>
inline void place_frames(const Tree& tree, T* data) {
  const SE3<T>* const oMi = ::pantin::PANTIN_ISA::oMi(tree, data);
  SE3<T>* const oMf = ::pantin::PANTIN_ISA::oMf(tree, data);
  for (int f = 0; f < tree.nframes; ++f) place_frame(tree.frames[f], oMi[tree.frames[f].joint], oMf[f]);
}

}  // namespace pantin::PANTIN_ISA
