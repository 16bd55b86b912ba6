import itertools
import subprocess
import sys
import sysconfig
import threading
from pathlib import Path

import numpy as np
import pytest

import pantin
from pantin.errors import InvalidArgument, UnknownFrame
from pantin.kinematics import (
    SE3,
    Frame,
    FrameType,
    JointModelMimic,
    JointModelPX,
    JointModelRevoluteUnaligned,
    JointModelRevoluteUnboundedUnaligned,
    JointModelRZ,
    Model,
    distance,
    exp3,
    random_configuration,
)
from pantin.kinematics.batch import frame_jacobians, frame_placements, log6
from pantin.reaching.closed_form import ClosedForm, closed_form

X, Y, Z = np.eye(3)
TIP = "tip"

#: Pose errors of solutions: what the closed form promises at the worst, for arms of about a metre.
REACHED = 1e-9
#: Angles away from singular poses: rounding times a condition number of up to 1e4.
RECOVERED = 1e-8
#: Smallest singular value of a Jacobian that counts as away from singular.
REGULAR = 1e-3

#: Directions of six axes, and points on them, in m, at angles of zero.
ARMS = {
    "axes 4 to 6 meet in a point": {
        "puma": ([Z, Y, Y, Z, Y, Z], [(0, 0, 0.6), (0, 0.15, 0.6), (0.43, 0.15, 0.6)] + 3 * [(0.41, 0.12, 1.03)]),
        "offset shoulder": ([Z, Y, Y, X, Y, X], [(0, 0, 0.4), (0.15, 0, 0.4), (0.15, 0, 1.1)] + 3 * [(0.9, 0, 1.2)]),
        "oblique": (
            [Z, Y + 0.2 * X, Y - 0.3 * Z, X, Y, X + 0.2 * Z],
            [(0, 0, 0.4), (0.15, 0, 0.4), (0.15, 0.1, 1.1)] + 3 * [(0.9, 0, 1.2)],
        ),
        "axes 1 and 2 meet": ([Z, Y, X, X, Y, X], 2 * [(0, 0, 0.4)] + [(0.15, 0.1, 1.1)] + 3 * [(0.9, 0, 1.2)]),
        "axes 2 and 3 meet": ([Z, Y, X, Z, Y, X], [(0, 0, 0.4)] + 2 * [(0.3, 0, 0.4)] + 3 * [(0.9, 0, 1.2)]),
        "axes 1 and 2 are parallel": (
            [Z, Z, X, Z, Y, X],
            [(0, 0, 0.4), (0.3, 0, 0.4), (0.6, 0, 0.7)] + 3 * [(0.9, 0, 1.2)],
        ),
    },
    "axes 1 to 3 meet in a point": {
        "shoulder": ([Z, Y, X, Y, Y, Z], 3 * [(0, 0, 0.4)] + [(0.5, 0, 0.4), (0.9, 0.1, 0.4), (0.9, 0.2, 0.4)]),
    },
    "axes 2 to 4 meet in a point": {
        "upper elbow": ([Z, Z, Y, X, Y, Z], [(0, 0, 0.4)] + 3 * [(0.5, 0, 0.4)] + [(0.9, 0.1, 0.4), (1.1, 0.2, 0.4)]),
    },
    "axes 3 to 5 meet in a point": {
        "lower elbow": ([Z, Y, Y, X, Z, Y], [(0, 0, 0.4), (0.1, 0, 0.4)] + 3 * [(0.6, 0, 0.4)] + [(1.1, 0.2, 0.4)]),
    },
    "axes 2 to 4 are parallel": {
        "universal": (
            [Z, -Y, -Y, -Y, -Z, -Y],
            [(0, 0, 0.1), (0, 0, 0.1), (0.42, 0, 0.1), (0.81, -0.1, 0.1), (0.81, -0.13, 0.1), (0.81, -0.13, 0)],
        ),
        "offsets, one axis reversed": (
            [Z, -Y, Y, -Y, -Z, -Y],
            [(0, 0, 0.1), (0.1, 0, 0.1), (0.42, 0, 0.1), (0.81, -0.1, 0.1), (0.81, -0.13, 0.1), (0.91, -0.13, 0)],
        ),
    },
    "axes 3 to 5 are parallel": {
        "mirrored": (
            [Z, X, -Y, -Y, -Y, -Z],
            [(0, 0, 0.1), (0.1, 0, 0.1), (0.42, 0, 0.1), (0.81, -0.1, 0.1), (0.91, -0.13, 0.2), (0.91, -0.2, 0.3)],
        ),
    },
    "axes 1 to 3 are parallel": {
        "scara and wrist": (
            [Z, Z, -Z, Y, X, Z],
            [(0, 0, 0.1), (0.4, 0, 0.1), (0.8, 0, 0.1), (0.81, -0.1, 0.1), (0.81, -0.13, 0.2), (0.91, -0.2, 0.3)],
        ),
        "scara and oblique wrist": (
            [Z, Z, -Z, Y + 0.3 * Z, X + 0.2 * Y, Z + 0.1 * X],
            [(0, 0, 0.1), (0.4, 0, 0.1), (0.8, 0, 0.1), (0.81, -0.1, 0.1), (0.81, -0.13, 0.2), (0.91, -0.2, 0.3)],
        ),
    },
    "axes 4 to 6 are parallel": {
        "planar hand": (
            [X, Y, X, Y, Y, Y],
            [(0, 0, 0.1), (0.4, 0, 0.2), (0.8, 0.1, 0.3), (1.21, -0.1, 0.1), (1.61, -0.13, 0.6), (1.2, -0.2, 0.9)],
        ),
    },
}
CASES = [pytest.param(kind, *arm, id=name) for kind, arms in ARMS.items() for name, arm in arms.items()]
PUMA = ARMS["axes 4 to 6 meet in a point"]["puma"]
UNIVERSAL = ARMS["axes 2 to 4 are parallel"]["universal"]


