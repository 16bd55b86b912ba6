// A posture in the freedom that targets leave: the configuration nearest to it among those that reach.
//
// Sequential quadratic programming with the targets as equalities:
//     u = d + W^-1 J' (J W^-1 J')^-1 (e - J d),
// d the way to the posture and W the joints' weights (Nocedal and Wright 2006, section 18.1, with the posture's own
// curvature). A joint that the step would take beyond a limit is held for it.
#pragma once

#include "pantin/solve/whole/iterate.hpp"

namespace pantin::PANTIN_ISA {

struct PostureMemory {
  double *x, *next;          // of the posture; where the step leads
  double *way, *e, *u;       // to the posture; errors that the way leaves; the step
  double *last, *before;     // the last step, and what was proposed for it
  double *per_root_weight;   // of each unknown
  double* J;                 // columns times these
  double *rest, *pull;       // what is left to the limits of those that are held, and what they would do
  bool *held, *let_go, *was_held;
};

namespace whole {
inline constexpr double kPostureStep = 0.5;    // radians, to begin with
inline constexpr double kNearer = 1e-12;       // part by which a step has to lead nearer
inline constexpr double kShortest = 0.2, kLongest = 8.0;  // lengths of a step, times the proposed one's
inline constexpr int kReturns = 8;             // steps in which the targets shall be reached again ...
inline constexpr double kMet = 1e-24;          // ... to this squared error
inline constexpr double kPostureRest = 1e-7;   // a step that counts as none, radians and lengths
inline constexpr double kPostureDamping = 1e-11;
inline constexpr double kAtLimit = 1e-7;       // a joint so near to its limit stands at it ...
inline constexpr double kNearLimit = 0.1;      // ... or so near in parts of its step
}  // namespace whole

// Squared distance to the posture, by the joints' weights; the way goes to `way`.
inline double measure_way(const WholeProblem& problem, PostureMemory& m, const double* x) {
  const ReachProblem& unknowns = problem.unknowns;
  double distance2 = 0.0;
  for (int i = 0; i < unknowns.nvariables; ++i) {
    const Joint& joint = unknowns.variables[i];
    difference_joint(joint, x + joint.q, m.x + joint.q, m.way + joint.v);
    for (int k = joint.v; k < joint.v + joint.nv; ++k) {
      if (unknowns.is_length[k]) m.way[k] /= problem.length;
      const double weighted = m.way[k] / m.per_root_weight[k];
      distance2 += weighted * weighted;
    }
  }
  return distance2;
}

// Room of an unknown towards where a step leads, in the step's units; infinite where no limit is.
inline double room(const WholeProblem& problem, const ReachBounds& bounds, const double* x, int unknown, double step) {
  const int k = problem.unknowns.x_of_unknown[unknown];
  if (k < 0) return __builtin_inf();
  const double left = step > 0.0 ? bounds.upper[k] - x[k] : x[k] - bounds.lower[k];
  return problem.unknowns.is_length[unknown] ? left / problem.length : left;
}

// Whether a step of an unknown ends at a limit nearly where it begins.
inline bool is_stopped(const WholeProblem& problem, const ReachBounds& bounds, const double* x, int unknown, double step) {
  return room(problem, bounds, x, unknown, step) <= max(whole::kAtLimit, whole::kNearLimit * abs(step));
}

// The step of all unknowns, where those that are held go to their limits; `pull` is what these would do instead.
inline void bounded_step(const WholeProblem& problem, PostureMemory& m, WholeState<double>& s) {
  const int n = problem.unknowns.nv;
  for (int k = 0; k < n; ++k) s.slope[k] = -(m.held[k] ? m.rest[k] : m.way[k]) / m.per_root_weight[k];
  for (int i = 0; i < problem.rows; ++i) m.e[i] = s.e[i];
  add_product(problem, m.J, s.slope, m.e);
  for (int b = 0; b < problem.nblocks; ++b) {
    const WholeBlock& block = problem.blocks[b];
    for (int i = 0; i < block.rows; ++i) s.J[block.at + i] = m.held[block.unknown] ? 0.0 : m.J[block.at + i];
  }
  double* const e = s.e;
  s.e = m.e;
  slopes(problem, s.J, s.e, s.slope);
  damped_step(problem, s, whole::kPostureDamping, m.u);
  // the multipliers of the targets are what the damped step leaves of the errors, over the damping
  for (int k = 0; k < n; ++k) s.slope[k] = -m.u[k];
  add_product(problem, s.J, s.slope, m.e);
  slopes(problem, m.J, m.e, s.slope);
  s.e = e;
  for (int k = 0; k < n; ++k) {
    m.pull[k] = m.way[k] + m.per_root_weight[k] * s.slope[k] / whole::kPostureDamping;
    m.u[k] = m.held[k] ? m.rest[k] : m.way[k] + m.per_root_weight[k] * m.u[k];
  }
}

// The step at s.x, and how far it moves a joint at most, in radians or lengths. Joints that it would take beyond a limit
// near by are held there, and let go once where the targets draw them back. True in `same` where these are the joints
// that were held before.
inline double posture_step(const WholeProblem& problem, const ReachBounds& bounds, PostureMemory& m, WholeState<double>& s,
                           bool& same) {
  const int n = problem.unknowns.nv;
  fill_blocks(problem, s.lines, s.moments, s.sights, s.J);
  for (int b = 0; b < problem.nblocks; ++b) {
    const WholeBlock& block = problem.blocks[b];
    for (int i = 0; i < block.rows; ++i) m.J[block.at + i] = m.per_root_weight[block.unknown] * s.J[block.at + i];
  }
  for (int k = 0; k < n; ++k) m.held[k] = m.let_go[k] = false;
  for (bool changed = true; changed;) {
    changed = false;
    bounded_step(problem, m, s);
    for (int k = 0; k < n; ++k) {
      if (m.held[k] || !is_stopped(problem, bounds, s.x, k, m.u[k])) continue;
      m.held[k] = changed = true;
      m.rest[k] = m.u[k] > 0.0 ? room(problem, bounds, s.x, k, m.u[k]) : -room(problem, bounds, s.x, k, m.u[k]);
    }
    for (int k = 0; k < n && !changed; ++k) {
      if (!m.held[k] || m.let_go[k] || is_stopped(problem, bounds, s.x, k, m.pull[k])) continue;
      m.held[k] = false;
      m.let_go[k] = changed = true;
    }
  }
  double largest = 0.0;
  same = true;
  for (int k = 0; k < n; ++k) {
    largest = max(largest, abs(m.u[k]));
    same = same && m.held[k] == m.was_held[k];
    m.was_held[k] = m.held[k];
  }
  return largest;
}

// What part of a step keeps all joints within their limits.
inline double part_within(const WholeProblem& problem, const ReachBounds& bounds, const PostureMemory& m, const double* x) {
  double part = 1.0;
  for (int k = 0; k < problem.unknowns.nv; ++k) {
    const double left = room(problem, bounds, x, k, m.u[k]);
    if (!m.held[k] && left < part * abs(m.u[k])) part = left / abs(m.u[k]);
  }
  return part;
}

// Takes s.x by a step, and from there to the targets by Newton's steps; false where these are not reached.
inline bool walk(const WholeProblem& problem, const ReachBounds& bounds, WholeState<double>& s, double* u, double* next) {
  for (int i = 0; i < whole::kReturns; ++i) {
    for (int k = 0; k < problem.unknowns.nv; ++k)
      if (problem.unknowns.is_length[k]) u[k] *= problem.length;
    integrate_within(problem.unknowns, bounds, s.x, u, next);
    for (int k = 0; k < problem.unknowns.nx; ++k) s.x[k] = next[k];
    look_around(problem, s);
    if (s.cost < whole::kMet) break;
    fill_blocks(problem, s.lines, s.moments, s.sights, s.J);
    slopes(problem, s.J, s.e, s.slope);
    hold(problem, bounds, s);
    damped_step(problem, s, whole::kPostureDamping, u);
    const double scale = shortening(problem, u, whole::kLargestStep);
    for (int k = 0; k < problem.unknowns.nv; ++k) u[k] *= scale;
  }
  return s.reached;
}

// Length that suits a step, from how the last one changed it (Barzilai and Borwein 1988): `m.last` is that step, as it
// was taken, and `m.before` what was proposed then. The targets' curvature makes the whole step too long or too short.
inline double suitable_length(const WholeProblem& problem, const PostureMemory& m) {
  double taken = 0.0, turned = 0.0;
  for (int k = 0; k < problem.unknowns.nv; ++k) {
    const double weight = 1.0 / (m.per_root_weight[k] * m.per_root_weight[k]);
    taken += weight * m.last[k] * m.last[k];
    turned += weight * m.last[k] * (m.before[k] - m.u[k]);
  }
  return turned > taken / whole::kLongest ? max(taken / turned, whole::kShortest) : whole::kLongest;
}

// A step from x that leads nearer, at most as long as proposed; x and `nearest` follow it. False where there is none.
inline bool step_nearer(const WholeProblem& problem, const ReachBounds& bounds, PostureMemory& m, WholeState<double>& s,
                        double length, double largest, double& nearest, double* x) {
  const int n = problem.unknowns.nv, nx = problem.unknowns.nx;
  for (; length * largest > whole::kPostureRest; length *= 0.25) {
    for (int k = 0; k < n; ++k) m.last[k] = m.u[k] = length * m.before[k];
    const bool reaches = walk(problem, bounds, s, m.u, m.next);
    const double distance = measure_way(problem, m, s.x);
    if (reaches && distance < nearest * (1.0 - whole::kNearer)) {
      for (int k = 0; k < nx; ++k) x[k] = s.x[k];
      nearest = distance;
      return true;
    }
    for (int k = 0; k < nx; ++k) s.x[k] = x[k];
  }
  return false;
}

// Moves numbers that reach as near to the posture as the targets allow; the state then is that of x.
inline void approach_posture(const WholeProblem& problem, const ReachBounds& bounds, const ReachSettings& settings,
                             PostureMemory& m, WholeState<double>& s, double* x) {
  double nearest = measure_way(problem, m, x);
  for (int k = 0; k < problem.unknowns.nv; ++k) m.was_held[k] = false;
  for (int i = 0; i < settings.max_iterations; ++i) {
    bool same;
    const double largest = posture_step(problem, bounds, m, s, same);
    double length = i > 0 && same ? suitable_length(problem, m) : 1.0;
    if (length * largest > whole::kPostureStep) length = whole::kPostureStep / largest;
    for (int k = 0; k < problem.unknowns.nv; ++k) {
      m.before[k] = m.u[k];
      m.u[k] *= length;
    }
    length *= part_within(problem, bounds, m, s.x);
    if (!step_nearer(problem, bounds, m, s, length, largest, nearest, x)) break;
  }
  look_around(problem, s);
}

}  // namespace pantin::PANTIN_ISA
