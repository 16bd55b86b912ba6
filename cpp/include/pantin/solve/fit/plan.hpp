// What the fit kernel knows of a body plan, of what is observed, and of when to stop. Lengths are in units of the
// plan's model length.
#pragma once

#include <cstdint>

#include "pantin/solve/fit/lens.hpp"
#include "pantin/solve/fit/losses.hpp"

namespace pantin {

// A joint of the plan, in depth-first order: where its keypoint is, and the freedoms that move what hangs on it.
struct FitJoint {
  int parent;          // -1 for the root
  bool chained;        // the parent is the joint before
  bool turned;         // the rest orientation is not the identity
  int slot;            // where frames and sums wait for children that do not follow at once, or -1
  int first, ndofs;
  double offset[3], turn[9];
};

struct FitDof {
  bool slide, bounded, fixed;
  int axis;  // of the frame reached so far: 0, 1, 2, or 3 for a direction of its own
  double direction[3];
  double lower, upper;
  double curvature;  // of the objective at neutral, all seen
};

struct FitPlan {
  int njoints, ndofs, nslots;
  bool free_root;
  const FitJoint* joints;
  const FitDof* dofs;
};

// Observations of a frame lie in rows: per source of points and joint (x, y, z, w), per camera and joint (u, v, w), per
// camera its pose (R, t), per turn the rotation and w, per tie its length and w.
struct FitSources {
  int npoints, ncameras, nturns, nties;
  const bool* flat;            // per source of points: z counts for nothing
  const double* point_unit;    // squared misfits times this are squared misfits of the objective
  const double* camera_unit;
  const CameraLens* lenses;
  const int* turn_joint;
  const int* tie_joint;        // two per tie
  double tie_unit;
  Loss loss;
  double delta, near;
  bool plain;                  // one source of points in space, and no robust loss
};

struct FitSettings {
  int max_iterations = 0;
  double position_tolerance = 0.0, angle_tolerance = 0.0, cost_tolerance = 0.0, damping = 0.0;
  double per_length = 1.0;           // of the gradient by lengths, where it is looked at
  double whole_weight = 1.0;         // of all there is
  long long (*clock)() = nullptr;    // ns
  long long time_limit = 0;
};

// Why a lane ended; those before the last are statuses. The last: it has come to where another start had led.
enum class FitEnd : std::int8_t { kConverged, kIterations, kUnseen, kUnobservable, kFailed, kDeadline, kBeaten };

// One lane's rows, `stride` numbers apart.
struct FitLane {
  std::size_t stride;
  double *root, *q;                     // (x, y, z, quaternion x, y, z, w), freedoms
  double* weight;                       // of all that is seen, in units of all there is
  double* farthest;                     // turn of a step, rad: second derivatives say little beyond
  double *points, *pixels, *poses, *turns, *ties;
  double *centre, *pull;                // of the prior, per freedom
  double *misfits;                      // squared, per source and joint, then per turn, then per tie
  double *costs;                        // per source, of turns, of ties, of the prior
  double *keypoints;                    // relative to the root frame's origin, world axes
};

struct FitOutcome {
  double cost;
  int iterations, behind;
  FitEnd end;
};

// Where another start of the same frame has led: root and freedoms side by side.
struct FitRival {
  const double *root = nullptr, *q = nullptr;
};

// Gives work to the lanes: takes the outcome of a lane (null at first), and says whether it has loaded another frame.
struct FitSupply {
  void* self;
  bool (*next)(void* self, int lane, const FitOutcome* outcome, const FitLane& rows);
  // What a lane need not go to again, if there is such; only those who fit one frame at a time ask.
  FitRival (*rival)(void* self) = nullptr;
};

}  // namespace pantin
