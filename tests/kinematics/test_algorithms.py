"""Placements, Jacobians, velocities and accelerations obey their definitions, for joints of every kind."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import pantin.kinematics as pt
from models import KINDS, arm, configuration, every_kind, mimic_tree, random_tree, velocity, without_mimics
from pantin.errors import InvalidArgument, StaleData, UnknownFrame, UnknownJoint
from pantin.kinematics import SE3, Motion, ReferenceFrame, batch, exp3, exp6, log6, quaternion_to_matrix
from pantin.kinematics.joints import (
    JT_FREEFLYER,
    JT_HELICAL,
    JT_PLANAR,
    JT_PRISMATIC,
    JT_REVOLUTE,
    JT_REVOLUTE_UNBOUNDED,
    JT_SPHERICAL,
)

WORLD, LOCAL, ALIGNED = ReferenceFrame.WORLD, ReferenceFrame.LOCAL, ReferenceFrame.LOCAL_WORLD_ALIGNED
FRAMES = [WORLD, LOCAL, ALIGNED]

MODELS = {
    **{kind: functools.partial(random_tree, ["RX", kind, "PY", "R"], 3, chain=True) for kind in KINDS},
    "every kind": every_kind,
    "mimics": mimic_tree,
    "arm": arm,
}

#: Roundings of a product of some twenty poses of a few metres.
ROUNDING = 1e-13


@functools.cache
def made(name):
    """One of the models; tests leave it as it is."""
    return MODELS[name]()


@pytest.fixture(params=MODELS)
def model(request):
    return made(request.param)


# -- placements -----------------------------------------------------------------------------------------------


def joint_pose(model, joint, q):
    """Pose of a joint's moving frame in its resting frame, from the definition of its kind."""
    master = joint if joint.mimic is None else model.joints[joint.mimic.master]
    own = q[master.idx_q : master.idx_q + master.nq]
    if master.jtype == JT_REVOLUTE_UNBOUNDED:
        own = np.array([np.arctan2(own[1], own[0])])
    if joint.mimic is not None:
        own = joint.mimic.multiplier * own + joint.mimic.offset
    match joint.jtype:
        case 1 | 3:
            assert joint.jtype in (JT_REVOLUTE, JT_REVOLUTE_UNBOUNDED)
            return SE3(exp3(own[0] * joint.axis))
        case 2:
            assert joint.jtype == JT_PRISMATIC
            return SE3(np.eye(3), own[0] * joint.axis)
        case 7:
            assert joint.jtype == JT_HELICAL
            return SE3(exp3(own[0] * joint.axis), own[0] / (2 * np.pi) * joint.lead * joint.axis)
        case 4:
            assert joint.jtype == JT_SPHERICAL
            return SE3(quaternion_to_matrix(own))
        case 5:
            assert joint.jtype == JT_PLANAR
            return SE3(exp3([0, 0, np.arctan2(own[3], own[2])]), [own[0], own[1], 0.0])
        case 6:
            assert joint.jtype == JT_FREEFLYER
            return SE3(quaternion_to_matrix(own[3:]), own[:3])
    raise AssertionError(joint)


def test_placements_are_products_along_the_tree(model):
    data = model.create_data()
    for seed in range(5):
        q = configuration(model, seed)
        poses = [SE3.Identity()]
        for i in range(1, model.njoints):
            own = model.joint_placements[i] * joint_pose(model, model.joints[i], q)
            poses.append(poses[model.parents[i]] * own)
        pt.frames_forward_kinematics(model, data, q)
        for pose, expected in zip(data.oMi, poses, strict=True):
            np.testing.assert_allclose(pose.homogeneous, expected.homogeneous, atol=ROUNDING)
        for pose, frame in zip(data.oMf, model.frames, strict=True):
            expected = poses[frame.parent_joint] * frame.placement
            np.testing.assert_allclose(pose.homogeneous, expected.homogeneous, atol=ROUNDING)


