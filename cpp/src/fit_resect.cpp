// A rigid body placed by the pixels of one camera.
//
// The body is first seen from sixty directions, far away: then its turn about the view and its distance have a closed
// form. The best of these views are refined on pixels by Levenberg and Marquardt's steps, first all a little, then
// the best to the end. So bodies of any shape, flat ones with their two minima included, are found without a guess.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "fit_start.hpp"
#include "lens_rays.hpp"
#include "pantin/kernels/table.hpp"
#include "symmetric.hpp"

namespace pantin {

namespace {

constexpr int kViews = 60;
constexpr int kTried = 16, kFewSteps = 6;
constexpr int kFinalists = 3, kManySteps = 60;
// The body is at least so many times its size away at first.
constexpr double kNearest = 1.5;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

// A pose of the body about its centroid.
struct Place {
  Rotation R;
  Vec centre;  // in the camera frame
  double squares = kInfinite;
};

// What the camera sees of the body: points about their centroid, pixels and rays.
class Scene {
 public:
  Scene(const CameraLens& lens, std::size_t n, const double* points, const double* pixels, const double* weights);

  std::size_t count() const { return body_.size(); }
  Vec centroid() const { return centroid_; }
  std::vector<Place> views() const;
  void refine(Place& place, int steps);

 private:
  double misfit(const Place& place, Square<6>* A, Column<6>* b);

  CameraLens lens_;
  std::vector<Vec> body_, rays_;
  std::vector<double> pixels_, weights_;
  std::vector<double> turned_, placed_, seen_;
  Vec centroid_;
  double size_ = 0.0;
};

Scene::Scene(const CameraLens& lens, std::size_t n, const double* points, const double* pixels, const double* weights)
    : lens_(lens) {
  double total = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double* const p = points + 3 * i;
    const double u = pixels[2 * i], v = pixels[2 * i + 1], w = weights ? weights[i] : 1.0;
    Vec ray;
    if (!(w > 0.0) || !std::isfinite(w + p[0] + p[1] + p[2]) || !ray_of(lens, u, v, ray)) continue;
    body_.push_back({p[0], p[1], p[2]});
    rays_.push_back(ray);
    pixels_.insert(pixels_.end(), {u, v});
    weights_.push_back(w);
    centroid_ = centroid_ + w * body_.back();
    total += w;
  }
  if (body_.empty()) return;
  centroid_ = (1.0 / total) * centroid_;
  for (Vec& a : body_) {
    a = a - centroid_;
    size_ = std::max(size_, norm(a));
  }
  turned_.resize(3 * count());
  placed_.resize(3 * count());
  seen_.resize(kSeenNumbers * count());
}

// The body as seen from afar along directions that are spread over the sphere (a Fibonacci lattice), best first.
std::vector<Place> Scene::views() const {
  Vec middle;
  double total = 0.0;
  for (std::size_t i = 0; i < count(); ++i) {
    middle = middle + weights_[i] * rays_[i];
    total += weights_[i];
  }
  const double length = norm(middle);
  if (!(length > 1e-3 * total)) return {};
  const Rotation ahead = turn_to((1.0 / length) * middle);  // z to the middle of the rays
  // rays on the plane before the middle one, about their mean
  std::vector<Vec> image(count());
  Vec mean;
  for (std::size_t i = 0; i < count(); ++i) {
    const Vec ray = transposed(ahead) * rays_[i];
    image[i] = (1.0 / std::max(ray.z, 0.05)) * ray;
    mean = mean + (weights_[i] / total) * image[i];
  }
  std::vector<Place> places(kViews);
  for (int k = 0; k < kViews; ++k) {
    const double z = 1.0 - (2.0 * k + 1.0) / kViews, flat = std::sqrt(1.0 - z * z), turn = 2.399963229728653 * k;
    const Rotation view = transposed(turn_to({flat * std::cos(turn), flat * std::sin(turn), z}));
    // the turn and the scale that bring (x, y) nearest to the image: a quotient of complex numbers
    double re = 0.0, im = 0.0, own = 0.0, whole = 0.0;
    for (std::size_t i = 0; i < count(); ++i) {
      const Vec a = view * body_[i], b = image[i] - mean;
      re += weights_[i] * (a.x * b.x + a.y * b.y);
      im += weights_[i] * (a.x * b.y - a.y * b.x);
      own += weights_[i] * (a.x * a.x + a.y * a.y);
      whole += weights_[i] * (b.x * b.x + b.y * b.y);
    }
    const double shared = std::hypot(re, im);
    const double distance = std::max(shared > 0.0 ? own / shared : 0.0, kNearest * size_);
    places[k].R = ahead * rotation_about({0.0, 0.0, 1.0}, std::atan2(im, re)) * view;
    places[k].centre = ahead * (distance * Vec{mean.x, mean.y, 1.0});
    places[k].squares = own > 0.0 ? whole - shared * shared / own : whole;
  }
  std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.squares < b.squares; });
  return places;
}

