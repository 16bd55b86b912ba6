// A look at where the lanes are: keypoints, weighted residuals, and the objective.
#pragma once

#include "pantin/solve/fit/place.hpp"
#include "pantin/solve/fit/tie.hpp"

namespace pantin::PANTIN_ISA {

// Sum of pull (q - centre)^2 over the freedoms.
template <class T>
PANTIN_INLINE T prior(const FitLanes<T>& c) {
  T sum = T(0.0);
  for (int j = 0; j < c.plan->ndofs; ++j) {
    const T away = c.q[j] - c.centre[j];
    sum += c.pull[j] * away * away;
  }
  return sum;
}

// The objective; `behind` counts seen points that a camera has behind it.
template <bool plain, class T>
inline T look(FitLanes<T>& c, T& behind) {
  const FitSources& sources = *c.sources;
  behind = T(0.0);
  if constexpr (plain) {
    const Vec3<T> root = load3(c.root);
    T cost = T(0.0);
    place(c, [&](int k, const FitFrame<T>&) PANTIN_LAMBDA {
      const Vec3<T> r = load3(c.points + 4 * k) - root - c.p[k];
      const T w = c.points[4 * k + 3], e2 = dot(r, r);
      c.f[k] = w * r;
      c.misfits[k] = e2;
      cost += w * e2;
    });
    c.costs[0] = cost;
    c.costs[1] = c.costs[2] = T(0.0);
  } else {
    for (int s = 0; s <= sources.npoints + sources.ncameras + 1; ++s) c.costs[s] = T(0.0);
    place(c, [&](int k, const FitFrame<T>& frame) PANTIN_LAMBDA {
      observe_points(c, k);
      observe_pixels(c, k, behind);
      for (int i = 0; i < sources.nturns; ++i)
        if (sources.turn_joint[i] == k) observe_turn(c, i, frame.R);
    });
    for (int i = 0; i < sources.nties; ++i) observe_tie(c, i);
  }
  const int nparts = sources.npoints + sources.ncameras + 2;
  T sum = c.costs[nparts] = prior(c);
  for (int s = 0; s < nparts; ++s) sum += c.costs[s];
  return sum;
}

}  // namespace pantin::PANTIN_ISA
