// What the lanes of a fit carry: a frame of a recording each, all of the same plan.
#pragma once

#include "pantin/solve/fit/plan.hpp"
#include "pantin/solve/fit/subtree.hpp"
#include "pantin/solve/pieces.hpp"

namespace pantin::PANTIN_ISA {

// A frame that waits for children: its axes in the world, its origin from the root frame's.
template <class T>
struct FitFrame {
  Mat3<T> R;
  Vec3<T> o;
};

// How much more than is the walks know of a tie along one direction: (d . (a + sign b))^2, with a and b the motions of
// its ends.
template <class T>
struct Coupling {
  Vec3<T> d;
  T sign;
};

template <class T>
struct FitLanes {
  const FitPlan* plan;
  const FitSources* sources;
  const FitSettings* settings;
  T *root, *q;              // where the lanes look
  T *base_root, *base;      // where they stand
  T *points, *pixels, *poses, *turns, *ties, *depths;
  T *centre, *pull, *misfits, *costs, *weight, *farthest;
  FitFrame<T>* frames;      // per slot
  Subtree<T>* sums;
  Motion<T>* motions;
  Motion<T>* screws;        // per freedom, about the root frame's origin
  Vec3<T> *p, *f;           // per joint: the keypoint, and the weighted residual
  Sym3<T> *W, *bent;        // its weight, and what a robust loss bends it by, unless the sources are plain
  Vec3<T>* torques;         // per turn
  Sym3<T>* stiffness;
  Motion<T>* U;
  Coupling<T>* coupling;    // three per tie
  Vec3<T>* pushes;          // per joint, where there are ties
  T* couple;
  T *reciprocals, *u, *gradient, *step, *held, *press;
};

template <class T>
inline void lay_out(FitLanes<T>& c, const FitPlan& plan, const FitSources& sources, const FitSettings& settings,
                    Pieces& pieces) {
  const std::size_t joints = plan.njoints, dofs = plan.ndofs, slots = plan.nslots;
  const std::size_t nsources = sources.npoints + sources.ncameras;
  c.plan = &plan;
  c.sources = &sources;
  c.settings = &settings;
  c.weight = pieces.take<T>(1);
  c.farthest = pieces.take<T>(1);
  c.root = pieces.take<T>(7);
  c.base_root = pieces.take<T>(7);
  T** const per_dof[] = {&c.q, &c.base, &c.centre, &c.pull, &c.reciprocals,
                         &c.u, &c.gradient, &c.step, &c.held, &c.press};
  for (T** numbers : per_dof) *numbers = pieces.take<T>(dofs);
  c.points = pieces.take<T>(4 * joints * sources.npoints);
  c.pixels = pieces.take<T>(3 * joints * sources.ncameras);
  c.depths = pieces.take<T>(joints * sources.ncameras);
  c.poses = pieces.take<T>(12 * sources.ncameras);
  c.turns = pieces.take<T>(10 * sources.nturns);
  c.ties = pieces.take<T>(2 * sources.nties);
  c.misfits = pieces.take<T>(nsources * joints + sources.nturns + sources.nties);
  c.costs = pieces.take<T>(nsources + 3);
  c.frames = pieces.take<FitFrame<T>>(slots);
  c.sums = pieces.take<Subtree<T>>(slots);
  c.motions = pieces.take<Motion<T>>(slots);
  c.screws = pieces.take<Motion<T>>(dofs);
  c.U = pieces.take<Motion<T>>(dofs);
  c.p = pieces.take<Vec3<T>>(joints);
  c.f = pieces.take<Vec3<T>>(joints);
  c.W = pieces.take<Sym3<T>>(sources.plain ? 0 : joints);
  c.bent = pieces.take<Sym3<T>>(sources.plain ? 0 : joints);
  c.torques = pieces.take<Vec3<T>>(sources.nturns);
  c.coupling = pieces.take<Coupling<T>>(3 * sources.nties);
  c.pushes = pieces.take<Vec3<T>>(sources.nties ? joints : 0);
  c.couple = pieces.take<T>(sources.nties ? 12 * sources.nties + dofs : 0);
  c.stiffness = pieces.take<Sym3<T>>(sources.nturns);
}

}  // namespace pantin::PANTIN_ISA
