#include "pantin/kernels/fit_parts.hpp"

#include "pantin/simd/lanes.hpp"
#include "pantin/solve/fit/camera.hpp"
#include "pantin/solve/fit/loss.hpp"

namespace pantin::PANTIN_ISA {

namespace {

void look(const CameraLens& lens, std::size_t n, const double* points, double* seen) {
  map_rows<3, kSeenNumbers>(n, points, seen, [&](const auto* p, auto* y) {
    const auto s = look_through(lens, load3(p));
    y[0] = s.u;
    y[1] = s.v;
    store3(y + 2, s.du);
    store3(y + 5, s.dv);
    y[8] = s.depth;
  });
}

void losses(Loss loss, double scale, std::size_t n, const double* e2, double* out) {
  map_rows<1, 3>(n, e2, out, [&](const auto* x, auto* y) {
    const auto r = rho(loss, x[0], scale);
    y[0] = r.value;
    y[1] = r.slope;
    y[2] = r.curvature;
  });
}

}  // namespace

extern const FitPartKernels fit_part_kernels;
const FitPartKernels fit_part_kernels = {.look = look, .rho = losses};

}  // namespace pantin::PANTIN_ISA
