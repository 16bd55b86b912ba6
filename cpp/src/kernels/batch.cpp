#include "pantin/kernels/batch.hpp"

#include "pantin/kin/com.hpp"
#include "pantin/kin/frame_jacobian.hpp"
#include "pantin/simd/stream.hpp"
#include "pantin/tree/configuration.hpp"

namespace pantin::PANTIN_ISA {

namespace {

using P = Pack<kLanes>;

// A working set of packs with room for a configuration, a velocity and one result before it, and for the rows
// of that result after it.
struct Scratch {
  P *q, *v, *result, *data;
  double* rows;
  Scratch(const Tree& tree, void* memory)
      : q(static_cast<P*>(memory)), v(q + tree.nq), result(v + tree.nq), data(result + result_width(tree)),
        rows(reinterpret_cast<double*>(data + tree.layout.total)) {}
  static int result_width(const Tree& tree) { return 6 * tree.nv + tree.nq + 16; }
};

std::size_t scratch_bytes(const Tree& tree) {
  const int width = Scratch::result_width(tree);
  return sizeof(P) * (2 * tree.nq + width + tree.layout.total) + sizeof(double) * RowWriter::buffer_size(width);
}

// Writes `width` numbers a problem: row(i, count) leaves those of problems i to i + count in s.result.
template <class Row>
void each_row(Range range, int width, double* out, const Scratch& s, Row&& row) {
  RowWriter writer(out + range.first * width, width, range.last - range.first, s.rows);
  for (std::size_t i = range.first; i < range.last; i += kLanes) {
    const int count = range.last - i < std::size_t(kLanes) ? int(range.last - i) : kLanes;
    row(i, count);
    writer.write(s.result, count);
  }
  writer.finish();
}

void frame_placements(const Tree& tree, const Path& path, int frame, Range range, const double* q, double* out,
                      void* scratch) {
  const Scratch s(tree, scratch);
  each_row(range, 16, out, s, [&](std::size_t i, int count) {
    gather_rows(q + i * tree.nq, tree.nq, count, tree.nq, s.q);
    Columns<Vec3<P>> M = along(tree, path, s.q, [](const Joint&, int, const Columns<Vec3<P>>&) {});
    place(M, tree.frames[frame].placement);
    const Vec3<P> columns[4] = {M.x, M.y, M.z, M.p};
    for (int c = 0; c < 4; ++c) {
      s.result[c] = columns[c].x;
      s.result[4 + c] = columns[c].y;
      s.result[8 + c] = columns[c].z;
      s.result[12 + c] = P(c < 3 ? 0.0 : 1.0);
    }
  });
}

void frame_jacobians(const Tree& tree, const Path& path, int frame, ReferenceFrame reference, Range range,
                     const double* q, double* out, void* scratch) {
  const Scratch s(tree, scratch);
  const int width = 6 * tree.nv;
  clear_matrix(s.result, width);
  each_row(range, width, out, s, [&](std::size_t i, int count) {
    gather_rows(q + i * tree.nq, tree.nq, count, tree.nq, s.q);
    if (path.adds) clear_matrix(s.result, width);
    frame_jacobian(tree, path, s.q, tree.frames[frame], reference, s.data, s.result);
  });
}

void centers(const Tree& tree, Range range, const double* q, double* out, void* scratch) {
  const Scratch s(tree, scratch);
  each_row(range, 3, out, s, [&](std::size_t i, int count) {
    gather_rows(q + i * tree.nq, tree.nq, count, tree.nq, s.q);
    forward(tree, s.q, s.data);
    auto* const moments = reinterpret_cast<Vec3<P>*>(s.data + tree.layout.moments);
    store3(s.result, center_of_mass(tree, oMi(tree, s.data), moments));
  });
}

void integrate_rows(const Tree& tree, Range range, const double* q, const double* v, double* out,
                    void* scratch) {
  const Scratch s(tree, scratch);
  each_row(range, tree.nq, out, s, [&](std::size_t i, int count) {
    gather_rows(q + i * tree.nq, tree.nq, count, tree.nq, s.q);
    gather_rows(v + i * tree.nv, tree.nv, count, tree.nv, s.v);
    integrate(tree, s.q, s.v, s.result);
  });
}

void difference_rows(const Tree& tree, Range range, const double* q0, const double* q1, double* out,
                     void* scratch) {
  const Scratch s(tree, scratch);
  each_row(range, tree.nv, out, s, [&](std::size_t i, int count) {
    gather_rows(q0 + i * tree.nq, tree.nq, count, tree.nq, s.q);
    gather_rows(q1 + i * tree.nq, tree.nq, count, tree.nq, s.v);
    difference(tree, s.q, s.v, s.result);
  });
}

}  // namespace

extern const BatchKernels batch_kernels;
const BatchKernels batch_kernels = {
    .scratch_bytes = scratch_bytes,
    .frame_placements = frame_placements,
    .frame_jacobians = frame_jacobians,
    .center_of_mass = centers,
    .integrate = integrate_rows,
    .difference = difference_rows,
};

}  // namespace pantin::PANTIN_ISA