def build(directions, points, *, rng=None, limit=np.pi, scale=1.0, noise=0.0, unbounded=()):
    """Arm with these axes at angles of zero; with `rng` its joint frames are turned and moved along their axes."""
    rng_noise = np.random.default_rng(5)
    model, parent, world_from_parent = Model(), 0, SE3.Identity()
    for i, (direction, point) in enumerate(zip(directions, points, strict=True)):
        axis = direction / np.linalg.norm(direction) + noise * rng_noise.normal(size=3)
        place = SE3(np.eye(3), scale * np.array(point, dtype=float))
        if rng is not None:
            place = SE3(exp3(rng.normal(size=3)), place.translation + scale * rng.normal() * axis)
        local = place.rotation.T @ axis
        if i in unbounded:
            joint, limits = JointModelRevoluteUnboundedUnaligned(*local), {}
        else:
            joint, limits = JointModelRevoluteUnaligned(*local), {"min_config": [-limit], "max_config": [limit]}
        parent = model.add_joint(parent, joint, world_from_parent.inverse() * place, f"joint{i + 1}", **limits)
        world_from_parent = place
    tip = SE3(exp3(np.array([0.3, -0.2, 0.5])), scale * (np.array(points[-1]) + np.array([0.1, 0.05, 0.2])))
    model.add_frame(Frame(TIP, parent, 0, world_from_parent.inverse() * tip, FrameType.OP_FRAME))
    return model


def wrapped(angles):
    return np.abs(np.remainder(angles + np.pi, 2.0 * np.pi) - np.pi)


def samples(model, count, seed, frame=TIP):
    """Configurations, their poses, and which of them are away from singular poses."""
    rng = np.random.default_rng(seed)
    q = np.array([random_configuration(model, rng) for _ in range(count)])
    smallest = np.linalg.svd(frame_jacobians(model, frame, q), compute_uv=False)[:, 5]
    return q, frame_placements(model, frame, q), smallest > REGULAR


def assert_reach(model, q, pose, frame=TIP, tolerance=REACHED):
    assert np.isfinite(q).all()
    np.testing.assert_allclose(frame_placements(model, frame, q), np.broadcast_to(pose, (len(q), 4, 4)), atol=tolerance)


def assert_apart(q):
    for one, other in itertools.combinations(q, 2):
        assert wrapped(one - other).max() > 1e-6


