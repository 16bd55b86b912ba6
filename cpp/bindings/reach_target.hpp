// Targets of reach: twelve numbers each, rotation by rows and translation.
#pragma once

#include <nanobind/nanobind.h>

#include "pantin/solve/problem.hpp"

namespace pantin {

namespace nb = nanobind;

// A function of `pantin.reaching.doors`, where the unusual goes.
inline nb::object reach_door(const char* name) { return nb::module_::import_("pantin.reaching.doors").attr(name); }

// Puts the nearest rotation in the place of one that is not quite one; true where that changed it.
bool project_rotation(double* numbers);

// Reads a target; true where its rotation was projected. Raises what `pantin.reaching.doors.read_target` does.
bool read_target(ReachMode mode, PyObject* target, double* numbers);

}  // namespace pantin
