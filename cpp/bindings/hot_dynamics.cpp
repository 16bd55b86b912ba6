// The dynamics calls as raw fast-call functions; `hot.hpp` says why.
#include <algorithm>
#include <numeric>

#include "hot.hpp"
#include "pantin/kernels/table.hpp"

namespace pantin {

namespace {

const DynamicsKernels& dynamics() { return kernels().dynamics; }

// External forces (njoints, 6), or null: the caller's memory where it is plain and finite, else what
// `doors.external_forces` makes of them.
class ForcesArgument {
 public:
  ForcesArgument(Arguments& arguments, Py_ssize_t position, int njoints, bool needed = false) {
    PyObject* const object = needed ? arguments.need(position, "fext") : arguments.find(position, "fext");
    if (!object || (object == Py_None && !needed)) return;
    if (is_plain(object)) {
      auto* const array = reinterpret_cast<PyArrayObject*>(object);
      if (PyArray_NDIM(array) == 2 && PyArray_DIM(array, 0) == njoints && PyArray_DIM(array, 1) == 6 &&
          is_finite(data_of(array), 6 * std::size_t(njoints))) {
        data_ = data_of(array);
        return;
      }
    }
    converted_ = door("external_forces")("fext", nb::handle(object), njoints);
    data_ = data_of(reinterpret_cast<PyArrayObject*>(converted_.ptr()));
  }
  const double* data() const { return data_; }