@pytest.mark.parametrize("turned", [False, True], ids=["plain frames", "turned frames"])
@pytest.mark.parametrize(("kind", "directions", "points"), CASES)
def test_solutions_reach_the_pose_and_hold_the_angles_it_came_from(kind, directions, points, turned):
    model = build(directions, points, rng=np.random.default_rng(11) if turned else None)
    form = ClosedForm(model, TIP)
    assert form.kind == kind
    for q, pose, regular in zip(*samples(model, 60, 1), strict=True):
        found = form.solutions(pose)
        assert 1 <= len(found) <= 8
        assert_reach(model, found, pose)
        if regular:
            assert wrapped(found - q).max(axis=1).min() < RECOVERED


@pytest.mark.parametrize(("kind", "directions", "points"), CASES)
def test_no_solution_is_missing_that_a_search_finds(kind, directions, points):
    model = build(directions, points)
    form = ClosedForm(model, TIP)
    for q, pose, _ in zip(*samples(model, 3, 2), strict=True):
        starts = np.random.default_rng(3).uniform(-np.pi, np.pi, (150, 6))
        for _ in range(60):
            missing = np.linalg.solve(frame_placements(model, TIP, starts), pose)
            twist = log6(missing)
            J = frame_jacobians(model, TIP, starts)
            step = np.linalg.solve(
                J.mT @ J + 1e-6 * (twist**2).sum(axis=1)[:, None, None] * np.eye(6), J.mT @ twist[..., None]
            )
            starts = starts + np.clip(step[..., 0], -1.0, 1.0)
        landed = starts[np.abs(frame_placements(model, TIP, starts) - pose).max(axis=(1, 2)) < 1e-11]
        regular = np.linalg.svd(frame_jacobians(model, TIP, landed), compute_uv=False)[:, 5] > REGULAR
        assert regular.any(), q
        gaps = wrapped(landed[regular][:, None] - form.solutions(pose)[None]).max(axis=2)
        assert gaps.min(axis=1).max() < 1e-6  # the search stops at pose errors of 1e-11


def test_puma_within_reach_has_eight_solutions():
    model = build(*PUMA)
    form = ClosedForm(model, TIP)
    assert {len(form.solutions(pose)) for pose in samples(model, 50, 4)[1]} == {8}


def test_solutions_of_one_pose_differ():
    for directions, points in (PUMA, UNIVERSAL):
        model = build(directions, points)
        form = ClosedForm(model, TIP)
        for pose in samples(model, 30, 5)[1]:
            assert_apart(form.solutions(pose))


SINGULAR = {
    "wrist aligned": (PUMA, [0.3, -0.4, 0.5, 0.7, 0.0, -0.2]),
    "wrist reversed": (PUMA, [0.3, -0.4, 0.5, 0.7, np.pi, -0.2]),
    "elbow straight": (PUMA, [0.3, -0.4, np.arctan2(-0.02, 0.43) + np.pi / 2, 0.7, 0.4, -0.2]),
    "shoulder below the wrist": (ARMS["axes 4 to 6 meet in a point"]["axes 2 and 3 meet"], np.zeros(6)),
    "everything at zero": (PUMA, np.zeros(6)),
    "flat": (UNIVERSAL, np.zeros(6)),
    "straight": (UNIVERSAL, [0.2, 0.3, 0.0, 0.4, 1.0, 0.5]),
    "wrist of three parallel": (UNIVERSAL, [0.2, 0.3, 0.5, 0.4, 0.0, 0.5]),
    "wrist of three parallel, reversed": (UNIVERSAL, [0.2, 0.3, 0.5, 0.4, np.pi, 0.5]),
}


@pytest.mark.parametrize("off", [0.0, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3])
@pytest.mark.parametrize(("arm", "angles"), SINGULAR.values(), ids=SINGULAR)
def test_poses_at_and_near_singularities_are_reached(arm, angles, off):
    model = build(*arm, limit=4.0)
    q = np.array(angles) + off * np.random.default_rng(6).normal(size=6)
    pose = frame_placements(model, TIP, q)
    found = ClosedForm(model, TIP).solutions(pose)
    assert 1 <= len(found) <= 8
    assert_reach(model, found, pose)
    assert_apart(found)


