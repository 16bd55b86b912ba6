// The losses that a misfit may count by.
#pragma once

namespace pantin {

enum class Loss : int { kLinear, kHuber, kSoftL1, kCauchy, kGemanMcClure };
inline constexpr int kLosses = 5;

}  // namespace pantin
