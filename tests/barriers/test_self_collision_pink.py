"""Self-collision by Pink's numbers, which `tools/make_self_collision.py` wrote down."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from oracle import ROBOTS
from pantin import kinematics as kin
from pantin import samples
from pantin.barriers import SelfCollisionBarrier
from pantin.collision import collision_pairs
from pantin.configuration import Configuration
from pantin.differential import DifferentialIK
from pantin.tasks import PostureTask

pytest.importorskip("coal", reason="the package coal measures distances")

REFERENCE = json.loads(Path(__file__).with_name("self_collision.json").read_text(encoding="utf-8"))
FILES = {
    "dual_arm": (samples.path("dual_arm"), "visual"),
    "panda": (ROBOTS / "panda_description/urdf/panda.urdf", "collision"),
}
CASES = [(name, index) for name, scene in REFERENCE["scenes"].items() for index in range(len(scene["cases"]))]
#: Distances are measured to 1e-9 m by both; that leaves the normals of what is round off by its square root.
DISTANCE, SLOPE = 3e-9, 3e-5


@pytest.fixture(scope="module")
def robots():
    """Model and shapes of each robot whose file is there."""
    read = {}
    for name, (file, kind) in FILES.items():
        if file.is_file():
            model = kin.build_model_from_urdf(file)
            shapes = kin.build_geom_from_urdf(model, file, geometry_type=kind)
            shapes.collision_pairs = collision_pairs(model, shapes, clear_at=kin.neutral(model))
            read[name] = model, shapes
    return read


def asked(robots, name, index):
    """What was asked of Pink, and its answer."""
    if name not in robots:
        pytest.skip(f"needs the robot {name} of example-robot-data")
    model, shapes = robots[name]
    scene = REFERENCE["scenes"][name]
    case = scene["cases"][index]
    configuration = Configuration(model, model.create_data(), case["q"], collision_model=shapes)
    barrier = SelfCollisionBarrier(scene["count"], gain=REFERENCE["gain"], d_min=REFERENCE["d_min"])
    return configuration, barrier, case


@pytest.mark.parametrize("name", FILES)
def test_the_same_pairs_are_kept_apart(robots, name):
    asked(robots, name, 0)
    shapes = robots[name][1]
    names = [tuple(shapes.geometry_objects[shape].name for shape in pair) for pair in shapes.collision_pairs]
    assert {frozenset(pair) for pair in names} == {frozenset(pair) for pair in REFERENCE["scenes"][name]["pairs"]}


@pytest.mark.parametrize(("name", "index"), CASES)
def test_rows_are_pinks(robots, name, index):
    configuration, barrier, case = asked(robots, name, index)
    G, h = barrier.compute_qp_inequalities(configuration, REFERENCE["dt"])
    H, c = barrier.compute_qp_objective(configuration)
    np.testing.assert_allclose(barrier.compute_barrier(configuration), case["barrier"], atol=DISTANCE)
    np.testing.assert_allclose(barrier.compute_jacobian(configuration), case["jacobian"], atol=SLOPE)
    np.testing.assert_allclose(h, case["h"], atol=REFERENCE["gain"] * DISTANCE)
    np.testing.assert_allclose(G, case["G"], atol=SLOPE / REFERENCE["dt"])
    np.testing.assert_allclose(H, case["H"], rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(c, case["c"], atol=1e-12)


@pytest.mark.parametrize(("name", "index"), CASES)
def test_steps_are_pinks(robots, name, index):
    configuration, barrier, case = asked(robots, name, index)
    task = PostureTask(cost=1.0)
    task.set_target(case["target"])
    ik = DifferentialIK(configuration.model, [task], limits=[], barriers=[barrier])
    np.testing.assert_allclose(ik.step(configuration, REFERENCE["dt"]), case["velocity"], atol=1e-5)