@pytest.mark.parametrize("tilt", [1e-8, 3e-8, 1e-7, 3e-7, 1e-6])
@pytest.mark.parametrize("name", ["ur5e", "universal"])
def test_an_almost_aligned_wrist_of_three_parallel_hides_no_branch(name, tilt):
    model, frame = (pantin.load(name), "tool0") if name == "ur5e" else (build(*UNIVERSAL), TIP)
    form = ClosedForm(model, frame)
    for k, q in enumerate(samples(model, 20, 21, frame)[0]):
        counts = []
        for q[4] in (1e-5, tilt):
            found = form.solutions(frame_placements(model, frame, q))
            counts.append(len(found))
            # an error of 1e-10 moves the free angle by that over the tilt
            assert wrapped(found - q).max(axis=1).min() < 1e-9 / tilt, k
        assert counts[1] >= counts[0], k


def singular_configurations(model, count, seed):
    """Configurations where the Jacobian's determinant changes sign on a straight line between two others."""
    rng = np.random.default_rng(seed)
    q = []
    while len(q) < count:
        ends = rng.uniform(-np.pi, np.pi, (2, 6))
        signs = np.sign(np.linalg.det(frame_jacobians(model, TIP, ends)))
        if signs[0] == signs[1]:
            continue
        for _ in range(60):
            middle = ends.mean(axis=0)
            ends[int(np.sign(np.linalg.det(frame_jacobians(model, TIP, middle))) == signs[1])] = middle
        q.append(ends[0])
    return np.array(q)


@pytest.mark.parametrize(("kind", "directions", "points"), CASES)
def test_poses_of_singular_configurations_are_reached(kind, directions, points):
    model = build(directions, points)
    form = ClosedForm(model, TIP)
    for q in singular_configurations(model, 25, 31):
        for off in (0.0, 1e-6, 1e-3):
            near = q + off * np.random.default_rng(32).normal(size=6)
            pose = frame_placements(model, TIP, near)
            found = form.solutions(pose, limits=False)
            assert len(found) >= 1, (near, off)
            assert_reach(model, found, pose)
            assert_apart(found)


def test_inexact_arms_are_solved_near_singular_configurations_too():
    lost = []
    for name, (directions, points) in [item for arms in ARMS.values() for item in arms.items()]:
        model = build(directions, points, noise=1e-6)
        form = ClosedForm(model, TIP)
        for q, off in itertools.product(singular_configurations(model, 25, 33), (0.01, 0.003)):
            near = q + off * np.random.default_rng(34).normal(size=6)
            pose = frame_placements(model, TIP, near)
            found = form.solutions(pose, limits=False)
            assert_reach(model, found, pose)
            if len(found) == 0 or wrapped(found - near).max(axis=1).min() > 1e-5:
                lost.append((name, near))
    assert len(lost) <= 3  # of 750; what happens within 1e-4 of a singular pose is up to rounding


def test_wrist_centre_above_the_shoulder_leaves_the_first_angle_to_the_seed():
    spherical = ([Z, Y, Y, Z, Y, Z], 2 * [(0, 0, 0.4)] + [(0, 0, 0.9)] + 3 * [(0, 0, 1.4)])
    model = build(*spherical)
    q = np.array([0.9, 0.6, -1.2, 0.4, 0.8, -0.3])
    q[2] = -2.0 * q[1]  # equal links: the centre is on the first axis
    pose, seed = frame_placements(model, TIP, q), np.array([0.25, 0, 0, 0, 0, 0])
    found = ClosedForm(model, TIP).solutions(pose, seed)
    assert len(found) >= 2
    assert_reach(model, found, pose)
    np.testing.assert_allclose(found[:, 0], 0.25, atol=1e-6)


def test_aligned_wrist_leaves_the_fourth_angle_to_the_seed():
    model = build(*PUMA)
    q = np.array([0.3, -0.4, 0.5, 0.7, 0.0, -0.2])
    found = ClosedForm(model, TIP).solutions(frame_placements(model, TIP, q), [0, 0, 0, 0.45, 0, 0])
    aligned = found[np.abs(found[:, 4]) < 1e-6]
    assert len(aligned) >= 1
    np.testing.assert_allclose(aligned[:, 3], 0.45, atol=1e-6)


@pytest.mark.parametrize(("kind", "directions", "points"), CASES)
def test_poses_out_of_reach_have_no_solution(kind, directions, points):
    model = build(directions, points)
    form = ClosedForm(model, TIP)
    for pose in samples(model, 5, 7)[1]:
        for far in (6.0, 1e3, 1e20, 1e140):
            pose[:3, 3] *= far / np.linalg.norm(pose[:3, 3])
            assert form.solutions(pose).shape == (0, 6)


