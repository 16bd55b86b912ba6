"""Two hands of a humanoid at once, from where it stands: with feet that stay on the ground, and on a fixed trunk.

Targets are poses of the hands that the humanoid takes within its limits, arms and waist halfway to anywhere in their
limits, while both feet stay; tolerances are 1e-6 m and 1e-6 rad. The other side is the loop that people write by hand
on top of Pinocchio: Levenberg-Marquardt on the stacked Jacobians, within the limits. It has no restarts, so targets
that it misses are left out; where we miss one, the run ends before anything is timed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import pantin
import pantin.kinematics as kin
from harness import Case, Disagreement, Side
from pantin.arrays import Array
from pantin.kinematics.batch import frame_placements
from robots import DATA, SAMPLE_COUNT, Robot, pin

_UPPER_BODY = ("shoulder", "elbow", "wrist", "arm", "waist", "torso")


@dataclass(frozen=True)
class Humanoid:
    """A humanoid and the frames that are asked for."""

    name: str
    file: str
    hands: tuple[str, str]
    feet: tuple[str, str]


_HUMANOIDS = (
    Humanoid(
        "g1",
        "g1_description/urdf/g1_29dof_rev_1_0.urdf",
        ("left_rubber_hand", "right_rubber_hand"),
        ("left_ankle_roll_link", "right_ankle_roll_link"),
    ),
    Humanoid(
        "talos",
        "talos_data/robots/talos_reduced.urdf",
        ("gripper_left_base_link", "gripper_right_base_link"),
        ("left_sole_link", "right_sole_link"),
    ),
)


def cases() -> list[Case]:
    """All cases of this floor."""
    present = [humanoid for humanoid in _HUMANOIDS if (DATA / humanoid.file).is_file()]
    return [case for humanoid in present for stands in (True, False) for case in _cases(humanoid, stands)]


def _cases(humanoid: Humanoid, stands: bool) -> list[Case]:
    robot = Robot(humanoid.name, Path(DATA / humanoid.file), humanoid.hands[0], floating=stands)
    model = robot.model
    start = kin.clamp(model, kin.neutral(model))
    feet = humanoid.feet if stands else ()
    frames = (*feet, *humanoid.hands)

    def placed(q: Array) -> Array:
        return np.stack([frame_placements(model, frame, q) for frame in frames], axis=-3)

    theirs = None if pin is None else _loop(robot, frames, start)
    wanted = _goals(model, humanoid, start, stands)
    targets = np.array([poses for poses in placed(wanted) if theirs is None or _met(placed(theirs(poses)), poses)])
    problem = pantin.Problem(model)
    residuals = [problem.add_frame(frame, target) for frame, target in zip(frames, targets[0], strict=True)]
    hands = residuals[len(feet) :]
    asked = {hand: targets[:, len(feet) + k] for k, hand in enumerate(hands)}
    batch = problem.solve_batch(asked, start)
    if not batch.success.all():
        raise Disagreement(f"{humanoid.name}: hands did not come to where they can be")

    def ours(poses: Array) -> Array:
        for hand, pose in zip(hands, poses[len(feet) :], strict=True):
            hand.target = pose
        return problem.solve(start).q

    questions = [(poses,) for poses in targets]
    sides = {"pantin": Side(ours, questions, lambda i: placed(ours(targets[i])))}
    if theirs is not None:
        sides["pin"] = Side(theirs, questions, lambda i: placed(theirs(targets[i])))
    many = Side(lambda: problem.solve_batch(asked, start), [()], per_call=len(targets))
    what = "two hands, feet stay" if stands else "two hands, fixed trunk"
    return [
        Case(humanoid.name, what, sides, tolerance=5e-6),
        Case(humanoid.name, f"{what}, in a batch", {"pantin": many}),
    ]


def _met(poses: Array, targets: Array) -> bool:
    return bool(np.abs(poses - targets).max() < 2e-6)


def _goals(model: kin.Model, humanoid: Humanoid, start: Array, stands: bool) -> Array:
    """Configurations within limits, shape (SAMPLE_COUNT, nq), in which feet that stay are where they were."""
    random = np.random.default_rng(0)
    moving = [
        joint.idx_q
        for name, joint in zip(model.names, model.joints, strict=True)
        if joint.nq == 1 and any(part in name for part in _UPPER_BODY)
    ]
    low, high = (
        np.clip(limit[moving], -3.0, 3.0) for limit in (model.lower_position_limit, model.upper_position_limit)
    )
    problem = pantin.Problem(model)
    for foot in humanoid.feet:
        problem.add_frame(foot, frame_placements(model, foot, start))
    posture = problem.add_posture(start)
    goals: list[Array] = []
    while len(goals) < SAMPLE_COUNT:
        q = start.copy()
        q[moving] += 0.5 * (random.uniform(low, high) - q[moving])
        if not stands:
            goals.append(q)
            continue
        posture.target = kin.integrate(model, q, np.concatenate([0.1 * random.normal(size=6), np.zeros(model.nv - 6)]))
        result = problem.solve(start)
        if result.success:
            goals.append(result.q)
    return np.array(goals)


def _loop(robot: Robot, frames: Sequence[str], start: Array) -> Callable[[Array], Array]:
    """Levenberg-Marquardt with Pinocchio and NumPy."""
    assert pin is not None
    model = robot.pin_model
    data = model.createData()  # type: ignore[attr-defined]
    ids = [model.getFrameId(frame) for frame in frames]  # type: ignore[attr-defined]
    unit = np.eye(robot.model.nv)
    low, high = robot.model.lower_position_limit, robot.model.upper_position_limit
    limited = robot.model.has_configuration_limit()
    low, high = np.where(limited, low, -np.inf), np.where(limited, high, np.inf)

    def solve(poses: Array) -> Array:
        goals = [pin.SE3(pose) for pose in poses]
        q = start
        for _ in range(100):
            pin.computeJointJacobians(model, data, q)
            pin.updateFramePlacements(model, data)
            errors = [pin.log6(data.oMf[i].actInv(goal)).vector for i, goal in zip(ids, goals, strict=True)]
            if all(e[:3] @ e[:3] < 1e-12 and e[3:] @ e[3:] < 1e-12 for e in errors):
                break
            error = np.concatenate(errors)
            J = np.vstack([pin.getFrameJacobian(model, data, i, pin.LOCAL) for i in ids])
            step = np.linalg.solve(J.T @ J + (0.05 * (error @ error) + 1e-9) * unit, J.T @ error)
            q = np.clip(pin.integrate(model, q, step), low, high)
        return q

    return solve
