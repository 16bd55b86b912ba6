// Batch calls: whole arrays at once, on several threads, without the interpreter lock.
#include <nanobind/stl/shared_ptr.h>

#include "batch.hpp"

namespace pantin {

namespace {

// The joints that carry a frame, root first.
JointPath path_to_frame(const CompiledTree& tree, int frame) {
  if (frame < 0 || frame >= tree.view().nframes) throw nb::index_error("no such frame");
  return JointPath(tree, tree.view().frames[frame].joint);
}

}  // namespace

void bind_batch(nb::module_& m) {
  m.def("_batch_frame_placements", [](std::shared_ptr<CompiledTree> tree, int frame, nb::handle q, nb::handle out, int threads) {
    const JointPath path = path_to_frame(*tree, frame);
    const double* const from = input(q);
    double* const to = output(out);
    run(*tree, row_count({{q, tree->view().nq}, {out, 16}}), threads, [&](const Tree& t, Range range, void* scratch) {
      kernels().batch.frame_placements(t, path.view(), frame, range, from, to, scratch);
    });
  }, nb::arg("tree"), nb::arg("frame"), nb::arg("q"), nb::arg("out"), nb::arg("threads"),
        "Poses of a frame, rows of q to rows of out.");
  m.def("_batch_frame_jacobians", [](std::shared_ptr<CompiledTree> tree, int frame, int reference, nb::handle q, nb::handle out,
                                     int threads) {
    const JointPath path = path_to_frame(*tree, frame);
    const double* const from = input(q);
    double* const to = output(out);
    run(*tree, row_count({{q, tree->view().nq}, {out, 6 * tree->view().nv}}), threads, [&](const Tree& t, Range range, void* scratch) {
      kernels().batch.frame_jacobians(t, path.view(), frame, static_cast<ReferenceFrame>(reference), range, from, to, scratch);
    });
  }, nb::arg("tree"), nb::arg("frame"), nb::arg("reference_frame"), nb::arg("q"), nb::arg("out"), nb::arg("threads"),
        "Jacobians of a frame, rows of q to rows of out.");
  m.def("_batch_center_of_mass", [](std::shared_ptr<CompiledTree> tree, nb::handle q, nb::handle out, int threads) {
    const double* const from = input(q);
    double* const to = output(out);
    run(*tree, row_count({{q, tree->view().nq}, {out, 3}}), threads, [&](const Tree& t, Range range, void* scratch) {
      kernels().batch.center_of_mass(t, range, from, to, scratch);
    });
  }, nb::arg("tree"), nb::arg("q"), nb::arg("out"), nb::arg("threads"), "Centres of mass, rows of q to rows of out.");
  m.def("_batch_integrate", [](std::shared_ptr<CompiledTree> tree, nb::handle q, nb::handle v, nb::handle out, int threads) {
    const double* const from = input(q);
    const double* const step = input(v);
    double* const to = output(out);
    run(*tree, row_count({{q, tree->view().nq}, {v, tree->view().nv}, {out, tree->view().nq}}), threads, [&](const Tree& t, Range range, void* scratch) {
      kernels().batch.integrate(t, range, from, step, to, scratch);
    });
  }, nb::arg("tree"), nb::arg("q"), nb::arg("v"), nb::arg("out"), nb::arg("threads"), "Configurations reached, row by row.");
  m.def("_batch_difference", [](std::shared_ptr<CompiledTree> tree, nb::handle q0, nb::handle q1, nb::handle out, int threads) {
    const double* const from = input(q0);
    const double* const goal = input(q1);
    double* const to = output(out);
    run(*tree, row_count({{q0, tree->view().nq}, {q1, tree->view().nq}, {out, tree->view().nv}}), threads, [&](const Tree& t, Range range, void* scratch) {
      kernels().batch.difference(t, range, from, goal, to, scratch);
    });
  }, nb::arg("tree"), nb::arg("q0"), nb::arg("q1"), nb::arg("out"), nb::arg("threads"), "Tangent displacements, row by row.");
  m.def("_check_units", [](const CompiledTree& tree, nb::handle q) {
    const double* const first = input(q);
    const std::size_t nq = tree.view().nq, n = row_count({{q, tree.view().nq}});
    for (std::size_t i = 0; i < n; ++i) {
      const int entry = tree.first_not_unit(first + i * nq);
      if (entry >= 0) return Py_ssize_t(i * nq + entry);
    }
    return Py_ssize_t(-1);
  }, nb::arg("tree"), nb::arg("q"),
        "First entry of a quaternion or (cos, sin) pair that is not of unit norm, counted over all rows, or -1.");
}

}  // namespace pantin
