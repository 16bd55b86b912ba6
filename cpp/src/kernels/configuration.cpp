#include "pantin/kernels/configuration.hpp"

#include "pantin/tree/tangent.hpp"

namespace pantin::PANTIN_ISA {

extern const ConfigurationKernels configuration_kernels;
const ConfigurationKernels configuration_kernels = {
    .integrate = integrate<double>,
    .difference = difference<double>,
    .d_difference =
        [](const Tree& tree, const double* q0, const double* q1, int argument, double* out) {
          d_difference(tree, q0, q1, static_cast<Argument>(argument), out);
        },
    .d_integrate =
        [](const Tree& tree, const double* v, int argument, double* out) {
          d_integrate(tree, v, static_cast<Argument>(argument), out);
        },
};

}  // namespace pantin::PANTIN_ISA
