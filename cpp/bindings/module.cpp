// The compiled module: chooses the instruction-set level, then binds one subject a file.
#define PANTIN_IMPORTS_NUMPY
#include "numpy_api.hpp"

#include <nanobind/stl/string.h>

#include <string>

#include "pantin/kernels/table.hpp"

namespace pantin {

void bind_model(nb::module_& m);
void bind_se3(nb::module_& m);
void bind_lie(nb::module_& m);
void bind_kinematics(nb::module_& m);
void bind_batch(nb::module_& m);
void bind_batch_dynamics(nb::module_& m);
void bind_closed_form(nb::module_& m);
void bind_reach(nb::module_& m);
void bind_problem(nb::module_& m);
void bind_path(nb::module_& m);
void bind_qp(nb::module_& m);
void bind_fit_parts(nb::module_& m);
void bind_fit_start(nb::module_& m);
void bind_fit(nb::module_& m);
void bind_task(nb::module_& m);
void bind_configuration(nb::module_& m);
void bind_step_parts(nb::module_& m);
void bind_step(nb::module_& m);
void bind_batch_ik(nb::module_& m);
void add_hot_calls(nb::module_& m);
void add_hot_dynamics(nb::module_& m);
void add_hot_motion(nb::module_& m);

}  // namespace pantin

NB_MODULE(_core, m) {
  using namespace pantin;
  if (_import_array() < 0) throw nb::python_error();
  choose_level("");
  // A session that ends with an error holds its objects to the end, which is no leak to tell users of.
  nb::set_leak_warnings(false);
  m.doc() = "The compiled core of pantin.";
  m.def(
      "set_level",
      [](const std::string& name) {
        if (const char* const problem = choose_level(name.c_str())) {
          PyErr_SetString(PyExc_ImportError, problem);
          throw nb::python_error();
        }
      },
      nb::arg("name"),
      R"(Run the kernels at an instruction-set level: v2, v3, v4, generic, or the processor's best for "".

Called once, when pantin is imported, with the environment variable PANTIN_LEVEL.

Raises:
    ImportError: If the level is unknown, or the processor does not have it.)");
  m.def(
      "level", [] { return std::string(kernels().level); },
      "Instruction-set level the kernels run at: v2, v3, v4 or generic (PANTIN_LEVEL chooses).");
  m.def("lanes", [] { return kernels().lanes; }, "Problems that a batch kernel serves at once.");
  bind_se3(m);
  bind_lie(m);
  bind_model(m);
  bind_kinematics(m);
  bind_batch(m);
  bind_batch_dynamics(m);
  bind_closed_form(m);
  bind_reach(m);
  bind_problem(m);
  bind_path(m);
  bind_qp(m);
  bind_fit_parts(m);
  bind_fit_start(m);
  bind_fit(m);
  bind_task(m);
  bind_configuration(m);
  bind_step_parts(m);
  bind_step(m);
  bind_batch_ik(m);
  add_hot_calls(m);
  add_hot_dynamics(m);
  add_hot_motion(m);
}
