#include "escape.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "pantin/kernels/table.hpp"

namespace pantin {

namespace {

constexpr double kNothing = 1e-9;     // of the error: a step that promises less counts as none
constexpr double kRoom = 1e-9;        // rad or m, between bounds of a joint that may move, and to one that presses it
constexpr double kPressed = 1e-6;     // of the error: a slope by which a joint is pressed against its bound
constexpr double kUnsolved = 1e-10;   // weighted squared error that is worth leaving for
constexpr double kProbe = 1e-4;       // rad or m, difference step for curvatures
constexpr double kNegative = -1e-3;   // curvature over the largest one, below which a direction leads away
constexpr double kStride = 0.02;      // rad or m, of the joint that moves most

// Gradient of the tasks' squared error at q moved by `distance` along one entry.
std::vector<double> gradient(const StepView& step, const double* q, double* data, StepMemory& m, int entry,
                             double distance) {
  const Tree& tree = *step.tree;
  std::vector<double> way(tree.nv, 0.0), moved(tree.nq);
  way[entry] = distance;
  kernels().configuration.integrate(tree, q, way.data(), moved.data());
  kernels().kinematics.forward(tree, moved.data(), data);
  kernels().kinematics.joint_screws(tree, data);
  kernels().step.objective(step, moved.data(), data, m);
  return {m.c, m.c + tree.nv};
}

double norm(const std::vector<double>& a) {
  double sum = 0.0;
  for (const double x : a) sum += x * x;
  return std::sqrt(sum);
}

// Direction of most negative curvature of a symmetric matrix, of unit length, by the power method on its mirror image;
// empty where the matrix bends down nowhere.
std::vector<double> downhill(const std::vector<double>& S, int n) {
  const double scale = norm(S);
  if (scale == 0.0) return {};
  std::vector<double> d(n), image(n);
  for (int i = 0; i < n; ++i) d[i] = 1.0 + 0.1 * std::sin(double(i + 1));
  double curvature = 0.0;
  for (int iteration = 0; iteration < 300; ++iteration) {
    const double length = norm(d);
    if (length == 0.0) return {};  // bent the same way everywhere, as far as it can be: upwards
    for (double& x : d) x /= length;
    curvature = 0.0;
    for (int i = 0; i < n; ++i) {
      double sum = 0.0;
      for (int j = 0; j < n; ++j) sum += S[i * n + j] * d[j];
      curvature += d[i] * sum;
      image[i] = scale * d[i] - sum;
    }
    d.swap(image);
  }
  if (curvature > kNegative * scale) return {};
  return d;
}

}  // namespace

bool escape(const StepView& step, const double* q, double* data, StepMemory& m) {
  const int n = m.n;
  const std::vector<double> x(m.x, m.x + n), c(m.c, m.c + n);
  const double error2 = kernels().step.squared_error(step, q, data, m), slope = kPressed * error2;
  std::vector<int> free;  // joints that the bounds leave some room, and that are not pressed against one
  double promised = 0.0;  // what a short step this way would lessen the error by, for its length
  for (int k = 0; k < n; ++k) {
    promised -= c[k] * x[k];
    const bool pressed = (m.upper[k] < kRoom && c[k] < -slope) || (m.lower[k] > -kRoom && c[k] > slope);
    if (m.upper[k] - m.lower[k] >= kRoom && !pressed) free.push_back(k);
  }
  if (error2 < kUnsolved || free.empty() || promised > kNothing * error2) return false;

  const int width = int(free.size());
  const std::vector<double> H(m.H, m.H + std::size_t(n) * m.stride);
  const double diagonal = m.diagonal, present2 = m.error2;
  std::vector<double> S(std::size_t(width) * width);
  for (int j = 0; j < width; ++j) {
    const std::vector<double> ahead = gradient(step, q, data, m, free[j], kProbe);
    const std::vector<double> behind = gradient(step, q, data, m, free[j], -kProbe);
    for (int i = 0; i < width; ++i) S[i * width + j] = (ahead[free[i]] - behind[free[i]]) / (2.0 * kProbe);
  }
  for (int i = 0; i < width; ++i)
    for (int j = 0; j < i; ++j) S[i * width + j] = S[j * width + i] = 0.5 * (S[i * width + j] + S[j * width + i]);
  const std::vector<double> d = downhill(S, width);
  std::copy(x.begin(), x.end(), m.x);
  std::copy(c.begin(), c.end(), m.c);  // the objective at q again, by which promises are judged
  std::copy(H.begin(), H.end(), m.H);
  m.diagonal = diagonal;
  m.error2 = present2;
  if (d.empty()) return false;

  double longest = 0.0;
  for (const double part : d) longest = std::max(longest, std::abs(part));
  const auto room = [&](double sign) {  // how far the bounds let the joints go this way
    double sum = 0.0;
    for (int i = 0; i < width; ++i) {
      const double asked = sign * kStride * d[i] / longest;
      sum += std::abs(std::clamp(asked, m.lower[free[i]], m.upper[free[i]]) * d[i]);
    }
    return sum;
  };
  const double sign = room(-1.0) > room(1.0) ? -1.0 : 1.0;
  std::fill_n(m.x, n, 0.0);
  for (int k = 0; k < n; ++k) m.x[k] = std::clamp(0.0, m.lower[k], m.upper[k]);
  for (int i = 0; i < width; ++i)
    m.x[free[i]] = std::clamp(sign * kStride * d[i] / longest, m.lower[free[i]], m.upper[free[i]]);
  return true;
}

}  // namespace pantin
