#include "pantin/kernels/lie.hpp"

#include "pantin/lie/se3.hpp"
#include "pantin/simd/lanes.hpp"

namespace pantin::PANTIN_ISA {

namespace {

using P = Pack<kLanes>;

// One function of `In` numbers to `Out` numbers, applied to n rows in packs.
template <int In, int Out, class F>
void each(std::size_t n, const double* in, double* out, F&& f) {
  P x[In], y[Out];
  for (std::size_t i = 0; i < n; i += kLanes) {
    const int count = n - i < std::size_t(kLanes) ? int(n - i) : kLanes;
    gather_rows(in + i * In, In, count, In, x);
    f(x, y);
    scatter_rows(y, count, Out, out + i * Out, Out);
  }
}

template <class V>
const V& as(const P* x) {
  return *reinterpret_cast<const V*>(x);
}
template <class V>
V& into(P* y) {
  return *reinterpret_cast<V*>(y);
}

void put(P* y, const Mat6<P>& J) {
  const Mat3<P>* blocks[2][2] = {{&J.vv, &J.vw}, {&J.wv, &J.ww}};
  for (int r = 0; r < 6; ++r)
    for (int c = 0; c < 6; ++c) y[6 * r + c] = blocks[r / 3][c / 3]->m[r % 3][c % 3];
}

const SE3<double>& pose_at(const double* pose) { return *reinterpret_cast<const SE3<double>*>(pose); }
SE3<double>& pose_at(double* pose) { return *reinterpret_cast<SE3<double>*>(pose); }

}  // namespace

extern const LieKernels lie_kernels;
const LieKernels lie_kernels = {
    .exp3 = [](std::size_t n, const double* in, double* out) {
      each<3, 9>(n, in, out, [](const P* x, P* y) { into<Mat3<P>>(y) = exp3(as<Vec3<P>>(x)); });
    },
    .log3 = [](std::size_t n, const double* in, double* out) {
      each<9, 3>(n, in, out, [](const P* x, P* y) { into<Vec3<P>>(y) = log3(as<Mat3<P>>(x)); });
    },
    .exp6 = [](std::size_t n, const double* in, double* out) {
      each<6, 12>(n, in, out, [](const P* x, P* y) { into<SE3<P>>(y) = exp6(as<Motion<P>>(x)); });
    },
    .log6 = [](std::size_t n, const double* in, double* out) {
      each<12, 6>(n, in, out, [](const P* x, P* y) { into<Motion<P>>(y) = log6(as<SE3<P>>(x)).nu; });
    },
    .Jexp3 = [](std::size_t n, const double* in, double* out) {
      each<3, 9>(n, in, out, [](const P* x, P* y) { into<Mat3<P>>(y) = Jexp3(as<Vec3<P>>(x)); });
    },
    .Jlog3 = [](std::size_t n, const double* in, double* out) {
      each<9, 9>(n, in, out, [](const P* x, P* y) {
        into<Mat3<P>>(y) = Jlog3(log_quat(quaternion(as<Mat3<P>>(x))));
      });
    },
    .Jexp6 = [](std::size_t n, const double* in, double* out) {
      each<6, 36>(n, in, out, [](const P* x, P* y) { put(y, Jexp6(as<Motion<P>>(x))); });
    },
    .Jlog6 = [](std::size_t n, const double* in, double* out) {
      each<12, 36>(n, in, out, [](const P* x, P* y) { put(y, Jlog6(log6(as<SE3<P>>(x)))); });
    },
    .quaternion = [](std::size_t n, const double* in, double* out) {
      each<9, 4>(n, in, out, [](const P* x, P* y) { into<Quat<P>>(y) = quaternion(as<Mat3<P>>(x)); });
    },
    .multiply = [](const double* a, const double* b, double* out) { pose_at(out) = pose_at(a) * pose_at(b); },
    .between = [](const double* a, const double* b, double* out) {
      pose_at(out) = between(pose_at(a), pose_at(b));
    },
};

}  // namespace pantin::PANTIN_ISA
