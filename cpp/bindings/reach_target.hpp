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

// Reads what most targets are: an SE3 or a plain matrix (4, 4), or a plain vector (3). False for anything else, and for
// what is not finite or no rotation.
bool read_plain_target(bool asks_pose, PyObject* target, double* numbers);

// The modes of `pantin.reaching.doors.MODES`, in their order.
enum class Asks : int { kPose, kPosition, kOrientation, kAxis, kDirection, kPointing, kRcm };

// What a mode is asked for, in twelve numbers: rotation of the frame by rows, and a point or direction.
struct TargetReader {
  Asks asks;
  double tool[9];    // rotation of the tool, whose axis is z, seen from the frame
  double pivot[3], depths[2];  // of kRcm, and how deep the tip may be behind it
  bool with_roll;

  bool asks_pose() const {
    return asks == Asks::kPose || asks == Asks::kAxis || (asks == Asks::kRcm && with_roll);
  }
  // Reads a solver's target; true where its rotation was projected. Raises what `pantin.reaching.doors.read_target`
  // does.
  bool read(nb::handle solver, PyObject* target, double* numbers) const;
  // The same target as the solver's core takes it; false where the tip would be too deep behind the pivot, or too
  // little.
  bool translate(const double* numbers, double* question) const;
};

}  // namespace pantin
