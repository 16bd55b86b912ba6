// A path question as the kernels read it: plain data.
#pragma once

#include "pantin/solve/problem.hpp"

namespace pantin {

struct PathTask {
  const ReachProblem* problem;
  const ReachBounds* bounds;
  const ReachSettings* settings;
  std::size_t n;
  const double* targets;  // (n, 12), as in ReachTask
  // Both for each unknown, in radians, and metres over the length that weighs as much as a radian:
  const double* most;     // farthest that it may go from one waypoint to the next
  const double* speed;    // and how fast, if there are `times`, (n), s
  const double* times;    // or null
  double* q;              // (n, nq); the first row is given, the others are answers
  double *position_error, *rotation_error;  // (n), m and rad
};

// Why a walk has paused before a waypoint.
enum class PathPause : int { kSlice, kArrived, kBlocked };

}  // namespace pantin
