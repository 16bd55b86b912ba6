"""Kinematics equal Pinocchio's on every robot of `example-robot-data`, and on trees of every joint kind."""

from __future__ import annotations

import numpy as np
import pytest

import pantin.kinematics as pt
from models import KINDS, every_kind
from oracle import from_pinocchio, to_pinocchio
from pantin.kinematics import ReferenceFrame
from twins import ROBOT_FILES, Comparison, Sample, robot_name, robot_twins, tree_twins

pin = pytest.importorskip("pinocchio")

FRAMES = {
    ReferenceFrame.WORLD: pin.WORLD,
    ReferenceFrame.LOCAL: pin.LOCAL,
    ReferenceFrame.LOCAL_WORLD_ALIGNED: pin.LOCAL_WORLD_ALIGNED,
}


def compare_positions(twins, sample, compare):
    (ours, data), (theirs, witness) = twins
    pt.frames_forward_kinematics(ours, data, sample.q)
    pin.framesForwardKinematics(theirs, witness, sample.q)
    compare.add("oMi", [pose.homogeneous for pose in data.oMi], [pose.homogeneous for pose in witness.oMi])
    compare.add("oMf", [pose.homogeneous for pose in data.oMf], [pose.homogeneous for pose in witness.oMf])
    compare.add(
        "center_of_mass",
        pt.center_of_mass(ours, data, sample.q),
        pin.centerOfMass(theirs, witness, sample.q) if witness_has_mass(theirs) else np.zeros(3),
    )
    if ours.nv and witness_has_mass(theirs):
        compare.add("mass", data.mass[0], witness.mass[0])
        compare.add(
            "jacobian_center_of_mass",
            pt.jacobian_center_of_mass(ours, data, sample.q),
            pin.jacobianCenterOfMass(theirs, witness, sample.q),
        )


def witness_has_mass(theirs):
    """Pinocchio divides by the moving mass without looking."""
    return sum(body.mass for body in list(theirs.inertias)[1:]) > 0.0


def compare_jacobians(twins, sample, compare):
    (ours, data), (theirs, witness) = twins
    compare.add(
        "compute_joint_jacobians",
        pt.compute_joint_jacobians(ours, data, sample.q),
        pin.computeJointJacobians(theirs, witness, sample.q),
    )
    compare.add("J", data.J, witness.J)
    pt.update_frame_placements(ours, data)
    pin.updateFramePlacements(theirs, witness)
    out = np.empty((6, ours.nv))
    for mine, other in FRAMES.items():
        compare.add(
            f"get_joint_jacobian {mine.name}",
            [pt.get_joint_jacobian(ours, data, i, mine) for i in range(ours.njoints)],
            [pin.getJointJacobian(theirs, witness, i, other) for i in range(theirs.njoints)],
        )
        frames = [pin.getFrameJacobian(theirs, witness, i, other) for i in range(theirs.nframes)]
        compare.add(
            f"get_frame_jacobian {mine.name}",
            [pt.get_frame_jacobian(ours, data, i, mine) for i in range(ours.nframes)],
            frames,
        )
        compare.add(
            f"compute_frame_jacobian {mine.name}",
            [pt.compute_frame_jacobian(ours, data, sample.q, i, mine, out).copy() for i in range(ours.nframes)],
            frames,
        )


def compare_motions(twins, sample, compare):
    (ours, data), (theirs, witness) = twins
    pt.forward_kinematics(ours, data, sample.q, sample.v, sample.a)
    pin.forwardKinematics(theirs, witness, sample.q, sample.v, sample.a)
    pin.updateFramePlacements(theirs, witness)
    for mine, other in FRAMES.items():
        for name, witness_name in MOTIONS.items():
            size = ours.nframes if "frame" in name else ours.njoints
            one, two = getattr(pt, name), getattr(pin, witness_name)
            compare.add(
                f"{name} {mine.name}",
                [one(ours, data, i, mine).vector for i in range(size)],
                [two(theirs, witness, i, other).vector for i in range(size)],
            )


MOTIONS = {
    "get_velocity": "getVelocity",
    "get_acceleration": "getAcceleration",
    "get_classical_acceleration": "getClassicalAcceleration",
    "get_frame_velocity": "getFrameVelocity",
    "get_frame_acceleration": "getFrameAcceleration",
    "get_frame_classical_acceleration": "getFrameClassicalAcceleration",
}


