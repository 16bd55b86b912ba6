"""Parts of errors add up to them, and singular values are those of Jacobians found in other ways."""

import numpy as np
import pytest
from questions import arm, as_asked, configurations, reachable
from witness import Witness

import models
from pantin.kinematics import integrate, log3, random_configuration
from pantin.kinematics.batch import frame_placements
from pantin.reaching import ReachResidual, ReachSolver, reach
from pantin.reaching.diagnostics import error_parts, rows, singular_values

#: Central differences of errors near 0: truncation of the step squared, rounding of 1e-16 over it.
STEP = 1e-5
#: Mode, its question, and how many rows it has.
QUESTIONS = {
    "pose": ("pose", {}, 6),
    "position": ("position", {}, 3),
    "orientation": ("orientation", {}, 3),
    "axis": ("axis", {"tool_axis": "x"}, 5),
    "direction": ("direction", {}, 2),
    "pointing": ("pointing", {"tool_axis": (1.0, 2.0, -2.0)}, 2),
    "shaft": ("rcm", {"pivot": (0.3, 0.1, 0.8)}, 5),
    "shaft with roll": ("rcm", {"pivot": (0.3, 0.1, 0.8), "roll": "target"}, 6),
    "mask": ("pose", {"mask": [True, False, True, True, True, False]}, 4),
    "mask of the tool": ("pose", {"mask": [True, False, True, True, True, False], "mask_frame": "tool"}, 4),
    "position without z": ("position", {"mask": [True, True, False]}, 2),
}


def goal_of(mode, question, pose):
    """A target of a mode out of a pose."""
    if mode in ("pose", "position", "orientation"):
        return as_asked(mode, pose)
    if mode == "direction":
        return pose[:3, 2]
    if mode == "pointing":
        return 2.0 * pose[:3, 3]
    return pose[:3, 3] if mode == "rcm" and "roll" not in question else pose


def asked(name, seed, *, root=None):
    """A solver and a target that it reaches, or nearly."""
    model, frame = arm("panda")
    mode, question, _ = QUESTIONS[name]
    pose = reachable(model, frame, 1, seed=seed, root=root)[0]
    if mode == "rcm":
        pose[:3, 3] = (0.4, 0.05, 0.55)
    return ReachSolver(model, frame, mode=mode, root=root, **question), goal_of(mode, question, pose)


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize("far", [0.0, 2.0])
def test_parts_have_the_lengths_of_the_errors(name, far):
    for seed in range(4):
        solver, goal = asked(name, seed)
        if goal.shape == (4, 4):
            goal[2, 3] += far
        elif solver.mode in ("position", "rcm"):
            goal[2] += far
        result = solver.solve(goal)
        parts = result.residual
        assert isinstance(parts, ReachResidual)
        assert np.linalg.norm(parts[:3]) == pytest.approx(result.position_error, abs=1e-12)
        assert np.linalg.norm(parts[3:]) == pytest.approx(result.rotation_error, abs=1e-9)


def test_parts_of_a_pose_lead_to_the_target_along_the_axes_of_the_root():
    model, frame = arm("panda")
    witness = Witness("panda", frame)
    target = reachable(model, frame, 1, seed=5)[0]
    target[:3, 3] *= 3.0
    result = reach(model, frame, target)
    assert not result.success
    reached = witness.pose(result.q)
    assert np.allclose(result.residual[:3], target[:3, 3] - reached[:3, 3], rtol=0.0, atol=1e-12)
    assert np.allclose(result.residual[3:], log3(target[:3, :3] @ reached[:3, :3].T), rtol=0.0, atol=1e-9)


def test_free_components_are_zero_and_those_of_the_tool_are_along_its_axes():
    model, frame = arm("panda")
    target = reachable(model, frame, 1, seed=6)[0]
    target[:3, 3] *= 3.0
    mask = [True, False, True, True, True, False]
    result = reach(model, frame, target, mask=mask, mask_frame="tool")
    assert (result.residual.y, result.residual.rz) == (0.0, 0.0)
    reached = frame_placements(model, frame, result.q)
    along = reached[:3, :3].T @ (target[:3, 3] - reached[:3, 3])
    assert np.allclose(result.residual[:3], along * mask[:3], rtol=0.0, atol=1e-12)


def test_a_direction_against_the_tool_is_half_a_turn_away():
    model, frame = arm("panda")
    q = configurations(model, 1, seed=7)[0]
    solver = ReachSolver(model, frame, mode="direction")
    for target in (1.0, -1.0):
        z = target * frame_placements(model, frame, q)[:3, 2]
        parts = error_parts(solver, q, np.concatenate([np.eye(3).ravel(), z]))
        assert np.linalg.norm(parts[3:]) == pytest.approx(0.0 if target > 0 else np.pi, abs=1e-7)


