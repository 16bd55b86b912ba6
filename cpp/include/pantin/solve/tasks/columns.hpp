// Columns of a sight's Jacobian, side by side along the joints that carry the frame.
#pragma once

#include "pantin/kin/jacobian.hpp"
#include "pantin/solve/tasks/sight.hpp"

namespace pantin::PANTIN_ISA {

// Eight screws from one on as packs, one a lane; lanes past the last hold what lies there.
PANTIN_INLINE Motion<Pack<kLanes>> load_screws(const Motion<double>* S) {
  Pack<kLanes> head[4], tail[4];
  const double* const first = &S->v.x;
  load_columns(first, 6, head);
  load_columns(first + 2, 6, tail);
  return {{head[0], head[1], head[2]}, {tail[1], tail[2], tail[3]}};
}

// Row of P times screws.
PANTIN_INLINE Pack<kLanes> times(const double (&row)[6], const Motion<Pack<kLanes>>& s) {
  return (row[0] * s.v.x + row[1] * s.v.y) + (row[2] * s.v.z + row[3] * s.w.x) + (row[4] * s.w.y + row[5] * s.w.z);
}

// C (rows, stride): column k belongs to the path's column k. Whole packs are written.
inline void path_columns(const Path& path, const Motion<double>* S, const double (&P)[kMostSeen][6], int rows, int stride,
                         double* C) {
  each_run(path, [&](int k, int count) {
    const Motion<Pack<kLanes>> s = load_screws(S + path.screw[k]);
    for (int r = 0; r < rows; ++r) native::store_first(C + r * stride + k, times(P[r], s).v, count);
  });
}

// Adds the same columns where they belong among all entries of a velocity.
inline void add_path_columns(const Path& path, const Motion<double>* S, const double (&P)[kMostSeen][6], int rows,
                             int stride, double* J) {
  each_run(path, [&](int k, int count) {
    const Motion<Pack<kLanes>> s = load_screws(S + path.screw[k]);
    for (int r = 0; r < rows; ++r) {
      double* const to = J + r * stride + path.v[k];
      const Pack<kLanes> entries = times(P[r], s);
      if (path.adds)
        for (int c = 0; c < count; ++c) to[c] += entries[c];
      else
        native::store_first(to, (Pack<kLanes>(native::load_first(to, count)) + entries).v, count);
    }
  });
}

}  // namespace pantin::PANTIN_ISA
