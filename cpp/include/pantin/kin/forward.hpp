// Poses of joints and frames.
#pragma once

#include "pantin/tree/columns.hpp"

namespace pantin::PANTIN_ISA {

// Sines and cosines of the angles of `count` joints, at most kLongestRun. Of one problem they are looked up
// together, as many joints as there are lanes: the angles of a run lie side by side. A pack does it on the way.
template <class T>
struct Turns {
  PANTIN_INLINE Turns(const Joint&, const T*, int) {}
  PANTIN_INLINE SinCos<T> at(int, const Joint& joint, const T* q) const {
    return stores_angle(joint) ? sincos(coordinate(joint, q)) : SinCos<T>{};
  }
};
template <>
struct Turns<double> {
  alignas(64) double s[kLongestRun], c[kLongestRun];

  PANTIN_INLINE Turns(const Joint& first, const double* q, int count) {
    if (count == 1) {
      const SinCos<double> turned = stores_angle(first) ? sincos(coordinate(first, q + first.q)) : SinCos<double>{};
      s[0] = turned.s;
      c[0] = turned.c;
      return;
    }
    for (int i = 0; i < count; i += kLanes) {
      const int rest = count - i < kLanes ? count - i : kLanes;
      const SinCos<Pack<kLanes>> turned = sincos(Pack<kLanes>(native::load_first(q + first.q + i, rest)));
      std::memcpy(s + i, &turned.s, sizeof(turned.s));
      std::memcpy(c + i, &turned.c, sizeof(turned.c));
    }
  }
  PANTIN_INLINE SinCos<double> at(int i, const Joint&, const double*) const { return {s[i], c[i]}; }
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
  Columns<column_of<T>> M = identity_columns<column_of<T>>();
  int at = 0;
  for (int first = 1, count; first < tree.njoints; first += count) {
    count = tree.runs[first];
    const Turns<T> turns(tree.joints[first], q, count);
    for (int i = 0; i < count; ++i) {
      const Joint& joint = tree.joints[first + i];
      if (joint.parent != at) M = load(oMi[joint.parent]);
      place(M, joint.placement);
      move(M, joint, q + joint.q, turns.at(i, joint, q + joint.q));
      at = first + i;
      store(M, oMi[at]);
    }
  }
}

// Pose at the end of a path; at(joint, index, pose) sees each joint's on the way.
template <class T, class At>
PANTIN_INLINE Columns<column_of<T>> along(const Tree& tree, const Path& path, const T* q, At&& at) {
  Columns<column_of<T>> M = identity_columns<column_of<T>>();
  for (int first = 0, count; first < path.length; first += count) {
    count = path.runs[first];
    const Turns<T> turns(tree.joints[path.joints[first]], q, count);
    for (int i = 0; i < count; ++i) {
      const int index = path.joints[first + i];
      const Joint& joint = tree.joints[index];
      place(M, joint.placement);
      move(M, joint, q + joint.q, turns.at(i, joint, q + joint.q));
      at(joint, index, M);
    }
  }
  return M;
}

template <class T>
inline void place_frames(const Tree& tree, T* data) {
  const SE3<T>* const oMi = ::pantin::PANTIN_ISA::oMi(tree, data);
  SE3<T>* const oMf = ::pantin::PANTIN_ISA::oMf(tree, data);
  for (int f = 0; f < tree.nframes; ++f) {
    const Frame& frame = tree.frames[f];
    const SE3<T>& joint = oMi[frame.joint];
    if (frame.same) {
      std::memcpy(&oMf[f], &joint, sizeof(SE3<T>));
      continue;
    }
    Columns<column_of<T>> M = load(joint);
    place(M, frame.placement);
    store(M, oMf[f]);
  }
}

}  // namespace pantin::PANTIN_ISA