// Weighted squares of pixels; infinite where a point is not before the camera. With normal equations, if asked, for a
// turn of the body about its centroid and a shift.
double Scene::misfit(const Place& place, Square<6>* A, Column<6>* b) {
  for (std::size_t i = 0; i < count(); ++i) {
    const Vec q = place.R * body_[i], p = q + place.centre;
    if (!(p.z > 1e-6 * size_)) return kInfinite;
    std::copy_n(&q.x, 3, &turned_[3 * i]);
    std::copy_n(&p.x, 3, &placed_[3 * i]);
  }
  kernels().fit_parts.look(lens_, count(), placed_.data(), seen_.data());
  double squares = 0.0;
  if (A) *A = {}, *b = {};
  for (std::size_t i = 0; i < count(); ++i)
    for (int r = 0; r < 2; ++r) {
      const double* const seen = &seen_[kSeenNumbers * i];
      const double left = pixels_[2 * i + r] - seen[r], w = weights_[i];
      squares += w * left * left;
      if (!A) continue;
      const Vec d{seen[2 + 3 * r], seen[3 + 3 * r], seen[4 + 3 * r]};
      const Vec turn = cross({turned_[3 * i], turned_[3 * i + 1], turned_[3 * i + 2]}, d);
      const double J[6] = {turn.x, turn.y, turn.z, d.x, d.y, d.z};
      for (int j = 0; j < 6; ++j) {
        (*b)[j] += w * J[j] * left;
        for (int k = 0; k <= j; ++k) (*A)[j][k] += w * J[j] * J[k];
      }
    }
  return squares;
}

void Scene::refine(Place& place, int steps) {
  Square<6> A;
  Column<6> b;
  double damping = 1e-3;
  place.squares = misfit(place, &A, &b);
  while (steps-- > 0 && place.squares < kInfinite) {
    Square<6> damped = A;
    for (int j = 0; j < 6; ++j) damped[j][j] = (1.0 + damping) * A[j][j] + 1e-300;
    Place next = place;
    bool better = false;
    if (const auto step = solve_positive<6>(damped, b, 1e-15)) {
      const auto& x = *step;
      const Vec turn{x[0], x[1], x[2]};
      const double angle = norm(turn);
      if (angle > 0.0) next.R = nearest_rotation(rotation_about((1.0 / angle) * turn, angle) * place.R);
      next.centre = place.centre + Vec{x[3], x[4], x[5]};
      next.squares = misfit(next, nullptr, nullptr);
      better = next.squares < place.squares;
    }
    damping = better ? std::max(0.2 * damping, 1e-12) : 10.0 * damping;
    if (damping > 1e12) return;
    if (!better) continue;
    const bool done = place.squares - next.squares < 1e-12 * place.squares;
    place = next;
    if (done) return;
    misfit(place, &A, &b);
  }
}

}  // namespace

bool resect(const CameraLens& lens, std::size_t n, const double* points, const double* pixels, const double* weights,
            double R[9], double t[3]) {
  Scene scene(lens, n, points, pixels, weights);
  if (scene.count() < 4) return false;
  std::vector<Place> places = scene.views();
  const auto refine_best = [&](std::size_t count, int steps) {
    places.resize(std::min(count, places.size()));
    for (Place& place : places) scene.refine(place, steps);
    std::stable_sort(places.begin(), places.end(),
                     [](const Place& a, const Place& b) { return a.squares < b.squares; });
  };
  refine_best(kTried, kFewSteps);
  refine_best(kFinalists, kManySteps);
  if (places.empty() || !(places[0].squares < kInfinite)) return false;
  store(places[0].R, R);
  const Vec shift = places[0].centre - places[0].R * scene.centroid();
  std::copy_n(&shift.x, 3, t);
  return true;
}

}  // namespace pantin
