// Entry points of the path kernel: a walk is begun in a piece of memory and advanced until it arrives or is blocked.
#pragma once

#include "pantin/solve/path_task.hpp"

namespace pantin {

struct PathKernels {
  // Memory of a walk along n waypoints, aligned to 64.
  std::size_t (*state_bytes)(const ReachProblem&, std::size_t n);
  void (*set_out)(void* state, const PathTask&);
  // Up to `waypoints` farther. A walk that is blocked may be asked to insist, which takes its time.
  PathPause (*advance)(void* state, int waypoints);
  bool (*insist)(void* state);
  // The waypoint that comes next, an answer before it, and its own answer, given from outside.
  std::size_t (*next)(const void* state);
  void (*read)(const void* state, std::size_t waypoint, double* q);
  void (*resume)(void* state, const double* q);
  // Writes the answers up to the next waypoint, and stays there for the rest of n, which may be more than it was given.
  void (*write)(void* state, std::size_t n);
  // Cuts the way from waypoint k - 1 to k into a power of 2 of equal pieces, so that the frame stays within tolerances
  // (m, rad) of the straight path: how many configurations, up to `most`, went to q; -1 where that is not enough.
  int (*refine)(void* state, std::size_t k, double position, double rotation, int most, double* q);
};

}  // namespace pantin
