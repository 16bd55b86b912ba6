#include "pantin/kernels/kinematics.hpp"

#include "pantin/kin/com.hpp"
#include "pantin/kin/frame_jacobian.hpp"
#include "pantin/kin/motion.hpp"

namespace pantin::PANTIN_ISA {

namespace {

const SE3<double>& pose_at(const double* pose) { return *reinterpret_cast<const SE3<double>*>(pose); }

void jacobian_at(const Tree& tree, const Path& path, const double* data, const double* pose, ReferenceFrame reference,
                 double* J) {
  const auto* const S = reinterpret_cast<const Motion<double>*>(data + tree.layout.screws);
  gather_jacobian(tree, path, S, pose_at(pose), reference, J);
}

void compute_frame_jacobian(const Tree& tree, const Path& path, const double* q, int frame, ReferenceFrame reference,
                            double* data, double* J) {
  frame_jacobian(tree, path, q, tree.frames[frame], reference, data, oMf(tree, data)[frame], J);
}

void center(const Tree& tree, double* data) {
  auto* const moments = reinterpret_cast<Vec3<double>*>(data + tree.layout.moments);
  store3(data + tree.layout.com, center_of_mass(tree, oMi(tree, data), moments));
}

void jacobian_center(const Tree& tree, double* data) {
  center(tree, data);
  const auto* const moments = reinterpret_cast<const Vec3<double>*>(data + tree.layout.moments);
  jacobian_center_of_mass(tree, screws(tree, data), moments, data + tree.layout.Jcom);
}

void frame_jacobian_rate(const Tree& tree, const double* data, int joint, const double* pose,
                         ReferenceFrame reference, double* dJ) {
  jacobian_rate(tree, data, joint, pose_at(pose), reference, dJ);
}

void motion_seen_from(const double* pose, const double* motion, ReferenceFrame reference, double* out) {
  const auto seen = seen_from(reference, pose_at(pose), *reinterpret_cast<const Motion<double>*>(motion));
  store3(out, seen.v);
  store3(out + 3, seen.w);
}

}  // namespace

extern const KinematicsKernels kinematics_kernels;
const KinematicsKernels kinematics_kernels = {
    .forward = forward<double>,
    .place_frames = place_frames<double>,
    .joint_screws = joint_screws<double>,
    .frame_jacobian = jacobian_at,
    .compute_frame_jacobian = compute_frame_jacobian,
    .center_of_mass = center,
    .jacobian_center_of_mass = jacobian_center,
    .velocities = joint_velocities<double>,
    .accelerations = joint_accelerations<double>,
    .screw_rates = screw_rates<double>,
    .frame_jacobian_rate = frame_jacobian_rate,
    .seen_from = motion_seen_from,
};

}  // namespace pantin::PANTIN_ISA
