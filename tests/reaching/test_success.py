"""Random reachable targets are reached, cold, within limits; Pinocchio makes them and judges the answers.

A small copy of `benchmarks/success.py` and `benchmarks/rates.py`.
"""

from functools import cache

import numpy as np
import pytest
from questions import arm, as_asked, configurations, within_limits

import pantin
from oracle import ROBOTS
from pantin.reaching import ReachOptions, ReachSolver

pinocchio = pytest.importorskip("pinocchio")

MODES = ("pose", "position", "orientation", "axis", "direction", "pointing")
COUNT = 300

#: Tolerance of the solver, and a few roundings of a product of some ten placements of metres.
NEAR = 1e-6 + 1e-12

#: File of `example-robot-data` and frame.
ARMS = {
    "panda": None,
    "ur5e": None,
    "arctos": None,
    "xarm7": ("xarm_description/urdf/xarm7.urdf", "link_eef"),
    "talos": ("talos_data/robots/talos_reduced.urdf", "gripper_left_base_link"),
    "baxter": ("baxter_description/urdf/baxter.urdf", "left_gripper"),
    "pr2": ("pr2_description/urdf/pr2.urdf", "l_gripper_tool_frame"),
    "icub": ("icub_description/robots/icub.urdf", "l_gripper"),
    "tiago": ("tiago_description/robots/tiago_no_hand.urdf", "arm_tool_link"),
}


@cache
def loaded(name):
    """An arm's model and frame, Pinocchio's model, and some configurations with the poses that it gives them."""
    if ARMS[name] is None:
        model, frame = arm(name)
        file = pantin.samples.path(name)
    else:
        file, frame = ROBOTS / ARMS[name][0], ARMS[name][1]
        if not file.is_file():
            pytest.skip("example-robot-data is not installed")
        model = pantin.kinematics.build_model_from_urdf(str(file))
    theirs = pinocchio.buildModelFromUrdf(str(file))
    assert list(theirs.names) == list(model.names)
    return model, frame, theirs, poses(theirs, frame, configurations(model, COUNT))


def poses(model, frame, q):
    """Poses of a frame by Pinocchio, shape (count, 4, 4)."""
    data, index, found = model.createData(), model.getFrameId(frame, pinocchio.BODY), np.empty((len(q), 4, 4))
    for row, one in zip(found, q, strict=True):
        pinocchio.framesForwardKinematics(model, data, one)
        row[:] = data.oMf[index].homogeneous
    return found


def between(a, b):
    """Angles between rows of vectors."""
    return np.arctan2(np.linalg.norm(np.cross(a, b), axis=1), (a * b).sum(axis=1))


def errors(mode, targets, given):
    """Distances and angles that are left between target poses and poses, as the mode counts them."""
    distance = np.linalg.norm(targets[:, :3, 3] - given[:, :3, 3], axis=1)
    if mode in ("pose", "orientation"):
        turns = np.swapaxes(targets[:, :3, :3], 1, 2) @ given[:, :3, :3]
        angle = np.array([np.linalg.norm(pinocchio.log3(turn)) for turn in turns])
    elif mode == "pointing":
        angle = between(as_asked(mode, targets) - given[:, :3, 3], given[:, :3, 2])
    else:
        angle = between(targets[:, :3, 2], given[:, :3, 2])
    return distance * (mode in ("pose", "position", "axis")), angle * (mode != "position")


def share(solver, mode, targets, theirs, seeds=None):
    """Share of target poses that is reached within limits."""
    answers = solver.solve_batch(as_asked(mode, targets), seeds).q
    distance, angle = errors(mode, targets, poses(theirs, solver.frame, answers))
    near = (distance <= NEAR) & (angle <= NEAR)
    return np.mean([one and within_limits(solver.model, q) for one, q in zip(near, answers, strict=True)])


@pytest.mark.parametrize("name", ARMS)
@pytest.mark.parametrize("mode", MODES)
def test_every_target_is_reached_without_a_seed(name, mode):
    model, frame, theirs, targets = loaded(name)
    assert share(ReachSolver(model, frame, mode=mode), mode, targets, theirs) == 1.0


@pytest.mark.parametrize(
    ("mode", "starts", "required"),
    [
        ("pose", 1, 0.78),
        ("pose", 10, 0.97),
        ("pose", 20, 0.995),
        ("pose", 40, 0.999),
        ("axis", 20, 0.995),
        ("position", 5, 0.999),
    ],
)
def test_few_starts_reach_what_is_required_of_them(mode, starts, required):
    model, frame, theirs, _ = loaded("arctos")
    q = np.random.default_rng(0).uniform(model.lower_position_limit, model.upper_position_limit, (2000, 6))
    solver = ReachSolver(model, frame, mode=mode, options=ReachOptions(max_starts=starts))
    middle = 0.5 * (model.lower_position_limit + model.upper_position_limit)
    assert share(solver, mode, poses(theirs, frame, q), theirs, middle if starts == 1 else None) >= required


@pytest.mark.parametrize(("degrees", "required"), [(180.0, 0.95), (90.0, 0.99)])
def test_one_start_at_rest_reaches_most_where_there_are_no_limits(degrees, required):
    model, frame, theirs, _ = loaded("arctos")
    free = model.copy()
    free.lower_position_limit[:], free.upper_position_limit[:] = -np.inf, np.inf
    q = np.random.default_rng(0).uniform(-1.0, 1.0, (COUNT, 6)) * np.radians(degrees)
    solver = ReachSolver(free, frame, options=ReachOptions(max_starts=1))
    assert share(solver, "pose", poses(theirs, frame, q), theirs, np.zeros(6)) >= required


@pytest.mark.parametrize(("starts", "required"), [(1, 0.55), (10, 0.97), (20, 0.99), (40, 0.995)])
def test_a_shaft_reaches_through_its_pivot(starts, required):
    model, frame, theirs, targets = loaded("arctos")
    depths, shaft, reached = np.random.default_rng(1).uniform(0.02, 0.06, COUNT), 0.12, 0
    for target, depth in zip(targets, depths, strict=True):
        tip = target[:3, 3]
        pivot = tip - depth * target[:3, 2]
        options = ReachOptions(max_starts=starts)
        q = ReachSolver(model, frame, mode="rcm", pivot=pivot, shaft=shaft, options=options).solve(tip).q
        pose = poses(theirs, frame, q[None])[0]
        x, y, z = pose[:3, :3].T @ (pivot - pose[:3, 3])
        near = np.linalg.norm(pose[:3, 3] - tip) <= NEAR and np.hypot(x, y) <= NEAR
        reached += near and 0.002 <= -z <= shaft and within_limits(model, q)
    assert reached / COUNT >= required
