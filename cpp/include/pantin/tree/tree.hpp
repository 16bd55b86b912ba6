// The compiled tree: plain data that every level of the core reads and nobody changes.
#pragma once

#include <cstddef>

namespace pantin {

enum class JointKind : int {
  kUniverse = 0,
  kRevolute = 1,
  kPrismatic = 2,
  kContinuous = 3,  // revolute, stored as (cos, sin)
  kSpherical = 4,
  kPlanar = 5,
  kFreeFlyer = 6,
  kHelical = 7,
};

enum class Axis : int { kX = 0, kY = 1, kZ = 2, kAny = 3 };

// What a placement's rotation is: about one axis of its parent, most often, or none.
enum class Turn : int { kX = 0, kY = 1, kZ = 2, kAny = 3, kNone = 4 };

struct Placement {
  double R[9];  // row-major
  double p[3];
  Turn turn;
};

struct Joint {
  JointKind kind;
  Axis axis_kind;
  int parent;
  int q, nq;           // first entry in a configuration and how many the kind reads there
  int v, nv;           // first entry in a velocity and how many the kind reads there
  int column;          // first of its nv screws; screws are numbered joint after joint
  bool mimic;          // reads its master's entries: angle = multiplier * master + offset
  bool master_continuous;
  double multiplier, offset;
  double pitch;        // helical: metres per radian
  double axis[3];
  Placement placement;
};

struct Frame {
  int joint;
  bool same;  // as the joint's frame
  Placement placement;
};

struct Inertia {
  double mass;
  double lever[3];     // centre of mass in the joint frame
  double about_com[6]; // xx, xy, xz, yy, yz, zz
  double first_moment[3];  // mass * lever
  double about_joint[6];   // rotational inertia about the joint's origin
};

// The joints from the root to one joint, that one included, and the columns of their velocities: for one unit
// the body turns by `turn` about the column's axis and slides by `slide` along it. Eight zeros follow each list.
struct Path {
  const int* joints;
  const int* runs;      // as the tree's, along the path
  int length;
  int width;            // columns
  bool adds;            // there are mimics, whose columns share an entry
  const int *v, *screw; // velocity entry and screw of each column
  const int* neighbours;  // columns from each one on whose entries and screws follow one another
  const double *turn, *slide;
};

// Entries that stand side by side in configurations and in velocities, and simply add.
struct Stretch {
  int q, v, count;
};

// Joints whose angles lie side by side in a configuration form a run.
inline constexpr int kLongestRun = 8;

enum class ReferenceFrame : int { kWorld = 0, kLocal = 1, kLocalWorldAligned = 2 };

// Where each quantity starts in a working set, counted in scalars: a `Data` is one set of doubles, a batch
// keeps one set of packs per thread.
struct Layout {
  std::size_t oMi, oMf, screws, J, v, a, screw_rates, dJ, moments, com, Jcom;
  std::size_t lines;  // eight a column, and eight columns to spare
  std::size_t hg, Ag, nle, g, tau, ddq;
  struct Dynamics {
    std::size_t motion, wrenches, screws, inertias, U, reciprocals;
  } dynamics;
  std::size_t total;
};

struct Tree {
  int njoints, nframes, nq, nv, ncolumns;
  bool has_mimic;
  const Joint* joints;
  const Frame* frames;
  const Inertia* inertias;
  const Stretch* stretches;   // of all joints with one number that adds
  const int* curved;          // the other joints that are no mimics
  int nstretches, ncurved;
  const double* neutral;      // the configuration at rest
  const int* runs;            // per joint: length of the run that starts there, at least 1
  const int* column_v;        // velocity entry that each screw belongs to
  const int* column_parent;   // the screw before it on the way from the root, or -1
  const int* column_run;      // first screw from which numbers lead to it without a gap
  const double* armature;     // per velocity entry
  const double* subtree_mass;  // per joint
  double total_mass;
  int origin;  // joint at whose position dynamics has its common point
  double gravity[3];
  Layout layout;
};

}  // namespace pantin
