// What is left of a residual, and what of its frame's twist each of its rows sees.
//
// A row is weight times a length over the problem's or an angle; its derivative is minus its column. Rows of poses lie
// along the axes of the root, those of directions along the tool's x and y.
#pragma once

#include "pantin/solve/residual.hpp"
#include "pantin/solve/whole/place.hpp"

namespace pantin::PANTIN_ISA {

template <class T>
struct Sight {
  Vec3<T> point;                       // of the frame, in the world
  Vec3<T> v[kMostRows], w[kMostRows];  // row i is v[i] . linear + w[i] . angular; unused where all count alike
  T position2, rotation2;              // m^2, rad^2
};

template <class T>
struct Looker {
  const WholeResidual& residual;
  double per_length;
  Sight<T>& sight;
  T* e;

  PANTIN_INLINE void row(int i, double weight, const Vec3<T>& v, const Vec3<T>& w, const T& error) {
    sight.v[i] = T(weight) * v;
    sight.w[i] = T(weight) * w;
    e[i] = T(weight) * error;
  }

  // Components of a pose error along the root's axes.
  inline void components(const Mat3<T>& axes, const Vec3<T>& away, const Log3<T>& turn) {
    for (int i = 0; i < residual.rows; ++i) {
      const int k = residual.component[i];
      const Vec3<T> axis = axes.column(k % 3);
      if (k < 3) {
        const T own = dot(axis, away);
        row(i, residual.weight[i], axis, zero3<T>(), T(per_length) * own);
        sight.position2 = sight.position2 + own * own;
      } else {
        const T own = dot(axis, turn.w);
        const Vec3<T> across = cross(turn.w, axis);
        row(i, residual.weight[i], zero3<T>(), axis - T(0.5) * across + turn.beta * cross(turn.w, across), own);
        sight.rotation2 = sight.rotation2 + own * own;
      }
    }
  }

  PANTIN_INLINE void pose(const SE3<T>& goal, const SE3<T>& M, const Mat3<T>& axes) {
    const bool has_position = residual.aim != WholeAim::kOrientation, has_rotation = residual.aim != WholeAim::kPosition;
    const Vec3<T> away = goal.p - M.p;
    if (!residual.even) return components(axes, away, log_quat(quaternion(goal.R * transpose(M.R))));
    if (has_position) {
      store3(e, T(per_length) * away);
      sight.position2 = dot(away, away);
    }
    if (has_rotation) {
      const Vec3<T> turn = rotation_error(goal.R, M.R);
      store3(e + (has_position ? 3 : 0), turn);
      sight.rotation2 = dot(turn, turn);
    }
  }

  // Position and direction of the frame's z; the turn about it is free.
  inline void axis(const SE3<T>& goal, const SE3<T>& M, const Mat3<T>& axes) {
    const Vec3<T> away = goal.p - M.p;
    int i = 0;
    for (; residual.component[i] < 3; ++i) {
      const Vec3<T> along = axes.column(residual.component[i]);
      const T own = dot(along, away);
      row(i, residual.weight[i], along, zero3<T>(), T(per_length) * own);
      sight.position2 = sight.position2 + own * own;
    }
    direction(i, goal.R.column(2), M.R, zero3<T>());
  }

  // Two rows of the rotation vector that takes the frame's z to a direction, which turns by `turning` times the frame's
  // linear velocity.
  inline void direction(int i, const Vec3<T>& to, const Mat3<T>& R, const Vec3<T>& turning) {
    const Vec3<T> x = R.column(0), y = R.column(1);
    T turn[2];
    turn_aside(dot(x, to), dot(y, to), dot(R.column(2), to), turn);
    row(i, residual.weight[i], cross(x, turning), x, turn[0]);
    row(i + 1, residual.weight[i + 1], cross(y, turning), y, turn[1]);
    sight.rotation2 = turn[0] * turn[0] + turn[1] * turn[1];
  }

  inline void look_at(const Vec3<T>& point, const SE3<T>& M) {
    const Vec3<T> way = T(per_length) * (point - M.p);
    const T inverse = T(1.0) / sqrt(max(dot(way, way), T(1e-24)));
    direction(0, inverse * way, M.R, (inverse * inverse) * way);
  }

  // The point seen across the frame's z.
  inline void pivot(const Vec3<T>& point, const SE3<T>& M) {
    const Vec3<T> arm = point - M.p;
    for (int i = 0; i < 2; ++i) {
      const Vec3<T> across = M.R.column(i);
      const T own = dot(across, arm);
      row(i, residual.weight[i], across, T(per_length) * cross(arm, across), T(per_length) * own);
      sight.position2 = sight.position2 + own * own;
    }
  }

  inline void centre_of_mass(const Vec3<T>& goal, const Vec3<T>& centre) {
    const Vec3<T> away = goal - centre;
    T own[3];
    store3(own, away);
    for (int i = 0; i < residual.rows; ++i) {
      const int k = residual.component[i];
      const T one = T(residual.weight[i]), zero = T(0.0);
      sight.v[i] = {k == 0 ? one : zero, k == 1 ? one : zero, k == 2 ? one : zero};
      sight.w[i] = zero3<T>();
      e[i] = T(residual.weight[i] * per_length) * own[k];
      sight.position2 = sight.position2 + own[k] * own[k];
    }
  }
};

// Looks at one residual whose target has these numbers; `centre` is the centre of mass where it is known.
template <class T>
inline void look(const WholeProblem& problem, const WholeResidual& residual, const SE3<T>* poses, const Vec3<T>& centre,
                 const T* target, Sight<T>& sight, T* e) {
  sight.position2 = sight.rotation2 = T(0.0);
  Looker<T> looker{residual, 1.0 / problem.length, sight, e};
  if (residual.aim == WholeAim::kCentreOfMass) return looker.centre_of_mass(load3(target + 9), centre);
  const SE3<T> M = frame_on(poses, residual.link, residual.frame), W = frame_on(poses, residual.root, residual.base);
  const SE3<T> goal = W * pose_at(target);
  sight.point = M.p;
  switch (residual.aim) {
    case WholeAim::kAxis:
      return looker.axis(goal, M, W.R);
    case WholeAim::kDirection:
      return looker.direction(0, goal.R.column(2), M.R, zero3<T>());
    case WholeAim::kLookAt:
      return looker.look_at(goal.p, M);
    case WholeAim::kPivot:
      return looker.pivot(goal.p, M);
    default:
      return looker.pose(goal, M, W.R);
  }
}

// Rows of a twist whose linear part is in lengths of the problem.
template <class T>
PANTIN_INLINE void see(const WholeResidual& residual, const Sight<T>& sight, const Motion<T>& s, T* column) {
  if (residual.even) {
    const bool has_position = residual.aim != WholeAim::kOrientation;
    if (has_position) store3(column, s.v);
    if (residual.aim != WholeAim::kPosition) store3(column + (has_position ? 3 : 0), s.w);
    return;
  }
  for (int i = 0; i < residual.rows; ++i) column[i] = dot(sight.v[i], s.v) + dot(sight.w[i], s.w);
}

}  // namespace pantin::PANTIN_ISA
