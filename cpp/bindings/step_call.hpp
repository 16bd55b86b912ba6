// What calls about steps share: their arguments, and plans in use.
#pragma once

#include "configuration.hpp"
#include "hot.hpp"
#include "step_plan.hpp"

namespace pantin {

inline ConfigurationBase& configuration_of(PyObject* object) {
  return instance<ConfigurationBase>(object, "configuration");
}

inline double time_step(PyObject* object) {
  if (PyFloat_CheckExact(object)) {
    const double dt = PyFloat_AS_DOUBLE(object);
    if (dt >= 0.0 && dt <= 1e150) return dt;
  }
  return nb::cast<double>(
      nb::module_::import_("pantin.arrays").attr("scalar")("dt", nb::handle(object), nb::arg("lower") = 0.0));
}

inline PyObject* empty_tuple() {
  static PyObject* const tuple = PyTuple_New(0);
  return tuple;
}

// Marks plans as in use while a step runs.
class Busy {
 public:
  explicit Busy(StepPlan* plan) : plan_(plan) { set(true); }
  ~Busy() { set(false); }
  Busy(const Busy&) = delete;

 private:
  void set(bool busy) {
    if (plan_) plan_->busy = busy;
  }
  StepPlan* plan_;
};

}  // namespace pantin
