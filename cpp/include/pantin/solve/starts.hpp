// Where a solve starts from: the seed, then points spread evenly over the limits, those first whose frame comes
// nearest to the target.
#pragma once

#include <type_traits>

#include "pantin/solve/bounds.hpp"
#include "pantin/solve/chain.hpp"
#include "pantin/solve/residual.hpp"

namespace pantin::PANTIN_ISA {

inline constexpr double kPi = 3.14159265358979323846;

// Poses of the frame at the first spread starts are known beforehand, as many at once as a pack has lanes.
inline constexpr int kAtlas = 128;
inline constexpr int kAtlasPacks = kAtlas / kReachLanes;
using Atlas = SE3<P>[kAtlasPacks];
inline constexpr int kRanked = 8;  // of which a target tries so many, the nearest first
inline constexpr double kInner = 0.7;  // part of the limits' range that these starts keep to

// Coordinate in [0, 1) of point `index` of an additive recurrence (Roberts 2018), shifted at random.
PANTIN_INLINE double spread(const ReachProblem& problem, int unknown, int index) {
  const double t = problem.shift[unknown] + index * problem.stride[unknown];
  return t - double(long(t));
}

// Numbers of spread start `index`: the middle, then points of the sequence, those of the atlas in the inner part of
// the limits, from where more starts reach. A hinge without limits stays within half a turn of rest, a slide within the
// chain's length.
inline void spread_start(const ReachProblem& problem, const ReachBounds& bounds, int index, double* x) {
  for (int k = 0; k < problem.nx; ++k) x[k] = bounds.middle[k];
  if (index == 0) return;
  for (int i = 0; i < problem.nvariables; ++i) {
    const Joint& joint = problem.variables[i];
    const int k = joint.q;
    const double t = spread(problem, joint.v, index);
    if (joint.nq == 1) {
      const double half = joint.kind == JointKind::kPrismatic ? bounds.span : kPi;
      const bool above = bounds.lower[k] > -1e300, below = bounds.upper[k] < 1e300;
      const double low = above ? bounds.lower[k] : below ? bounds.upper[k] - 2.0 * half : -half;
      const double high = below ? bounds.upper[k] : low + 2.0 * half;
      const double inner = index < kAtlas ? 0.5 + kInner * (t - 0.5) : t;
      x[k] = clamp(low + inner * (high - low), low, high);
    } else if (joint.kind == JointKind::kContinuous) {
      const SinCos<double> turn = sincos(2.0 * kPi * t);
      x[k] = turn.c;
      x[k + 1] = turn.s;
    } else {
      // uniform rotation (Shoemake 1992)
      const double u = spread(problem, joint.v + 1, index), w = spread(problem, joint.v + 2, index);
      const SinCos<double> a = sincos(2.0 * kPi * u), b = sincos(2.0 * kPi * w);
      const double r = sqrt(1.0 - t), s = sqrt(t);
      x[k] = r * a.s;
      x[k + 1] = r * a.c;
      x[k + 2] = s * b.s;
      x[k + 3] = s * b.c;
    }
  }
}

inline void make_atlas(const ReachProblem& problem, const ReachBounds& bounds, void* memory, void* scratch) {
  P* const x = static_cast<P*>(scratch);
  auto* const lines = reinterpret_cast<Line<P>*>(x + problem.nx);
  double* const numbers = reinterpret_cast<double*>(lines + 3 * problem.nlinks);
  for (int i = 0; i < kAtlasPacks; ++i) {
    for (int l = 0; l < kReachLanes; ++l) {
      spread_start(problem, bounds, kReachLanes * i + l, numbers);
      for (int k = 0; k < problem.nx; ++k) set_lane(x[k], l, numbers[k]);
    }
    (*static_cast<Atlas*>(memory))[i] = place_chain(problem, x, lines);
  }
}

// The best of a rating's entries, lane by lane.
struct Best {
  P rating = P(__builtin_inf()), at = P(0.0);

  PANTIN_INLINE void meet(P candidate, int pack) {
    const auto better = candidate < rating;
    rating = select(better, candidate, rating);
    at = select(better, P(double(pack)), at);
  }
  // Index of the best of all, which is crossed out.
  int take(P* ratings) const {
    int index = 0;
    double lowest = __builtin_inf();
    for (int l = 0; l < kReachLanes; ++l) {
      if (!(lane(rating, l) < lowest)) continue;
      lowest = lane(rating, l);
      index = kReachLanes * int(lane(at, l)) + l;
    }
    set_lane(ratings[index / kReachLanes], index % kReachLanes, __builtin_inf());
    return index;
  }
};

// Index of the best pose left in a rating.
inline int take_best(P* ratings) {
  Best best;
  for (int i = 0; i < kAtlasPacks; ++i) best.meet(ratings[i], i);
  return best.take(ratings);
}

// Rates each pose of the atlas by how far it is from a target, and takes the best: the mode's squared error, for poses
// in cheaper terms, twice the squared distance over length plus 2 - 2 cos(angle).
template <template <class> class Residual>
inline int rate_atlas(const ReachProblem& problem, const ReachBounds& bounds, const double* target, P* ratings) {
  const Atlas& atlas = *static_cast<const Atlas*>(bounds.atlas);
  const SE3<P> goal = broadcast_pose<P>(target);
  const double per_length = 1.0 / bounds.length;
  Best best;
  for (int i = 0; i < kAtlasPacks; ++i) {
    P far = P(0.0);
    if constexpr (std::is_same_v<Residual<P>, PoseResidual<P>>) {
      const Vec3<P> d = P(per_length) * (goal.p - atlas[i].p);
      far = P(2.0) * dot(d, d) + P(3.0);
      for (int k = 0; k < 9; ++k) far = far - goal.R.m[k / 3][k % 3] * atlas[i].R.m[k / 3][k % 3];
    } else {
      P e[Residual<P>::rows];
      Residual<P>().look(problem, goal, atlas[i], per_length, e);
      for (const P& error : e) far = far + error * error;
    }
    ratings[i] = far;
    best.meet(far, i);
  }
  return best.take(ratings);
}

// Leaves a stationary point: every unknown moves a few hundredths, some forth and some back, within limits.
PANTIN_INLINE void nudge(const ReachProblem& problem, const ReachBounds& bounds, const double* from, double* x) {
  for (int i = 0; i < problem.nvariables; ++i) {
    const Joint& joint = problem.variables[i];
    double u[3];
    for (int k = 0; k < joint.nv; ++k) {
      const double t = spread(problem, joint.v + k, 1);
      const double size = problem.is_length[joint.v + k] ? bounds.length : 1.0;
      u[k] = size * (t < 0.5 ? -0.05 - 0.1 * t : 0.1 * t);
    }
    integrate_joint(joint, from + joint.q, u, x + joint.q);
    if (joint.nq == 1) x[joint.q] = clamp(x[joint.q], bounds.lower[joint.q], bounds.upper[joint.q]);
  }
}

}  // namespace pantin::PANTIN_ISA
