// Several residuals on one tree as the kernels read them: plain data, compiled once from a model and its questions.
//
// Only the joints that move what a residual looks at are here. They are taken apart into hinges, slides, screws,
// continuous hinges and balls, as in a chain (problem.hpp), so that every limit belongs to one number of `x`. Numbers of
// locked joints stand behind those of the unknowns' joints and never change.
#pragma once

#include "pantin/solve/problem.hpp"

namespace pantin {

enum class WholeAim : int {
  kPose = 0,
  kPosition = 1,
  kOrientation = 2,
  kAxis = 3,       // position, and direction of the frame's z
  kDirection = 4,  // direction of the frame's z
  kLookAt = 5,     // the frame's z aims at a point
  kPivot = 6,      // the line along the frame's z passes through a point
  kCentreOfMass = 7,
};

inline constexpr int kMostRows = 6;
inline constexpr int kPanel = 4;  // columns that the factor takes at once

struct WholeLink {
  Joint joint;       // `parent` is the link before it, -1 for the world; `q` its first number in x
  int line;          // first of its lines
  double mass, lever[3];  // of the body it carries
  double carried;         // mass of all bodies that it moves
};

struct WholeResidual {
  WholeAim aim;
  int link, root;         // what carries the frame, and the frame it is seen from; -1 for the world
  Placement frame, base;  // of the two, seen from their links; the frame turned so that its tool axis is z
  int first, rows;        // among the errors of all
  bool even;              // every component of a pose, position or orientation counts, and alike
  int component[kMostRows];
  double weight[kMostRows];  // of each row
  double position2, rotation2;  // squared tolerances
};

// What one line does to one residual: for a unit of its unknown the frame turns about the line by `turn` and slides
// along it by `slide`, in lengths of the problem. The sign is that of the frame's motion against the root's.
struct WholeColumn {
  int residual, link, line;
  double turn, slide;
  int at;     // of its rows in the Jacobian
  bool adds;  // an earlier column moves the residual by the same unknown
};

// Rows of one residual that depend on one unknown; the Jacobian's other entries are zero.
struct WholeBlock {
  int unknown, first, rows, at;
};

// Part of the normal matrix: entries from (row, column) on, made of pairs of places in the Jacobian. In task space the
// two are blocks of two residuals and the pairs run over the unknowns that they share; in joint space they are numbers
// of two unknowns and the pairs run over the rows.
struct WholeTerm {
  int a, b;
};
struct WholeProduct {
  int row, rows, column, columns;
  const WholeTerm* terms;
  int count;
};

struct WholeProblem {
  ReachProblem unknowns;  // variables alone, no links
  int nlinks, nlines, nresiduals, rows, ncolumns, nblocks, jacobian;  // jacobian: numbers in its blocks
  int nx;                 // numbers of x with those of locked joints
  const WholeLink* links;
  const WholeResidual* residuals;
  const WholeColumn* columns;  // residual after residual
  const WholeBlock* blocks;    // unknown after unknown
  const int* blocks_of;        // first block of each unknown, and one more
  bool in_task_space;          // the normal matrix has a row for each error, else one for each unknown
  int padded, nproducts;       // its size, up to a whole number of panels
  const WholeProduct* products;
  const int* entry;            // for each number of x its entry in the model's configuration
  bool weighs;                 // the centre of mass is asked for
  double per_mass;             // one over the mass of all
  double length;               // metres that weigh as much as a radian
  double span;                 // of slides without limits in starts: the longest way through the tree
};

struct WholeAnswer {
  double seed_distance;
  int status, iterations, starts;
};

// Questions `range`. A residual's targets, twelve numbers each (rotation by rows and translation; directions are the
// rotation's z), are the same for all questions where their stride is 0.
struct WholeTask {
  const WholeProblem* problem;
  const ReachBounds* bounds;
  const ReachSettings* settings;
  Range range;
  const double* const* targets;
  const std::size_t* target_strides;
  const double* seeds;  // configurations of the model, nq each
  std::size_t seed_stride;
  const double* posture;          // configuration to be near to where the targets leave freedom, or null
  const double* posture_weights;  // of each unknown
  double* q;                      // answers, nq each
  WholeAnswer* answers;
  double* errors;                 // metres and radians of each residual
  bool (*stop)(void*, std::size_t);  // asked now and then; true ends this row with what is there
  void* stopper;
};

}  // namespace pantin