 private:
  const double* data_ = nullptr;
  nb::object converted_;
};

PyObject* copy_of(const double* numbers, std::initializer_list<npy_intp> shape) {
  PyArrayObject* const copy = new_array(shape);
  std::copy_n(numbers, PyArray_SIZE(copy), data_of(copy));
  return release(copy);
}

PANTIN_HOT(rnea) {
  const Bound bound = take_model_and_data(arguments);
  const Tree& tree = bound.tree;
  const ConfigurationArgument q(bound.compiled, arguments.need(2, "q"), "q");
  const VectorArgument v(arguments.need(3, "v"), tree.nv, "v");
  const VectorArgument a(arguments.need(4, "a"), tree.nv, "a");
  const ForcesArgument fext(arguments, 5, tree.njoints);
  arguments.done();
  double* const tau = bound.data->at(tree.layout.tau);
  dynamics().rnea(tree, q.data(), v.data(), a.data(), fext.data(), bound.data->memory(), tau);
  return copy_of(tau, {tree.nv});
}

PANTIN_HOT(non_linear_effects) {
  const Bound bound = take_model_and_data(arguments);
  const Tree& tree = bound.tree;
  const ConfigurationArgument q(bound.compiled, arguments.need(2, "q"), "q");
  const VectorArgument v(arguments.need(3, "v"), tree.nv, "v");
  arguments.done();
  double* const nle = bound.data->at(tree.layout.nle);
  dynamics().rnea(tree, q.data(), v.data(), nullptr, nullptr, bound.data->memory(), nle);
  return copy_of(nle, {tree.nv});
}

PANTIN_HOT(compute_generalized_gravity) {
  const Bound bound = take_model_and_data(arguments);
  const Tree& tree = bound.tree;
  const ConfigurationArgument q(bound.compiled, arguments.need(2, "q"), "q");
  arguments.done();
  double* const g = bound.data->at(tree.layout.g);
  dynamics().static_torques(tree, q.data(), nullptr, bound.data->memory(), g);
  return copy_of(g, {tree.nv});
}

PANTIN_HOT(compute_static_torque) {
  const Bound bound = take_model_and_data(arguments);
  const Tree& tree = bound.tree;
  const ConfigurationArgument q(bound.compiled, arguments.need(2, "q"), "q");
  const ForcesArgument fext(arguments, 3, tree.njoints, true);
  arguments.done();
  double* const tau = bound.data->at(tree.layout.tau);
  dynamics().static_torques(tree, q.data(), fext.data(), bound.data->memory(), tau);
  return copy_of(tau, {tree.nv});
}

PANTIN_HOT(crba) {
  const Bound bound = take_model_and_data(arguments);
  const Tree& tree = bound.tree;
  const ConfigurationArgument q(bound.compiled, arguments.need(2, "q"), "q");
  nb::object out = take_out(arguments, 3, tree.nv, tree.nv);
  arguments.done();
  double* const M = bound.data->mass_matrix();
  dynamics().crba(tree, q.data(), bound.data->memory(), M);
  std::copy_n(M, std::size_t(tree.nv) * tree.nv, data_of(reinterpret_cast<PyArrayObject*>(out.ptr())));
  return out.release().ptr();
}

PANTIN_HOT(aba) {
  const Bound bound = take_model_and_data(arguments);
  const Tree& tree = bound.tree;
  const ConfigurationArgument q(bound.compiled, arguments.need(2, "q"), "q");
  const VectorArgument v(arguments.need(3, "v"), tree.nv, "v");
  const VectorArgument tau(arguments.need(4, "tau"), tree.nv, "tau");
  const ForcesArgument fext(arguments, 5, tree.njoints);
  arguments.done();
  double* const ddq = bound.data->at(tree.layout.ddq);
  const int idle = dynamics().aba(tree, q.data(), v.data(), tau.data(), fext.data(), bound.data->memory(),
                                  tree.has_mimic ? bound.data->factor() : nullptr, ddq);
  if (idle >= 0) door("raise_no_inertia")(nb::handle(arguments.model()), idle);
  return copy_of(ddq, {tree.nv});
}

PANTIN_HOT(compute_kinetic_energy) {
  const Bound bound = take_model_and_data(arguments);
  const Tree& tree = bound.tree;
  const ConfigurationArgument q(bound.compiled, arguments.need(2, "q"), "q");
  const VectorArgument v(arguments.need(3, "v"), tree.nv, "v");
  arguments.done();
  bound.data->kinetic_energy = dynamics().energies(tree, q.data(), v.data(), bound.data->memory()).kinetic;
  return PyFloat_FromDouble(bound.data->kinetic_energy);
}

PANTIN_HOT(compute_potential_energy) {
  const Bound bound = take_model_and_data(arguments);
  const ConfigurationArgument q(bound.compiled, arguments.need(2, "q"), "q");
  arguments.done();
  bound.data->potential_energy = dynamics().potential_energy(bound.tree, q.data(), bound.data->memory());
  return PyFloat_FromDouble(bound.data->potential_energy);
}

PANTIN_HOT(compute_mechanical_energy) {
  const Bound bound = take_model_and_data(arguments);
  const Tree& tree = bound.tree;
  const ConfigurationArgument q(bound.compiled, arguments.need(2, "q"), "q");
  const VectorArgument v(arguments.need(3, "v"), tree.nv, "v");
  arguments.done();
  Data& data = *bound.data;
  const Energies energies = dynamics().energies(tree, q.data(), v.data(), data.memory());
  data.kinetic_energy = energies.kinetic;
  data.potential_energy = energies.potential;
  data.mechanical_energy = energies.kinetic + energies.potential;
  return PyFloat_FromDouble(data.mechanical_energy);
}

PANTIN_HOT(compute_centroidal_momentum) {
  const Bound bound = take_model_and_data(arguments);
  const Tree& tree = bound.tree;
  const ConfigurationArgument q(bound.compiled, arguments.need(2, "q"), "q");
  const VectorArgument v(arguments.need(3, "v"), tree.nv, "v");
  arguments.done();
  double* const hg = bound.data->at(tree.layout.hg);
  dynamics().centroidal_momentum(tree, q.data(), v.data(), bound.data->memory(), hg);
  return copy_of(hg, {6});
}

PANTIN_HOT(compute_centroidal_map) {
  const Bound bound = take_model_and_data(arguments);
  const Tree& tree = bound.tree;
  const ConfigurationArgument q(bound.compiled, arguments.need(2, "q"), "q");
  arguments.done();
  double* const Ag = bound.data->at(tree.layout.Ag);
  dynamics().centroidal_map(tree, q.data(), bound.data->memory(), Ag);
  return copy_of(Ag, {6, tree.nv});
}

PANTIN_HOT(ccrba) {
  const Bound bound = take_model_and_data(arguments);
  const Tree& tree = bound.tree;
  const ConfigurationArgument q(bound.compiled, arguments.need(2, "q"), "q");
  const VectorArgument v(arguments.need(3, "v"), tree.nv, "v");
  arguments.done();
  double* const Ag = bound.data->at(tree.layout.Ag);
  double* const hg = bound.data->at(tree.layout.hg);
  dynamics().centroidal_map(tree, q.data(), bound.data->memory(), Ag);
  for (int row = 0; row < 6; ++row) hg[row] = std::inner_product(v.data(), v.data() + tree.nv, Ag + row * tree.nv, 0.0);
  return copy_of(Ag, {6, tree.nv});
}

#define PANTIN_RAISES                                                                                             \
  "Raises:\n"                                                                                                      \
  "    InvalidArgument: If an argument has the wrong size, is not finite, or a quaternion or (cos, sin) pair of\n" \
  "        q is not of unit norm.\n"                                                                               \
  "    StaleData: If the data belongs to another model, or to the model before it was edited."

PyMethodDef methods[] = {
    PANTIN_METHOD(rnea, "(model, data, q, v, a, fext=None)",
                  R"(Joint torques that produce an acceleration: M(q) a + C(q, v) v + g(q) - J' fext.

Recursive Newton-Euler (Luh, Walker, Paul 1980). Armature adds its share of M.

Args:
    model: Robot model; `gravity` and `armature` count.
    data: Data of the model; `tau` and `oMi` are updated.
    q: Configuration, shape (nq,), m or rad per joint.
    v: Velocity, shape (nv,), m/s or rad/s.
    a: Acceleration, shape (nv,), m/s^2 or rad/s^2.
    fext: External force (linear, angular) on each joint's body, in its joint frame about its origin, shape
        (njoints, 6), N and N m; entry 0 has no effect. A sequence of objects with a `vector` will do.

Returns:
    Torques, shape (nv,), N or N m.

)" PANTIN_RAISES),
    PANTIN_METHOD(non_linear_effects, "(model, data, q, v)",
                  R"(Bias torques C(q, v) v + g(q): Coriolis, centrifugal and gravity.

Args:
    model: Robot model; `gravity` counts.
    data: Data of the model; `nle` and `oMi` are updated.
    q: Configuration, shape (nq,), m or rad per joint.
    v: Velocity, shape (nv,), m/s or rad/s.

Returns:
    Torques, shape (nv,), N or N m.

)" PANTIN_RAISES),
    PANTIN_METHOD(compute_generalized_gravity, "(model, data, q)",
                  R"(Torques g(q) that hold the tree at rest against gravity; the gradient of the potential energy.

Args:
    model: Robot model; `gravity` counts.
    data: Data of the model; `g` and `oMi` are updated.
    q: Configuration, shape (nq,), m or rad per joint.

Returns:
    Torques, shape (nv,), N or N m.

)" PANTIN_RAISES),
    PANTIN_METHOD(compute_static_torque, "(model, data, q, fext)",
                  R"(Torques that hold the tree at rest against gravity and external forces: g(q) - J' fext.

Args:
    model: Robot model; `gravity` counts.
    data: Data of the model; `tau` and `oMi` are updated.
    q: Configuration, shape (nq,), m or rad per joint.
    fext: External forces, shape (njoints, 6), as `rnea` takes them.

Returns:
    Torques, shape (nv,), N or N m.

)" PANTIN_RAISES),
    PANTIN_METHOD(crba, "(model, data, q, out=None)",
                  R"(Joint-space inertia matrix M(q), symmetric and full.

Composite bodies (Walker and Orin 1982); `armature` is added to the diagonal.

Args:
    model: Robot model; `armature` counts.
    data: Data of the model; `M` and `oMi` are updated.
    q: Configuration, shape (nq,), m or rad per joint.
    out: Array to fill, shape (nv, nv).

Returns:
    Matrix, shape (nv, nv).

)" PANTIN_RAISES),
    PANTIN_METHOD(aba, "(model, data, q, v, tau, fext=None)",
                  R"(Acceleration that torques produce: M(q)^-1 (tau - C(q, v) v - g(q) + J' fext).

Articulated bodies (Featherstone 1983), in O(njoints); a model with mimic joints takes the mass matrix and its
L D L' factors instead.

Args:
    model: Robot model; `gravity` and `armature` count.
    data: Data of the model; `ddq` and `oMi` are updated.
    q: Configuration, shape (nq,), m or rad per joint.
    v: Velocity, shape (nv,), m/s or rad/s.
    tau: Joint torques, shape (nv,), N or N m.
    fext: External forces, shape (njoints, 6), as `rnea` takes them.

Returns:
    Acceleration, shape (nv,), m/s^2 or rad/s^2.

Raises:
    InvalidModel: If a joint moves no inertia, so that its acceleration is not determined.
    InvalidArgument: If an argument has the wrong size, is not finite, or a quaternion or (cos, sin) pair of
        q is not of unit norm.
    StaleData: If the data belongs to another model, or to the model before it was edited.)"),
    PANTIN_METHOD(compute_kinetic_energy, "(model, data, q, v)",
                  R"(Kinetic energy v' M(q) v / 2, rotors of the armature included.

Args:
    model: Robot model; `armature` counts.
    data: Data of the model; `kinetic_energy` and `oMi` are updated.
    q: Configuration, shape (nq,), m or rad per joint.
    v: Velocity, shape (nv,), m/s or rad/s.

Returns:
    Energy, J.

)" PANTIN_RAISES),
    PANTIN_METHOD(compute_potential_energy, "(model, data, q)",
                  R"(Potential energy of the moving bodies in gravity, zero at the world's origin.

Args:
    model: Robot model; `gravity` counts.
    data: Data of the model; `potential_energy` and `oMi` are updated.
    q: Configuration, shape (nq,), m or rad per joint.

Returns:
    Energy, J.

)" PANTIN_RAISES),
    PANTIN_METHOD(compute_mechanical_energy, "(model, data, q, v)",
                  R"(Sum of the kinetic and the potential energy.

Args:
    model: Robot model; `gravity` and `armature` count.
    data: Data of the model; `kinetic_energy`, `potential_energy`, `mechanical_energy` and `oMi` are updated.
    q: Configuration, shape (nq,), m or rad per joint.
    v: Velocity, shape (nv,), m/s or rad/s.

Returns:
    Energy, J.

)" PANTIN_RAISES),
    PANTIN_METHOD(compute_centroidal_momentum, "(model, data, q, v)",
                  R"(Momentum of all moving bodies (linear, angular about the centre of mass), in world axes.

Orin, Goswami, Lee 2013, eq. 15.

Args:
    model: Robot model.
    data: Data of the model; `hg`, `com` and `oMi` are updated.
    q: Configuration, shape (nq,), m or rad per joint.
    v: Velocity, shape (nv,), m/s or rad/s.

Returns:
    Momentum, shape (6,), kg m/s and kg m^2/s.

)" PANTIN_RAISES),
    PANTIN_METHOD(compute_centroidal_map, "(model, data, q)",
                  R"(Matrix Ag(q) that takes a velocity to the centroidal momentum, Ag v = hg.

Orin, Goswami, Lee 2013, eq. 17.

Args:
    model: Robot model.
    data: Data of the model; `Ag`, `com` and `oMi` are updated.
    q: Configuration, shape (nq,), m or rad per joint.

Returns:
    Matrix, shape (6, nv), rows linear then angular.

)" PANTIN_RAISES),
    PANTIN_METHOD(ccrba, "(model, data, q, v)",
                  R"(Centroidal momentum matrix, with the momentum itself in `data.hg`.

Args:
    model: Robot model.
    data: Data of the model; `Ag`, `hg`, `com` and `oMi` are updated.
    q: Configuration, shape (nq,), m or rad per joint.
    v: Velocity, shape (nv,), m/s or rad/s.

Returns:
    Matrix, shape (6, nv), rows linear then angular.

)" PANTIN_RAISES),
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

void add_hot_dynamics(nb::module_& m) {
  if (PyModule_AddFunctions(m.ptr(), methods) < 0) throw nb::python_error();
}

}  // namespace pantin
