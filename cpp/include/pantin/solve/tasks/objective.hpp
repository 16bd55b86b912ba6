// The quadratic objective of weighted tasks:
//     1/2 x'Hx + c'x   with   H = damping 1 + sum (W J)'(W J) + mu 1,   c = sum (W J)' W g e,   mu = lm |W g e|^2
// for gain g and weights W of each task (Sugihara 2011 for mu). The upper triangle of H is filled, row after row; what
// stands below it in the same packs is of no use.
#pragma once

#include "pantin/solve/tasks/rows.hpp"

namespace pantin::PANTIN_ISA {

struct Objective {
  int n, stride;
  double *H, *c;
  double diagonal;  // added to all of it at the end
  double error2;    // of tasks that ask for a place, squared and weighted
};

// Room for the rows of one task.
struct TaskRoom {
  double *J, *e, *vector;
};

PANTIN_INLINE double weight_of(const TaskView& task, int row) {
  return task.cost ? task.cost[row * task.cost_stride] : 1.0;
}

// Weighs e, which becomes W g e, and returns its square.
inline double weigh(const TaskView& task, double* e) {
  double sum = 0.0;
  for (int r = 0; r < task.rows; ++r) {
    e[r] *= weight_of(task, r) * task.gain;
    sum += e[r] * e[r];
  }
  return sum;
}

// True for tasks that ask for a place, not for a motion.
PANTIN_INLINE bool asks_for_place(TaskKind kind) {
  return kind != TaskKind::kDamping && kind != TaskKind::kJointVelocity && kind != TaskKind::kLowAcceleration &&
         kind != TaskKind::kManipulability;
}

// Weighs e and takes note of its square.
PANTIN_INLINE void weigh(Objective& o, const TaskView& task, double* e) {
  const double square = weigh(task, e);
  o.diagonal += task.lm_damping * square;
  if (asks_for_place(task.kind)) o.error2 += square;
}

// Adds C'C and C'e for rows C (rows, stride) over all entries, Rows of them at once.
template <int Rows>
inline void add_rows_of(Objective& o, const double* C, const double* e) {
  using P = Pack<kLanes>;
  for (int first = 0; first < o.n; first += kLanes) {
    P right[Rows];
    P c = load_pack<P>(o.c + first);
    for (int r = 0; r < Rows; ++r) {
      right[r] = load_pack<P>(C + r * o.stride + first);
      c += e[r] * right[r];
    }
    std::memcpy(o.c + first, &c, sizeof(P));
    const int end = first + kLanes < o.n ? first + kLanes : o.n;
    for (int i = 0; i < end; ++i) {
      double* const to = o.H + i * o.stride + first;
      P sum = load_pack<P>(to);
      for (int r = 0; r < Rows; ++r) sum += C[r * o.stride + i] * right[r];
      std::memcpy(to, &sum, sizeof(P));
    }
  }
}

// Adds weighted rows, whatever they look at.
inline void add_dense(Objective& o, const double* C, const double* e, int rows) {
  for (; rows >= 6; rows -= 6, C += 6 * o.stride, e += 6) add_rows_of<6>(o, C, e);
  for (; rows >= 3; rows -= 3, C += 3 * o.stride, e += 3) add_rows_of<3>(o, C, e);
  for (; rows > 0; --rows, C += o.stride, ++e) add_rows_of<1>(o, C, e);
}

// Adds weighted rows over the columns of one path.
template <int Rows>
inline void add_columns_of(Objective& o, const Path& path, const double* C, const double* e) {
  using P = Pack<kLanes>;
  each_run(path, [&](int k, int count) {
    P right[Rows];
    for (int r = 0; r < Rows; ++r) right[r] = load_pack<P>(C + r * o.stride + k);
    P c = P(native::load_first(o.c + path.v[k], count));
    for (int r = 0; r < Rows; ++r) c += e[r] * right[r];
    native::store_first(o.c + path.v[k], c.v, count);
    for (int i = 0; i < k + count; ++i) {
      double* const to = o.H + path.v[i] * o.stride + path.v[k];
      P sum = P(native::load_first(to, count));
      for (int r = 0; r < Rows; ++r) sum += C[r * o.stride + i] * right[r];
      native::store_first(to, sum.v, count);
    }
  });
}

inline void add_columns(Objective& o, const Path& path, const double* C, const double* e, int rows) {
  for (; rows >= 6; rows -= 6, C += 6 * o.stride, e += 6) add_columns_of<6>(o, path, C, e);
  for (; rows >= 3; rows -= 3, C += 3 * o.stride, e += 3) add_columns_of<3>(o, path, C, e);
  for (; rows > 0; --rows, C += o.stride, ++e) add_columns_of<1>(o, path, C, e);
}

// Weighs rows J of a task, which may be a user's own, and adds them.
inline void add_task_rows(Objective& o, const TaskView& task, double* J, double* e) {
  weigh(o, task, e);
  if (task.cost)
    for (int r = 0; r < task.rows; ++r)
      for (int k = 0; k < o.n; ++k) J[r * o.stride + k] *= weight_of(task, r);
  add_dense(o, J, e, task.rows);
}

inline void add_task(Objective& o, const Scene& scene, const TaskView& task, const TaskRoom& room) {
  if (is_on_joints(task.kind)) {
    joint_errors(scene, task, room.vector, room.e);
    weigh(o, task, room.e);
    for (int k = 0; k < task.rows; ++k) {
      const int at = task.first + k;
      const double w = weight_of(task, k);
      o.H[at * o.stride + at] += w * w;
      o.c[at] += w * room.e[k];
    }
    return;
  }
  TaskSight sight;
  const Path* const path = task.frame.path;
  if (path && !path->adds && !task.root.path && look(scene, task, sight)) {
    weigh(o, task, sight.e);
    for (int r = 0; r < task.rows; ++r) {
      const double w = weight_of(task, r);
      for (int k = 0; k < 6; ++k) sight.P[r][k] *= w;
    }
    path_columns(*path, scene.screws(), sight.P, task.rows, o.stride, room.J);
    add_columns(o, *path, room.J, sight.e, task.rows);
    return;
  }
  task_rows(scene, task, o.stride, room.vector, room.e, room.J);
  add_task_rows(o, task, room.J, room.e);
}

inline void begin(Objective& o, double damping) {
  std::memset(o.H, 0, std::size_t(o.n) * o.stride * sizeof(double));
  std::memset(o.c, 0, o.stride * sizeof(double));
  o.diagonal = damping;
  o.error2 = 0.0;
}

}  // namespace pantin::PANTIN_ISA
