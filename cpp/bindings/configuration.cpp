// Base of Python's Configuration.
#include "configuration.hpp"

#include <algorithm>

#include "collected.hpp"
#include "hot.hpp"
#include "pantin/kernels/table.hpp"
#include "solving.hpp"

namespace pantin {

namespace {

nb::object frozen_copy(const double* numbers, int n) {
  PyArrayObject* const array = new_array({n});
  std::copy_n(numbers, n, data_of(array));
  PyArray_CLEARFLAGS(array, NPY_ARRAY_WRITEABLE);
  return nb::steal(reinterpret_cast<PyObject*>(array));
}

}  // namespace

ConfigurationBase::ConfigurationBase(nb::object model_, nb::object data_, nb::handle q_, bool fresh, bool shared_)
    : model(std::move(model_)), data(std::move(data_)), shared(shared_),
      base_(&instance<ModelBase>(model.ptr(), "model")), buffers_(&instance<Data>(data.ptr(), "data")),
      placed_(fresh ? Placed::kFrames : Placed::kNothing) {
  const CompiledTree& compiled = tree();
  const ConfigurationArgument given(compiled, q_.ptr(), "q");
  q = frozen_copy(given.data(), compiled.view().nq);
}

const CompiledTree& ConfigurationBase::tree() const {
  const CompiledTree& compiled = *model_tree();
  if (&buffers().tree() != &compiled) raise("raise_stale_data");
  return compiled;
}

const double* ConfigurationBase::numbers() const {
  auto* const array = reinterpret_cast<PyArrayObject*>(q.ptr());
  if (PyArray_NBYTES(array) != npy_intp(sizeof(double)) * buffers().tree().view().nq)
    throw nb::value_error("configuration: its q was resized; call update() with another one");
  return data_of(array);
}

void ConfigurationBase::place_joints() {
  if (placed_ != Placed::kNothing) return;
  const Tree& view = tree().view();
  double* const memory = buffers().memory();
  kernels().kinematics.forward(view, numbers(), memory);
  kernels().kinematics.joint_screws(view, memory);
  placed_ = Placed::kJoints;
}

void ConfigurationBase::place_frames() {
  if (placed_ == Placed::kFrames) return;
  place_joints();
  kernels().kinematics.place_frames(tree().view(), buffers().memory());
  placed_ = Placed::kFrames;
}

void ConfigurationBase::move(PyArrayObject* to) {
  PyArray_CLEARFLAGS(to, NPY_ARRAY_WRITEABLE);
  q = nb::steal(reinterpret_cast<PyObject*>(to));
  placed_ = Placed::kNothing;
  if (shared) place_frames();
}

int ConfigurationBase::first_outside(double tolerance) {
  const TreePointer& now = model_tree();
  const int nq = tree().view().nq;
  if (ends_.tree != now) {
    const nb::object vectors = model.attr("_vectors");
    const int first = nb::cast<int>(nb::object(model.attr("get_root_joint_dim")()[0]));
    ends_ = {now, vectors["lower_position_limit"], vectors["upper_position_limit"], first};
  }
  const double *const lower = limit_vector(ends_.lower, nq), *const upper = limit_vector(ends_.upper, nq);
  const double* const x = numbers();
  for (int k = ends_.first; k < nq; ++k)
    if (upper[k] > lower[k] + tolerance && !(x[k] >= lower[k] - tolerance && x[k] <= upper[k] + tolerance)) return k;
  return -1;
}

namespace {

void let_go(ConfigurationBase& base) { base.clear(); }

}  // namespace

void bind_configuration(nb::module_& m) {
  nb::class_<ConfigurationBase>(m, "ConfigurationBase",
                                nb::type_slots(collected<ConfigurationBase, let_go, &ConfigurationBase::model,
                                                         &ConfigurationBase::data>()),
                                nb::is_weak_referenceable(),
                                "What a configuration is underneath: a model, a data and a q that agree.")
      .def(nb::init<nb::object, nb::object, nb::handle, bool, bool>(), nb::arg("model"), nb::arg("data"), nb::arg("q"),
           nb::arg("fresh"), nb::arg("shared"),
           nb::sig("def __init__(self, model: ModelBase, data: Data, q: numpy.typing.ArrayLike, fresh: bool, shared: "
                   "bool) -> None"))
      .def_prop_ro("model", [](const ConfigurationBase& self) { return self.model; },
                   nb::sig("def model(self) -> typing.Any"), "The model.")
      .def_prop_ro(
          "data",
          [](ConfigurationBase& self) {
            self.place_frames();
            return self.data;
          },
          nb::sig("def data(self) -> Data"), "Buffers of the model with joints, screws and frames placed for `q`.")
      .def_prop_ro("q", [](const ConfigurationBase& self) { return self.q; }, nb::sig("def q(self) -> " PANTIN_ARRAY),
                   "Configuration, shape (nq,), read-only; each update makes a new array.")
      .def_prop_ro("_shared", [](const ConfigurationBase& self) { return self.shared; })
      .def(
          "_move",
          [](ConfigurationBase& self, nb::handle q) {
            const CompiledTree& tree = self.tree();
            const ConfigurationArgument given(tree, q.ptr(), "q");
            PyArrayObject* const array = new_array({tree.view().nq});
            std::copy_n(given.data(), tree.view().nq, data_of(array));
            self.move(array);
          },
          nb::arg("q"), nb::sig("def _move(self, q: numpy.typing.ArrayLike) -> None"), "Go to a configuration.")
      .def("_place", &ConfigurationBase::place_frames, "Bring the data up to date with q.")
      .def("_first_outside", &ConfigurationBase::first_outside, nb::arg("tolerance"),
           "First entry of q behind the root joint that is outside its limits by more than a tolerance, or -1.");
}

}  // namespace pantin
