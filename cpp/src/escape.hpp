// The way out of a pose where the tasks' gradient vanishes and their error does not.
#pragma once

#include "pantin/kernels/step.hpp"

namespace pantin {

// Where no first-order step lessens the error, though second-order ones do (a straight arm whose target is nearer than
// it is long), replaces the displacement in memory.x by one along the direction of most negative curvature, within the
// bounds, and returns true. At a minimum, such as the point nearest to an unreachable target, nothing changes. The
// memory holds the step's objective at q; data is overwritten.
bool escape(const StepView& step, const double* q, double* data, StepMemory& memory);

}  // namespace pantin