def compare_jacobian_rates(twins, sample, compare):
    (ours, data), (theirs, witness) = twins
    compare.add(
        "compute_joint_jacobians_time_variation",
        pt.compute_joint_jacobians_time_variation(ours, data, sample.q, sample.v),
        pin.computeJointJacobiansTimeVariation(theirs, witness, sample.q, sample.v),
    )
    pin.updateFramePlacements(theirs, witness)
    for mine, other in FRAMES.items():
        compare.add(
            f"get_joint_jacobian_time_variation {mine.name}",
            [pt.get_joint_jacobian_time_variation(ours, data, i, mine) for i in range(ours.njoints)],
            [pin.getJointJacobianTimeVariation(theirs, witness, i, other) for i in range(theirs.njoints)],
        )
        compare.add(
            f"get_frame_jacobian_time_variation {mine.name}",
            [pt.get_frame_jacobian_time_variation(ours, data, i, mine) for i in range(ours.nframes)],
            [pin.getFrameJacobianTimeVariation(theirs, witness, i, other) for i in range(theirs.nframes)],
        )


def compare_configurations(twins, sample, compare):
    (ours, _), (theirs, _) = twins
    q, q1, v = sample.q, sample.q1, sample.v
    reached = pin.integrate(theirs, q, v)
    # of two quaternions Pinocchio's ball joint does not take the nearer one
    compare.add("integrate", pt.difference(ours, pt.integrate(ours, q, v), reached), np.zeros(ours.nv))
    compare.add("integrate, size", np.abs(pt.integrate(ours, q, v)), np.abs(reached))
    compare.add("difference", pt.difference(ours, q, q1), pin.difference(theirs, q, q1))
    compare.add("interpolate", pt.interpolate(ours, q, q1, 0.3), pin.interpolate(theirs, q, q1, 0.3))
    compare.add("distance", pt.distance(ours, q, q1), pin.distance(theirs, q, q1))
    compare.add("squared_distance", pt.squared_distance(ours, q, q1), pin.squaredDistance(theirs, q, q1))
    compare.add("normalize", pt.normalize(ours, 1.3 * q), pin.normalize(theirs, 1.3 * q))
    for mine, other in ((pt.ARG0, pin.ARG0), (pt.ARG1, pin.ARG1)):
        compare.add(f"d_difference {mine}", pt.d_difference(ours, q, q1, mine), pin.dDifference(theirs, q, q1, other))
        compare.add(f"d_integrate {mine}", pt.d_integrate(ours, q, v, mine), pin.dIntegrate(theirs, q, v, other))


COMPARISONS = [
    compare_positions,
    compare_jacobians,
    compare_motions,
    compare_jacobian_rates,
    compare_configurations,
]


def check_twins(ours, theirs, seeds):
    twins = (ours, ours.create_data()), (theirs, theirs.createData())
    compare = Comparison()
    for seed in seeds:
        sample = Sample(ours, seed)
        # Pinocchio's bindings crash on Jacobians without columns
        for part in COMPARISONS if ours.nv else [compare_positions]:
            part(twins, sample, compare)
    compare.add("neutral", pt.neutral(ours), pin.neutral(theirs))
    compare.check()


@pytest.mark.skipif(not ROBOT_FILES, reason="example-robot-data is not installed")
@pytest.mark.parametrize("free", [False, True], ids=["fixed", "free"])
@pytest.mark.parametrize("path", ROBOT_FILES, ids=robot_name)
def test_robots_move_as_pinocchios(path, free):
    check_twins(*robot_twins(path, free), range(20))


@pytest.mark.parametrize("name", ["every kind", *KINDS])
def test_joints_of_every_kind_move_as_pinocchios(name):
    check_twins(*tree_twins(name), range(20))


def test_jacobians_of_a_robot_that_cannot_move_have_no_columns():
    model = pt.Model()
    model.add_body_frame("body", 0)
    data = model.create_data()
    assert pt.compute_joint_jacobians(model, data, []).shape == (6, 0)
    assert pt.get_frame_jacobian(model, data, "body").shape == (6, 0)
    assert pt.compute_frame_jacobian(model, data, [], "body").shape == (6, 0)
    assert pt.jacobian_center_of_mass(model, data, []).shape == (3, 0)
    assert pt.d_difference(model, [], []).shape == (0, 0)


def test_a_model_survives_the_way_to_pinocchio_and_back():
    # the converters are witnesses of the other tests
    ours = every_kind()
    back = from_pinocchio(to_pinocchio(ours))
    assert [joint.shortname() for joint in back.joints] == [joint.shortname() for joint in ours.joints]
    q = pt.random_configuration(ours, 0)
    data, again = ours.create_data(), back.create_data()
    pt.frames_forward_kinematics(ours, data, q)
    pt.frames_forward_kinematics(back, again, q)
    for one, other in zip(data.oMf, again.oMf, strict=True):
        np.testing.assert_allclose(one.homogeneous, other.homogeneous, atol=1e-14)  # the lead is scaled twice
    assert not np.array_equal(data.oMf[-1].homogeneous, np.eye(4))
