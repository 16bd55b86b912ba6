// Where the keypoints are, and along which screws the freedoms move what hangs on them.
#pragma once

#include "pantin/solve/fit/lanes.hpp"

namespace pantin::PANTIN_ISA {

// R turned about its own axis k by the angle of that sine and cosine.
template <int k, class T>
PANTIN_INLINE void turn_axes(Mat3<T>& R, const SinCos<T>& angle) {
  constexpr int i = (k + 1) % 3, j = (k + 2) % 3;
  for (auto& row : R.m) {
    const T a = row[i], b = row[j];
    row[i] = angle.c * a + angle.s * b;
    row[j] = angle.c * b - angle.s * a;
  }
}

template <class T>
PANTIN_INLINE void turn_about(Mat3<T>& R, const FitDof& dof, T q) {
  const SinCos<T> angle = sincos(q);
  switch (dof.axis) {
    case 0: return turn_axes<0>(R, angle);
    case 1: return turn_axes<1>(R, angle);
    case 2: return turn_axes<2>(R, angle);
    default: {
      // Rodrigues' formula
      const Vec3<T> a = broadcast<T>(dof.direction);
      const T s = angle.s, d = T(1.0) - angle.c;
      const T xy = d * a.x * a.y, xz = d * a.x * a.z, yz = d * a.y * a.z;
      R = R * Mat3<T>{{{angle.c + d * a.x * a.x, xy - s * a.z, xz + s * a.y},
                       {xy + s * a.z, angle.c + d * a.y * a.y, yz - s * a.x},
                       {xz - s * a.y, yz + s * a.x, angle.c + d * a.z * a.z}}};
    }
  }
}

// Fills p, screws and frames from root and q. `visit(k, frame)` sees the frame on which the children of joint k hang.
template <class T, class Visit>
PANTIN_INLINE void place(FitLanes<T>& c, Visit&& visit) {
  const FitPlan& plan = *c.plan;
  const FitFrame<T> root{rotation(load_quat(c.root + 3)), zero3<T>()};
  FitFrame<T> frame = root;
  for (int k = 0; k < plan.njoints; ++k) {
    const FitJoint& joint = plan.joints[k];
    if (!joint.chained) frame = joint.parent < 0 ? root : c.frames[plan.joints[joint.parent].slot];
    frame.o = frame.o + frame.R * broadcast<T>(joint.offset);
    c.p[k] = frame.o;
    if (joint.turned) {
      Mat3<T> turn;
      for (int i = 0; i < 9; ++i) turn.m[i / 3][i % 3] = T(joint.turn[i]);
      frame.R = frame.R * turn;
    }
    for (int j = joint.first; j < joint.first + joint.ndofs; ++j) {
      const FitDof& dof = plan.dofs[j];
      const Vec3<T> axis = dof.axis < 3 ? frame.R.column(dof.axis) : frame.R * broadcast<T>(dof.direction);
      if (dof.slide) {
        c.screws[j] = {axis, zero3<T>()};
        frame.o = frame.o + c.q[j] * axis;
      } else {
        c.screws[j] = {cross(frame.o, axis), axis};
        turn_about(frame.R, dof, c.q[j]);
      }
    }
    if (joint.slot >= 0) c.frames[joint.slot] = frame;
    visit(k, frame);
  }
}

}  // namespace pantin::PANTIN_ISA
