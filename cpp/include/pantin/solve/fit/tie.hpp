// What distances between keypoints say of their ends.
//
// A tie couples two branches of the tree, and the walks take each end for itself. So each end gets twice the tie's own
// curvature where that is positive, which bounds what the two do together: (a - b)^2 <= 2 a^2 + 2 b^2. What that is too
// much is left to `couple`.
#pragma once

#include "pantin/solve/fit/observe.hpp"

namespace pantin::PANTIN_ISA {

inline constexpr double kCoincident = 1e-12;  // lengths below which ends have no direction from each other

// The curvature k of a tie along the unit direction n.
template <class T>
PANTIN_INLINE void tie_along(FitLanes<T>& c, int direction, int a, int b, const T& k, const Vec3<T>& n) {
  const Sym3<T> block = outer(T(2.0) * max(k, T(0.0)), n);
  c.W[a] = c.W[a] + block;
  c.W[b] = c.W[b] + block;
  c.coupling[direction] = {sqrt(abs(k)) * n, select(k > T(0.0), T(1.0), T(-1.0))};
}

// Tie i between keypoints p and q, n the direction from q to p: pulls w r n and -w r n for the misfit r = given - |p - q|,
// of curvature w along n, and -w r/|p - q| across it. Ends that coincide leave each other along x.
template <class T>
PANTIN_INLINE void observe_tie(FitLanes<T>& c, int i) {
  const FitSources& sources = *c.sources;
  const int a = sources.tie_joint[2 * i], b = sources.tie_joint[2 * i + 1];
  const int nsources = sources.npoints + sources.ncameras;
  const T one = T(1.0), zero = T(0.0);
  const Vec3<T> between = c.p[a] - c.p[b];
  const T length = sqrt(dot(between, between));
  const auto apart = length > T(kCoincident);
  const T over = one / select(apart, length, one);
  const Vec3<T> n{select(apart, over * between.x, one), select(apart, over * between.y, zero),
                  select(apart, over * between.z, zero)};
  const T r = c.ties[2 * i] - length, m = r * r;
  const Weighed<T> weighed = weigh(sources, c.ties[2 * i + 1], m, sources.tie_unit);
  c.misfits[nsources * c.plan->njoints + sources.nturns + i] = m;
  c.costs[nsources + 1] += weighed.cost;
  const Vec3<T> pull = (weighed.slope * r) * n;
  c.f[a] = c.f[a] + pull;
  c.f[b] = c.f[b] - pull;
  // two directions across n, from the axis that is farther from it than another
  const auto steep = abs(n.x) > T(0.7);
  const Vec3<T> aside = cross(n, Vec3<T>{select(steep, zero, one), select(steep, one, zero), zero});
  const Vec3<T> s = (one / sqrt(dot(aside, aside))) * aside;
  const T across = select(apart, -weighed.slope * r * over, zero);
  tie_along(c, 3 * i, a, b, weighed.slope + weighed.along * m, n);
  tie_along(c, 3 * i + 1, a, b, across, s);
  tie_along(c, 3 * i + 2, a, b, across, cross(n, s));
}

}  // namespace pantin::PANTIN_ISA
