// Jacobians: columns are joint screws, moved to where they are asked for.
#pragma once

#include "pantin/kin/forward.hpp"
#include "pantin/simd/lanes.hpp"

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
template <class T, class S>
PANTIN_INLINE Motion<T> seen_from(ReferenceFrame reference, const SE3<S>& M, const Motion<T>& s) {
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

// Columns of a path that neighbour each other in the Jacobian and among the screws, at most a pack of them.
template <class F>
PANTIN_INLINE void each_run(const Path& path, F&& f) {
  for (int k = 0, count; k < path.width; k += count) {
    count = path.neighbours[k] < kLanes ? path.neighbours[k] : kLanes;
    f(k, count);
  }
}

// Writes a run of columns, one a lane, into the row-major J (6, stride); adds them where mimics share entries.
PANTIN_INLINE void put_run(double* J, int stride, int column, int count, bool add, const Motion<Pack<kLanes>>& s) {
  const auto put = [&](int row, Pack<kLanes> entries) {
    double* const to = J + row * stride + column;
    if (!add) return native::store_first(to, entries.v, count);
    for (int c = 0; c < count; ++c) to[c] += entries[c];
  };
  put(0, s.v.x);
  put(1, s.v.y);
  put(2, s.v.z);
  put(3, s.w.x);
  put(4, s.w.y);
  put(5, s.w.z);
}

// Jacobian of the pose M at the end of a path out of screws, row-major (6, nv); lanes are the columns.
inline void gather_jacobian(const Tree& tree, const Path& path, const Motion<double>* S, const SE3<double>& M,
                            ReferenceFrame reference, double* J) {
  using P = Pack<kLanes>;
  if (path.adds || path.width < tree.nv) clear_matrix(J, 6 * tree.nv);
  each_run(path, [&](int k, int count) {
    const double* const first = &S[path.screw[k]].v.x;
    P head[4], tail[4];
    load_columns(first, 6, head);
    load_columns(first + 2, 6, tail);
    const Motion<P> s{{head[0], head[1], head[2]}, {tail[1], tail[2], tail[3]}};
    put_run(J, tree.nv, path.v[k], count, path.adds, seen_from(reference, M, s));
  });
}

}  // namespace pantin::PANTIN_ISA
