// The system sum_i S_i' A_i S_i x = b of a tree in O(n): columns are eliminated from the leaves to the root.
//
// With A_i the inertias of the bodies it is forward dynamics (Featherstone 1983). A_i and the wrenches count about
// joint i's own origin, in world axes. A joint of several columns is a chain of single ones with nothing between.
#pragma once

#include "pantin/dyn/wrench.hpp"
#include "pantin/linalg/ldl.hpp"
#include "pantin/linalg/sym6.hpp"
#include "pantin/tree/joint.hpp"

namespace pantin::PANTIN_ISA {

// Size of the terms that s' A s is the sum of.
template <class T>
PANTIN_INLINE T terms_of(const Sym6<T>& A, const TurnScrew<T>& s) {
  return abs(A.ww.xx + A.ww.yy + A.ww.zz) * dot(s.w, s.w);
}
template <class T>
PANTIN_INLINE T terms_of(const Sym6<T>& A, const SlideScrew<T>& s) {
  return abs(A.vv.xx + A.vv.yy + A.vv.zz) * dot(s.v, s.v);
}
template <class T>
PANTIN_INLINE T terms_of(const Sym6<T>& A, const Motion<T>& s) {
  return terms_of(A, SlideScrew<T>{s.v}) + terms_of(A, TurnScrew<T>{s.w});
}

// Eliminates all columns: leaves U = A s of the articulated A and 1 / pivot of each column, 0 for a pivot that
// rounding cannot tell from zero. `diagonal` (per column) is added to the matrix; A is overwritten.
template <class T>
inline void articulated_factor(const Tree& tree, const SE3<T>* M, const double* diagonal, Sym6<T>* A, Motion<T>* U,
                               T* reciprocals) {
  for (int i = tree.njoints - 1; i > 0; --i) {
    const Joint& joint = tree.joints[i];
    Sym6<T> carried = A[i];
    each_axis<Order::kInward>(joint, M[i].R, [&](int k, const auto& s) PANTIN_LAMBDA {
      const int c = joint.column + k;
      const Motion<T> u = carried * s;
      const T reciprocal = pivot_reciprocal(dot(s, u) + T(diagonal[c]), terms_of(carried, s));
      U[c] = u;
      reciprocals[c] = reciprocal;
      carried = plus_outer(carried, -reciprocal, u);
    });
    const int parent = joint.parent;
    if (parent) A[parent] = A[parent] + seen_from(M[i].p - M[parent].p, carried);
  }
}

// Solves for x, which holds b on entry. `wrenches` (one a joint) act on the bodies and count against b; they are
// overwritten. `twists` is room for one a joint.
template <class T>
inline void articulated_solve(const Tree& tree, const SE3<T>* M, const Motion<T>* U, const T* reciprocals,
                              Motion<T>* wrenches, Motion<T>* twists, T* x) {
  WrenchSum<T> sum(M, wrenches);
  for (int i = tree.njoints - 1; i > 0; --i) {
    const Joint& joint = tree.joints[i];
    Motion<T> wrench = sum.at(i);
    each_axis<Order::kInward>(joint, M[i].R, [&](int k, const auto& s) PANTIN_LAMBDA {
      const int c = joint.column + k;
      const T first = (x[c] - dot(s, wrench)) * reciprocals[c];
      x[c] = first;
      wrench = wrench + first * U[c];
    });
    sum.hand_on(wrench, i, joint.parent);
  }

  Motion<T> twist = zero_motion<T>();
  twists[0] = twist;
  for (int i = 1; i < tree.njoints; ++i) {
    const Joint& joint = tree.joints[i];
    if (joint.parent != i - 1) twist = twists[joint.parent];
    twist.v = twist.v + cross(twist.w, M[i].p - M[joint.parent].p);
    each_axis(joint, M[i].R, [&](int k, const auto& s) PANTIN_LAMBDA {
      const int c = joint.column + k;
      const T solved = x[c] - reciprocals[c] * dot(U[c], twist);
      x[c] = solved;
      add_motion(solved, s, twist.v, twist.w);
    });
    twists[i] = twist;
  }
}

}  // namespace pantin::PANTIN_ISA
