// How a differential step ended; `pantin.differential.StepStatus` has the words.
#pragma once

namespace pantin {

enum class StepEnd : int { kSolved, kReturning, kStanding, kInfeasible, kNotFinite, kStalled };

}  // namespace pantin
