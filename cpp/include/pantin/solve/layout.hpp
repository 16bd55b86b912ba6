// The memory of a conveyor, all of it taken before the first solve.
#pragma once

#include "pantin/solve/conveyor.hpp"
#include "pantin/solve/pieces.hpp"

namespace pantin::PANTIN_ISA {

inline void lay_out(Conveyor& c, const ReachProblem& problem, Pieces& pieces) {
  const std::size_t nx = problem.nx, nv = problem.nv, nlines = 3 * problem.nlinks;
  Lanes& lanes = c.lanes;
  lanes.x = pieces.take<P>(nx);
  lanes.base = pieces.take<P>(nx);
  lanes.u = pieces.take<P>(nv);
  lanes.trial = pieces.take<P>(nv);
  lanes.J = pieces.take<P>(6 * nv);
  lanes.lines = pieces.take<Line<P>>(nlines);
  for (Question& question : c.questions) {
    question.seed = pieces.take<double>(nx);
    question.nudged = pieces.take<double>(nx);
    question.answer.x = pieces.take<double>(nx);
    for (Candidate& candidate : question.window) candidate.x = pieces.take<double>(nx);
    for (Candidate& finalist : question.finalists) finalist.x = pieces.take<double>(nx);
  }
  RestMemory& rest = c.rest;
  rest.x = pieces.take<double>(nx);
  rest.goal = pieces.take<double>(nx);
  rest.turned = pieces.take<double>(nx);
  rest.u = pieces.take<double>(nv);
  rest.L = pieces.take<double>(nv * nv);
  rest.held = pieces.take<bool>(nv);
  Derivatives& d = rest.derivatives;
  d.e = pieces.take<double>(6);
  d.J = pieces.take<double>(6 * nv);
  d.slope = pieces.take<double>(nv);
  d.H = pieces.take<double>(nv * nv);
  d.lines = pieces.take<Line<double>>(nlines);
  d.twists = pieces.take<Motion<double>>(nlines);
  d.unknown = pieces.take<int>(nlines);
  d.link = pieces.take<int>(nlines);
}

inline std::size_t conveyor_bytes(const ReachProblem& problem) {
  Conveyor measured;
  Pieces pieces{nullptr};
  pieces.take<Conveyor>(1);
  lay_out(measured, problem, pieces);
  return pieces.taken;
}

// Makes a conveyor for a problem in memory of that size.
inline void prepare(void* memory, const ReachProblem& problem) {
  Pieces pieces{static_cast<char*>(memory)};
  lay_out(*pieces.take<Conveyor>(1), problem, pieces);
}

}  // namespace pantin::PANTIN_ISA