def test_pose_just_beyond_a_straight_arm_has_no_solution():
    model = build([Z, Y, Y, Z, Y, Z], 2 * [(0, 0, 0.4)] + [(0, 0, 0.9)] + 3 * [(0, 0, 1.4)])
    form = ClosedForm(model, TIP)
    pose = frame_placements(model, TIP, np.array([0.3, 0.5, 0.0, 0.2, 0.6, 0.1]))
    outward = frame_placements(model, TIP, np.array([0.3, 0.5, 0.0, 0.2, 0.6, 0.1]))
    wrist = np.array([np.sin(0.5) * np.cos(0.3), np.sin(0.5) * np.sin(0.3), np.cos(0.5)])
    outward[:3, 3] += 1e-6 * wrist
    assert len(form.solutions(pose)) >= 1
    assert len(form.solutions(outward)) == 0


def test_random_arms_have_none():
    rng = np.random.default_rng(8)
    for _ in range(20):
        model = build(rng.normal(size=(6, 3)), rng.normal(size=(6, 3)))
        assert closed_form(model, TIP) is None


@pytest.mark.parametrize(("name", "frame"), [("panda", "panda_link8"), ("arctos", "flange"), ("planar_3r", "tip")])
def test_samples_without_a_closed_form_have_none_and_say_why(name, frame):
    model = pantin.load(name)
    assert closed_form(model, frame) is None
    with pytest.raises(InvalidArgument, match=r"no closed form.*(six joints|meet in a point).*pantin\.reach"):
        ClosedForm(model, frame)


def test_joints_that_do_not_turn_by_an_angle_of_their_own_leave_none():
    for last in (JointModelPX(), JointModelMimic(JointModelRZ(), "joint1")):
        model = build(*PUMA)
        short, parent = Model(), 0
        for i in range(1, 6):
            parent = short.add_joint(parent, JointModelRZ(), model.joint_placements[i], f"joint{i}")
        parent = short.add_joint(parent, last, model.joint_placements[6], "last")
        short.add_frame(Frame(TIP, parent, 0, SE3.Identity(), FrameType.OP_FRAME))
        assert closed_form(short, TIP) is None
        with pytest.raises(InvalidArgument, match="'last' does not turn"):
            ClosedForm(short, TIP)


def test_arm_that_has_fewer_than_six_freedoms_has_none():
    coaxial = ([Z, Z, Y, X, Y, Z], [(0, 0, 0.4), (0, 0, 0.6), (0.4, 0, 0.4)] + 3 * [(0.9, 0, 0.4)])
    assert closed_form(build(*coaxial), TIP) is None


def test_ur5e_is_solved_within_its_limits():
    model = pantin.load("ur5e")
    form = ClosedForm(model, "tool0")
    for q, pose, regular in zip(*samples(model, 60, 9, "tool0"), strict=True):
        found = form.solutions(pose, q)
        assert (found >= model.lower_position_limit).all()
        assert (found <= model.upper_position_limit).all()
        assert_reach(model, found, pose, "tool0")
        if regular:
            np.testing.assert_allclose(found[0], q, atol=RECOVERED)


def test_pinocchio_agrees_that_the_pose_is_reached():
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is the oracle here")
    theirs = pin.buildModelFromUrdf(str(pantin.samples.path("ur5e")))
    data, frame = theirs.createData(), theirs.getFrameId("tool0")
    model = pantin.load("ur5e")
    for pose in samples(model, 20, 10, "tool0")[1]:
        for q in ClosedForm(model, "tool0").solutions(pose):
            pin.framesForwardKinematics(theirs, data, q)
            np.testing.assert_allclose(data.oMf[frame].homogeneous, pose, atol=REACHED)


def test_whole_turns_are_all_those_within_limits():
    model = pantin.load("ur5e")
    form = ClosedForm(model, "tool0")
    low, high = model.lower_position_limit, model.upper_position_limit
    pose = samples(model, 1, 12, "tool0")[1][0]
    expected = 0
    for angles in form.solutions(pose, limits=False):
        turned = angles[:, None] + 2.0 * np.pi * np.arange(-3, 4)
        expected += np.prod(((turned >= low[:, None]) & (turned <= high[:, None])).sum(axis=1))
    found = form.solutions(pose, whole_turns=True)
    assert len(found) == expected > 8
    assert len(np.unique(np.round(found, 6), axis=0)) == expected
    assert ((found >= low) & (found <= high)).all()
    assert_reach(model, found, pose, "tool0")


