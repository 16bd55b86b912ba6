// Jacobians: columns are joint screws, moved to where they are asked for.
#pragma once

#include "pantin/kin/forward.hpp"

namespace pantin::PANTIN_ISA {

// Screws of all joints about the world's origin, and J (6, nv) with mimics added to their masters.
template <class T>
inline void joint_screws(const Tree& tree, T* data) {
  const SE3<T>* const oMi = ::pantin::PANTIN_ISA::oMi(tree, data);
  Motion<T>* const S = screws(tree, data);
  for (int i = 1; i < tree.njoints; ++i) {
    const Joint& joint = tree.joints[i];
    each_screw(joint, oMi[i], zero3<T>(), [&](int k, const Motion<T>& s) { S[joint.column + k] = s; });
  }
  if (!tree.has_mimic) return;  // J is then the same memory
  Motion<T>* const J = motions(data, tree.layout.J);
  for (int k = 0; k < tree.nv; ++k) J[k] = zero_motion<T>();
  for (int c = 0; c < tree.ncolumns; ++c) J[tree.column_v[c]] = J[tree.column_v[c]] + S[c];
}

// A world twist as the reference frame sees it at the pose M.
template <class T>
PANTIN_INLINE Motion<T> seen_from(ReferenceFrame reference, const SE3<T>& M, const Motion<T>& s) {
  if (reference == ReferenceFrame::kWorld) return s;
  const Motion<T> aligned{s.v - cross(M.p, s.w), s.w};
  if (reference == ReferenceFrame::kLocalWorldAligned) return aligned;
  return {transposed_times(M.R, aligned.v), transposed_times(M.R, aligned.w)};
}

// Writes a column of a row-major (6, stride) matrix.
template <class T>
PANTIN_INLINE void set_column(T* J, int stride, int column, const Motion<T>& s) {
  J[column] = s.v.x;
  J[stride + column] = s.v.y;
  J[2 * stride + column] = s.v.z;
  J[3 * stride + column] = s.w.x;
  J[4 * stride + column] = s.w.y;
  J[5 * stride + column] = s.w.z;
}
// Adds a column to a row-major (6, stride) matrix.
template <class T>
PANTIN_INLINE void add_column(T* J, int stride, int column, const Motion<T>& s) {
  J[column] = J[column] + s.v.x;
  J[stride + column] = J[stride + column] + s.v.y;
  J[2 * stride + column] = J[2 * stride + column] + s.v.z;
  J[3 * stride + column] = J[3 * stride + column] + s.w.x;
  J[4 * stride + column] = J[4 * stride + column] + s.w.y;
  J[5 * stride + column] = J[5 * stride + column] + s.w.z;
}
template <class T>
PANTIN_INLINE void clear_matrix(T* J, int entries) {
  for (int k = 0; k < entries; ++k) J[k] = T(0.0);
}

// Jacobian of a pose carried by `joint`, out of screws or their rates, row-major (6, nv).
template <class T>
inline void gather_jacobian(const Tree& tree, const Motion<T>* S, int joint, const SE3<T>& M,
                            ReferenceFrame reference, T* J) {
  clear_matrix(J, 6 * tree.nv);
  for (int i = joint; i > 0; i = tree.joints[i].parent) {
    const Joint& support = tree.joints[i];
    for (int k = 0; k < support.nv; ++k)
      add_column(J, tree.nv, support.v + k, seen_from(reference, M, S[support.column + k]));
  }
}

}  // namespace pantin::PANTIN_ISA
