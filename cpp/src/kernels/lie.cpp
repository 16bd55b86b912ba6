#include "pantin/kernels/lie.hpp"

#include "pantin/lie/se3.hpp"
#include "pantin/simd/lanes.hpp"

namespace pantin::PANTIN_ISA {

namespace {

template <template <class> class V, class T>
const V<T>& as(const T* x) {
  return *reinterpret_cast<const V<T>*>(x);
}
template <template <class> class V, class T>
V<T>& into(T* y) {
  return *reinterpret_cast<V<T>*>(y);
}

template <class T>
void put(T* y, const Mat6<T>& J) {
  const Mat3<T>* blocks[2][2] = {{&J.vv, &J.vw}, {&J.wv, &J.ww}};
  for (int r = 0; r < 6; ++r)
    for (int c = 0; c < 6; ++c) y[6 * r + c] = blocks[r / 3][c / 3]->m[r % 3][c % 3];
}


}  // namespace

extern const LieKernels lie_kernels;
const LieKernels lie_kernels = {
    .exp3 = [](std::size_t n, const double* in, double* out) {
      map_rows<3, 9>(n, in, out, [](const auto* x, auto* y) { into<Mat3>(y) = exp3(as<Vec3>(x)); });
    },
    .log3 = [](std::size_t n, const double* in, double* out) {
      map_rows<9, 3>(n, in, out, [](const auto* x, auto* y) { into<Vec3>(y) = log3(as<Mat3>(x)); });
    },
    .exp6 = [](std::size_t n, const double* in, double* out) {
      map_rows<6, 12>(n, in, out, [](const auto* x, auto* y) { into<SE3>(y) = exp6(as<Motion>(x)); });
    },
    .log6 = [](std::size_t n, const double* in, double* out) {
      map_rows<12, 6>(n, in, out, [](const auto* x, auto* y) { into<Motion>(y) = log6(as<SE3>(x)).nu; });
    },
    .Jexp3 = [](std::size_t n, const double* in, double* out) {
      map_rows<3, 9>(n, in, out, [](const auto* x, auto* y) { into<Mat3>(y) = Jexp3(as<Vec3>(x)); });
    },
    .Jlog3 = [](std::size_t n, const double* in, double* out) {
      map_rows<9, 9>(n, in, out, [](const auto* x, auto* y) {
        into<Mat3>(y) = Jlog3(log_quat(quaternion(as<Mat3>(x))));
      });
    },
    .Jexp6 = [](std::size_t n, const double* in, double* out) {
      map_rows<6, 36>(n, in, out, [](const auto* x, auto* y) { put(y, Jexp6(as<Motion>(x))); });
    },
    .Jlog6 = [](std::size_t n, const double* in, double* out) {
      map_rows<12, 36>(n, in, out, [](const auto* x, auto* y) { put(y, Jlog6(log6(as<SE3>(x)))); });
    },
    .quaternion = [](std::size_t n, const double* in, double* out) {
      map_rows<9, 4>(n, in, out, [](const auto* x, auto* y) { into<Quat>(y) = quaternion(as<Mat3>(x)); });
    },
    .multiply = [](const double* a, const double* b, double* out) { into<SE3>(out) = as<SE3>(a) * as<SE3>(b); },
    .between = [](const double* a, const double* b, double* out) {
      into<SE3>(out) = between(as<SE3>(a), as<SE3>(b));
    },
};

}  // namespace pantin::PANTIN_ISA
