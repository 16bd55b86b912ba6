// Batch calls of the dynamics.
#include <nanobind/stl/shared_ptr.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "batch.hpp"

namespace pantin {

namespace {

using TreeArgument = std::shared_ptr<CompiledTree>;

// Rows that the kernels of dynamics read, and where the results go.
struct Problem {
  const Tree& tree;
  const double *q, *v = nullptr, *a = nullptr, *fext = nullptr;
  double* out;
  std::size_t n;

  Problem(const CompiledTree& compiled, nb::handle q, nb::handle out)
      : tree(compiled.view()),
        q(input(q)),
        out(output(out)),
        n(row_count({{q, tree.nq}, {out, tree.nv * tree.nv}})) {}
  Problem(const CompiledTree& compiled, nb::handle q, nb::handle v, nb::handle a, nb::handle fext, nb::handle out)
      : tree(compiled.view()), q(input(q)), v(input(v)), a(input(a)), out(output(out)) {
    n = row_count({{q, tree.nq}, {v, tree.nv}, {a, tree.nv}, {out, tree.nv}});
    if (fext.is_none()) return;
    this->fext = input(fext);
    if (n != row_count({{fext, 6 * tree.njoints}})) throw nb::value_error("arrays of different length");
  }
};

void rnea(TreeArgument tree, nb::handle q, nb::handle v, nb::handle a, nb::handle fext, nb::handle out, int threads) {
  const Problem p(*tree, q, v, a, fext, out);
  const BatchDynamicsKernels& kernel = kernels().batch_dynamics;
  run(*tree, p.n, threads, kernel.scratch_bytes(p.tree), [&](const Tree& t, Range range, void* scratch) {
    kernel.rnea(t, range, p.q, p.v, p.a, p.fext, p.out, scratch);
  });
}

void crba(TreeArgument tree, nb::handle q, nb::handle out, int threads) {
  const Problem p(*tree, q, out);
  const BatchDynamicsKernels& kernel = kernels().batch_dynamics;
  run(*tree, p.n, threads, kernel.scratch_bytes_with_matrix(p.tree),
      [&](const Tree& t, Range range, void* scratch) { kernel.crba(t, range, p.q, p.out, scratch); });
}

// Row * nv + entry of the first pivot that vanishes, or -1.
std::ptrdiff_t aba(TreeArgument tree, nb::handle q, nb::handle v, nb::handle tau, nb::handle fext, nb::handle out,
                   int threads) {
  const Problem p(*tree, q, v, tau, fext, out);
  const BatchDynamicsKernels& kernel = kernels().batch_dynamics;
  const auto scratch_bytes = p.tree.has_mimic ? kernel.scratch_bytes_with_matrix : kernel.scratch_bytes;
  std::atomic<std::ptrdiff_t> first = PTRDIFF_MAX;
  run(*tree, p.n, threads, scratch_bytes(p.tree), [&](const Tree& t, Range range, void* scratch) {
    const std::ptrdiff_t found = kernel.aba(t, range, p.q, p.v, p.a, p.fext, p.out, scratch);
    std::ptrdiff_t known = first;
    while (found >= 0 && found < known && !first.compare_exchange_weak(known, found)) {
    }
  });
  return first == PTRDIFF_MAX ? -1 : first.load();
}

}  // namespace

void bind_batch_dynamics(nb::module_& m) {
  m.def("_batch_rnea", rnea, nb::arg("tree"), nb::arg("q"), nb::arg("v"), nb::arg("a"), nb::arg("fext").none(),
        nb::arg("out"), nb::arg("threads"), "Joint torques, row by row.");
  m.def("_batch_crba", crba, nb::arg("tree"), nb::arg("q"), nb::arg("out"), nb::arg("threads"),
        "Mass matrices, rows of q to rows of out.");
  m.def("_batch_aba", aba, nb::arg("tree"), nb::arg("q"), nb::arg("v"), nb::arg("tau"), nb::arg("fext").none(),
        nb::arg("out"), nb::arg("threads"),
        "Joint accelerations, row by row; row * nv + entry of the first joint that moves no inertia, or -1.");
}

}  // namespace pantin
