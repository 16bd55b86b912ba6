// A reach question as the kernels read it: plain data, compiled once from a model, a frame and a mode.
//
// The unknowns are the joints that move the frame, and the masters of mimics among them. Their numbers stand
// packed in `x`; free flyers and planar joints are taken apart into slides and a ball or hinge, so that only
// hinges, slides, screws, continuous hinges and balls remain, and every limit belongs to one number.
#pragma once

#include "pantin/kernels/batch.hpp"
#include "pantin/tree/tree.hpp"

namespace pantin {

// What is asked of the frame. Of the twelve numbers of a target, a rotation by rows and a point, kAxis and kDirection
// look at the rotation's third column (where the tool's axis shall point), kPointing at the point only.
enum class ReachMode : int {
  kPose = 0,
  kPosition = 1,
  kOrientation = 2,
  kAxis = 3,
  kDirection = 4,
  kPointing = 5,
  kWeighted = 6,  // components of a pose
};

enum class ReachStatus : int {
  kReached = 0,
  kNotFound = 1,
  kOutOfWorkspace = 2,
  kLimits = 3,
  kDeadline = 4,
  kJointJump = 5,
  kRcmDepth = 6,
};

// The way from a joint's moving frame to the next joint's resting frame.
enum class Way : int {
  kDenavit,  // a turn about z, which the joint takes over, then d along z, a along x, a twist about x
  kGeneral,  // any transform
  kShift,    // a translation
};

// One joint of the chain; its axis is z. `joint.q` and `joint.v` are its first number in x and its first unknown.
struct ReachLink {
  Joint joint;
  bool adds;  // an earlier link moves by the same unknown
  Way way;
  enum class Twist : int { kNone, kQuarter, kHalf, kAny } twist;
  double turn, turn_sine, turn_cosine;  // Denavit and Hartenberg 1955: theta's offset ...
  double d, a, twist_sine, twist_cosine;
  Placement next;                       // ... or the transform
};

struct ReachProblem {
  ReachMode mode;
  int nlinks, nvariables, nx, nv;
  int hinges;                // number of links where each is a hinge with an angle of its own that is free; else 0
  const ReachLink* links;
  const Joint* variables;    // the independent joints
  const bool* winds;         // for each of them: a whole turn more or less changes nothing
  const int* x_of_unknown;   // for each unknown its number in x where that can be limited, else -1
  const bool* is_length;     // for each unknown: metres, not radians
  int nq;
  const int* entry;          // for each number of x its entry in the model's configuration ...
  const double* sign;        // ... and 1, or -1 where the chain passes the joint from its far side
  Placement base;            // resting frame of the first joint, seen from the root
  double tip[9];             // rotation of the tool, seen from the last joint
  double weights[6], per_tolerance[6];  // of the components of a kWeighted pose: x, y, z, then rotations about them
  bool in_tool;              // these are components along the tool's axes, not along the root's
  const bool* locked;        // for each unknown whether it stays as the seed has it; null where all move
  const double* scale;       // for each unknown how readily it moves; null where all move alike
  const double *stride, *shift;  // for each unknown: its part in the sequence of starts
};

// Whether the mode fixes the frame's point, so that a target may be too far away.
inline bool asks_position(const ReachProblem& problem) {
  if (problem.mode == ReachMode::kWeighted)
    return problem.weights[0] != 0.0 && problem.weights[1] != 0.0 && problem.weights[2] != 0.0;
  return problem.mode == ReachMode::kPose || problem.mode == ReachMode::kPosition || problem.mode == ReachMode::kAxis;
}

// What follows from the limits, which may change between solves.
struct ReachBounds {
  const double *lower, *upper;  // per number of x; infinite where there is no limit
  const double* middle;         // numbers of x halfway between limits, at rest where there are none
  double length;                // metres that weigh as much as one radian
  double span;                  // of joints without limits in starts: the chain's length
  double reach;                 // no point of the frame is farther from the base's origin
  const void* atlas;            // poses of the frame at the first starts, made by the kernels for themselves
  const double* turn;           // per number of x a whole turn where it may wrap from one limit to the other, else 0
};

struct ReachSettings {
  double position_tolerance, rotation_tolerance;
  int max_iterations, max_starts;
};

struct ReachAnswer {
  double position_error, rotation_error, seed_distance;
  int status, iterations, starts;
};

// Rows `range` of a set of targets (twelve numbers each, rotation by rows and translation).
struct ReachTask {
  const ReachProblem* problem;
  const ReachBounds* bounds;
  const ReachSettings* settings;
  Range range;
  const double* targets;
  const double* seeds;      // configurations of the model, nq each
  std::size_t seed_stride;  // 0 where all targets share one
  bool seeded;              // false where the seeds are nobody's wish: spread starts alone are tried
  double max_change;        // an answer moves no joint farther from its seed, rad or m
  const double* posture;    // a configuration that answers are drawn to within the solutions; null: the seed
  double posture_weight;    // by how much, 0 to 1
  double* q;                // answers, nq each
  ReachAnswer* answers;
};

}  // namespace pantin
