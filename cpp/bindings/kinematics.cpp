// Kinematics calls that are not hot: plain nanobind over checked arguments.
#include <nanobind/nanobind.h>

#include "hot.hpp"
#include "pantin/kernels/table.hpp"
#include "se3.hpp"

namespace pantin {

namespace {

Tree const& tree_of(Data& data) { return data.tree().view(); }

void require_joint(const Tree& tree, int joint) {
  if (joint < 0 || joint >= tree.njoints) throw nb::index_error("no such joint");
}

nb::object owned(PyArrayObject* array) { return nb::steal(release(array)); }

}  // namespace

void bind_kinematics(nb::module_& m) {
  // The callers in `pantin.kinematics.algorithms` have checked model, data, indices and vectors.
  m.def("_screw_rates", [](Data& data) { kernels().kinematics.screw_rates(tree_of(data), data.memory()); },
        nb::arg("data"), "Rates of all screws from the velocities in the data.");
  m.def("_jacobian_rate", [](Data& data, int joint, const Pose& pose, int reference) {
    require_joint(tree_of(data), joint);
    PyArrayObject* const dJ = new_array({6, tree_of(data).nv});
    kernels().kinematics.frame_jacobian_rate(tree_of(data), data.memory(), joint, pose.numbers(),
                                             static_cast<ReferenceFrame>(reference), data_of(dJ));
    return owned(dJ);
  }, nb::arg("data"), nb::arg("joint"), nb::arg("pose"), nb::arg("reference_frame"),
        nb::sig("def _jacobian_rate(data: Data, joint: int, pose: SE3, reference_frame: int) -> "
                "numpy.typing.NDArray[numpy.float64]"),
        "Rate of the Jacobian of a pose carried by a joint.");
  m.def("_d_difference", [](const CompiledTree& tree, nb::handle q0, nb::handle q1, int argument) {
    const Tree& t = tree.view();
    const ConfigurationArgument a(tree, q0.ptr(), "q0"), b(tree, q1.ptr(), "q1");
    PyArrayObject* const J = new_array({t.nv, t.nv});
    kernels().configuration.d_difference(t, a.data(), b.data(), argument, data_of(J));
    return owned(J);
  }, nb::arg("tree"), nb::arg("q0").none(), nb::arg("q1").none(), nb::arg("argument"),
        nb::sig("def _d_difference(tree: Tree, q0: numpy.typing.ArrayLike, q1: numpy.typing.ArrayLike, "
                "argument: int) -> numpy.typing.NDArray[numpy.float64]"),
        "Derivative of the difference, shape (nv, nv).");
  m.def("_d_integrate", [](const CompiledTree& tree, nb::handle v, int argument) {
    const Tree& t = tree.view();
    const VectorArgument step(v.ptr(), t.nv, "v");
    PyArrayObject* const J = new_array({t.nv, t.nv});
    kernels().configuration.d_integrate(t, step.data(), argument, data_of(J));
    return owned(J);
  }, nb::arg("tree"), nb::arg("v").none(), nb::arg("argument"),
        nb::sig("def _d_integrate(tree: Tree, v: numpy.typing.ArrayLike, argument: int) -> "
                "numpy.typing.NDArray[numpy.float64]"),
        "Derivative of the integration, shape (nv, nv).");
}

}  // namespace pantin
