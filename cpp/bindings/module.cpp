// The compiled module: chooses the instruction-set level, then binds one subject a file.
#define PANTIN_IMPORTS_NUMPY
#include "numpy_api.hpp"

#include <nanobind/stl/string.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "pantin/kernels/table.hpp"

namespace pantin {

void bind_model(nb::module_& m);
void bind_se3(nb::module_& m);
void bind_lie(nb::module_& m);
void bind_kinematics(nb::module_& m);
void bind_batch(nb::module_& m);
void add_hot_calls(nb::module_& m);

}  // namespace pantin

NB_MODULE(_core, m) {
  using namespace pantin;
  if (_import_array() < 0) throw nb::python_error();
  const char* const wanted = std::getenv("PANTIN_LEVEL");
  if (const char* const problem = choose_level(wanted ? wanted : "")) {
    PyErr_SetString(PyExc_ImportError, problem);
    throw nb::python_error();
  }
  m.doc() = "The compiled core of pantin.";
  m.def(
      "level", [] { return std::string(kernels().level); },
      "Instruction-set level the kernels run at: v2, v3, v4 or generic (PANTIN_LEVEL chooses).");
  m.def("lanes", [] { return kernels().lanes; }, "Problems that a batch kernel serves at once.");
  bind_se3(m);
  bind_lie(m);
  bind_model(m);
  bind_kinematics(m);
  bind_batch(m);
  add_hot_calls(m);
}
