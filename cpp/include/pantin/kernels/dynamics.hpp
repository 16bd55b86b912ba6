// Entry points of the dynamics kernels. External forces, where taken, may be null: (njoints, 6), in joint frames.
#pragma once

#include <cstddef>

#include "pantin/kernels/batch.hpp"
#include "pantin/tree/tree.hpp"

namespace pantin {

struct Energies {
  double kinetic, potential;
};

// One problem in plain double; `data` is a working set, results go where the last argument points.
struct DynamicsKernels {
  // Without accelerations (null) the bias torques.
  void (*rnea)(const Tree&, const double* q, const double* v, const double* a, const double* fext, double* data,
               double* tau);
  void (*static_torques)(const Tree&, const double* q, const double* fext, double* data, double* tau);
  // Writes the entries of joints that carry each other; the others stay as they are.
  void (*crba)(const Tree&, const double* q, double* data, double* M);
  // `room` is (nv, nv) for a tree with mimics. Returns the first velocity entry whose pivot vanishes, or -1.
  int (*aba)(const Tree&, const double* q, const double* v, const double* tau, const double* fext, double* data,
             double* room, double* ddq);
  Energies (*energies)(const Tree&, const double* q, const double* v, double* data);
  double (*potential_energy)(const Tree&, const double* q, double* data);
  // The centroidal ones also write the centre of mass into the working set.
  void (*centroidal_momentum)(const Tree&, const double* q, const double* v, double* data, double* hg);
  void (*centroidal_map)(const Tree&, const double* q, double* data, double* Ag);
};

// Many problems, as in batch.hpp, with scratch of another size.
struct BatchDynamicsKernels {
  std::size_t (*scratch_bytes)(const Tree&);
  std::size_t (*scratch_bytes_with_matrix)(const Tree&);  // crba, and aba of a tree with mimics
  void (*rnea)(const Tree&, Range, const double* q, const double* v, const double* a, const double* fext,
               double* tau, void* scratch);
  void (*crba)(const Tree&, Range, const double* q, double* M, void* scratch);
  // Returns row * nv + entry of the first pivot that vanishes, or -1.
  std::ptrdiff_t (*aba)(const Tree&, Range, const double* q, const double* v, const double* tau, const double* fext,
                        double* ddq, void* scratch);
};

}  // namespace pantin