def test_limits_choose_among_the_branches():
    model = build(*PUMA)
    form = ClosedForm(model, TIP)
    pose = samples(model, 1, 13)[1][0]
    everything = form.solutions(pose)
    model.lower_position_limit[2] = np.sort(everything[:, 2])[3] + 1e-3
    kept = form.solutions(pose)
    np.testing.assert_allclose(kept, everything[everything[:, 2] > model.lower_position_limit[2]], atol=1e-12)
    assert 0 < len(kept) < len(everything)
    assert len(form.solutions(pose, limits=False)) == len(everything)


def test_angle_at_its_limit_is_kept_and_within_it_exactly():
    model = build(*PUMA, limit=1.0)
    q = np.array([1.0, -0.4, 0.5, 0.7, 0.6, -1.0])
    found = ClosedForm(model, TIP).solutions(frame_placements(model, TIP, q), q)
    assert np.abs(found).max() <= 1.0
    np.testing.assert_allclose(found[0], q, atol=RECOVERED)


def test_seed_gives_the_order_and_the_whole_turns():
    model = pantin.load("ur5e")
    form = ClosedForm(model, "tool0")
    for q, pose, _ in zip(*samples(model, 10, 14, "tool0"), strict=True):
        found = form.solutions(pose, q)
        distances = [distance(model, q, solution) for solution in found]
        assert np.diff(distances).min() >= -1e-9
        assert distances[0] < 1e-6


def test_without_limits_angles_are_within_half_a_turn():
    model = build(*PUMA)
    turned = frame_placements(model, TIP, np.pi * np.eye(6))
    for pose in [*samples(model, 20, 15)[1], *turned]:
        found = ClosedForm(model, TIP).solutions(pose, limits=False)
        assert (found > -np.pi).all()
        assert (found <= np.pi).all()


def test_continuous_joints_are_cosine_and_sine():
    model, plain = build(*PUMA, unbounded=(0, 3, 5)), build(*PUMA)
    form, other = ClosedForm(model, TIP), ClosedForm(plain, TIP)
    for q, pose, _ in zip(*samples(model, 20, 16), strict=True):
        found = form.solutions(pose, q)
        assert found.shape == (len(other.solutions(pose)), 9)
        np.testing.assert_allclose(found[0], q, atol=1e-6)
        np.testing.assert_allclose(np.hypot(found[:, 0], found[:, 1]), 1.0, rtol=1e-15)
        assert_reach(model, found, pose)
        assert len(form.solutions(pose, whole_turns=True)) == len(other.solutions(pose, whole_turns=True))


def test_other_joints_keep_the_seeds_entries():
    model = build(*PUMA)
    base = model.add_joint(0, JointModelPX(), SE3.Identity(), "door", min_config=[0.1], max_config=[0.5])
    q = np.append([0.3, -0.4, 0.5, 0.7, 0.6, -0.2], 0.33)
    pose = frame_placements(model, TIP, q)
    entry = model.joints[base].idx_q
    assert set(ClosedForm(model, TIP).solutions(pose, q)[:, entry]) == {0.33}
    assert set(ClosedForm(model, TIP).solutions(pose)[:, entry]) == {0.1}  # zero, moved into its limits


def test_base_of_the_arm_may_stand_anywhere():
    rng = np.random.default_rng(17)
    stand = SE3(exp3(rng.normal(size=3)), 3.0 * rng.normal(size=3))
    model, moved = build(*UNIVERSAL), build(*UNIVERSAL)
    moved.joint_placements[1] = stand * moved.joint_placements[1]
    q = random_configuration(model, rng)
    pose = frame_placements(model, TIP, q)
    here = ClosedForm(model, TIP).solutions(pose)
    there = ClosedForm(moved, TIP).solutions(stand * SE3(pose))
    np.testing.assert_allclose(here, there, atol=RECOVERED)


