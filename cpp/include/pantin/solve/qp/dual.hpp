// Quadratic programs with rows: from a minimum under some constraints to one under all, by the dual active set of
// Goldfarb and Idnani (1983). Each step takes in a constraint that is missed, and lets those go that would push the
// wrong way; the objective rises with each, so that no set comes back.
#pragma once

#include "pantin/solve/qp/active.hpp"
#include "pantin/solve/qp/sides.hpp"

namespace pantin::PANTIN_ISA {

inline constexpr signed char kImplied = 2;
inline constexpr double kNextToNothing = 1e-9;  // what a constraint that depends on others may be missed by, as kMiss

struct Dual {
  QpProblem problem;
  Box box;  // where x is
  Active active;
  double* missing;       // residuals of those that hold
  signed char* holds;    // of all constraints: 1 for those that do, kImplied for those that others make hold
  int nimplied;
  const signed char* guess;
};

inline void lay_out(Dual& s, int n, int rows, Pieces& pieces) {
  lay_out(s.box, n, rows, pieces);
  lay_out(s.active, n, pieces);
  s.missing = pieces.take<double>(n);
  s.holds = pieces.take<signed char>(n + rows);
}

// True for a constraint that never lets go: an equality, or an unknown without room.
PANTIN_INLINE bool is_equality(const QpProblem& problem, int which) {
  if (which < problem.n) return problem.lower[which] == problem.upper[which];
  return which < problem.n + problem.nequal;
}

PANTIN_INLINE double length_of(const Dual& s, int which) {
  return which < s.problem.n ? 1.0 : s.box.lengths[which - s.problem.n];
}

// What is left to the right side of a constraint, to the side where it pushes.
inline double missing(const Dual& s, int which, double side) {
  const QpProblem& problem = s.problem;
  if (which < problem.n) return bound_at(problem, which, side > 0.0 ? 1 : -1) - s.box.x[which];
  return problem.b[which - problem.n] - s.box.reached[which - problem.n];
}

struct Missed {
  int which = -1;
  double side = 0.0, by = 0.0;
};

// The constraint that is missed by most; first of all an equality, or one that held the last time.
inline Missed most_missed(Dual& s) {
  const QpProblem& problem = s.problem;
  const int n = problem.n;
  Missed worst;
  double far = 0.0;
  bool urgent = false;
  const auto compare = [&](int which, double side, double by, double length, bool first) {
    const double apart = length > 0.0 ? by / length : by;
    if (s.holds[which] || (urgent && !first) || (urgent == first && apart <= far)) return;
    worst = {which, side, by};
    far = apart;
    urgent = first;
  };
  s.box.size = 0.0;
  for (int i = 0; i < n; ++i) s.box.size = max(s.box.size, abs(s.box.x[i]));
  for (int i = 0; i < n && has_bounds(problem); ++i) {
    const double x = s.box.x[i], above = x - problem.upper[i], below = problem.lower[i] - x;
    if (above > kMiss * s.box.size) compare(i, 1.0, above, 1.0, s.guess[i] > 0);
    if (below > kMiss * s.box.size) compare(i, -1.0, below, 1.0, s.guess[i] < 0);
  }
  look_at_rows(s.box);
  for (int k = 0; k < rows_of(problem); ++k) {
    const double by = missed_by(s.box, k);
    const bool first = k < problem.nequal || s.guess[n + k];
    if (by != 0.0) compare(n + k, by < 0.0 ? -1.0 : 1.0, abs(by), s.box.lengths[k], first);
  }
  return worst;
}

// d = J' times the normal.
inline void turn_into(Dual& s, int which, double side) {
  Active& a = s.active;
  if (which < s.problem.n) {
    for (int j = 0; j < a.n; ++j) a.d[j] = side * a.J[j * a.stride + which];
    return;
  }
  products(a.J, a.n, a.stride, a.width, row_of(s.problem, which - s.problem.n), a.d);
  for (int j = 0; j < a.n; ++j) a.d[j] *= side;
}

inline void release(Dual& s, int place) {
  s.holds[s.active.which[place]] = 0;
  for (int k = 0; s.nimplied > 0; ++k)
    if (s.holds[k] == kImplied) {
      s.holds[k] = 0;
      --s.nimplied;
    }
  let_go(s.active, place);
}

// Holds a constraint, without a look at x or multipliers, where it is independent of those that hold.
inline void hold(Dual& s, int which, double side) {
  turn_into(s, which, side);
  const double own = free_part(s.active);
  if (own == 0.0) return;
  find_way(s.active);
  take_in(s.active, which, side, 0.0, own);
  s.holds[which] = 1;
}

// Slope of the objective with all that holds, and what that misses, as they are at x.
inline void look_at_held(Dual& s) {
  Active& a = s.active;
  find_slope(s.box);
  if (rows_of(s.problem) > 0) look_at_rows(s.box);
  for (int k = 0; k < a.count; ++k) {
    const int which = a.which[k];
    s.missing[k] = a.side[k] * missing(s, which, a.side[k]);
    if (which < a.n)
      s.box.g[which] += a.side[k] * a.u[k];
    else
      add_times(a.width, a.side[k] * a.u[k], row_of(s.problem, which - s.problem.n), s.box.g);
  }
}

// The minimum where what holds does, and nothing else.
inline void settle_held(Dual& s) {
  look_at_held(s);
  solve_held(s.active, s.box.g, s.missing, s.box.x);
}

// Lets go of what pushes the wrong way, all at once, until nothing does.
inline void settle_guess(Dual& s) {
  for (bool again = true; again;) {
    again = false;
    settle_held(s);
    for (int k = s.active.count - 1; k >= 0; --k) {
      if (s.active.u[k] >= 0.0 || is_equality(s.problem, s.active.which[k])) continue;
      release(s, k);
      again = true;
    }
  }
}

// True where a constraint is missed by little enough to be the rounding of others that it depends on.
inline bool is_next_to_nothing(const Dual& s, const Missed& missed) {
  const int n = s.problem.n;
  const double right = missed.which < n ? 0.0 : abs(s.problem.b[missed.which - n]);
  return missed.by <= kNextToNothing * (right + length_of(s, missed.which) * s.box.size);
}

// Marks what cannot hold together with a constraint that nothing makes room for.
inline void mark_conflicts(const Dual& s, int which, signed char* conflicts) {
  const Active& a = s.active;
  conflicts[which] = 1;
  for (int k = 0; k < a.count; ++k)
    if (abs(a.r[k]) * length_of(s, a.which[k]) > 1e-9 * length_of(s, which)) conflicts[a.which[k]] = 1;
}

// Takes in what is missed until nothing is.
inline QpStatus take_in_missed(Dual& s, int most, int& iterations, signed char* conflicts) {
  Active& a = s.active;
  for (bool exact = false;;) {
    Missed missed = most_missed(s);
    if (missed.which < 0) return QpStatus::kSolved;
    const double length = length_of(s, missed.which);
    double u = 0.0;
    for (bool out = true; out;) {
      if (iterations++ >= most) return QpStatus::kStalled;
      turn_into(s, missed.which, missed.side);
      const double own = free_part(a);
      for (int k = 0; k < a.count; ++k) a.r[k] = a.d[k];
      solve_upper(a, a.r);
      // as far as the constraint itself, or as the first of the others that pushes no more
      int first = -1;
      double way = own > 0.0 ? missed.by / own : kHuge;
      for (int k = 0; k < a.count; ++k) {
        if (a.r[k] * length_of(s, a.which[k]) <= kMiss * length || is_equality(s.problem, a.which[k])) continue;
        const double room = max(a.u[k], 0.0) / a.r[k];
        if (room >= way) continue;
        way = room;
        first = k;
      }
      if (own == 0.0 && !exact) {
        settle_held(s);  // what is left of a constraint that depends on others may be the rounding of many steps
        exact = true;
        break;
      }
      if (own == 0.0 && is_next_to_nothing(s, missed)) {
        s.holds[missed.which] = kImplied;
        ++s.nimplied;
        break;
      }
      if (own == 0.0 && first < 0) {
        if (conflicts) mark_conflicts(s, missed.which, conflicts);
        return QpStatus::kInfeasible;
      }
      for (int k = 0; k < a.count; ++k) a.u[k] -= way * a.r[k];
      u += way;
      if (own > 0.0) {
        find_way(a);
        add_times(a.width, -way, a.z, s.box.x);
        missed.by -= way * own;
      }
      exact = false;
      out = first >= 0;
      if (out) {
        release(s, first);
      } else {
        take_in(a, missed.which, missed.side, u, own);
        s.holds[missed.which] = 1;
      }
    }
  }
}

}  // namespace pantin::PANTIN_ISA
