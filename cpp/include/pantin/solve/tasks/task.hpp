// Tasks and box limits as the kernels read them at a call: plain data, with live memory of the Python objects.
#pragma once

#include "pantin/tree/tree.hpp"

namespace pantin {

enum class TaskKind : int {
  kRows = 0,  // a user's own: Python gives the rows
  kFrame,
  kRelativeFrame,
  kCom,
  kPosture,
  kDamping,
  kJointVelocity,
  kLowAcceleration,
  kHolonomic,
  kLookAt,
  kPivot,
  kDistance,
  kMomentum,
  kRolling,
  kOmniwheel,
  kManipulability,
  kClosedLoop,
};

inline constexpr const char* kTaskKinds[] = {
    "rows",      "frame",   "relative_frame", "com",     "posture",  "damping", "joint_velocity", "low_acceleration",
    "holonomic", "look_at", "pivot",          "distance", "momentum", "rolling", "omniwheel",      "manipulability",
    "closed_loop"};
inline constexpr int kTaskKindCount = sizeof(kTaskKinds) / sizeof(kTaskKinds[0]);

// A frame that a task names, and the joints that carry it.
struct TaskFrame {
  int frame;
  const Path* path;
};

struct TaskView {
  TaskKind kind;
  int rows;
  int level;              // 0 comes first
  int first;              // of the entries of a velocity that a task on joints acts on; those before belong to the root
  TaskFrame frame, root;
  double gain, lm_damping;
  const double* cost;     // of each row, or of all of them where the stride is 0
  int cost_stride;
  int ncost;              // weights that there are, where the stride is 1
  const double* target;   // a pose (rotation by rows, translation), a point, a configuration, a displacement; or null
  int ntarget;            // numbers of it
  const double* numbers;  // constants of the kind, or null
  int nnumbers;
};

enum class LimitKind : int { kRows = 0, kConfiguration, kVelocity, kAcceleration };
inline constexpr const char* kLimitKinds[] = {"rows", "configuration", "velocity", "acceleration"};

// A limit that bounds single entries of a displacement.
struct LimitView {
  LimitKind kind;
  int count;
  const int* v;            // entries of a velocity
  const int* q;            // of a configuration; -1 for joints of more numbers than one
  const int* runs;         // entries from each one on that stand side by side in velocities and configurations
  const double* counts;    // above 0 where the limit counts even if it leaves no room
  double gain;
  const double* most;      // velocity or acceleration of each entry of a velocity
  const double* previous;  // the last displacement
  double previous_dt;      // and how long it took; 0 where that is not known
  const double *lower, *upper;  // configurations
};

struct StepView {
  const Tree* tree;
  int ntasks, nlimits;
  const TaskView* tasks;
  const LimitView* limits;
  double damping;
};

// Matrices lie by rows of `stride` doubles.
struct StepMemory {
  int n, stride;
  double *H, *c;            // the objective; of H the upper triangle counts
  double diagonal;          // still to be added to H
  double error2;            // squared weighted error of tasks that ask for a place
  double *lower, *upper;    // bounds of the displacement
  int contradictions, first_contradiction;
  double* x;                // the displacement
  double *J, *e, *vector;   // room for the rows of a task
  signed char* held;        // bounds that the last step ended at
  char* qp;
};

}  // namespace pantin
