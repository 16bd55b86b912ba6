// Where the links are, the lines they move about, and the centre of mass.
#pragma once

#include "pantin/solve/chain.hpp"
#include "pantin/solve/whole/problem.hpp"

namespace pantin::PANTIN_ISA {

// A pose of twelve numbers, rotation by rows and translation.
template <class T>
PANTIN_INLINE SE3<T> pose_at(const T* numbers) {
  SE3<T> M;
  for (int k = 0; k < 9; ++k) M.R.m[k / 3][k % 3] = numbers[k];
  M.p = load3(numbers + 9);
  return M;
}

// Placement of a frame on link `link` of these poses.
template <class T>
PANTIN_INLINE SE3<T> frame_on(const SE3<T>* poses, int link, const Placement& placement) {
  Columns<Vec3<T>> M = link < 0 ? identity_columns<Vec3<T>>() : columns(poses[link]);
  place(M, placement);
  SE3<T> pose;
  store(M, pose);
  return pose;
}

template <class T>
inline void place_links(const WholeProblem& problem, const T* x, SE3<T>* poses, Line<T>* lines) {
  Columns<Vec3<T>> M = identity_columns<Vec3<T>>();
  for (int i = 0; i < problem.nlinks; ++i) {
    const Joint& joint = problem.links[i].joint;
    if (joint.parent < 0)
      M = identity_columns<Vec3<T>>();
    else if (joint.parent != i - 1)
      M = columns(poses[joint.parent]);
    place(M, joint.placement);
    const T* const own = x + joint.q;
    move(M, joint, own, stores_angle(joint) ? sincos(coordinate(joint, own)) : SinCos<T>{});
    store(M, poses[i]);
    Line<T>* const line = lines + problem.links[i].line;
    if (joint.kind == JointKind::kSpherical) {
      line[0] = {M.x, M.p};
      line[1] = {M.y, M.p};
      line[2] = {M.z, M.p};
    } else {
      line[0] = {axis(M, joint), M.p};
    }
  }
}

// Centre of mass; each link's sum of m p over all that it moves is left in `moments`.
template <class T>
inline Vec3<T> weigh(const WholeProblem& problem, const SE3<T>* poses, Vec3<T>* moments) {
  for (int i = 0; i < problem.nlinks; ++i) {
    const WholeLink& link = problem.links[i];
    moments[i] = T(link.mass) * (poses[i].p + poses[i].R * broadcast<T>(link.lever));
  }
  Vec3<T> sum = zero3<T>();
  for (int i = problem.nlinks - 1; i >= 0; --i) {
    const int parent = problem.links[i].joint.parent;
    Vec3<T>& to = parent < 0 ? sum : moments[parent];
    to = to + moments[i];
  }
  return T(problem.per_mass) * sum;
}

}  // namespace pantin::PANTIN_ISA
