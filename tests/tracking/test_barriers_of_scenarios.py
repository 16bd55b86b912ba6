"""Barriers of a scenario hold: frames stay within a box, and shapes stay apart."""

import numpy as np
import pytest
from scenarios import CIRCLE

import pantin
import pantin.kinematics as kin
from pantin.errors import ModelFileError
from pantin.tracking import Scenario, ScenarioError

VISUAL = CIRCLE.replace("dt = 0.01", 'dt = 0.01\nshapes = "visual"')

BOX = """\
[[barrier]]
kind = "position"
frame = "panda_hand"
indices = [0]
p_min = [{x}]
gain = 50.0
"""
BALL = """\
[[barrier]]
kind = "obstacle"
n_collision_pairs = 3
gain = 20.0
d_min = 0.02
links = ["panda_hand"]
[[barrier.obstacles]]
shape = "sphere"
size = 0.005
placement = {{ position = [{x}, {y}, {z}] }}
"""
APART = """\
[[barrier]]
kind = "self_collision"
n_collision_pairs = 2
safe_displacement_gain = 0.0
"""


def hand_of(trajectory):
    return kin.batch.frame_placements(trajectory.model, "panda_hand", trajectory.q)[:, :3, 3]


@pytest.fixture(scope="module")
def free():
    """Places of the hand on the circle when nothing is in its way."""
    return hand_of(Scenario(CIRCLE).run())


def test_frames_stay_within_a_box(free):
    x = float(free[:, 0].max() + free[:, 0].min()) / 2
    assert free[:, 0].min() < x - 0.02
    held = Scenario(CIRCLE + BOX.format(x=x)).run()
    assert hand_of(held)[:, 0].min() >= x - 2e-5  # a barrier is linear in a step of 10 ms
    assert not held.success  # the hand cannot be where it is to be


def test_shapes_stay_apart_from_what_is_in_the_way(free):
    coal = pytest.importorskip("coal", reason="measures distances of shapes")
    x, y, z = free[-1]
    text = VISUAL + BALL.format(x=x, y=y, z=z)
    held = Scenario(text).run()
    assert not held.success
    shapes = kin.build_geom_from_urdf(held.model, pantin.samples.path("panda")).geometry_objects
    boxes = [shape for shape in shapes if shape.link == "panda_hand" and shape.shape == "box"]
    assert boxes
    data, nearest = held.model.create_data(), []
    for q in held.q:
        kin.forward_kinematics(held.model, data, q)
        for box in boxes:
            pose = data.oMi[box.parent_joint] * box.placement
            at = coal.Transform3s(pose.rotation, pose.translation)
            ball = coal.Transform3s(np.eye(3), free[-1])
            asked, result = coal.DistanceRequest(), coal.DistanceResult()
            nearest.append(coal.distance(coal.Box(*box.size), at, coal.Sphere(0.005), ball, asked, result))
    assert 0.02 - 1e-4 < min(nearest) < 0.025
    with pytest.raises(ScenarioError, match=r"placement: position: expected 3 numbers, got shape \(2,\)"):
        Scenario(text.replace(f"[{x}, ", "["))


def test_shapes_come_from_the_robots_file():
    pytest.importorskip("coal", reason="measures distances of shapes")
    trajectory = Scenario(VISUAL + APART).run()
    assert trajectory.statuses == {"solved": 100}
    assert trajectory.success
    with pytest.raises(ScenarioError, match="line 5: scenario: shapes: there is no 'meshes'"):
        Scenario(VISUAL.replace("visual", "meshes"))
    with pytest.raises((ScenarioError, ModelFileError), match="no shapes"):
        Scenario(VISUAL + APART, model=pantin.load("panda"))
