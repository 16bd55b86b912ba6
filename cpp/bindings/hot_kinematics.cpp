// The hottest kinematics calls as raw fast-call functions; `hot.hpp` says why.
#include <algorithm>

#include "hot.hpp"
#include "pantin/kernels/table.hpp"

namespace pantin {

namespace {

const KinematicsKernels& kinematics() { return kernels().kinematics; }

// Forward kinematics for the last argument, q, where it is given.
void place_joints(Arguments& arguments, Bound& bound) {
  PyObject* const q = arguments.find(2, "q");
  arguments.done();
  if (q && q != Py_None)
    kinematics().forward(bound.tree, ConfigurationArgument(bound.compiled, q, "q").data(), bound.data->memory());
}

PANTIN_HOT(forward_kinematics) {
  const Bound bound = take_model_and_data(arguments);
  const ConfigurationArgument q(bound.compiled, arguments.need(2, "q"), "q");
  PyObject* const v = arguments.find(3, "v");
  PyObject* const a = arguments.find(4, "a");
  arguments.done();
  double* const data = bound.data->memory();
  if (!v || v == Py_None) {
    if (a && a != Py_None) raise("raise_needs_velocity");
    kinematics().forward(bound.tree, q.data(), data);
    return none();
  }
  const VectorArgument velocity(v, bound.tree.nv, "v");
  if (!a || a == Py_None) {
    kinematics().forward(bound.tree, q.data(), data);
    kinematics().joint_screws(bound.tree, data);
    kinematics().velocities(bound.tree, velocity.data(), data);
    return none();
  }
  const VectorArgument acceleration(a, bound.tree.nv, "a");
  kinematics().forward(bound.tree, q.data(), data);
  kinematics().joint_screws(bound.tree, data);
  kinematics().velocities(bound.tree, velocity.data(), data);
  kinematics().accelerations(bound.tree, velocity.data(), acceleration.data(), data);
  return none();
}

PANTIN_HOT(update_frame_placements) {
  const Bound bound = take_model_and_data(arguments);
  arguments.done();
  kinematics().place_frames(bound.tree, bound.data->memory());
  return none();
}

PANTIN_HOT(frames_forward_kinematics) {
  const Bound bound = take_model_and_data(arguments);
  const ConfigurationArgument q(bound.compiled, arguments.need(2, "q"), "q");
  arguments.done();
  kinematics().forward(bound.tree, q.data(), bound.data->memory());
  kinematics().place_frames(bound.tree, bound.data->memory());
  return none();
}

PANTIN_HOT(compute_joint_jacobians) {
  Bound bound = take_model_and_data(arguments);
  place_joints(arguments, bound);
  const Tree& tree = bound.tree;
  kinematics().joint_screws(tree, bound.data->memory());
  npy_intp shape[2] = {6, tree.nv};
  PyObject* const copy = PyArray_EMPTY(2, shape, NPY_DOUBLE, 1);  // column after column, as the screws are
  if (!copy) throw nb::python_error();
  std::copy_n(bound.data->at(tree.layout.J), 6 * tree.nv, data_of(reinterpret_cast<PyArrayObject*>(copy)));
  return copy;
}

PANTIN_HOT(get_frame_jacobian) {
  const Bound bound = take_model_and_data(arguments);
  const int frame = take_frame(arguments, 2, bound.tree);
  const ReferenceFrame reference = take_reference_frame(arguments, 3);
  arguments.done();
  PyArrayObject* const J = new_array({6, bound.tree.nv});
  kinematics().frame_jacobian(bound.tree, bound.data->path_to(bound.tree.frames[frame].joint), bound.data->memory(),
                              bound.data->at(bound.tree.layout.oMf + 12 * std::size_t(frame)), reference, data_of(J));
  return release(J);
}

PANTIN_HOT(get_joint_jacobian) {
  const Bound bound = take_model_and_data(arguments);
  const int joint = take_joint(arguments, 2, bound.tree);
  const ReferenceFrame reference = take_reference_frame(arguments, 3);
  arguments.done();
  PyArrayObject* const J = new_array({6, bound.tree.nv});
  kinematics().frame_jacobian(bound.tree, bound.data->path_to(joint), bound.data->memory(),
                              bound.data->at(bound.tree.layout.oMi + 12 * std::size_t(joint)), reference, data_of(J));
  return release(J);
}

PANTIN_HOT(compute_frame_jacobian) {
  const Bound bound = take_model_and_data(arguments);
  const ConfigurationArgument q(bound.compiled, arguments.need(2, "q"), "q");
  const int frame = take_frame(arguments, 3, bound.tree);
  const ReferenceFrame reference = take_reference_frame(arguments, 4);
  nb::object out = take_out(arguments, 5, 6, bound.tree.nv);
  arguments.done();
  kinematics().compute_frame_jacobian(bound.tree, bound.data->path_to(bound.tree.frames[frame].joint), q.data(),
                                      frame, reference, bound.data->memory(),
                                      data_of(reinterpret_cast<PyArrayObject*>(out.ptr())));
  return out.release().ptr();
}

PANTIN_HOT(center_of_mass) {
  Bound bound = take_model_and_data(arguments);
  place_joints(arguments, bound);
  kinematics().center_of_mass(bound.tree, bound.data->memory());
  PyArrayObject* const com = new_array({3});
  std::copy_n(bound.data->at(bound.tree.layout.com), 3, data_of(com));
  return release(com);
}

PANTIN_HOT(jacobian_center_of_mass) {
  Bound bound = take_model_and_data(arguments);
  place_joints(arguments, bound);
  const Tree& tree = bound.tree;
  kinematics().joint_screws(tree, bound.data->memory());
  kinematics().jacobian_center_of_mass(tree, bound.data->memory());
  PyArrayObject* const Jcom = new_array({3, tree.nv});
  std::copy_n(bound.data->at(tree.layout.Jcom), 3 * tree.nv, data_of(Jcom));
  return release(Jcom);
}

PANTIN_HOT(neutral) {
  const Tree& tree = take_model(arguments)->view();
  arguments.done();
  PyArrayObject* const q = new_array({tree.nq});
  std::copy_n(tree.neutral, tree.nq, data_of(q));
  return release(q);
}

PANTIN_HOT(integrate) {
  const TreePointer compiled = take_model(arguments);
  const Tree& tree = compiled->view();
  const ConfigurationArgument q(*compiled, arguments.need(1, "q"), "q");
  const VectorArgument v(arguments.need(2, "v"), tree.nv, "v");
  arguments.done();
  PyArrayObject* const out = new_array({tree.nq});
  kernels().configuration.integrate(tree, q.data(), v.data(), data_of(out));
  return release(out);
}

PANTIN_HOT(difference) {
  const TreePointer compiled = take_model(arguments);
  const Tree& tree = compiled->view();
  const ConfigurationArgument q0(*compiled, arguments.need(1, "q0"), "q0");
  const ConfigurationArgument q1(*compiled, arguments.need(2, "q1"), "q1");
  arguments.done();
  PyArrayObject* const out = new_array({tree.nv});
  kernels().configuration.difference(tree, q0.data(), q1.data(), data_of(out));
  return release(out);
}

PyMethodDef methods[] = {
    PANTIN_METHOD(forward_kinematics, "(model, data, q, v=None, a=None)",
                  R"(Placements of all joints for a configuration, and their velocities and accelerations.

Args:
    model: Robot model.
    data: Data of the model; `oMi` is updated.
    q: Configuration, shape (nq,), m or rad per joint.
    v: Velocity, shape (nv,), m/s or rad/s; with it `get_velocity` answers.
    a: Acceleration, shape (nv,), m/s^2 or rad/s^2; with it `get_acceleration` answers.

Raises:
    InvalidArgument: If a vector has the wrong size, is not finite, or a quaternion or (cos, sin) pair of q
        is not of unit norm.
    StaleData: If the data belongs to another model, or to the model before it was edited.)"),
    PANTIN_METHOD(update_frame_placements, "(model, data)",
                  R"(Placements of all frames from those of the joints.

Args:
    model: Robot model.
    data: Data with joint placements; `oMf` is updated.

Raises:
    StaleData: If the data belongs to another model, or to the model before it was edited.)"),
    PANTIN_METHOD(frames_forward_kinematics, "(model, data, q)",
                  R"(Placements of all joints and frames for a configuration.

Args:
    model: Robot model.
    data: Data of the model; `oMi` and `oMf` are updated.
    q: Configuration, shape (nq,), m or rad per joint.

Raises:
    InvalidArgument: If q has the wrong size, is not finite, or not normalised.
    StaleData: If the data belongs to another model, or to the model before it was edited.)"),
    PANTIN_METHOD(compute_joint_jacobians, "(model, data, q=None)",
                  R"(Screws of all joints about the world's origin.

Args:
    model: Robot model.
    data: Data of the model; `J` is updated, and `oMi` where q is given.
    q: Configuration, shape (nq,); without it the joint placements in `data` serve.

Returns:
    Copy of `data.J`, shape (6, nv), rows linear then angular. Columns of mimic joints are added to their masters'.

Raises:
    InvalidArgument: If q has the wrong size, is not finite, or not normalised.
    StaleData: If the data belongs to another model, or to the model before it was edited.)"),
    PANTIN_METHOD(get_frame_jacobian, "(model, data, frame_id, reference_frame=1)",
                  R"(Jacobian of a frame, from `compute_joint_jacobians` and `update_frame_placements`.

Args:
    model: Robot model.
    data: Data with screws and frame placements.
    frame_id: Index of the frame, or its name.
    reference_frame: Frame the twist is expressed in (see the conventions page).

Returns:
    Jacobian, shape (6, nv), rows linear then angular.

Raises:
    UnknownFrame: If there is no such frame.
    StaleData: If the data belongs to another model, or to the model before it was edited.)"),
    PANTIN_METHOD(get_joint_jacobian, "(model, data, joint_id, reference_frame=1)",
                  R"(Jacobian of a joint's frame, from `compute_joint_jacobians`.

Args:
    model: Robot model.
    data: Data with screws and joint placements.
    joint_id: Index of the joint, or its name.
    reference_frame: Frame the twist is expressed in (see the conventions page).

Returns:
    Jacobian, shape (6, nv), rows linear then angular.

Raises:
    UnknownJoint: If there is no such joint.
    StaleData: If the data belongs to another model, or to the model before it was edited.)"),
    PANTIN_METHOD(compute_frame_jacobian,
                  "(model, data, q, frame_id, reference_frame=1, out=None)",
                  R"(Placement and Jacobian of one frame from a configuration, in one pass over its path.

Args:
    model: Robot model.
    data: Data of the model; placements of the frame and of the joints that carry it are updated, others not.
    q: Configuration, shape (nq,), m or rad per joint.
    frame_id: Index of the frame, or its name.
    reference_frame: Frame the twist is expressed in (see the conventions page).
    out: Array to fill, shape (6, nv), C-ordered float64; a new one by default.

Returns:
    Jacobian, shape (6, nv), rows linear then angular: `out` where it was given.

Raises:
    InvalidArgument: If q or out has the wrong size or kind, or q is not finite or not normalised.
    UnknownFrame: If there is no such frame.
    StaleData: If the data belongs to another model, or to the model before it was edited.)"),
    PANTIN_METHOD(center_of_mass, "(model, data, q=None)",
                  R"(Centre of mass in the world, m.

Args:
    model: Robot model.
    data: Data of the model; `com` is updated, and `oMi` where q is given.
    q: Configuration, shape (nq,); without it the joint placements in `data` serve.

Returns:
    Position, shape (3,); the origin for a model without mass.

Raises:
    InvalidArgument: If q has the wrong size, is not finite, or not normalised.
    StaleData: If the data belongs to another model, or to the model before it was edited.)"),
    PANTIN_METHOD(jacobian_center_of_mass, "(model, data, q=None)",
                  R"(Jacobian of the centre of mass in the world.

Args:
    model: Robot model.
    data: Data of the model; `J`, `com` and `Jcom` are updated, and `oMi` where q is given.
    q: Configuration, shape (nq,); without it the joint placements in `data` serve.

Returns:
    Jacobian, shape (3, nv).

Raises:
    InvalidArgument: If q has the wrong size, is not finite, or not normalised.
    StaleData: If the data belongs to another model, or to the model before it was edited.)"),
    PANTIN_METHOD(neutral, "(model)",
                  R"(Configuration at rest: zeros, identity quaternions, (cos, sin) = (1, 0).

Args:
    model: Robot model.

Returns:
    Configuration, shape (nq,).)"),
    PANTIN_METHOD(integrate, "(model, q, v)",
                  R"(Configuration reached from q by the tangent displacement v.

Args:
    model: Robot model.
    q: Configuration, shape (nq,).
    v: Displacement in the tangent at q, shape (nv,), m or rad.

Returns:
    Configuration, shape (nq,), normalised.

Raises:
    InvalidArgument: If a vector has the wrong size, is not finite, or q is not normalised.)"),
    PANTIN_METHOD(difference, "(model, q0, q1)",
                  R"(Tangent displacement v with integrate(model, q0, v) = q1.

Args:
    model: Robot model.
    q0: Configuration to start from, shape (nq,).
    q1: Configuration to go to, shape (nq,).

Returns:
    Displacement in the tangent at q0, shape (nv,), m or rad; turns are at most pi.

Raises:
    InvalidArgument: If a configuration has the wrong size, is not finite, or not normalised.)"),
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

void add_hot_calls(nb::module_& m) {
  if (PyModule_AddFunctions(m.ptr(), methods) < 0) throw nb::python_error();
}

}  // namespace pantin
