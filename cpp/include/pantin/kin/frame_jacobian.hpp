// Pose and Jacobian of one frame, straight down the path that carries it.
//
// Each column belongs to a line, the axis of its motion through the joint's frame: for a unit of velocity the
// body turns about the line by `turn` and slides along it by `slide`.
#pragma once

#include "pantin/kin/jacobian.hpp"

namespace pantin::PANTIN_ISA {

template <class V>
struct JointLine {
  V axis, point;
};

// Lines of a joint whose moving frame is M, one a column.
template <class V, class Emit>
PANTIN_INLINE void each_line(const Joint& joint, const Columns<V>& M, Emit&& emit) {
  switch (joint.kind) {
    case JointKind::kFreeFlyer:
      emit({M.x, M.p});
      emit({M.y, M.p});
      emit({M.z, M.p});
      [[fallthrough]];
    case JointKind::kSpherical:
    case JointKind::kPlanar:
      emit({M.x, M.p});
      emit({M.y, M.p});
      emit({M.z, M.p});
      break;
    default:
      emit({axis(M, joint), M.p});
  }
}

// One pack of problems: lines lie in the working set, then every column is taken to the frame in turn.
// Columns of J (6, nv) beside the path stay as they are; on a path with mimics the others are added to.
template <class T>
inline SE3<T> frame_jacobian(const Tree& tree, const Path& path, const T* q, const Frame& frame, ReferenceFrame reference,
                             T* data, T* J) {
  using V = Vec3<T>;
  auto* const lines = reinterpret_cast<JointLine<V>*>(data + tree.layout.lines);
  JointLine<V>* end = lines;
  Columns<V> M = along(tree, path, q, [&](const Joint& joint, int, const Columns<V>& at) {
    each_line(joint, at, [&](const JointLine<V>& line) { *end++ = line; });
  });
  place(M, frame.placement);
  SE3<T> pose;
  store(M, pose);
  const V point = reference == ReferenceFrame::kWorld ? zero3<T>() : M.p;

  for (int k = 0; k < path.width; ++k) {
    const V axis = lines[k].axis;
    Motion<T> s{zero3<T>(), zero3<T>()};
    if (path.turn[k] != 0.0) {
      s.w = path.turn[k] == 1.0 ? axis : T(path.turn[k]) * axis;
      s.v = cross(lines[k].point - point, s.w);
    }
    if (path.slide[k] != 0.0) s.v = s.v + T(path.slide[k]) * axis;
    if (reference == ReferenceFrame::kLocal) s = {transposed_times(pose.R, s.v), transposed_times(pose.R, s.w)};
    if (path.adds)
      add_column(J, tree.nv, path.v[k], s);
    else
      set_column(J, tree.nv, path.v[k], s);
  }
  return pose;
}

// One problem: lanes are the columns.
inline void frame_jacobian(const Tree& tree, const Path& path, const double* q, const Frame& frame, ReferenceFrame reference,
                           double* data, SE3<double>& pose, double* J) {
  using P = Pack<kLanes>;
  constexpr int kRow = 8;  // doubles of a line: axis and point with their spare numbers
  SE3<double>* const oMi = ::pantin::PANTIN_ISA::oMi(tree, data);
  double* const lines = data + tree.layout.lines;
  double* end = lines;
  Columns<Quad> M = along(tree, path, q, [&](const Joint& joint, int i, const Columns<Quad>& at) {
    store(at, oMi[i]);
    each_line(joint, at, [&](const JointLine<Quad>& line) {
      store(line.axis, end);
      store(line.point, end + 4);
      end += kRow;
    });
  });
  place(M, frame.placement);
  store(M, pose);
  const Vec3<double> point = reference == ReferenceFrame::kWorld ? zero3<double>() : pose.p;

  if (path.adds || path.width < tree.nv) clear_matrix(J, 6 * tree.nv);
  each_run(path, [&](int k, int count) {
    P axis[4], at[4];
    load_columns(lines + kRow * k, kRow, axis);
    load_columns(lines + kRow * k + 4, kRow, at);
    const Vec3<P> a{axis[0], axis[1], axis[2]};
    const Vec3<P> arm = Vec3<P>{at[0], at[1], at[2]} - broadcast<P>(&point.x);
    const P turn = load_pack<P>(path.turn + k), slide = load_pack<P>(path.slide + k);
    Motion<P> s;
    s.w = turn * a;
    s.v = cross(arm, s.w) + slide * a;
    if (reference == ReferenceFrame::kLocal) s = {transposed_times(pose.R, s.v), transposed_times(pose.R, s.w)};
    put_run(J, tree.nv, path.v[k], count, path.adds, s);
  });
}

}  // namespace pantin::PANTIN_ISA
