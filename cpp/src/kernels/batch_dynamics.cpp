#include "pantin/dyn/aba.hpp"
#include "pantin/kernels/dynamics.hpp"
#include "pantin/simd/lanes.hpp"

namespace pantin::PANTIN_ISA {

namespace {

using P = Pack<kLanes>;

// A working set of packs with room for the arguments and a vector before it and a matrix behind.
struct Scratch {
  P *q, *v, *a, *fext, *result, *data, *matrix;
  Scratch(const Tree& tree, void* memory)
      : q(static_cast<P*>(memory)),
        v(q + tree.nq),
        a(v + tree.nv),
        fext(a + tree.nv),
        result(fext + 6 * tree.njoints),
        data(result + tree.nv),
        matrix(data + tree.layout.total) {}
};

std::size_t scratch_bytes(const Tree& tree) {
  return sizeof(P) * (tree.nq + 3 * std::size_t(tree.nv) + 6 * std::size_t(tree.njoints) + tree.layout.total);
}
std::size_t scratch_bytes_with_matrix(const Tree& tree) {
  return scratch_bytes(tree) + sizeof(P) * std::size_t(tree.nv) * tree.nv;
}

template <class F>
void each_pack(Range range, F&& f) {
  for (std::size_t i = range.first; i < range.last; i += kLanes)
    f(i, range.last - i < std::size_t(kLanes) ? int(range.last - i) : kLanes);
}

// The rows of q, v, a third argument and external forces of one pack.
void take(const Tree& tree, std::size_t i, int count, const double* q, const double* v, const double* a,
          const double* fext, Scratch& s) {
  gather_rows(q + i * tree.nq, tree.nq, count, tree.nq, s.q);
  gather_rows(v + i * tree.nv, tree.nv, count, tree.nv, s.v);
  gather_rows(a + i * tree.nv, tree.nv, count, tree.nv, s.a);
  const int width = 6 * tree.njoints;
  if (fext) gather_rows(fext + i * width, width, count, width, s.fext);
}

void rnea_rows(const Tree& tree, Range range, const double* q, const double* v, const double* a, const double* fext,
               double* tau, void* scratch) {
  Scratch s(tree, scratch);
  each_pack(range, [&](std::size_t i, int count) {
    take(tree, i, count, q, v, a, fext, s);
    rnea<P>(tree, s.q, s.v, s.a, fext ? s.fext : nullptr, s.data, s.result);
    scatter_rows(s.result, count, tree.nv, tau + i * tree.nv, tree.nv);
  });
}

void crba_rows(const Tree& tree, Range range, const double* q, double* M, void* scratch) {
  Scratch s(tree, scratch);
  const int width = tree.nv * tree.nv;
  for (int k = 0; k < width; ++k) s.matrix[k] = P(0.0);
  each_pack(range, [&](std::size_t i, int count) {
    gather_rows(q + i * tree.nq, tree.nq, count, tree.nq, s.q);
    crba(tree, s.q, s.data, s.matrix);
    scatter_rows(s.matrix, count, width, M + i * width, width);
  });
}

std::ptrdiff_t aba_rows(const Tree& tree, Range range, const double* q, const double* v, const double* tau,
                        const double* fext, double* ddq, void* scratch) {
  Scratch s(tree, scratch);
  const P* const reciprocals = s.data + tree.layout.dynamics.reciprocals;
  std::ptrdiff_t first = -1;
  each_pack(range, [&](std::size_t i, int count) {
    take(tree, i, count, q, v, tau, fext, s);
    const P* const forces = fext ? s.fext : nullptr;
    if (tree.has_mimic)
      dense_forward_dynamics(tree, s.q, s.v, s.a, forces, s.data, s.matrix, s.result);
    else
      aba(tree, s.q, s.v, s.a, forces, s.data, s.result);
    scatter_rows(s.result, count, tree.nv, ddq + i * tree.nv, tree.nv);
    for (int k = 0; k < tree.nv && first < 0; ++k)
      if (any(reciprocals[k] == P(0.0)))
        for (int l = 0; l < count && first < 0; ++l)
          if (reciprocals[k][l] == 0.0) first = std::ptrdiff_t(i + l) * tree.nv + k;
  });
  return first;
}

}  // namespace

extern const BatchDynamicsKernels batch_dynamics_kernels;
const BatchDynamicsKernels batch_dynamics_kernels = {
    .scratch_bytes = scratch_bytes,
    .scratch_bytes_with_matrix = scratch_bytes_with_matrix,
    .rnea = rnea_rows,
    .crba = crba_rows,
    .aba = aba_rows,
};

}  // namespace pantin::PANTIN_ISA
