// Entry points of the kinematics kernels for one problem in plain double.
#pragma once

#include "pantin/tree/tree.hpp"

namespace pantin {

struct KinematicsKernels {
  void (*forward)(const Tree&, const double* q, double* data);
  void (*place_frames)(const Tree&, double* data);
  void (*joint_screws)(const Tree&, double* data);
  void (*frame_jacobian)(const Tree&, const Path&, const double* data, const double* pose, ReferenceFrame, double* J);
  void (*compute_frame_jacobian)(const Tree&, const Path&, const double* q, int frame, ReferenceFrame, double* data,
                                 double* J);
  void (*center_of_mass)(const Tree&, double* data);
  void (*jacobian_center_of_mass)(const Tree&, double* data);
  void (*velocities)(const Tree&, const double* v, double* data);
  void (*accelerations)(const Tree&, const double* v, const double* a, double* data);
  void (*screw_rates)(const Tree&, double* data);
  void (*frame_jacobian_rate)(const Tree&, const double* data, int joint, const double* pose, ReferenceFrame,
                              double* dJ);
  void (*seen_from)(const double* pose, const double* motion, ReferenceFrame, double* out);
};

}  // namespace pantin
