// A recording on its way through the fit: what was observed, what was found, and how frames follow each other.
#pragma once

#include <cstdint>
#include <vector>

#include "fit_body.hpp"

namespace pantin {

// Rows of one source: `stride` numbers from frame to frame, and from joint to joint.
struct FitRows {
  const double* numbers = nullptr;
  std::ptrdiff_t frame = 0, joint = 0;
  const double* at(std::ptrdiff_t t, int k) const { return numbers + t * frame + k * joint; }
};

// A source of points or a camera, or the turns, or the ties: positions, weights (none: 1 each), and the poses of a camera.
struct FitSource {
  FitRows positions, weights, poses;
};

struct FitObserved {
  std::vector<FitSource> points, cameras;
  FitSource turns, ties;
  FitRows prescribed;                   // one number per prescribed freedom
  std::vector<int> prescribed_dofs;     // of the kernel's order
};

// What every frame gets; each array has a row per frame. Misfits and outliers have an entry per source and joint, then
// per turn, then per tie.
struct FitFound {
  double *root_pos, *root_quat, *dofs, *costs, *misfits;
  std::int8_t *status, *at_limit;
  std::int32_t *iterations, *behind;
  bool *outlier, *seen, *restarted;
};

// How the frames of a recording are fitted, in the kernel's order and units.
struct FitRules {
  std::vector<double> point_scale;      // per joint: factor on the weights of points
  std::vector<double> turn_scale, tie_scale;  // per turn, per tie
  std::vector<double> pull, hold;       // per freedom: of the prior, and inside a gap
  double weight;                        // all that may be seen at weight 1, for FitLane::weight
  double camera_weight;                 // that a pixel's weight counts for there
  double seen_from;                     // observability from which a freedom counts as seen
  double restart_factor;
  double outlier_from;                  // squared misfit from which an observation is one, in the loss's unit
  bool hold_gaps, predict, align;
  int starts;
  std::uint64_t random_seed;
};

struct FitStart {
  double root[7];
  std::vector<double> q;
};

// Frames that follow each other: from `begin` to `end`, from a given start or cold; one that `continues` is the state
// of the frame before. The first `aside` go to rows of their own, from `aside_row` on.
struct FitTrack {
  std::ptrdiff_t begin, end, aside, aside_row;
  const FitStart* start;                // or null
  bool continues;
};

}  // namespace pantin
