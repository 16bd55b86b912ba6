// The one table through which everything outside the kernels reaches them.
#pragma once

#include "pantin/kernels/batch.hpp"
#include "pantin/kernels/configuration.hpp"
#include "pantin/kernels/dynamics.hpp"
#include "pantin/kernels/fit_parts.hpp"
#include "pantin/kernels/fit.hpp"
#include "pantin/kernels/kinematics.hpp"
#include "pantin/kernels/lie.hpp"
#include "pantin/kernels/problem.hpp"
#include "pantin/kernels/path.hpp"
#include "pantin/kernels/qp.hpp"
#include "pantin/kernels/reach.hpp"
#include "pantin/kernels/step.hpp"

namespace pantin {

struct Kernels {
  const char* level;
  int lanes;
  KinematicsKernels kinematics;
  ConfigurationKernels configuration;
  LieKernels lie;
  BatchKernels batch;
  DynamicsKernels dynamics;
  BatchDynamicsKernels batch_dynamics;
  ReachKernels reach;
  WholeKernels whole;
  PathKernels path;
  QpKernels qp;
  FitPartKernels fit_parts;
  FitKernels fit;
  StepKernels step;
};

// The table of the level chosen at start-up.
const Kernels& kernels();

// Takes a level by name, or the processor's best for an empty one; says what is wrong, or null.
const char* choose_level(const char* name);

}  // namespace pantin
