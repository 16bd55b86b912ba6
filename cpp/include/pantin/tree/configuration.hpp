// The configuration manifold, joint by joint: neutral, integrate, difference and its derivatives.
//
// Tangents are those of the moving frame: a free flyer integrates M exp6(nu), a ball joint q exp(w), a planar
// joint its pose in the plane by the exponential of SE(2).
#pragma once

#include "pantin/tree/joint.hpp"

namespace pantin::PANTIN_ISA {

template <class T>
PANTIN_INLINE void integrate_angle(const T* q, T angle, T* out) {
  const SinCos<T> k = sincos(angle);
  const T c = q[0] * k.c - q[1] * k.s, s = q[1] * k.c + q[0] * k.s;
  const T scale = T(1.0) / sqrt(c * c + s * s);
  out[0] = scale * c;
  out[1] = scale * s;
}

// Angle from (c0, s0) to (c1, s1) in (-pi, pi].
template <class T>
PANTIN_INLINE T angle_between(const T* q0, const T* q1) {
  return atan2(q0[0] * q1[1] - q0[1] * q1[0], q0[0] * q1[0] + q0[1] * q1[1]);
}

// q times a step, of the two quaternions of that rotation the one nearer to q: paths do not jump at turns beyond pi.
template <class T>
PANTIN_INLINE Quat<T> integrate_turn(const Quat<T>& q, const Quat<T>& step) {
  const Quat<T> turned = normalized(q * step);
  const auto far = step.w < T(0.0);
  return {select(far, -turned.v, turned.v), select(far, -turned.w, turned.w)};
}

template <class T>
inline void integrate_joint(const Joint& joint, const T* q, const T* v, T* out) {
  switch (joint.kind) {
    case JointKind::kContinuous:
      integrate_angle(q, v[0], out);
      break;
    case JointKind::kSpherical: {
      const Vec3<T> w = load3(v);
      store_quat(out, integrate_turn(load_quat(q), exp_quat(w, exp_coefficients(dot(w, w)))));
      break;
    }
    case JointKind::kPlanar: {
      const SE3<T> step = exp6<T>({{v[0], v[1], T(0.0)}, {T(0.0), T(0.0), v[2]}});
      out[0] = q[0] + q[2] * step.p.x - q[3] * step.p.y;
      out[1] = q[1] + q[3] * step.p.x + q[2] * step.p.y;
      integrate_angle(q + 2, v[2], out + 2);
      break;
    }
    case JointKind::kFreeFlyer: {
      const Quat<T> turn = load_quat(q + 3);
      const Vec3<T> w = load3(v + 3);
      const ExpCoefficients<T> k = exp_coefficients(dot(w, w));
      const Vec3<T> step = skew_polynomial(w, k.first, k.second) * load3(v);
      store3(out, load3(q) + rotation(turn) * step);
      store_quat(out + 3, integrate_turn(turn, exp_quat(w, k)));
      break;
    }
    case JointKind::kRevolute:
    case JointKind::kPrismatic:
    case JointKind::kHelical:
      out[0] = q[0] + v[0];
      break;
    case JointKind::kUniverse:
      break;
  }
}

// Pose of q1 seen from q0: the relative turn and, for a free flyer, the relative position.
template <class T>
PANTIN_INLINE Log6<T> free_flyer_log(const T* q0, const T* q1) {
  const Quat<T> turn = load_quat(q0 + 3);
  const Quat<T> relative = normalized(conjugate(turn) * load_quat(q1 + 3));
  return log6(relative, transposed_times(rotation(turn), load3(q1) - load3(q0)));
}

template <class T>
PANTIN_INLINE Log3<T> spherical_log(const T* q0, const T* q1) {
  return log_quat(normalized(conjugate(load_quat(q0)) * load_quat(q1)));
}

template <class T>
PANTIN_INLINE Log6<T> planar_log(const T* q0, const T* q1) {
  const T angle = angle_between(q0 + 2, q1 + 2);
  const SinCos<T> half = sincos(T(0.5) * angle);
  const T scale = T(1.0) / sqrt(q0[2] * q0[2] + q0[3] * q0[3]);
  const T c = scale * q0[2], s = scale * q0[3], x = q1[0] - q0[0], y = q1[1] - q0[1];
  const T zero = T(0.0);
  return log6<T>({{zero, zero, half.s}, half.c}, {c * x + s * y, c * y - s * x, zero});
}

template <class T>
inline void difference_joint(const Joint& joint, const T* q0, const T* q1, T* v) {
  switch (joint.kind) {
    case JointKind::kContinuous:
      v[0] = angle_between(q0, q1);
      break;
    case JointKind::kSpherical:
      store3(v, spherical_log(q0, q1).w);
      break;
    case JointKind::kPlanar: {
      const Motion<T> nu = planar_log(q0, q1).nu;
      store3(v, Vec3<T>{nu.v.x, nu.v.y, nu.w.z});
      break;
    }
    case JointKind::kFreeFlyer: {
      const Motion<T> nu = free_flyer_log(q0, q1).nu;
      store3(v, nu.v);
      store3(v + 3, nu.w);
      break;
    }
    case JointKind::kRevolute:
    case JointKind::kPrismatic:
    case JointKind::kHelical:
      v[0] = q1[0] - q0[0];
      break;
    case JointKind::kUniverse:
      break;
  }
}

// out[k] = f(a[k], b[k]); of one problem, as many entries at once as there are lanes.
template <class T, class F>
PANTIN_INLINE void each_entry(int count, const T* a, const T* b, T* out, F&& f) {
  if constexpr (lanes_of<T> > 1) {
    for (int k = 0; k < count; ++k) out[k] = f(a[k], b[k]);
  } else {
    using P = Pack<kLanes>;
    for (int k = 0; k < count; k += kLanes) {
      const int rest = count - k < kLanes ? count - k : kLanes;
      native::store_first(out + k, f(P(native::load_first(a + k, rest)), P(native::load_first(b + k, rest))).v, rest);
    }
  }
}

template <class T>
inline void integrate(const Tree& tree, const T* q, const T* v, T* out) {
  for (int k = 0; k < tree.nstretches; ++k) {
    const Stretch& s = tree.stretches[k];
    each_entry(s.count, q + s.q, v + s.v, out + s.q, [](auto a, auto b) { return a + b; });
  }
  for (int k = 0; k < tree.ncurved; ++k) {
    const Joint& joint = tree.joints[tree.curved[k]];
    integrate_joint(joint, q + joint.q, v + joint.v, out + joint.q);
  }
}

template <class T>
inline void difference(const Tree& tree, const T* q0, const T* q1, T* v) {
  for (int k = 0; k < tree.nstretches; ++k) {
    const Stretch& s = tree.stretches[k];
    each_entry(s.count, q1 + s.q, q0 + s.q, v + s.v, [](auto a, auto b) { return a - b; });
  }
  for (int k = 0; k < tree.ncurved; ++k) {
    const Joint& joint = tree.joints[tree.curved[k]];
    difference_joint(joint, q0 + joint.q, q1 + joint.q, v + joint.v);
  }
}

}  // namespace pantin::PANTIN_ISA
