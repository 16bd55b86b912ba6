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

// Whether the first nine of twelve finite numbers are nearly a rotation.
bool is_rotation(const double* numbers);

enum class TargetForm { kPose, kPoint, kDirection, kOrientation };

// Reads what most targets are: an SE3, or an array of doubles, of shape (4, 4), (3,) or (3, 3). False for anything
// else, and for what is not finite or no rotation.
bool read_plain_target(TargetForm form, PyObject* target, double* numbers);

// The modes of `pantin.reaching.doors.MODES`, in their order.
enum class Asks : int { kPose, kPosition, kOrientation, kAxis, kDirection, kPointing, kRcm };

// What a mode is asked for, in twelve numbers: rotation of the frame by rows, and a point or direction.
struct TargetReader {
  Asks asks;
  double tool[9];    // rotation of the tool, whose axis is z, seen from the frame
  double pivot[3], depths[2];  // of kRcm, and how deep the tip may be behind it
  bool with_roll;

  TargetForm form() const {
    if (asks == Asks::kOrientation) return TargetForm::kOrientation;
    if (asks == Asks::kDirection) return TargetForm::kDirection;
    const bool pose = asks == Asks::kPose || asks == Asks::kAxis || (asks == Asks::kRcm && with_roll);
    return pose ? TargetForm::kPose : TargetForm::kPoint;
  }
  // Reads a solver's target; true where its rotation was projected. Raises what `pantin.reaching.doors.read_target`
  // does.
  bool read(nb::handle solver, PyObject* target, double* numbers) const;
  // The same target as the solver's core takes it; false where the tip would be too deep behind the pivot, or too
  // little.
  bool translate(const double* numbers, double* question) const;
};

}  // namespace pantin
