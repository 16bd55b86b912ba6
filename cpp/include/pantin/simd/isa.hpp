// The name of the instruction-set level this translation unit is compiled for.
//
// Kernel headers put everything in `namespace pantin::PANTIN_ISA`, so that two levels never share a
// symbol: a function that the linker merged could run AVX-512 code on an older processor.
#pragma once

#if !defined(PANTIN_ISA) || !defined(PANTIN_LANES)
#error "compile kernels with -DPANTIN_ISA=<level> -DPANTIN_LANES=<lanes of double>"
#endif

#define PANTIN_INLINE inline __attribute__((always_inline))
// The same for a lambda, between its arguments and its body.
#define PANTIN_LAMBDA __attribute__((always_inline))

namespace pantin::PANTIN_ISA {

inline constexpr int kLanes = PANTIN_LANES;

}  // namespace pantin::PANTIN_ISA