def test_arm_in_millimetres_has_the_same_angles():
    for directions, points in (PUMA, UNIVERSAL):
        metres, millimetres = build(directions, points), build(directions, points, scale=1000.0)
        for pose in samples(metres, 10, 18)[1]:
            larger = pose.copy()
            larger[:3, 3] *= 1000.0
            np.testing.assert_allclose(
                ClosedForm(metres, TIP).solutions(pose), ClosedForm(millimetres, TIP).solutions(larger), atol=RECOVERED
            )


@pytest.mark.parametrize(("kind", "directions", "points"), CASES)
def test_axes_printed_with_six_digits_still_count(kind, directions, points):
    model = build(directions, points, noise=1e-6)
    form = ClosedForm(model, TIP)
    assert form.kind == kind
    for q, pose, _ in zip(*samples(model, 30, 19), strict=True):
        if np.linalg.svd(frame_jacobians(model, TIP, q), compute_uv=False)[5] > 1e-2:
            found = form.solutions(pose)
            assert_reach(model, found, pose)
            assert wrapped(found - q).max(axis=1).min() < RECOVERED


def test_axes_that_miss_each_other_by_a_millimetre_do_not_meet():
    directions, points = PUMA
    model = build(directions, [*points[:4], (0.411, 0.12, 1.03), points[5]])
    assert closed_form(model, TIP) is None


def test_targets_that_are_nearly_rotations_are_reached_by_the_nearest_one():
    model = build(*PUMA)
    pose = samples(model, 1, 20)[1][0]
    bent = pose.copy()
    bent[:3, :3] *= 1.0 + 1e-5
    np.testing.assert_allclose(
        ClosedForm(model, TIP).solutions(bent), ClosedForm(model, TIP).solutions(pose), atol=1e-7
    )


@pytest.mark.parametrize("target", [SE3, np.ndarray.tolist, np.asfortranarray])
def test_targets_come_in_every_form(target):
    model = build(*PUMA)
    pose = samples(model, 1, 21)[1][0]
    form = ClosedForm(model, TIP)
    np.testing.assert_array_equal(form.solutions(target(pose)), form.solutions(pose))


def test_form_follows_edits_of_the_model():
    model = build(*PUMA)
    form = ClosedForm(model, TIP)
    model.joint_placements[1] = SE3(np.eye(3), np.array([0.1, 0.2, 0.3])) * model.joint_placements[1]
    q = np.array([0.3, -0.4, 0.5, 0.7, 0.6, -0.2])
    pose = frame_placements(model, TIP, q)
    assert_reach(model, form.solutions(pose), pose)


