// Velocities and accelerations of joints and frames as raw fast-call functions; `hot.hpp` says why.
#include <algorithm>

#include "hot.hpp"
#include "pantin/kernels/table.hpp"
#include "se3.hpp"

namespace pantin {

namespace {

enum class Carrier { kJoint, kFrame };
enum class Quantity { kVelocity, kAcceleration, kClassical };

// What the reference frame at `pose` sees of a joint's twist, kept about the world's origin from `offset` on.
Twist seen(const Bound& bound, std::size_t offset, int joint, const double* pose, ReferenceFrame reference) {
  Twist twist;
  kernels().kinematics.seen_from(pose, bound.data->at(offset + 6 * std::size_t(joint)), reference, twist.numbers);
  return twist;
}

// Acceleration of the point: the spatial one plus w x v on the linear part.
void make_classical(const Twist& velocity, Twist& acceleration) {
  const double* const v = velocity.numbers;
  const double* const w = velocity.numbers + 3;
  acceleration.numbers[0] += w[1] * v[2] - w[2] * v[1];
  acceleration.numbers[1] += w[2] * v[0] - w[0] * v[2];
  acceleration.numbers[2] += w[0] * v[1] - w[1] * v[0];
}

PyObject* motion_of(Arguments& arguments, Carrier carrier, Quantity quantity) {
  const Bound bound = take_model_and_data(arguments);
  const Tree& tree = bound.tree;
  const bool of_frame = carrier == Carrier::kFrame;
  const int index = of_frame ? take_frame(arguments, 2, tree) : take_joint(arguments, 2, tree);
  const ReferenceFrame reference = take_reference_frame(arguments, 3);
  arguments.done();
  const int joint = of_frame ? tree.frames[index].joint : index;
  double pose[12];
  const double* const joint_pose = bound.data->at(tree.layout.oMi + 12 * std::size_t(joint));
  if (of_frame)
    kernels().lie.multiply(joint_pose, tree.frames[index].placement.R, pose);
  else
    std::copy_n(joint_pose, 12, pose);
  Twist twist = seen(bound, quantity == Quantity::kVelocity ? tree.layout.v : tree.layout.a, joint, pose, reference);
  if (quantity == Quantity::kClassical) make_classical(seen(bound, tree.layout.v, joint, pose, reference), twist);
  return nb::cast(twist).release().ptr();
}

PANTIN_HOT(get_velocity) { return motion_of(arguments, Carrier::kJoint, Quantity::kVelocity); }
PANTIN_HOT(get_acceleration) { return motion_of(arguments, Carrier::kJoint, Quantity::kAcceleration); }
PANTIN_HOT(get_classical_acceleration) { return motion_of(arguments, Carrier::kJoint, Quantity::kClassical); }
PANTIN_HOT(get_frame_velocity) { return motion_of(arguments, Carrier::kFrame, Quantity::kVelocity); }
PANTIN_HOT(get_frame_acceleration) { return motion_of(arguments, Carrier::kFrame, Quantity::kAcceleration); }
PANTIN_HOT(get_frame_classical_acceleration) { return motion_of(arguments, Carrier::kFrame, Quantity::kClassical); }

#define PANTIN_JOINT_TEXT(name, text)                                                                         \
  PANTIN_METHOD(name, "(model, data, joint_id, reference_frame=1)",                                           \
                text "\n\n"                                                                                   \
                "Args:\n"                                                                                     \
                "    model: Robot model.\n"                                                                   \
                "    data: Data with the motion of the joints.\n"                                             \
                "    joint_id: Index or name of the joint.\n"                                                 \
                "    reference_frame: Frame the twist is expressed in (see the conventions page).\n"          \
                "\n"                                                                                          \
                "Returns:\n"                                                                                  \
                "    Twist (linear, angular), in m and rad over s or s^2.\n"                                  \
                "\n"                                                                                          \
                "Raises:\n"                                                                                   \
                "    UnknownJoint: If there is no such joint.\n"                                              \
                "    StaleData: If the data belongs to another model, or to the model before it was edited.")
#define PANTIN_FRAME_TEXT(name, text)                                                                         \
  PANTIN_METHOD(name, "(model, data, frame_id, reference_frame=1)",                                           \
                text "\n\n"                                                                                   \
                "Args:\n"                                                                                     \
                "    model: Robot model.\n"                                                                   \
                "    data: Data with the motion of the joints; `oMf` is not needed.\n"                        \
                "    frame_id: Index or name of the frame.\n"                                                 \
                "    reference_frame: Frame the twist is expressed in (see the conventions page).\n"          \
                "\n"                                                                                          \
                "Returns:\n"                                                                                  \
                "    Twist (linear, angular), in m and rad over s or s^2.\n"                                  \
                "\n"                                                                                          \
                "Raises:\n"                                                                                   \
                "    UnknownFrame: If there is no such frame.\n"                                              \
                "    StaleData: If the data belongs to another model, or to the model before it was edited.")

PyMethodDef methods[] = {
    PANTIN_JOINT_TEXT(get_velocity, "Velocity of a joint's frame, after `forward_kinematics(model, data, q, v)`."),
    PANTIN_JOINT_TEXT(get_acceleration,
                      R"(Spatial acceleration of a joint's frame, after `forward_kinematics(model, data, q, v, a)`.

The rate of the twist's components in the world, moved to the reference frame (Featherstone 2008, section
2.11); the classical acceleration of the point differs by w x v.)"),
    PANTIN_JOINT_TEXT(get_classical_acceleration,
                      R"(Acceleration that an accelerometer at a joint's frame would feel without gravity.

The spatial acceleration plus w x v on the linear part.)"),
    PANTIN_FRAME_TEXT(get_frame_velocity, "Velocity of a frame, after `forward_kinematics(model, data, q, v)`."),
    PANTIN_FRAME_TEXT(get_frame_acceleration,
                      R"(Spatial acceleration of a frame, after `forward_kinematics(model, data, q, v, a)`.

What spatial means is said at `get_acceleration`.)"),
    PANTIN_FRAME_TEXT(get_frame_classical_acceleration,
                      R"(Acceleration that an accelerometer at a frame would feel without gravity.

The spatial acceleration plus w x v on the linear part.)"),
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

void add_hot_motion(nb::module_& m) {
  if (PyModule_AddFunctions(m.ptr(), methods) < 0) throw nb::python_error();
}

}  // namespace pantin
