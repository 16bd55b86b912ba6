// Bounds one at a time, for a price of n^2 each: the dual active set of Goldfarb and Idnani (1983) on a tableau.
//
// Unknowns that are free answer to forces, those that are held answer with forces to moves; the tableau says how, and a
// symmetric sweep (Goodnight 1979) lets one unknown change over. Once those are free whose bounds push the wrong way, each
// step pushes an unknown back to the bound that it is beyond, and lets those go whose bounds push no more; the objective
// rises, so that no set comes back.
#pragma once

#include "pantin/solve/qp/sides.hpp"

namespace pantin::PANTIN_ISA {

PANTIN_INLINE double entry(const QpProblem& problem, int i, int j) {
  return i < j ? problem.H[i * problem.stride + j] : problem.H[j * problem.stride + i];
}

// Factors what is free, with its rows of H beside it, and puts the inverse of L in front of what these become.
inline bool factor_guess(Box& box, const Tableau& t) {
  const QpProblem& problem = *box.problem;
  Triangle& triangle = box.triangle;
  const int free = box.free.count;
  triangle.n = triangle.positive = free;
  triangle.stride = t.stride;
  for (int a = 0; a < free; ++a) {
    const int i = t.order[a];
    double* const row = triangle.rows + a * t.stride;
    gather_free(problem.H + i * problem.stride, box.free, a, t.n, row + a);
    row[a] += box.pull.delta;
    for (int b = free; b < t.n; ++b) row[b] = entry(problem, i, t.order[b]);
    for (int b = t.n; b < t.stride; ++b) row[b] = 0.0;
  }
  box.factored = false;
  if (free == 0) return true;
  if (!factor(triangle)) return false;
  invert(triangle, t.factor);
  for (int a = 0; a < free; ++a) {
    double* const row = t.factor + a * t.stride;
    for (int b = free; b < t.n; ++b) row[b] = triangle.rows[a * t.stride + b];
    const Pack<kLanes> root = Pack<kLanes>(sqrt(triangle.reciprocal[a]));
    for (int b = 0; b < t.width; b += kLanes) store_lanes(row + b, root * load_lanes(row + b));
  }
  return true;
}

// The square of the factor: of what is free the inverse, of what is held what H would be without the others, less H.
inline void square_factor(const QpProblem& problem, int free, double delta, const Tableau& t) {
  using P = Pack<kLanes>;
  for (int first = 0; first < t.width; first += kPanelWidth)
    for (int column = first; column < t.width; column += kLanes) {
      P tile[kPanelWidth];
#pragma GCC unroll 8
      for (int c = 0; c < kPanelWidth; ++c) tile[c] = P(0.0);
      const int begin = column + kLanes <= free ? column : first + kPanelWidth <= free ? first : 0;
      for (int k = begin; k < free; ++k) {
        const double* const y = t.factor + k * t.stride;
        const P row = load_lanes(y + column);
#pragma GCC unroll 8
        for (int c = 0; c < kPanelWidth; ++c) tile[c] += row * P(y[first + c]);
      }
      const P turned = select(lanes_from(column) < P(free), P(1.0), P(-1.0));
#pragma GCC unroll 8
      for (int c = 0; c < kPanelWidth; ++c)
        store_lanes(t.rows + (first + c) * t.stride + column, first + c < free ? turned * tile[c] : tile[c]);
    }
  for (int i = free; i < t.n; ++i) {
    for (int j = i; j < t.n; ++j) t.rows[i * t.stride + j] -= entry(problem, t.order[i], t.order[j]);
    t.rows[i * t.stride + i] -= delta;
  }
}

// Begins where the free ones of the guess have settled; false for a singular system.
inline bool open(Box& box, Tableau& t) {
  const QpProblem& problem = *box.problem;
  const int free = box.free.count;
  t.n = problem.n;
  t.width = qp_stride(t.n);
  t.stride = triangle_stride(t.n);
  for (int a = 0; a < t.n; ++a) t.order[a] = a < free ? box.free.list[a] : box.bounds[a - free];
  if (!factor_guess(box, t)) return false;
  square_factor(problem, free, box.pull.delta, t);
  for (int a = 0; a < t.width; ++a) {
    const int i = a < t.n ? t.order[a] : -1;
    t.lower[a] = i < 0 ? 0.0 : problem.lower[i];
    t.upper[a] = i < 0 ? 0.0 : problem.upper[i];
    t.own[a] = i < 0 ? 1.0 : t.rows[a * t.stride + a];
    t.side[a] = i < 0 ? 0.0 : box.held[i];
    // what the tableau makes of -c for free ones, and of bounds for held ones
    t.answer[a] = 0.0;
    box.settled[a] = i < 0 ? 0.0 : box.held[i] ? bound_at(problem, i, box.held[i]) : pull_on(box, i) - problem.c[i];
  }
  slope_at({t.n, t.stride, t.rows, t.answer, nullptr, nullptr}, box.settled, t.w);
  for (int a = free; a < t.n; ++a) t.w[a] = problem.c[t.order[a]] - pull_on(box, t.order[a]) - t.w[a];
  for (int a = t.n; a < t.width; ++a) t.w[a] = 0.0;
  return true;
}

// How all answer to a force on p.
inline void ask(const Tableau& t, int p) {
  for (int i = 0; i < p; ++i) t.answer[i] = t.rows[i * t.stride + p];
  for (int i = p; i < t.width; ++i) t.answer[i] = t.rows[p * t.stride + i];
}

// Changes over p, whose column was asked for, to a side, or to 0 for free.
inline void sweep(const Tableau& t, int p, double side) {
  using P = Pack<kLanes>;
  const double reciprocal = 1.0 / t.answer[p];
  for (int first = 0; first < t.width; first += kPanelWidth) {
    P factor[kPanelWidth];
#pragma GCC unroll 8
    for (int c = 0; c < kPanelWidth; ++c) factor[c] = P(t.answer[first + c] * reciprocal);
    for (int j = first; j < t.width; j += kLanes) {
      const P answer = load_lanes(t.answer + j);
#pragma GCC unroll 8
      for (int c = 0; c < kPanelWidth; ++c) {
        double* const at = t.rows + (first + c) * t.stride + j;
        store_lanes(at, load_lanes(at) - factor[c] * answer);
      }
    }
  }
  const double sign = side != 0.0 ? reciprocal : -reciprocal;
  for (int i = 0; i < p; ++i) t.rows[i * t.stride + p] = t.answer[i] * sign;
  for (int i = p + 1; i < t.n; ++i) t.rows[p * t.stride + i] = t.answer[i] * sign;
  t.rows[p * t.stride + p] = -reciprocal;
  for (int i = 0; i < t.width; i += kLanes) {
    const P answer = load_lanes(t.answer + i);
    store_lanes(t.own + i, load_lanes(t.own + i) - answer * answer * P(reciprocal));
  }
  t.own[p] = -reciprocal;
  t.side[p] = side;
}

// The lane that is largest, and its number; -1 where none is more than 0.
PANTIN_INLINE int largest(Pack<kLanes> values, Pack<kLanes> numbers) {
  int best = -1;
  double most = 0.0;
  for (int lane = 0; lane < kLanes; ++lane)
    if (values[lane] > most) {
      most = values[lane];
      best = int(numbers[lane]);
    }
  return best;
}

// The unknown whose way back to its bound raises the objective most.
inline int most_beyond(const Tableau& t) {
  using P = Pack<kLanes>;
  P most = P(0.0), which = P(0.0);
  for (int i = 0; i < t.width; i += kLanes) {
    const P w = load_lanes(t.w + i);
    const P by = max(max(w - load_lanes(t.upper + i), load_lanes(t.lower + i) - w), P(0.0));
    const P gain = by * by / load_lanes(t.own + i);
    const Mask<kLanes> more = (gain > most) & (load_lanes(t.side + i) == P(0.0));
    most = select(more, gain, most);
    which = select(more, lanes_from(i), which);
  }
  return largest(most, which);
}

// The held one that a growing force on p stops pushing first, before the way ends; -1 for none.
inline int first_to_let_go(const Tableau& t, double& way) {
  using P = Pack<kLanes>;
  P least = P(abs(way)), which = P(-1.0);
  for (int i = 0; i < t.width; i += kLanes) {
    const P side = load_lanes(t.side + i), answer = load_lanes(t.answer + i);
    // at an upper bound the force is negative; it changes by -way * answer
    const P room = abs(load_lanes(t.w + i) / answer);
    const Mask<kLanes> may = load_lanes(t.lower + i) < load_lanes(t.upper + i);
    const Mask<kLanes> sooner = (side * answer * P(way) < P(0.0)) & (room < least) & may;
    least = select(sooner, room, least);
    which = select(sooner, lanes_from(i), which);
  }
  int first = -1;
  double shortest = abs(way);
  for (int lane = 0; lane < kLanes; ++lane)
    if (which[lane] >= 0.0 && least[lane] < shortest) {
      shortest = least[lane];
      first = int(which[lane]);
    }
  if (first >= 0) way = way > 0.0 ? shortest : -shortest;
  return first;
}

// Puts a force on the unknown whose column was asked for.
inline void press(const Tableau& t, double force) {
  using P = Pack<kLanes>;
  for (int i = 0; i < t.width; i += kLanes) {
    const P change = P(force) * load_lanes(t.answer + i), w = load_lanes(t.w + i);
    store_lanes(t.w + i, select(load_lanes(t.side + i) == P(0.0), w + change, w - change));
  }
}

// Sets an unknown free that is held.
inline void set_free(const Tableau& t, int p) {
  t.w[p] = t.side[p] > 0.0 ? t.upper[p] : t.lower[p];
  ask(t, p);
  sweep(t, p, 0.0);
}

// The held one that pushes the wrong way most; -1 for none.
inline int most_wrong(const Tableau& t, double dust) {
  using P = Pack<kLanes>;
  P most = P(dust), which = P(-1.0);
  for (int i = 0; i < t.width; i += kLanes) {
    const P wrong = load_lanes(t.side + i) * load_lanes(t.w + i);
    const Mask<kLanes> more = (wrong > most) & (load_lanes(t.lower + i) < load_lanes(t.upper + i));
    most = select(more, wrong, most);
    which = select(more, lanes_from(i), which);
  }
  return largest(select(which < P(0.0), P(0.0), most), which);
}

// Finds out what holds, from the guess of the box; false where that takes too long, or the system is singular.
inline bool find_held(Box& box, Tableau& t, int most, int& iterations) {
  if (!open(box, t)) return false;
  const int end = iterations + most;
  for (int p; (p = most_wrong(t, box.dust)) >= 0; ++iterations) {
    const double force = t.w[p];
    set_free(t, p);
    ask(t, p);
    press(t, -force);
  }
  bool found = true;
  for (int p; found && (p = most_beyond(t)) >= 0;) {
    const bool above = t.w[p] > t.upper[p];
    const double bound = above ? t.upper[p] : t.lower[p];
    double force = 0.0;
    for (bool out = true; out && found; found = ++iterations < end) {
      ask(t, p);
      double way = (bound - t.w[p]) / t.answer[p];
      const int first = first_to_let_go(t, way);
      press(t, way);
      force += way;
      out = first >= 0;
      if (out) {
        set_free(t, first);
      } else {
        sweep(t, p, above ? 1.0 : -1.0);
        t.w[p] = force;
      }
    }
  }
  for (int a = 0; a < t.n; ++a) box.held[t.order[a]] = static_cast<signed char>(t.side[a]);
  list_free(box);
  return found;
}

}  // namespace pantin::PANTIN_ISA