def test_threads_may_share_a_form():
    model = build(*UNIVERSAL)
    form = ClosedForm(model, TIP)
    poses = samples(model, 20, 22)[1]
    alone, together = [form.solutions(pose) for pose in poses], {}

    def work(name):
        together[name] = [form.solutions(pose) for pose in poses]

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for answers in together.values():
        for one, other in zip(alone, answers, strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("side", ["left", "right"])
def test_legs_of_a_floating_robot_are_solved_as_its_torso_sees_them(side):
    model, foot = pantin.load("biped"), f"{side}_sole"
    assert closed_form(model, foot) is None
    form = ClosedForm(model, foot, "torso")
    assert (form.root, form.kind) == ("torso", "axes 1 to 3 meet in a point")
    rng = np.random.default_rng(41)
    for _ in range(20):
        q = random_configuration(model, rng)
        seen = np.linalg.inv(frame_placements(model, "torso", q)) @ frame_placements(model, foot, q)
        found = form.solutions(seen, q)
        np.testing.assert_allclose(found[0], q, atol=RECOVERED)
        poses = np.linalg.inv(frame_placements(model, "torso", found)) @ frame_placements(model, foot, found)
        np.testing.assert_allclose(poses, np.broadcast_to(seen, poses.shape), atol=REACHED)


def test_roots_may_be_turned_and_shifted_and_must_be_on_the_way():
    model = build(*PUMA)
    table = SE3(exp3(np.array([0.3, -0.2, 0.9])), np.array([0.4, 0.1, -0.2]))
    model.add_frame(Frame("table", 0, 0, table, FrameType.OP_FRAME))
    for pose in samples(model, 5, 42)[1]:
        seen = np.linalg.inv(table.homogeneous) @ pose
        expected = ClosedForm(model, TIP).solutions(pose)
        np.testing.assert_allclose(ClosedForm(model, TIP, "table").solutions(seen), expected, atol=RECOVERED)
    biped = pantin.load("biped")
    assert closed_form(biped, "left_sole", "right_sole") is None
    with pytest.raises(InvalidArgument, match="does not pass 'right_sole'"):
        ClosedForm(biped, "left_sole", "right_sole")
    with pytest.raises(UnknownFrame, match="torse"):
        closed_form(biped, "left_sole", "torse")


BENCHMARKS = Path(__file__).parents[2] / "benchmarks" / "run.py"
FILES = Path(sysconfig.get_paths()["purelib"]) / "cmeel.prefix/share/example-robot-data/robots"
ROBOTS = {
    "ur5_robot": ("tool0", "axes 2 to 4 are parallel"),
    "ur10_robot": ("tool0", "axes 2 to 4 are parallel"),
    "z1": ("gripperStator", "axes 2 to 4 are parallel"),
    "kinova": ("j2s6s200_end_effector", "axes 4 to 6 meet in a point"),
    "romeo": ("l_sole", "axes 1 to 3 meet in a point"),
    "talos_reduced": ("left_sole_link", "axes 1 to 3 meet in a point"),
    "centauro": ("arm1_5", "axes 2 to 4 meet in a point"),
    "alexander_v1.lowerBodyOnly": ("LEFT_FOOT_IMU_LINK", "axes 3 to 5 are parallel"),
}


@pytest.mark.parametrize(("name", "frame", "kind"), [(name, *rest) for name, rest in ROBOTS.items()])
@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif(not FILES.is_dir(), reason="example-robot-data is not installed")
def test_limbs_of_known_robots_are_solved(name, frame, kind):
    model = pantin.load(next(FILES.rglob(f"{name}.urdf")))
    form = ClosedForm(model, frame)
    assert form.kind == kind
    for q, pose, regular in zip(*samples(model, 20, 23, frame), strict=True):
        found = form.solutions(pose, q)
        assert_reach(model, found, pose, frame)
        if regular:
            np.testing.assert_allclose(found[0], q, atol=RECOVERED)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda model: ClosedForm(model, "tool"), UnknownFrame, "tool"),
        (lambda model: closed_form(model, 99), UnknownFrame, "99"),
        (lambda model: closed_form("puma", TIP), TypeError, "model"),
        (lambda model: ClosedForm(model, TIP).solutions(np.eye(3)), InvalidArgument, "target"),
        (lambda model: ClosedForm(model, TIP).solutions(np.full((4, 4), np.nan)), InvalidArgument, "target"),
        (lambda model: ClosedForm(model, TIP).solutions(np.diag([2.0, 1, 1, 1])), InvalidArgument, "rotation"),
        (lambda model: ClosedForm(model, TIP).solutions(np.eye(4), np.zeros(5)), InvalidArgument, "seed"),
        (lambda model: ClosedForm(model, TIP).solutions(np.eye(4), np.full(6, np.nan)), InvalidArgument, "seed"),
        (
            lambda model: ClosedForm(model, TIP).solutions(np.eye(4), whole_turns=True, limits=False),
            InvalidArgument,
            "whole_turns",
        ),
    ],
)
def test_wrong_questions_name_what_is_wrong(call, error, message):
    with pytest.raises(error, match=message):
        call(build(*PUMA))


def test_so_many_whole_turns_are_refused():
    model = build(*PUMA, limit=100.0)
    pose = samples(model, 1, 24)[1][0]
    with pytest.raises(InvalidArgument, match=r"whole_turns.*variants"):
        ClosedForm(model, TIP).solutions(pose, whole_turns=True)
    assert len(ClosedForm(model, TIP).solutions(pose)) == 8


def test_written_form_names_frame_and_kind():
    assert "'tip': axes 4 to 6 meet in a point" in repr(ClosedForm(build(*PUMA), TIP))


@pytest.mark.skipif(not BENCHMARKS.is_file(), reason="the benchmarks are not beside the tests")
def test_benchmark_runs():
    words = [sys.executable, BENCHMARKS, "closed_form", "--once"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert sum(line.startswith("ur5e") and "ran" in line for line in done.stdout.splitlines()) == 2
