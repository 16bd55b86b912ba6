// Entry points of the reach kernel: a task is begun in a piece of memory and advanced until it is done.
#pragma once

#include "pantin/solve/problem.hpp"

namespace pantin {

struct ReachKernels {
  // Memory of a state, aligned to 64, is prepared once for a problem and serves any number of tasks.
  std::size_t (*state_bytes)(const ReachProblem&);
  void (*prepare)(void* state, const ReachProblem&);
  // Fills memory of `atlas_bytes` that bounds keep as their atlas; `state` serves as scratch.
  std::size_t atlas_bytes;
  void (*make_atlas)(const ReachProblem&, const ReachBounds&, void* memory, void* state);
  void (*begin)(void* state, const ReachTask&);
  // Up to `steps` iterations of all lanes; true when every target has its answer. `now` is a clock in ns, and
  // questions opened longer than `limit` ns ago are closed as they are (limit 0: never).
  bool (*advance)(void* state, int steps, long long now, long long limit);
  // Error, columns of the Jacobian and second derivatives of half the squared error at a configuration, and the
  // configuration that the unknowns' displacement u leads to; `state` serves as scratch.
  void (*derivatives)(const ReachTask&, double* e, double* J, double* H, void* state);
  void (*displace)(const ReachTask&, const double* u, void* state);
  // The middle, and configurations spread over the whole limits, of the indices `range`.
  void (*starts)(const ReachTask&, void* state);
};

}  // namespace pantin