@pytest.mark.parametrize("mode", ["pose", "position", "orientation"])
def test_singular_values_are_those_of_pinocchios_jacobian(mode):
    for name in ("panda", "ur5e", "arctos"):
        model, frame = arm(name)
        witness = Witness(name, frame)
        part = {"pose": slice(0, 6), "position": slice(0, 3), "orientation": slice(3, 6)}[mode]
        for target in as_asked(mode, reachable(model, frame, 6, seed=8)):
            result = reach(model, frame, target, mode=mode)
            values = np.linalg.svd(witness.jacobian(result.q)[part], compute_uv=False)
            assert result.min_singular_value == pytest.approx(values[-1], abs=1e-12)


@pytest.mark.parametrize(
    ("name", "root"),
    [(name, None) for name in QUESTIONS if "mask" not in name]
    + [(name, "panda_link2") for name in QUESTIONS if "mask" not in name and "shaft" not in name],
)
def test_rows_are_how_the_parts_of_the_error_change(name, root):
    solver, goal = asked(name, 9, root=root)
    result = solver.solve(goal)
    assert result.success, result
    target, q = result._target, result.q

    def parts(step):
        return np.array(error_parts(solver, integrate(solver.model, q, step), target))

    moved = [(parts(STEP * unit) - parts(-STEP * unit)) / (2.0 * STEP) for unit in np.eye(solver.model.nv)]
    expected = np.linalg.svd(-np.array(moved).T, compute_uv=False)
    size = QUESTIONS[name][2]
    J = rows(solver, q, target)
    assert J.shape == (size, 7 if root is None else 5)
    values = np.linalg.svd(J, compute_uv=False)
    least = min(J.shape)
    # errors of up to 1e-6 are left, which turn what is seen by as much
    assert np.allclose(values[:least], expected[:least], rtol=0.0, atol=1e-5)
    assert np.allclose(expected[least:], 0.0, atol=1e-5)


@pytest.mark.parametrize("name", ["mask", "mask of the tool"])
def test_rows_of_components_are_those_of_pinocchios_jacobian(name):
    model, frame = arm("panda")
    solver, goal = asked(name, 12)
    q = solver.solve(goal).q
    J = Witness("panda", frame).jacobian(q)
    if "tool" in name:
        back = frame_placements(model, frame, q)[:3, :3].T
        J = np.concatenate([back @ J[:3], back @ J[3:]])
    mask = QUESTIONS[name][1]["mask"]
    assert np.allclose(rows(solver, q, solver.solve(goal)._target), J[mask], rtol=0.0, atol=1e-12)


def test_values_of_a_batch_are_those_of_its_rows():
    model, frame = arm("panda")
    solver = ReachSolver(model, frame)
    q = configurations(model, 5, seed=10)
    target = np.concatenate([np.eye(3).ravel(), np.zeros(3)])
    batch = singular_values(solver, q, target)
    assert np.array_equal(batch, [singular_values(solver, row, target) for row in q])


def test_locked_joints_do_not_count():
    model, frame = arm("panda")
    q = configurations(model, 1, seed=11)[0]
    target = frame_placements(model, frame, q)
    result = reach(model, frame, target, q, lock=["panda_joint3", "panda_joint5"])
    witness = Witness("panda", frame)
    kept = np.delete(witness.jacobian(q), [2, 4], axis=1)
    assert result.min_singular_value == pytest.approx(np.linalg.svd(kept, compute_uv=False)[-1], abs=1e-9)


def test_followers_count_by_their_masters():
    model = models.mimic_tree(2)
    frame = next(f.name for f in model.frames if f.name.startswith("tool_RUBZ_after"))
    q = random_configuration(model, random_seed=1)
    target = frame_placements(model, frame, q)
    solver = ReachSolver(model, frame)
    result = solver.solve(target, q)
    parts = [
        (
            np.array(error_parts(solver, integrate(model, q, STEP * unit), result._target))
            - np.array(error_parts(solver, integrate(model, q, -STEP * unit), result._target))
        )
        / (2.0 * STEP)
        for unit in np.eye(model.nv)
    ]
    moving = [column for column in parts if np.abs(column).max() > 1e-9]
    expected = np.linalg.svd(np.array(moving).T, compute_uv=False)
    assert result.min_singular_value == pytest.approx(expected[-1], abs=1e-6)


def test_a_straight_arm_is_singular():
    model, frame = arm("planar_3r")
    q = np.array([0.3, 0.0, 0.0])
    target = frame_placements(model, frame, q)
    straight = reach(model, frame, target[:3, 3], q, mode="position", mask=[True, True, False])
    assert straight.min_singular_value < 1e-9
    bent = reach(model, frame, frame_placements(model, frame, q + 0.7)[:3, 3], q + 0.7, mode="position", mask=[1, 1, 0])
    assert bent.min_singular_value > 0.1
