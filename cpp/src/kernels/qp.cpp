#include "pantin/kernels/qp.hpp"

#include "pantin/solve/qp/least_violating.hpp"

namespace pantin::PANTIN_ISA {

extern const QpKernels qp_kernels;
const QpKernels qp_kernels = {
    .bounded_bytes = bounded_bytes,
    .general_bytes = general_bytes,
    .least_violating_bytes = least_violating_bytes,
    .bounded = bounded,
    .general = general,
    .least_violating = least_violating,
};

}  // namespace pantin::PANTIN_ISA
