#include "curvature.hpp"

#include <algorithm>
#include <cmath>

namespace pantin {

namespace {

constexpr double kStill = 1e-10;   // rad or m: steps that are too short to learn from
constexpr double kUpwards = 0.05;  // cosine between a step and its change of slope that counts as bent up

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

}  // namespace

void Curvature::forget() {
  std::fill(B_.begin(), B_.end(), 0.0);
  known_ = false;
}

void Curvature::learn(const double* slope) {
  const std::size_t n = step_.size();
  const double length = std::sqrt(product(step_, step_));
  if (!(length > kStill)) return;
  double known = 0.0, along = 0.0, missing = 0.0, missing2 = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    double image = 0.0;
    for (std::size_t j = 0; j < n; ++j) image += B_[i * n + j] * step_[j];
    const double change = slope[i] - slope_[i] - image_[i];  // that H does not account for
    missing_[i] = change - image;
    known += step_[i] * image;
    along += step_[i] * change;
    missing += step_[i] * missing_[i];
    missing2 += missing_[i] * missing_[i];
  }
  if (missing > kUpwards * length * std::sqrt(missing2)) {
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) B_[i * n + j] += missing_[i] * missing_[j] / missing;
  } else if (along < known && known > 0.0) {
    const double part = std::max(along, 0.0) / known;
    for (double& entry : B_) entry *= part;
  }
}

void Curvature::bend(StepMemory& m) {
  const std::size_t n = m.n;
  if (B_.size() != n * n) {
    B_.assign(n * n, 0.0);
    missing_.resize(n);
    known_ = false;
  }
  if (known_) learn(m.c);
  known_ = false;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i; j < n; ++j) m.H[i * m.stride + j] += B_[i * n + j];
  added_ = m.diagonal;
}

void Curvature::take(const StepMemory& m) {
  const std::size_t n = m.n;
  if (B_.size() != n * n) return;  // nothing was bent so far
  slope_.assign(m.c, m.c + n);
  step_.assign(m.x, m.x + n);
  image_.assign(n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i; j < n; ++j) {
      const double entry = m.H[i * m.stride + j] - B_[i * n + j] - (i == j ? added_ : 0.0);
      image_[i] += entry * step_[j];
      if (j != i) image_[j] += entry * step_[i];
    }
  known_ = true;
}

}  // namespace pantin
