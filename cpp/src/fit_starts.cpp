#include "fit_starts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "fit_quaternion.hpp"
#include "fit_start.hpp"
#include "pantin/kernels/table.hpp"

namespace pantin {

namespace {

constexpr double kUnlimited = std::numbers::pi;  // half the range of random values where there are no limits

struct Seen {
  std::vector<double> from, to, weights;
  int n() const { return int(weights.size()); }
};

// Keypoints of a pose in the world, and where a source of points has them.
Seen seen_points(const FitPlan& plan, const FitSources& sources, const double* keypoints, const FitStart& start,
                 const FitLane& rows, bool flat) {
  Seen seen;
  for (int s = 0; s < sources.npoints; ++s) {
    if (sources.flat[s] != flat) continue;
    for (int k = 0; k < plan.njoints; ++k) {
      const double* const row = rows.points + 4 * (s * plan.njoints + k) * rows.stride;
      if (!(row[3 * rows.stride] > 0.0)) continue;
      for (int i = 0; i < 3; ++i) {
        seen.from.push_back(keypoints[3 * k + i] + start.root[i]);
        seen.to.push_back(row[i * rows.stride]);
      }
      seen.weights.push_back(row[3 * rows.stride]);
    }
  }
  return seen;
}

// (x, y, z, w) of a rotation; the largest component is the pivot (Shepperd 1978).
void quaternion_of(const double* R, double* q) {
  const double squares[4] = {1.0 + R[0] - R[4] - R[8], 1.0 - R[0] + R[4] - R[8], 1.0 - R[0] - R[4] + R[8],
                             1.0 + R[0] + R[4] + R[8]};
  const double a = R[7] - R[5], b = R[2] - R[6], c = R[3] - R[1], d = R[3] + R[1], e = R[2] + R[6], f = R[7] + R[5];
  const double rows[4][4] = {{squares[0], d, e, a}, {d, squares[1], f, b}, {e, f, squares[2], c}, {a, b, c, squares[3]}};
  const int pivot = int(std::max_element(squares, squares + 4) - squares);
  for (int i = 0; i < 4; ++i) q[i] = rows[pivot][i] * 0.5 / std::sqrt(squares[pivot]);
}

// The start after the rigid motion x -> R x + t.
FitStart moved(const FitStart& start, const double* R, const double* t) {
  FitStart to = start;
  for (int i = 0; i < 3; ++i)
    to.root[i] = R[3 * i] * start.root[0] + R[3 * i + 1] * start.root[1] + R[3 * i + 2] * start.root[2] + t[i];
  double turn[4];
  quaternion_of(R, turn);
  multiply(turn, start.root + 3, to.root + 3);
  return to;
}

// The turn about z and the shift that bring points to where they are seen from above; their heights stay.
void align_flat(const Seen& seen, double* R, double* t) {
  double sum = 0.0, from[2] = {}, to[2] = {}, along = 0.0, across = 0.0;
  for (int k = 0; k < seen.n(); ++k) {
    sum += seen.weights[k];
    for (int i = 0; i < 2; ++i) {
      from[i] += seen.weights[k] * seen.from[3 * k + i];
      to[i] += seen.weights[k] * seen.to[3 * k + i];
    }
  }
  for (int i = 0; i < 2; ++i) from[i] /= sum, to[i] /= sum;
  for (int k = 0; k < seen.n(); ++k) {
    const double x = seen.from[3 * k] - from[0], y = seen.from[3 * k + 1] - from[1];
    const double u = seen.to[3 * k] - to[0], v = seen.to[3 * k + 1] - to[1];
    along += seen.weights[k] * (x * u + y * v);
    across += seen.weights[k] * (x * v - y * u);
  }
  const double size = std::hypot(along, across);
  const double c = size > 0.0 ? along / size : 1.0, s = size > 0.0 ? across / size : 0.0;
  const double turn[9] = {c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0};
  std::copy_n(turn, 9, R);
  t[0] = to[0] - c * from[0] + s * from[1];
  t[1] = to[1] - s * from[0] - c * from[1];
  t[2] = 0.0;
}

// Where a start's root is after a rigid motion of the world, told for the root frame: x -> R x + t.
struct Placed {
  bool known = false;
  double R[9], t[3];
};

// What cameras show of a pose: its keypoints where two of them see the same ones, else where the one that sees most has
// them (the pose is then moved as a rigid body).
Placed placed_by_cameras(const FitPlan& plan, const FitSources& sources, const double* points, const FitLane& rows) {
  const int K = plan.njoints, C = sources.ncameras;
  const std::size_t stride = rows.stride;
  std::vector<CameraPlace> places(C);
  std::vector<double> pixels(2 * K * C), weights(K * C), found(3 * K), seen(C);
  for (int c = 0; c < C; ++c) {
    places[c].lens = sources.lenses[c];
    for (int i = 0; i < 9; ++i) places[c].R[i] = rows.poses[(12 * c + i) * stride];
    for (int i = 0; i < 3; ++i) places[c].t[i] = rows.poses[(12 * c + 9 + i) * stride];
    for (int k = 0; k < K; ++k) {
      const double* const row = rows.pixels + 3 * (c * K + k) * stride;
      pixels[2 * (c * K + k)] = row[0];
      pixels[2 * (c * K + k) + 1] = row[stride];
      weights[c * K + k] = row[2 * stride];
      seen[c] += row[2 * stride] > 0.0;
    }
  }
  Placed placed;
  if (C > 1 && triangulate(C, places.data(), K, pixels.data(), weights.data(), found.data()) >= 3) {
    placed.known = rigid_alignment(K, points, found.data(), nullptr, placed.R, placed.t) >= Alignment::kLine;
  }
  if (!placed.known) {
    const int c = int(std::max_element(seen.begin(), seen.end()) - seen.begin());
    double R[9], t[3];
    if (!resect(sources.lenses[c], K, points, &pixels[2 * K * c], &weights[K * c], R, t)) return placed;
    // in the camera R x + t, so in the world Rc' (R x + t - tc)
    const CameraPlace& place = places[c];
    for (int i = 0; i < 3; ++i) {
      placed.t[i] = 0.0;
      for (int k = 0; k < 3; ++k) {
        placed.t[i] += place.R[3 * k + i] * (t[k] - place.t[k]);
        placed.R[3 * i + k] = 0.0;
        for (int l = 0; l < 3; ++l) placed.R[3 * i + k] += place.R[3 * l + i] * R[3 * l + k];
      }
    }
    placed.known = true;
  }
  return placed;
}

// The given start moved to what the rows show; false where there is nothing to go by.
bool align(FitProbe& probe, const FitPlan& plan, const FitSources& sources, const FitStart& given, const FitLane& rows,
           FitStart& aligned) {
  const double* const keypoints = probe.keypoints(given);
  Placed placed;
  if (const Seen seen = seen_points(plan, sources, keypoints, given, rows, false); seen.n()) {
    placed.known = rigid_alignment(seen.n(), seen.from.data(), seen.to.data(), seen.weights.data(), placed.R,
                                   placed.t) != Alignment::kNothing;
  } else if (const Seen flat = seen_points(plan, sources, keypoints, given, rows, true); flat.n()) {
    align_flat(flat, placed.R, placed.t);
    placed.known = true;
  } else if (sources.ncameras) {
    std::vector<double> points(keypoints, keypoints + 3 * plan.njoints);
    for (int i = 0; i < 3 * plan.njoints; ++i) points[i] += given.root[i % 3];
    placed = placed_by_cameras(plan, sources, points.data(), rows);
  }
  if (placed.known) aligned = moved(given, placed.R, placed.t);
  return placed.known;
}

FitStart random_pose(const FitPlan& plan, const FitStart& around, std::mt19937_64& random) {
  FitStart start = around;
  const auto uniform = [&] { return double(random() >> 11) * 0x1p-53; };
  for (int j = 0; j < plan.ndofs; ++j) {
    const FitDof& dof = plan.dofs[j];
    if (dof.fixed) continue;
    const double reach = dof.slide ? 1.0 : kUnlimited;
    const double top = std::isfinite(dof.upper) ? dof.upper : around.q[j] + reach;
    const double low = std::isfinite(dof.lower) ? dof.lower : top - 2.0 * reach;
    const double high = std::isfinite(dof.upper) ? dof.upper : low + 2.0 * reach;
    start.q[j] = low + uniform() * (high - low);
  }
  return start;
}

}  // namespace

FitProbe::FitProbe(const FitPlan& plan, const FitSources& sources, const FitSettings& settings)
    : plan_(plan), kernels_(kernels().fit), memory_(aligned_scratch(kernels_.bytes(plan, sources, false))) {
  kernels_.prepare(memory_.get(), plan, sources, settings, false);
  rows_ = kernels_.rows(memory_.get());
}

void FitProbe::set(const FitStart& start) {
  *rows_.farthest = kColdTurn;
  std::copy_n(start.root, 7, rows_.root);
  std::copy(start.q.begin(), start.q.end(), rows_.q);
}

FitStart FitProbe::state() const {
  FitStart state;
  std::copy_n(rows_.root, 7, state.root);
  state.q.assign(rows_.q, rows_.q + plan_.ndofs);
  return state;
}

const double* FitProbe::keypoints(const FitStart& start) {
  set(start);
  kernels_.place(memory_.get());
  return rows_.keypoints;
}

std::vector<FitStart> cold_starts(FitProbe& probe, const FitBody& body, const FitSources& sources,
                                  const FitRules& rules, const FitStart& given, const FitLane& rows) {
  const FitPlan& plan = body.view();
  std::vector<FitStart> starts{given};
  FitStart aligned = given;
  const bool can_align = rules.align && plan.free_root && align(probe, plan, sources, given, rows, aligned);
  if (can_align) starts.insert(starts.begin(), aligned);
  std::mt19937_64 random(rules.random_seed);
  for (int i = 0; i < rules.starts; ++i) {
    FitStart pose = random_pose(plan, given, random);
    FitStart placed = pose;
    starts.push_back(can_align && align(probe, plan, sources, pose, rows, placed) ? placed : pose);
  }
  return starts;
}

}  // namespace pantin
