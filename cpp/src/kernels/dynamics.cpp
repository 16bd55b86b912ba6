#include "pantin/kernels/dynamics.hpp"

#include "pantin/dyn/aba.hpp"
#include "pantin/dyn/energy.hpp"

namespace pantin::PANTIN_ISA {

namespace {

int first_zero(const double* reciprocals, int n) {
  for (int k = 0; k < n; ++k)
    if (reciprocals[k] == 0.0) return k;
  return -1;
}

int forward_dynamics(const Tree& tree, const double* q, const double* v, const double* tau, const double* fext,
                     double* data, double* room, double* ddq) {
  if (tree.has_mimic)
    dense_forward_dynamics(tree, q, v, tau, fext, data, room, ddq);
  else
    aba(tree, q, v, tau, fext, data, ddq);
  return first_zero(data + tree.layout.dynamics.reciprocals, tree.nv);
}

Energies energies(const Tree& tree, const double* q, const double* v, double* data) {
  forward(tree, q, data);
  const Totals<double> sums = totals(tree, v, data);
  return {sums.kinetic_energy, potential_energy(tree, data, sums.moment)};
}

double potential(const Tree& tree, const double* q, double* data) {
  forward(tree, q, data);
  const SE3<double>* const M = oMi(tree, data);
  const Vec3<double> point = common_point(tree, M);
  Vec3<double> moment = zero3<double>();
  for (int i = 1; i < tree.njoints; ++i)
    moment = moment + tree.inertias[i].mass * center(tree.inertias[i], M[i], point);
  return potential_energy(tree, data, moment);
}

void store_center(const Tree& tree, double* data, const Vec3<double>& seen_from_common_point) {
  store3(data + tree.layout.com, common_point(tree, oMi(tree, data)) + seen_from_common_point);
}

void momentum(const Tree& tree, const double* q, const double* v, double* data, double* hg) {
  forward(tree, q, data);
  const Totals<double> sums = totals(tree, v, data);
  const Vec3<double> arm = relative_center(tree, sums.moment);
  const Motion<double> h = about(arm, sums.momentum);
  store3(hg, h.v);
  store3(hg + 3, h.w);
  store_center(tree, data, arm);
}

void momentum_map(const Tree& tree, const double* q, double* data, double* Ag) {
  forward(tree, q, data);
  store_center(tree, data, centroidal_map(tree, data, Ag));
}

}  // namespace

extern const DynamicsKernels dynamics_kernels;
const DynamicsKernels dynamics_kernels = {
    .rnea = rnea<double>,
    .static_torques = static_torques<double>,
    .crba = crba<double>,
    .aba = forward_dynamics,
    .energies = energies,
    .potential_energy = potential,
    .centroidal_momentum = momentum,
    .centroidal_map = momentum_map,
};

}  // namespace pantin::PANTIN_ISA
