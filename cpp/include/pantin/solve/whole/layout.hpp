// The memory of a search, all of it taken before the first solve.
#pragma once

#include "pantin/solve/pieces.hpp"
#include "pantin/solve/whole/search.hpp"

namespace pantin::PANTIN_ISA {

template <class T>
inline void lay_out(WholeState<T>& s, const WholeProblem& problem, Pieces& pieces) {
  const std::size_t nv = problem.unknowns.nv, padded = problem.padded;
  s.x = pieces.take<T>(problem.nx);
  s.e = pieces.take<T>(problem.rows);
  s.J = pieces.take<T>(problem.jacobian);
  s.slope = pieces.take<T>(nv);
  s.target = pieces.take<T>(12 * problem.nresiduals);
  s.poses = pieces.take<SE3<T>>(problem.nlinks);
  s.lines = pieces.take<Line<T>>(problem.nlines);
  s.moments = pieces.take<Vec3<T>>(problem.nlinks);
  s.sights = pieces.take<Sight<T>>(problem.nresiduals);
  s.A = pieces.take<T>(padded * padded);
  s.y = pieces.take<T>(problem.rows > problem.padded ? problem.rows : problem.padded);
}

inline void lay_out(WholeSearch& c, const WholeProblem& problem, Pieces& pieces) {
  const std::size_t nx = problem.nx, nv = problem.unknowns.nv;
  lay_out(c.lanes.state, problem, pieces);
  lay_out(c.state, problem, pieces);
  c.lanes.base = pieces.take<P>(nx);
  c.lanes.u = pieces.take<P>(nv);
  c.lanes.trial = pieces.take<P>(nv);
  c.lanes.errors2 = pieces.take<P>(2 * problem.nresiduals);
  for (auto& end : c.ended) end.x = pieces.take<double>(nx);
  for (auto& finalist : c.finalists) finalist.x = pieces.take<double>(nx);
  c.seed = pieces.take<double>(nx);
  c.numbers = pieces.take<double>(nx);
  PostureMemory& posture = c.posture;
  posture.x = pieces.take<double>(nx);
  posture.next = pieces.take<double>(nx);
  posture.way = pieces.take<double>(nv);
  posture.e = pieces.take<double>(problem.rows);
  posture.u = pieces.take<double>(nv);
  posture.last = pieces.take<double>(nv);
  posture.before = pieces.take<double>(nv);
  posture.per_root_weight = pieces.take<double>(nv);
  posture.J = pieces.take<double>(problem.jacobian);
  posture.held = pieces.take<bool>(nv);
  posture.let_go = pieces.take<bool>(nv);
  posture.was_held = pieces.take<bool>(nv);
  posture.rest = pieces.take<double>(nv);
  posture.pull = pieces.take<double>(nv);
  WholeRestMemory& rest = c.rest;
  rest.x = pieces.take<double>(nx);
  rest.next = pieces.take<double>(nx);
  rest.S = pieces.take<double>(nv * nv);
  rest.L = pieces.take<double>(nv * nv);
  double** const vectors[] = {&rest.u, &rest.step, &rest.slope, &rest.old_slope, &rest.change, &rest.gap, &rest.image};
  for (double** vector : vectors) *vector = pieces.take<double>(nv);
  rest.J = pieces.take<double>(problem.jacobian);
  rest.held = pieces.take<bool>(nv);
}

inline std::size_t search_bytes(const WholeProblem& problem) {
  WholeSearch measured;
  Pieces pieces{nullptr};
  pieces.take<WholeSearch>(1);
  lay_out(measured, problem, pieces);
  return pieces.taken;
}

// Makes a search for a problem in memory of that size.
inline void prepare(void* memory, const WholeProblem& problem) {
  Pieces pieces{static_cast<char*>(memory)};
  lay_out(*pieces.take<WholeSearch>(1), problem, pieces);
}

}  // namespace pantin::PANTIN_ISA
