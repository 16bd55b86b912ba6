// Derivatives of difference and integrate: block-diagonal (nv, nv) matrices, one block a joint.
#pragma once

#include "pantin/tree/configuration.hpp"

namespace pantin::PANTIN_ISA {

enum class Argument : int { kFirst = 0, kSecond = 1 };

template <class T>
PANTIN_INLINE void put_block(T* out, int stride, const Mat3<T>& block) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out[i * stride + j] = block.m[i][j];
}

template <class T>
PANTIN_INLINE void put_block(T* out, int stride, const Mat6<T>& block) {
  put_block(out, stride, block.vv);
  put_block(out + 3, stride, block.vw);
  put_block(out + 3 * stride, stride, block.wv);
  put_block(out + 3 * stride + 3, stride, block.ww);
}

// Rows and columns x, y and the turn about z of a planar twist.
template <class T>
PANTIN_INLINE void put_planar_block(T* out, int stride, const Mat6<T>& block) {
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) out[i * stride + j] = block.vv.m[i][j];
    out[i * stride + 2] = block.vw.m[i][2];
    out[2 * stride + i] = block.wv.m[2][i];
  }
  out[2 * stride + 2] = block.ww.m[2][2];
}

// d log(M0^-1 M1) / d M1 is the inverse right Jacobian; d / d M0 its negative times the adjoint of the
// inverse of M = exp(nu), which is the inverse left Jacobian: the right one at -nu.
template <class T>
PANTIN_INLINE Log6<T> along(const Log6<T>& l, Argument argument) {
  if (argument == Argument::kSecond) return l;
  return {{-l.nu.v, -l.nu.w}, {-l.rotation.w, l.rotation.angle2, l.rotation.beta}};
}

template <class T>
PANTIN_INLINE Mat6<T> signed_for(const Mat6<T>& J, Argument argument) {
  const T s = T(argument == Argument::kSecond ? 1.0 : -1.0);
  return {s * J.vv, s * J.vw, s * J.wv, s * J.ww};
}

// Block (nv, nv) of one joint in rows of `stride` numbers, for its entries a and b of two configurations.
template <class T>
inline void d_difference_joint(const Joint& joint, const T* a, const T* b, Argument argument, int stride, T* block) {
  const T sign = T(argument == Argument::kSecond ? 1.0 : -1.0);
  switch (joint.kind) {
    case JointKind::kSpherical: {
      const Log3<T> l = along<T>({{zero3<T>(), zero3<T>()}, spherical_log(a, b)}, argument).rotation;
      put_block(block, stride, sign * Jlog3(l));
      break;
    }
    case JointKind::kPlanar:
      put_planar_block(block, stride, signed_for(Jlog6(along(planar_log(a, b), argument)), argument));
      break;
    case JointKind::kFreeFlyer:
      put_block(block, stride, signed_for(Jlog6(along(free_flyer_log(a, b), argument)), argument));
      break;
    default:
      block[0] = sign;
  }
}

template <class T>
inline void d_difference(const Tree& tree, const T* q0, const T* q1, Argument argument, T* out) {
  for (int k = 0; k < tree.nv * tree.nv; ++k) out[k] = T(0.0);
  for (int i = 1; i < tree.njoints; ++i) {
    const Joint& joint = tree.joints[i];
    if (joint.mimic) continue;
    T* const block = out + joint.v * tree.nv + joint.v;
    d_difference_joint(joint, q0 + joint.q, q1 + joint.q, argument, tree.nv, block);
  }
}

// d integrate(q, v) / d q (first) or / d v (second), in the tangents of q and of the result.
template <class T>
inline void d_integrate(const Tree& tree, const T* v, Argument argument, T* out) {
  for (int k = 0; k < tree.nv * tree.nv; ++k) out[k] = T(0.0);
  const bool second = argument == Argument::kSecond;
  for (int i = 1; i < tree.njoints; ++i) {
    const Joint& joint = tree.joints[i];
    if (joint.mimic) continue;
    T* const block = out + joint.v * tree.nv + joint.v;
    const T* const u = v + joint.v;
    const auto jacobian = [&](const Motion<T>& nu) -> Mat6<T> {
      if (second) return Jexp6(nu);
      const SE3<T> back = exp6<T>({-nu.v, -nu.w});
      return {back.R, skew(back.p) * back.R, T(0.0) * back.R, back.R};
    };
    switch (joint.kind) {
      case JointKind::kSpherical:
        put_block(block, tree.nv, second ? Jexp3(load3(u)) : exp3(-load3(u)));
        break;
      case JointKind::kPlanar:
        put_planar_block(block, tree.nv, jacobian({{u[0], u[1], T(0.0)}, {T(0.0), T(0.0), u[2]}}));
        break;
      case JointKind::kFreeFlyer:
        put_block(block, tree.nv, jacobian({load3(u), load3(u + 3)}));
        break;
      default:
        block[0] = T(1.0);
    }
  }
}

}  // namespace pantin::PANTIN_ISA
