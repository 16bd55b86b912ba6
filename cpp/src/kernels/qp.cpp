#include "pantin/kernels/qp.hpp"

#include "pantin/simd/isa.hpp"

namespace pantin::PANTIN_ISA {

extern const QpKernels qp_kernels;
const QpKernels qp_kernels = {};

}  // namespace pantin::PANTIN_ISA
