// The constraints that hold at a place, and what they leave free (Goldfarb and Idnani 1983).
//
// J'HJ = 1, and J' times the normals of the constraints that hold is R above zeros: the first columns of J belong to
// these, the others move along all of them. J lies by columns, so that vectors run along one.
#pragma once

#include "pantin/solve/qp/system.hpp"

namespace pantin::PANTIN_ISA {

inline constexpr double kDependent = 1e-8;  // of a normal's length, in the metric of H: what is no part of its own

struct Active {
  int n, width, stride;  // unknowns, numbers of them in whole packs, and from one column to the next
  int count;             // constraints that hold
  double* J;
  double* R;    // by columns
  int* which;   // constraints, by their numbers
  double* side;  // 1, or -1 where the normal is turned round
  double* u;    // multipliers
  double* d;    // J' times a normal
  double* r;    // what others' multipliers lose as that of the normal grows
  double* z;    // where x comes from meanwhile
};

inline void lay_out(Active& a, int n, Pieces& pieces) {
  const std::size_t stride = triangle_stride(n);
  a.J = pieces.take<double>(stride * stride);
  a.R = pieces.take<double>(stride * stride);
  a.which = pieces.take<int>(n);
  double** const vectors[] = {&a.side, &a.u, &a.d, &a.r, &a.z};
  for (double** vector : vectors) *vector = pieces.take<double>(stride);
}

// J from a system that is factored, with nothing that holds.
inline void begin(Active& a, const Triangle& t) {
  a.n = t.n;
  a.width = qp_stride(t.n);
  a.stride = t.stride;
  a.count = 0;
  invert(t, a.J);
  for (int j = 0; j < a.n; ++j) {
    const double root = sqrt(t.reciprocal[j]);
    for (int i = 0; i < a.width; i += kLanes)
      store_lanes(a.J + j * a.stride + i, Pack<kLanes>(root) * load_lanes(a.J + j * a.stride + i));
  }
}

// The part of d that the constraints leave free, squared; 0 where that is nothing but rounding.
inline double free_part(const Active& a) {
  using P = Pack<kLanes>;
  P own = P(0.0), all = P(0.0);
  for (int j = 0; j < a.width; j += kLanes) {
    const P d = load_lanes(a.d + j), order = lanes_from(j);
    const P square = select(order < P(a.n), d * d, P(0.0));
    all += square;
    own += select(order >= P(a.count), square, P(0.0));
  }
  const double sum = sum_of(own);
  return sum > kDependent * kDependent * sum_of(all) ? sum : 0.0;
}

// z = J2 d2, the way that leads back.
inline void find_way(Active& a) {
  for (int i = 0; i < a.width; i += kLanes) store_lanes(a.z + i, Pack<kLanes>(0.0));
  combine(a.J + a.count * a.stride, a.n - a.count, a.stride, a.width, a.d + a.count, a.z);
}

// Solves R r = y in place, for what holds.
inline void solve_upper(const Active& a, double* y) {
  for (int k = a.count - 1; k >= 0; --k) {
    const double* const column = a.R + k * a.stride;
    y[k] /= column[k];
    for (int i = 0; i < k; ++i) y[i] -= column[i] * y[k];
  }
}

// Solves R' y = b in place.
inline void solve_lower(const Active& a, double* y) {
  for (int k = 0; k < a.count; ++k) {
    const double* const column = a.R + k * a.stride;
    double sum = y[k];
    for (int i = 0; i < k; ++i) sum -= column[i] * y[i];
    y[k] = sum / column[k];
  }
}

// Takes in a constraint whose d and z are known, by one reflection of what it leaves free; `own` is the free part of d.
inline void take_in(Active& a, int which, double side, double u, double own) {
  const int first = a.count++;
  double* const column = a.R + first * a.stride;
  double* const head = a.J + first * a.stride;
  for (int j = 0; j < first; ++j) column[j] = a.d[j];
  const double length = sqrt(own), image = a.d[first] > 0.0 ? -length : length, head_d = a.d[first] - image;
  column[first] = image;
  a.which[first] = which;
  a.side[first] = side;
  a.u[first] = u;
  // w is d2 less its image; J2 w = z - image J2's first column
  const double scale = 1.0 / (own - image * a.d[first]);
  for (int i = 0; i < a.width; i += kLanes)
    store_lanes(a.z + i, Pack<kLanes>(scale) * (Pack<kLanes>(image) * load_lanes(head + i) - load_lanes(a.z + i)));
  add_times(a.width, head_d, a.z, head);
  for (int j = first + 1; j < a.n; ++j) add_times(a.width, a.d[j], a.z, a.J + j * a.stride);
}

// Lets the constraint at `place` go.
inline void let_go(Active& a, int place) {
  const int last = --a.count;
  for (int k = place; k < last; ++k) {
    double *const column = a.R + k * a.stride, *const next = column + a.stride;
    for (int i = 0; i <= k + 1; ++i) column[i] = next[i];
    a.which[k] = a.which[k + 1];
    a.side[k] = a.side[k + 1];
    a.u[k] = a.u[k + 1];
  }
  for (int k = place; k < last; ++k) {
    double* const pivot = a.R + k * a.stride + k;
    const double length = sqrt(pivot[0] * pivot[0] + pivot[1] * pivot[1]);
    const double cosine = pivot[0] / length, sine = pivot[1] / length;
    for (int m = k; m < last; ++m) {
      double* const pair = a.R + m * a.stride + k;
      const double upper = pair[0], lower = pair[1];
      pair[0] = cosine * upper + sine * lower;
      pair[1] = cosine * lower - sine * upper;
    }
    double *const upper = a.J + k * a.stride, *const lower = upper + a.stride;
    for (int i = 0; i < a.width; i += kLanes) {
      const Pack<kLanes> x = load_lanes(upper + i), y = load_lanes(lower + i);
      store_lanes(upper + i, Pack<kLanes>(cosine) * x + Pack<kLanes>(sine) * y);
      store_lanes(lower + i, Pack<kLanes>(cosine) * y - Pack<kLanes>(sine) * x);
    }
  }
}

// Adds to x and to the multipliers what takes away a slope g, and the residuals in `missing`, of the constraints that
// hold; uses d and r.
inline void solve_held(Active& a, const double* g, const double* missing, double* x) {
  products(a.J, a.n, a.stride, a.width, g, a.d);
  for (int k = 0; k < a.count; ++k) a.r[k] = missing[k];
  solve_lower(a, a.r);
  for (int k = 0; k < a.count; ++k) {
    const double turned = -a.r[k] - a.d[k];
    a.d[k] = a.r[k];
    a.r[k] = turned;
  }
  for (int j = a.count; j < a.n; ++j) a.d[j] = -a.d[j];
  combine(a.J, a.n, a.stride, a.width, a.d, x);
  solve_upper(a, a.r);
  for (int k = 0; k < a.count; ++k) a.u[k] += a.r[k];
}

}  // namespace pantin::PANTIN_ISA