def test_sines_of_joints_are_accurate_at_any_angle():
    # joints on end look their angles up together, as many as there are lanes, and batches a pack at a time
    random = np.random.default_rng(0)
    quarters = np.pi / 2 * np.concatenate([np.arange(-50, 50), random.integers(-(10**9), 10**9, size=100)])
    angles = np.concatenate(
        [
            random.uniform(-10, 10, 200),
            random.uniform(-1e6, 1e6, 200),
            random.uniform(-1e9, 1e9, 200),
            quarters,
            np.nextafter(quarters, np.inf),
            np.nextafter(quarters, -np.inf),
            [0.0, -0.0, 5e-324, -5e-324, 1e-310, 1e6, -1e6, np.nextafter(1e6, np.inf), 1e15, 1e100],
        ]
    )
    random.shuffle(angles)
    for count in (1, 2, 5, 9):
        model = pt.Model()
        for i in range(count):
            model.add_joint(0, pt.JointModelRZ(), SE3.Identity(), f"j{i}")
        rows = angles[: len(angles) // count * count].reshape(-1, count)
        data = model.create_data()
        for q in rows:
            pt.forward_kinematics(model, data, q)
            found = np.array([pose.rotation[:2, 0] for pose in data.oMi[1:]])
            # one rounding of the sine, one of the product with 1
            np.testing.assert_allclose(found, np.column_stack([np.cos(q), np.sin(q)]), rtol=0, atol=2.3e-16)
        model.add_body_frame("tip", count)
        last = batch.frame_placements(model, "tip", rows)[:, :2, 0]
        expected = np.column_stack([np.cos(rows[:, -1]), np.sin(rows[:, -1])])
        np.testing.assert_allclose(last, expected, rtol=0, atol=2.3e-16)


def test_the_ways_to_placements_agree(model):
    q = configuration(model, 0)
    one, other = model.create_data(), model.create_data()
    pt.frames_forward_kinematics(model, one, q)
    pt.forward_kinematics(model, other, q)
    pt.update_frame_placements(model, other)
    for a, b in zip([*one.oMi, *one.oMf], [*other.oMi, *other.oMf], strict=True):
        np.testing.assert_array_equal(a.homogeneous, b.homogeneous)


def test_a_data_forgets_the_configuration_before(model):
    used = model.create_data()
    for seed in range(3):
        compute_everything(model, used, seed)
    fresh = model.create_data()
    compute_everything(model, fresh, 2)
    np.testing.assert_array_equal(used._buffer(), fresh._buffer())


def compute_everything(model, data, seed):
    q, v, a = configuration(model, seed), velocity(model, seed), velocity(model, seed + 1)
    pt.forward_kinematics(model, data, q, v, a)
    pt.update_frame_placements(model, data)
    pt.jacobian_center_of_mass(model, data)
    pt.compute_joint_jacobians_time_variation(model, data, q, v)


# -- Jacobians ----------------------------------------------------------------------------------------------------


def placed(model, q):
    data = model.create_data()
    pt.compute_joint_jacobians(model, data, q)
    pt.update_frame_placements(model, data)
    return data


def frame_poses(model, data, q):
    pt.frames_forward_kinematics(model, data, q)
    return [pose.copy() for pose in data.oMf]


def local_differences(model, q, step=1e-6):
    """Local Jacobian of every frame by central differences on the manifold."""
    data = model.create_data()
    columns = []
    for direction in np.eye(model.nv):
        ahead = frame_poses(model, data, pt.integrate(model, q, step * direction))
        behind = frame_poses(model, data, pt.integrate(model, q, -step * direction))
        columns.append(
            [log6(b.act_inv(a)).vector / (2.0 * step) for a, b in zip(ahead, behind, strict=True)],
        )
    return np.moveaxis(np.array(columns), 0, -1)


def test_frame_jacobians_equal_differences_on_the_manifold(model):
    # second order in the step 1e-6 beside roundings of 1e-15 / 1e-6
    q = configuration(model, 1)
    data = placed(model, q)
    expected = local_differences(model, q)
    for frame in range(model.nframes):
        J = pt.get_frame_jacobian(model, data, frame, LOCAL)
        np.testing.assert_allclose(J, expected[frame], atol=2e-8)


def test_jacobians_of_the_three_frames_are_one_twist(model):
    q = configuration(model, 2)
    data = placed(model, q)
    for frame, pose in enumerate(data.oMf):
        local = pt.get_frame_jacobian(model, data, frame, LOCAL)
        world = pt.get_frame_jacobian(model, data, frame, WORLD)
        aligned = pt.get_frame_jacobian(model, data, frame, ALIGNED)
        np.testing.assert_allclose(world, pose.action @ local, atol=ROUNDING)
        np.testing.assert_allclose(aligned, SE3(pose.rotation).action @ local, atol=ROUNDING)


def test_the_ways_to_jacobians_agree(model):
    q = configuration(model, 3)
    data, other = placed(model, q), model.create_data()
    out = np.full((6, model.nv), np.nan)
    for reference in FRAMES:
        for frame in range(model.nframes):
            J = pt.get_frame_jacobian(model, data, frame, reference)
            K = pt.compute_frame_jacobian(model, other, q, frame, reference)
            np.testing.assert_allclose(K, J, atol=ROUNDING)
            np.testing.assert_array_equal(other.oMf[frame].homogeneous, data.oMf[frame].homogeneous)
            assert pt.compute_frame_jacobian(model, other, q, frame, reference, out) is out
            np.testing.assert_array_equal(out, K)
        for joint in range(model.njoints):
            frame = next((f for f in model.frames if f.type == 2 and f.parent_joint == joint), None)
            if frame is not None:
                np.testing.assert_array_equal(
                    pt.get_joint_jacobian(model, data, joint, reference),
                    pt.get_frame_jacobian(model, data, frame.name, reference),
                )


def test_local_is_the_default_frame(model):
    data = placed(model, configuration(model, 4))
    joint, frame = model.njoints - 1, model.nframes - 1
    np.testing.assert_array_equal(
        pt.get_frame_jacobian(model, data, frame), pt.get_frame_jacobian(model, data, frame, LOCAL)
    )
    np.testing.assert_array_equal(
        pt.get_joint_jacobian(model, data, joint), pt.get_joint_jacobian(model, data, joint, LOCAL)
    )


def test_screws_are_the_world_jacobian_of_the_whole_tree(model):
    data = placed(model, configuration(model, 5))
    copied = pt.compute_joint_jacobians(model, data)
    np.testing.assert_array_equal(copied, data.J)
    assert not np.shares_memory(copied, data.J)
    for joint in range(model.njoints):
        J = pt.get_joint_jacobian(model, data, joint, WORLD)
        if not any(other.mimic for other in model.joints):
            moving = np.abs(J).sum(axis=0) > 0
            np.testing.assert_allclose(J[:, moving], data.J[:, moving], atol=ROUNDING)


# -- velocities and accelerations --------------------------------------------------------------------------------


def test_velocities_are_jacobians_times_v(model):
    q, v = configuration(model, 6), velocity(model, 6)
    data = placed(model, q)
    pt.forward_kinematics(model, data, q, v)
    for reference in FRAMES:
        for joint in range(model.njoints):
            expected = pt.get_joint_jacobian(model, data, joint, reference) @ v
            np.testing.assert_allclose(
                pt.get_velocity(model, data, joint, reference).vector, expected, atol=10 * ROUNDING
            )
        for frame in range(model.nframes):
            expected = pt.get_frame_jacobian(model, data, frame, reference) @ v
            np.testing.assert_allclose(
                pt.get_frame_velocity(model, data, frame, reference).vector, expected, atol=10 * ROUNDING
            )


def along(model, q, v, a, t):
    """Configuration at time t of a motion with velocity v and acceleration a at time 0."""
    return pt.integrate(model, q, t * v + 0.5 * t * t * a)


def test_classical_accelerations_are_second_derivatives_of_positions(model):
    # second differences with step 1e-4: truncation 1e-8 and roundings 1e-15 / 1e-8, of numbers up to a hundred
    q, v, a, h = configuration(model, 7), velocity(model, 7), velocity(model, 8), 1e-4
    data = model.create_data()
    before, now, after = (
        np.array([pose.translation for pose in frame_poses(model, data, along(model, q, v, a, t))]) for t in (-h, 0, h)
    )
    expected = (after - 2.0 * now + before) / h**2
    pt.forward_kinematics(model, data, q, v, a)
    for frame in range(model.nframes):
        found = pt.get_frame_classical_acceleration(model, data, frame, ALIGNED)
        np.testing.assert_allclose(found.linear, expected[frame], atol=2e-5)


def test_spatial_accelerations_are_rates_of_world_twists(model):
    # first differences of velocities with step 1e-6
    q, v, a, h = configuration(model, 9), velocity(model, 9), velocity(model, 10), 1e-6
    data = model.create_data()

    def twists(t):
        # the velocity along the path is v + t a to first order
        pt.forward_kinematics(model, data, along(model, q, v, a, t), v + t * a)
        return np.array([pt.get_frame_velocity(model, data, i, WORLD).vector for i in range(model.nframes)])

    expected = (twists(h) - twists(-h)) / (2.0 * h)
    pt.forward_kinematics(model, data, q, v, a)
    for frame in range(model.nframes):
        found = pt.get_frame_acceleration(model, data, frame, WORLD)
        np.testing.assert_allclose(found.vector, expected[frame], atol=1e-6)


def test_accelerations_of_the_three_frames_are_one_twist(model):
    q, v, a = configuration(model, 11), velocity(model, 11), velocity(model, 12)
    data = model.create_data()
    pt.forward_kinematics(model, data, q, v, a)
    pt.update_frame_placements(model, data)
    for frame, pose in enumerate(data.oMf):
        local = pt.get_frame_acceleration(model, data, frame, LOCAL)
        world = pt.get_frame_acceleration(model, data, frame, WORLD)
        aligned = pt.get_frame_acceleration(model, data, frame, ALIGNED)
        np.testing.assert_allclose(pose.act(local).vector, world.vector, atol=100 * ROUNDING)
        np.testing.assert_allclose(SE3(pose.rotation).act(local).vector, aligned.vector, atol=100 * ROUNDING)


def test_classical_accelerations_add_w_times_v(model):
    q, v, a = configuration(model, 13), velocity(model, 13), velocity(model, 14)
    data = model.create_data()
    pt.forward_kinematics(model, data, q, v, a)
    for reference in FRAMES:
        for name, size in (("", model.njoints), ("frame_", model.nframes)):
            for i in range(size):
                twist = getattr(pt, f"get_{name}velocity")(model, data, i, reference)
                spatial = getattr(pt, f"get_{name}acceleration")(model, data, i, reference)
                classical = getattr(pt, f"get_{name}classical_acceleration")(model, data, i, reference)
                expected = spatial.linear + np.cross(twist.angular, twist.linear)
                np.testing.assert_allclose(classical.linear, expected, rtol=1e-14, atol=1e-14)
                np.testing.assert_array_equal(classical.angular, spatial.angular)


def test_jacobian_rates_equal_differences(model):
    # first differences with step 1e-6 along the motion, the reference frame moving along
    q, v, h = configuration(model, 15), velocity(model, 15), 1e-6
    ahead, behind = (placed(model, pt.integrate(model, q, t * v)) for t in (h, -h))
    data = model.create_data()
    dJ = pt.compute_joint_jacobians_time_variation(model, data, q, v)
    np.testing.assert_allclose(dJ, (ahead.J - behind.J) / (2.0 * h), atol=1e-7)
    np.testing.assert_array_equal(dJ, data.dJ)
    assert not np.shares_memory(dJ, data.dJ)
    for reference in FRAMES:
        for name, size in (("joint", model.njoints), ("frame", model.nframes)):
            get, rate = (getattr(pt, f"get_{name}_jacobian{end}") for end in ("", "_time_variation"))
            for i in range(size):
                expected = (get(model, ahead, i, reference) - get(model, behind, i, reference)) / (2.0 * h)
                np.testing.assert_allclose(rate(model, data, i, reference), expected, atol=1e-7)


def test_accelerations_are_jacobians_times_a_and_their_rates_times_v(model):
    q, v, a = configuration(model, 16), velocity(model, 16), velocity(model, 17)
    data = placed(model, q)
    pt.compute_joint_jacobians_time_variation(model, data, q, v)
    pt.forward_kinematics(model, data, q, v, a)
    for frame in range(model.nframes):
        for reference, get in (
            (WORLD, pt.get_frame_acceleration),
            (LOCAL, pt.get_frame_acceleration),
            (ALIGNED, pt.get_frame_classical_acceleration),  # the aligned Jacobian follows the point
        ):
            J = pt.get_frame_jacobian(model, data, frame, reference)
            dJ = pt.get_frame_jacobian_time_variation(model, data, frame, reference)
            np.testing.assert_allclose(get(model, data, frame, reference).vector, J @ a + dJ @ v, atol=100 * ROUNDING)


# -- centre of mass -----------------------------------------------------------------------------------------------


def test_the_centre_of_mass_is_the_mean_of_the_bodies(model):
    q = configuration(model, 18)
    data = placed(model, q)
    bodies = list(zip(model.inertias, data.oMi, strict=True))[1:]
    mass = sum(body.mass for body, _ in bodies)
    expected = sum(body.mass * pose.act(body.lever) for body, pose in bodies) / mass
    np.testing.assert_allclose(pt.center_of_mass(model, data, q), expected, atol=ROUNDING)
    np.testing.assert_allclose(pt.center_of_mass(model, data), expected, atol=ROUNDING)
    np.testing.assert_array_equal(data.com[0], pt.center_of_mass(model, data))
    np.testing.assert_allclose(data.mass[0], mass, rtol=1e-14)


def test_the_jacobian_of_the_centre_of_mass_equals_differences(model):
    q, h = configuration(model, 19), 1e-6
    data = model.create_data()
    Jcom = pt.jacobian_center_of_mass(model, data, q)
    np.testing.assert_array_equal(Jcom, data.Jcom)
    assert not np.shares_memory(Jcom, data.Jcom)
    for column, direction in zip(Jcom.T, np.eye(model.nv), strict=True):
        ahead, behind = (pt.center_of_mass(model, data, pt.integrate(model, q, t * direction)) for t in (h, -h))
        np.testing.assert_allclose(column, (ahead - behind) / (2.0 * h), atol=1e-8)


def test_a_model_without_mass_has_its_centre_at_the_origin():
    model = pt.Model()
    model.add_joint(0, pt.JointModelRX(), SE3.Identity(), "a")
    data = model.create_data()
    np.testing.assert_array_equal(pt.center_of_mass(model, data, [0.3]), np.zeros(3))
    np.testing.assert_array_equal(pt.jacobian_center_of_mass(model, data, [0.3]), np.zeros((3, 1)))


# -- mimic joints -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_followers_move_as_free_joints_that_are_told_to(seed):
    model = mimic_tree(seed)
    free, mapped, S = without_mimics(model)
    q, v, a = configuration(model, seed), velocity(model, seed), velocity(model, seed + 1)
    data, witness = model.create_data(), free.create_data()
    pt.forward_kinematics(model, data, q, v, a)
    pt.forward_kinematics(free, witness, mapped(q), S @ v, S @ a)
    pt.update_frame_placements(model, data)
    pt.update_frame_placements(free, witness)
    for one, other in zip(data.oMf, witness.oMf, strict=True):
        np.testing.assert_allclose(one.homogeneous, other.homogeneous, atol=ROUNDING)
    for get in (pt.get_frame_velocity, pt.get_frame_acceleration):
        for frame in range(model.nframes):
            one, other = get(model, data, frame, WORLD), get(free, witness, frame, WORLD)
            np.testing.assert_allclose(one.vector, other.vector, atol=1e-12)  # numbers up to a hundred
    np.testing.assert_allclose(
        pt.compute_joint_jacobians(model, data), pt.compute_joint_jacobians(free, witness) @ S, atol=ROUNDING
    )
    np.testing.assert_allclose(
        pt.jacobian_center_of_mass(model, data), pt.jacobian_center_of_mass(free, witness) @ S, atol=ROUNDING
    )
    for reference in FRAMES:
        for frame in range(model.nframes):
            expected = pt.get_frame_jacobian(free, witness, frame, reference) @ S
            np.testing.assert_allclose(pt.get_frame_jacobian(model, data, frame, reference), expected, atol=ROUNDING)
            np.testing.assert_allclose(
                pt.compute_frame_jacobian(model, data, q, frame, reference), expected, atol=ROUNDING
            )
    pt.compute_joint_jacobians_time_variation(model, data, q, v)
    pt.compute_joint_jacobians_time_variation(free, witness, mapped(q), S @ v)
    np.testing.assert_allclose(data.dJ, witness.dJ @ S, atol=1e-12)
    for frame in range(model.nframes):
        one = pt.get_frame_jacobian_time_variation(model, data, frame)
        other = pt.get_frame_jacobian_time_variation(free, witness, frame) @ S
        np.testing.assert_allclose(one, other, atol=1e-12)


# -- derivatives of configurations -----------------------------------------------------------------------------


def test_d_integrate_equals_differences(model):
    q, v, h = configuration(model, 20), 0.5 * velocity(model, 20), 1e-6
    reached = pt.integrate(model, q, v)
    moved = {
        pt.ARG0: lambda d: pt.integrate(model, pt.integrate(model, q, d), v),
        pt.ARG1: lambda d: pt.integrate(model, q, v + d),
    }
    for argument, function in moved.items():
        expected = np.column_stack(
            [
                (pt.difference(model, reached, function(h * e)) - pt.difference(model, reached, function(-h * e)))
                / (2.0 * h)
                for e in np.eye(model.nv)
            ]
        )
        np.testing.assert_allclose(pt.d_integrate(model, q, v, argument), expected, atol=1e-8)


def test_d_difference_equals_differences(model):
    q0, h = configuration(model, 21), 1e-6
    q1 = pt.integrate(model, q0, velocity(model, 21))
    moved = {
        pt.ARG0: lambda d: pt.difference(model, pt.integrate(model, q0, d), q1),
        pt.ARG1: lambda d: pt.difference(model, q0, pt.integrate(model, q1, d)),
    }
    for argument, function in moved.items():
        expected = np.column_stack([(function(h * e) - function(-h * e)) / (2.0 * h) for e in np.eye(model.nv)])
        np.testing.assert_allclose(pt.d_difference(model, q0, q1, argument), expected, atol=1e-8)


def test_derivatives_of_integrate_and_difference_are_inverse(model):
    q = configuration(model, 22)
    v = pt.difference(model, q, configuration(model, 23))  # turns below half a turn
    product = pt.d_integrate(model, q, v, pt.ARG1) @ pt.d_difference(model, q, pt.integrate(model, q, v), pt.ARG1)
    np.testing.assert_allclose(product, np.eye(model.nv), atol=1e-12)  # near half a turn digits are lost


def test_the_first_argument_is_the_default(model):
    q0, q1, v = configuration(model, 24), configuration(model, 25), velocity(model, 24)
    np.testing.assert_array_equal(pt.d_difference(model, q0, q1), pt.d_difference(model, q0, q1, pt.ARG0))
    np.testing.assert_array_equal(pt.d_integrate(model, q0, v), pt.d_integrate(model, q0, v, pt.ARG0))


# -- the door -----------------------------------------------------------------------------------------------------

GETTERS = {
    "joint": [
        pt.get_velocity,
        pt.get_acceleration,
        pt.get_classical_acceleration,
        pt.get_joint_jacobian,
        pt.get_joint_jacobian_time_variation,
    ],
    "frame": [
        pt.get_frame_velocity,
        pt.get_frame_acceleration,
        pt.get_frame_classical_acceleration,
        pt.get_frame_jacobian,
        pt.get_frame_jacobian_time_variation,
    ],
}
ALL_GETTERS = [(get, kind) for kind, getters in GETTERS.items() for get in getters]


@pytest.mark.parametrize(("get", "kind"), ALL_GETTERS)
def test_joints_and_frames_go_by_index_or_name(get, kind):
    model = arm()
    data = placed(model, configuration(model, 0))
    index = 3
    name = model.names[index] if kind == "joint" else model.frames[index].name
    expected = np.asarray(get(model, data, index))
    for same in (name, np.int64(index), np.uint8(index)):
        np.testing.assert_array_equal(np.asarray(get(model, data, same)), expected)
    assert np.asarray(get(model, data, index)).dtype == np.float64


@pytest.mark.parametrize(("get", "kind"), ALL_GETTERS)
@pytest.mark.parametrize(
    "index", [-1, 10**6, 10**30, -(10**30), True, 1.0, None, "nowhere", "", (), [1], np.bool_(True)]
)
def test_unknown_joints_and_frames_are_refused(get, kind, index):
    model = arm()
    with pytest.raises(UnknownJoint if kind == "joint" else UnknownFrame):
        get(model, model.create_data(), index)


@pytest.mark.parametrize(("get", "kind"), ALL_GETTERS)
def test_reference_frames_are_one_of_three(get, kind):
    model = arm()
    data = placed(model, configuration(model, 0))
    for same in (ReferenceFrame.WORLD, 0, np.int64(0)):
        np.testing.assert_array_equal(np.asarray(get(model, data, 2, same)), np.asarray(get(model, data, 2, WORLD)))
    for wrong in (3, -1, 10**30, True, "WORLD", None, 1.0, [0]):
        with pytest.raises(InvalidArgument, match="reference_frame"):
            get(model, data, 2, wrong)


@pytest.mark.parametrize(("get", "kind"), ALL_GETTERS)
def test_data_of_another_model_is_refused(get, kind):
    model, small = arm(), pt.Model()
    with pytest.raises(StaleData):
        get(model, small.create_data(), model.njoints - 1)
    data = model.create_data()
    model.add_body_frame("late", 1)
    with pytest.raises(StaleData):
        get(model, data, 1)


@pytest.mark.parametrize(("get", "kind"), ALL_GETTERS)
def test_what_is_not_a_model_or_data_is_a_type_error(get, kind):
    model = arm()
    with pytest.raises(TypeError, match="model"):
        get(3, model.create_data(), 1)
    with pytest.raises(TypeError, match="data"):
        get(model, None, 1)


@pytest.mark.parametrize("wrong", [2, -1, "first", None, True, 0.0, [0]])
def test_arguments_of_derivatives_are_the_first_or_second(wrong):
    model = arm()
    q = pt.neutral(model)
    for derivative in (pt.d_difference, pt.d_integrate):
        with pytest.raises(InvalidArgument, match="arg"):
            derivative(model, q, q, wrong)
        for same in (np.int64(1), pt.ARG1):
            np.testing.assert_array_equal(derivative(model, q, q, same), derivative(model, q, q, 1))


@pytest.mark.parametrize("wrong", [[1.0], [np.nan] * 7, None, "abcdefg", np.zeros((7, 7)), [1j] * 7])
def test_vectors_of_derivatives_are_checked_by_name(wrong):
    model = arm()
    q = pt.neutral(model)
    for call, name in (
        (lambda: pt.d_difference(model, wrong, q), "q0"),
        (lambda: pt.d_difference(model, q, wrong), "q1"),
        (lambda: pt.d_integrate(model, wrong, q), "q"),
        (lambda: pt.d_integrate(model, q, wrong), "v"),
        (lambda: pt.compute_joint_jacobians_time_variation(model, model.create_data(), wrong, q), "q"),
        (lambda: pt.compute_joint_jacobians_time_variation(model, model.create_data(), q, wrong), "v"),
    ):
        with pytest.raises(InvalidArgument, match=f"^{name}: "):
            call()


def test_results_of_queries_belong_to_the_caller():
    model = arm()
    data = placed(model, configuration(model, 0))
    motion = pt.get_velocity(model, data, 3)
    assert isinstance(motion, Motion)
    motion.linear[:] = 7.0
    assert (pt.get_velocity(model, data, 3).linear != 7.0).all()
    J = pt.get_frame_jacobian(model, data, 3)
    J[:] = 7.0
    assert (pt.get_frame_jacobian(model, data, 3) != 7.0).any()


def test_exp6_of_a_screw_is_the_motion_of_a_helical_joint():
    model = pt.Model()
    model.add_joint(0, pt.JointModelHZ(0.5), SE3.Identity(), "screw")
    data = model.create_data()
    pt.forward_kinematics(model, data, [2.0 * np.pi])
    np.testing.assert_allclose(data.oMi[1].translation, [0, 0, 0.5], atol=1e-15)  # one lead per turn
    pt.forward_kinematics(model, data, [0.3])
    expected = exp6([0, 0, 0.3 * 0.5 / (2 * np.pi), 0, 0, 0.3])
    np.testing.assert_allclose(data.oMi[1].homogeneous, expected.homogeneous, atol=1e-15)
