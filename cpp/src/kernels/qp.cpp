#include "pantin/kernels/qp.hpp"

#include "pantin/solve/qp/bounded.hpp"

namespace pantin::PANTIN_ISA {

extern const QpKernels qp_kernels;
const QpKernels qp_kernels = {
    .bounded_bytes = bounded_bytes,
    .general_bytes = nullptr,
    .least_violating_bytes = nullptr,
    .bounded = bounded,
    .general = nullptr,
    .least_violating = nullptr,
};

}  // namespace pantin::PANTIN_ISA
