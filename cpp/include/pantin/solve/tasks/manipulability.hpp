// Gradient of the manipulability sqrt(det M M') of a frame, M being rows of its Jacobian (Yoshikawa 1985).
//
// With G = (M M')^-1 spread over all six rows, the gradient along entry k is m sum_i (G s_i)'(d s_i / d q_k) over the
// columns s_i of the Jacobian. Seen from the world, s_i is carried by the joints before it and by its own,
// d s_i = s_k x s_i; seen from the frame it moves the other way with those after it, d s_i = -(s_k x s_i). Both are
// sums of forces f_i = s_i x* (G s_i), for (G s_i)'(s_k x s_i) = f_i's_k.
#pragma once

#include "pantin/kin/jacobian.hpp"
#include "pantin/solve/tasks/scene.hpp"

namespace pantin::PANTIN_ISA {

// Inverse of the rows and columns of A that `mask` selects, zero elsewhere, and the determinant of that part; a
// determinant of zero where a pivot is rounding. By Gauss and Jordan, for A is positive definite or nearly singular.
inline double masked_inverse(const double (&A)[6][6], const double* mask, double (&G)[6][6]) {
  double work[6][6], scale[6], determinant = 1.0;
  std::memcpy(work, A, sizeof(work));
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      if (mask[i] == 0.0 || mask[j] == 0.0) work[i][j] = 0.0;
      G[i][j] = i == j && mask[i] != 0.0 ? 1.0 : 0.0;
    }
  for (int i = 0; i < 6; ++i) scale[i] = work[i][i];
  for (int p = 0; p < 6; ++p) {
    if (mask[p] == 0.0) continue;
    const double pivot = work[p][p];
    if (!(pivot > 1e-14 * scale[p])) return 0.0;
    determinant *= pivot;
    for (int j = 0; j < 6; ++j) {
      work[p][j] /= pivot;
      G[p][j] /= pivot;
    }
    for (int i = 0; i < 6; ++i) {
      const double factor = work[i][p];
      if (i == p || factor == 0.0) continue;
      for (int j = 0; j < 6; ++j) {
        work[i][j] -= factor * work[p][j];
        G[i][j] -= factor * G[p][j];
      }
    }
  }
  return determinant;
}

// e = -rate; J is the gradient, zero where the manipulability is.
inline void manipulability_rows(const Scene& scene, const TaskView& task, double* e, double* J) {
  const Tree& tree = scene.tree;
  const auto reference = static_cast<ReferenceFrame>(int(task.numbers[1]));
  const double* const mask = task.numbers + 2;
  e[0] = -task.numbers[0];
  const Path* const path = task.frame.path;
  if (!path) return;

  // columns of the Jacobian, those of mimics added to their masters'
  const SE3<double> M = scene.frame(task.frame.frame);
  auto* const columns = reinterpret_cast<Motion<double>*>(scene.data + tree.layout.lines);
  for (int k = 0; k < tree.nv; ++k) columns[k] = zero_motion<double>();
  const auto each_column = [&](auto&& f) {
    for (int i = 0; i < path->length; ++i) {
      const Joint& joint = tree.joints[path->joints[i]];
      f(joint, [&](auto&& g) {
        for (int k = 0; k < joint.nv; ++k) g(joint.v + k, seen_from(reference, M, scene.screws()[joint.column + k]));
      });
    }
  };
  each_column([&](const Joint&, auto&& each) {
    each([&](int v, const Motion<double>& s) { columns[v] = columns[v] + s; });
  });

  double A[6][6] = {}, G[6][6];
  for (int k = 0; k < tree.nv; ++k) {
    const double* const s = &columns[k].v.x;
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) A[i][j] += s[i] * s[j];
  }
  const double determinant = masked_inverse(A, mask, G);
  if (!(determinant > 0.0)) return;
  const double m = sqrt(determinant);
  const auto weighed = [&](int v) {
    const double* const s = &columns[v].v.x;
    double g[6];
    for (int i = 0; i < 6; ++i) {
      g[i] = 0.0;
      for (int j = 0; j < 6; ++j) g[i] += G[i][j] * s[j];
    }
    return Motion<double>{load3(g), load3(g + 3)};
  };

  // the forces of all columns, and what a moving point adds
  Motion<double> rest = zero_motion<double>();
  Vec3<double> arms = zero3<double>();
  each_column([&](const Joint&, auto&& each) {
    each([&](int v, const Motion<double>& s) {
      const Motion<double> g = weighed(v);
      rest = rest + cross_force(s, g);
      arms = arms + cross(s.w, g.v);
    });
  });
  const bool local = reference == ReferenceFrame::kLocal;
  if (local) rest = zero_motion<double>();
  each_column([&](const Joint&, auto&& each) {
    Motion<double> own = zero_motion<double>();
    each([&](int v, const Motion<double>& s) {
      J[v] += m * dot(rest, s);
      if (reference == ReferenceFrame::kLocalWorldAligned) J[v] -= m * dot(arms, s.v);
      own = own + cross_force(s, weighed(v));
    });
    rest = rest - own;
  });
}

}  // namespace pantin::PANTIN_ISA
