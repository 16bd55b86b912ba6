"""Steps against limits and barriers that are rows, not bounds of single joints: bases, boxes and distances."""

import numpy as np
import pytest
from limit_cases import placed

import pantin
from pantin.barriers import BodySphericalBarrier, PositionBarrier
from pantin.differential import DifferentialIK, StepStatus
from pantin.kinematics import SE3, clamp, exp6, log6, neutral
from pantin.limits import (
    ConfigurationLimit,
    FloatingBaseConfigurationLimit,
    FloatingBaseVelocityLimit,
    VelocityLimit,
)
from pantin.tasks import FrameTask, PostureTask


def standing(name):
    model = pantin.load(name)
    return model, placed(model, clamp(model, neutral(model)))


def asked(model, here, targets, posture_cost=1e-2):
    """Tasks that pull frames to targets, and all joints to where they are."""
    tasks = []
    for frame, target in targets.items():
        tasks.append(FrameTask(frame, position_cost=1.0, orientation_cost=0.5))
        tasks[-1].set_target(target)
    posture = PostureTask(cost=posture_cost)
    posture.set_target_from_configuration(here)
    return [*tasks, posture]


@pytest.mark.parametrize("name", ["humanoid", "quadruped"])
def test_a_base_moves_no_faster_than_its_limits(name):
    """The twist over a step is the logarithm of the base's motion."""
    model, here = standing(name)
    frame = "pelvis" if name == "humanoid" else "trunk"
    bounds = np.array([0.3, 0.2, 0.1, 0.5, 0.4, 0.3])
    limit = FloatingBaseVelocityLimit(model, frame, bounds[:3], bounds[3:])
    target = exp6([1.0, -2.0, 1.5, 0.7, -0.9, 1.1])
    ik = DifferentialIK(
        model, asked(model, here, {frame: target}), [ConfigurationLimit(model), VelocityLimit(model), limit]
    )
    dt, fastest = 0.01, np.zeros(6)
    for _ in range(150):
        before = here.get_transform_frame_to_world(frame)
        ik.step(here, dt)
        assert ik.status == StepStatus.SOLVED
        twist = np.abs(log6(before.inverse() * here.get_transform_frame_to_world(frame)).vector) / dt
        fastest = np.maximum(fastest, twist)
    assert (fastest <= bounds * (1 + 1e-6)).all()
    assert (fastest >= bounds * (1 - 1e-3)).any()


def test_a_base_that_is_pulled_away_rests_at_the_corner_of_its_box_and_upright():
    """On the way a turn of w about the cone adds w^2 / (2 tan 0.25), of second order; w is at most 0.03 in a step."""
    model, here = standing("humanoid")
    start = here.get_transform_frame_to_world("pelvis").translation
    lower, upper = start - np.array([0.1, 0.2, 0.3]), start + np.array([0.3, 0.2, 0.1])
    limit = FloatingBaseConfigurationLimit(model, "pelvis", lower=lower, upper=upper, max_tilt=0.25)
    speed = FloatingBaseVelocityLimit(model, "pelvis", 2.0, 2.0)
    away = SE3(exp6([0.0, 0.0, 0.0, 0.8, 0.6, 0.4]).rotation, start + np.array([2.0, -2.0, 2.0]))
    tasks, limits = (
        asked(model, here, {"pelvis": away}),
        [ConfigurationLimit(model), VelocityLimit(model), speed, limit],
    )
    ik = DifferentialIK(model, tasks, limits)
    for _ in range(400):
        v = ik.step(here, 0.01)
        pose = here.get_transform_frame_to_world("pelvis")
        assert (pose.translation <= upper + 1e-3).all()
        assert (pose.translation >= lower - 1e-3).all()
        assert np.arccos(pose.rotation[2, 2]) <= 0.25 + 4e-3
    np.testing.assert_allclose(pose.translation, [upper[0], lower[1], upper[2]], atol=1e-6)
    assert np.arccos(pose.rotation[2, 2]) == pytest.approx(0.25, abs=1e-6)
    assert np.abs(v).max() < 1e-6


def test_a_hand_that_is_pulled_through_a_wall_stops_at_it():
    model, here = standing("panda")
    hand = here.get_transform_frame_to_world("panda_hand")
    wall = hand.translation[0] + 0.1
    tasks = asked(model, here, {"panda_hand": SE3(hand.rotation, hand.translation + np.array([0.5, 0.1, -0.2]))})
    barrier = PositionBarrier("panda_hand", indices=[0], p_max=wall, gain=30.0)
    ik = DifferentialIK(model, tasks, barriers=[barrier])
    farthest = -np.inf
    for _ in range(400):
        ik.step(here, 0.01)
        farthest = max(farthest, here.get_transform_frame_to_world("panda_hand").translation[0])
    assert farthest <= wall + 1e-4
    assert here.get_transform_frame_to_world("panda_hand").translation[0] == pytest.approx(wall, abs=1e-4)


def test_hands_that_are_pulled_together_keep_their_distance():
    model, here = standing("humanoid")
    middle = np.array([0.3, 0.0, 0.2]) + here.get_transform_frame_to_world("torso").translation
    tasks = asked(model, here, {hand: SE3(np.eye(3), middle) for hand in ("left_hand", "right_hand")})
    for task in tasks[:2]:
        task.set_orientation_cost(0.0)
    barrier = BodySphericalBarrier(("left_hand", "right_hand"), d_min=0.2, gain=20.0, safe_displacement_gain=0.0)
    ik = DifferentialIK(model, tasks, barriers=[barrier])
    nearest = np.inf
    for _ in range(400):
        ik.step(here, 0.01)
        left, right = (here.get_transform_frame_to_world(f"{side}_hand").translation for side in ("left", "right"))
        nearest = min(nearest, np.linalg.norm(left - right))
    assert 0.2 - 1e-3 <= nearest <= 0.25
