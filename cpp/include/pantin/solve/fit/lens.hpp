// The inside of a camera, as numbers.
#pragma once

namespace pantin {

// A pinhole that does not distort, does so by polynomials, or by quotients of them; a fisheye.
enum class LensModel { kStraight, kPolynomial, kRational, kFisheye };

// u = fx x + skew y + cx and v = fy y + cy, with (x, y) = (X, Y)/Z in the camera frame, distorted.
// Coefficients of a pinhole: k1, k2, p1, p2, k3, k4, k5, k6; of a fisheye: k1, k2, k3, k4.
struct CameraLens {
  LensModel model = LensModel::kStraight;
  double fx = 1.0, fy = 1.0, cx = 0.0, cy = 0.0, skew = 0.0;
  double k[8] = {};
};

// The same as Python keeps it: 1 for a fisheye, else 0, and the other members in their order.
inline constexpr int kLensNumbers = 14;

inline CameraLens lens_of(const double* numbers) {
  CameraLens lens{LensModel::kStraight, numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], {}};
  for (int i = 0; i < 8; ++i) {
    lens.k[i] = numbers[6 + i];
    if (lens.k[i] == 0.0 || lens.model == LensModel::kRational) continue;
    lens.model = i > 4 ? LensModel::kRational : LensModel::kPolynomial;
  }
  if (numbers[0] != 0.0) lens.model = LensModel::kFisheye;
  return lens;
}

}  // namespace pantin
