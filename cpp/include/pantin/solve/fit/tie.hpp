// What distances between keypoints say of their ends.
//
// A tie couples two branches of the tree, and the walks take each end for itself. So each end gets twice the tie's own
// curvature, which bounds what the two do together: |a - b|^2 <= 2 |a|^2 + 2 |b|^2. The gradient is exact, the model of
// the objective lies above it, and steps go down, at a linear rate where ties prevail.
#pragma once

#include "pantin/solve/fit/observe.hpp"

namespace pantin::PANTIN_ISA {

inline constexpr double kCoincident = 1e-12;  // lengths below which ends have no direction from each other

// Tie i between keypoints p and q, n the direction from q to p: pulls w r n and -w r n for the misfit r = given - |p - q|,
// of curvature w along n, and -w r/|p - q| across it, which counts where it is positive. Ends that coincide leave each
// other along x.
template <class T>
PANTIN_INLINE void observe_tie(FitLanes<T>& c, int i) {
  const FitSources& sources = *c.sources;
  const int a = sources.tie_joint[2 * i], b = sources.tie_joint[2 * i + 1];
  const int nsources = sources.npoints + sources.ncameras;
  const Vec3<T> between = c.p[a] - c.p[b];
  const T length = sqrt(dot(between, between));
  const auto apart = length > T(kCoincident);
  const T over = T(1.0) / select(apart, length, T(1.0));
  const Vec3<T> n{select(apart, over * between.x, T(1.0)), select(apart, over * between.y, T(0.0)),
                  select(apart, over * between.z, T(0.0))};
  const T r = c.ties[2 * i] - length;
  const Weighed<T> weighed = weigh(sources, c.ties[2 * i + 1], r * r, sources.tie_unit);
  c.misfits[nsources * c.plan->njoints + sources.nturns + i] = r * r;
  c.costs[nsources + 1] += weighed.cost;
  const Vec3<T> pull = (weighed.slope * r) * n;
  c.f[a] = c.f[a] + pull;
  c.f[b] = c.f[b] - pull;
  const T across = T(2.0) * weighed.slope * select(apart, max(-r * over, T(0.0)), T(0.0));
  const T along = T(2.0) * weighed.slope - across;
  const Sym3<T> all{across, T(0.0), T(0.0), across, T(0.0), across};
  const Sym3<T> block = all + outer(along, n);
  c.W[a] = c.W[a] + block;
  c.W[b] = c.W[b] + block;
}

}  // namespace pantin::PANTIN_ISA
