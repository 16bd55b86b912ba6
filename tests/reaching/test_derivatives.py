"""The derivatives that reach steps by are those of the error, on the manifold, for every kind of joint."""

import numpy as np
import pytest
from questions import arm

import models
from pantin.kinematics import exp3, random_configuration
from pantin.kinematics.batch import frame_placements
from pantin.reaching import ReachSolver

#: Modes, and a pose's components with weights along either axes.
MODES = {
    "pose": ("pose", {}),
    "position": ("position", {}),
    "orientation": ("orientation", {}),
    "axis": ("axis", {"tool_axis": [0.6, 0.0, -0.8]}),
    "direction": ("direction", {"tool_axis": "-y"}),
    "pointing": ("pointing", {}),
    "tool weights": ("pose", {"weights": [1.0, 0.5, 0.0, 2.0, 0.0, 1.0], "mask_frame": "tool"}),
    "root weights": ("pose", {"weights": [1.0, 0.5, 0.0, 2.0, 0.0, 1.0]}),
}
#: Step of central differences; a second derivative's rounding is 1e-16 / step^2, its truncation some step^2.
STEP = 1e-4


def question(model, frame, mode, seed, root=None):
    """A solver, a configuration inside the limits and the twelve numbers of a target."""
    mode, words = MODES[mode]
    solver = ReachSolver(model, frame, mode=mode, root=root, **words)
    q, other = (random_configuration(model, random_seed=[seed, k]) for k in range(2))
    pose = np.linalg.inv(frame_placements(model, solver._root, other)) @ frame_placements(model, frame, other)
    position = pose[:3, 2] if mode == "direction" else pose[:3, 3]
    return solver, q, np.concatenate([pose[:3, :3].ravel(), position])


def half_squared_error(solver, q, target):
    error = solver._derivatives(q, target)[0]
    return 0.5 * error @ error


def assert_derivatives(solver, q, target):
    """Slopes and second derivatives agree with central differences of half the squared error."""
    error, columns, second = solver._derivatives(q, target)
    units = STEP * np.eye(len(columns))

    def at(u):
        return half_squared_error(solver, solver._displaced(q, u), target)

    slopes = [(at(u) - at(-u)) / (2.0 * STEP) for u in units]
    assert np.allclose(slopes, -columns @ error, rtol=0.0, atol=1e-6)
    curves = [[at(a + b) - at(a - b) - at(b - a) + at(-a - b) for a in units] for b in units]
    assert np.allclose(np.array(curves) / (4.0 * STEP**2), second, rtol=0.0, atol=1e-5)
    assert np.array_equal(second, second.T)


@pytest.mark.parametrize("kind", models.KINDS)
@pytest.mark.parametrize("mode", MODES)
def test_derivatives_of_every_kind_of_joint_are_differences(kind, mode):
    model = models.random_tree(["RZ", kind, "RY", "RX", "RZ", "PX"], 3, chain=True)
    assert_derivatives(*question(model, f"tool_{model.names[-1]}", mode, seed=1))


@pytest.mark.parametrize("mode", MODES)
def test_derivatives_of_followers_are_differences(mode):
    model = models.mimic_tree(2)
    for frame in (f.name for f in model.frames if "after" in f.name and f.name.startswith("tool")):
        assert_derivatives(*question(model, frame, mode, seed=2))


@pytest.mark.parametrize("root", ["tool_ball_4", "tool_RX_5", "tool_PX_1", "tool_HY_after_12"])
def test_derivatives_from_another_branch_are_differences(root):
    model = models.mimic_tree(1)
    for frame in ("tool_RUB_6", "tool_R_after_13"):
        assert_derivatives(*question(model, frame, "pose", 3, root))


@pytest.mark.parametrize("angle", [1e-9, 0.1, 0.2, 3.0, np.pi - 1e-3])
def test_derivatives_of_the_rotation_are_differences_at_any_angle(angle):
    model, frame = arm("panda")
    q = random_configuration(model, random_seed=1)
    solver = ReachSolver(model, frame, mode="orientation")
    axis = np.array([0.6, 0.0, -0.8])
    rotation = exp3(angle * axis) @ frame_placements(model, frame, q)[:3, :3]
    assert_derivatives(solver, q, np.concatenate([rotation.ravel(), np.zeros(3)]))


@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-6, 1.0, np.pi - 1e-6, np.pi - 1e-12, np.pi])
def test_rotation_errors_are_angles_to_the_target(angle):
    model, frame = arm("panda")
    q = random_configuration(model, random_seed=2)
    axis = np.array([1.0, 2.0, 2.0]) / 3.0
    rotation = exp3(angle * axis) @ frame_placements(model, frame, q)[:3, :3]
    solver = ReachSolver(model, frame, mode="orientation")
    error = solver._derivatives(q, np.concatenate([rotation.ravel(), np.zeros(3)]))[0]
    # exp3 and two products round by some 1e-16, of which the axis near half a turn takes no notice
    assert abs(np.linalg.norm(error) - angle) < 1e-14
    assert np.linalg.norm(np.cross(error, axis)) < 1e-14 * max(1.0, angle)


def test_numbers_displaced_by_nothing_stay():
    model = models.every_kind()
    solver = ReachSolver(model, f"tool_{model.names[-1]}")
    q = random_configuration(model, random_seed=5)
    count = len(solver._derivatives(q, np.concatenate([np.eye(3).ravel(), np.zeros(3)]))[1])
    assert np.allclose(solver._displaced(q, np.zeros(count)), q, rtol=0.0, atol=1e-15)  # units are scaled anew
