#include "pantin/kernels/table.hpp"

#include "pantin/simd/isa.hpp"

#define PANTIN_TEXT_(x) #x
#define PANTIN_TEXT(x) PANTIN_TEXT_(x)

namespace pantin::PANTIN_ISA {

extern const KinematicsKernels kinematics_kernels;
extern const ConfigurationKernels configuration_kernels;
extern const LieKernels lie_kernels;
extern const BatchKernels batch_kernels;
extern const DynamicsKernels dynamics_kernels;
extern const BatchDynamicsKernels batch_dynamics_kernels;
extern const ReachKernels reach_kernels;
extern const WholeKernels whole_kernels;
extern const PathKernels path_kernels;
extern const QpKernels qp_kernels;
extern const FitPartKernels fit_part_kernels;
extern const FitKernels fit_kernels;
extern const StepKernels step_kernels;

Kernels table() {
  return {
      .level = PANTIN_TEXT(PANTIN_ISA),
      .lanes = kLanes,
      .kinematics = kinematics_kernels,
      .configuration = configuration_kernels,
      .lie = lie_kernels,
      .batch = batch_kernels,
      .dynamics = dynamics_kernels,
      .batch_dynamics = batch_dynamics_kernels,
      .reach = reach_kernels,
      .whole = whole_kernels,
      .path = path_kernels,
      .qp = qp_kernels,
      .fit_parts = fit_part_kernels,
      .fit = fit_kernels,
      .step = step_kernels,
  };
}

}  // namespace pantin::PANTIN_ISA
