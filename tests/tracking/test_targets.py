"""Targets are what their words say: fixed, or displaced from the start by a motion, at each moment."""

import numpy as np
import pytest

import pantin
import pantin.kinematics as kin
from pantin.kinematics.so3 import exp3, rpy_to_matrix
from pantin.tracking import Scenario, ScenarioError
from pantin.tracking.assembly import assemble
from pantin.tracking.document import read_document

HEAD = "[scenario]\ndt = 0.1\nduration = 0.3\n[scenario.start]\n"
ARM = HEAD + "panda_joint2 = -0.3\npanda_joint4 = -2.2\npanda_joint6 = 1.9\n[[task]]\n"
HAND = ARM + "kind = 'frame'\nframe = 'panda_hand'\nposition_cost = 1.0\norientation_cost = 1.0\n"


def target(text: str, time: float, model: str = "panda"):
    """The task of a scenario with its target at a time, and where the robot starts."""
    scenario = Scenario(text, model=model)
    document = read_document(text)
    document.take("scenario")
    rollout = assemble(document, scenario.model, scenario._start, scenario._shapes)
    (goal,) = rollout.goals
    if goal.moving is not None:
        goal.moving.set(time, 0.1)
    return goal.task, rollout.configuration


def test_nothing_said_holds_the_start():
    for words in ("", "target = 'start'\n", "target = {kind = 'hold'}\n"):
        task, configuration = target(HAND + words, 0.7)
        start = configuration.get_transform_frame_to_world("panda_hand")
        np.testing.assert_allclose(task.transform_target_to_world.homogeneous, start.homogeneous, atol=1e-15)


def test_poses_move_and_turn_about_the_axes_of_the_world():
    words = "target = {kind = 'ramp', by = [0.1, 0.2, -0.3], turn = [0.0, 0.4, 0.5], over = 1.0, after = 0.5}\n"
    task, configuration = target(HAND + words, 9.0)
    start = configuration.get_transform_frame_to_world("panda_hand")
    pose = task.transform_target_to_world
    np.testing.assert_allclose(pose.translation, np.add(start.translation, [0.1, 0.2, -0.3]), atol=1e-15)
    np.testing.assert_allclose(pose.rotation, exp3([0.0, 0.4, 0.5]) @ start.rotation, atol=1e-15)
    still, _ = target(HAND + words, 0.5)
    np.testing.assert_allclose(still.transform_target_to_world.homogeneous, start.homogeneous, atol=1e-15)


def test_poses_may_be_fixed_in_part():
    task, configuration = target(HAND + "target = {position = [0.4, 0, 0.5]}\n", 0.0)
    start = configuration.get_transform_frame_to_world("panda_hand")
    np.testing.assert_array_equal(task.transform_target_to_world.translation, [0.4, 0, 0.5])
    np.testing.assert_array_equal(task.transform_target_to_world.rotation, start.rotation)
    task, _ = target(HAND + "target = {rpy = [3.0, 0.1, 0.2]}\n", 0.0)
    np.testing.assert_allclose(task.transform_target_to_world.rotation, rpy_to_matrix(3.0, 0.1, 0.2), atol=1e-15)
    task, _ = target(HAND + "target = {quaternion = [1, 0, 0, 0], position = [0, 0, 1]}\n", 0.0)
    np.testing.assert_allclose(task.transform_target_to_world.rotation, np.diag([1, -1, -1]), atol=1e-15)
    words = "target = {kind = 'sway', about = {position = [0.4, 0, 0.5]}, by = [0, 0.1, 0], period = 4.0}\n"
    task, _ = target(HAND + words, 1.0)
    np.testing.assert_allclose(task.transform_target_to_world.translation, [0.4, 0.1, 0.5], atol=1e-15)


def test_waypoints_move_and_turn():
    words = (
        "target = {kind = 'waypoints', times = [1, 2], by = [[0.1, 0, 0], [0, 0, 0]], turn = [[0, 0, 1], [0, 0, 0]]}\n"
    )
    task, configuration = target(HAND + words, 1.0)
    start = configuration.get_transform_frame_to_world("panda_hand")
    pose = task.transform_target_to_world
    np.testing.assert_allclose(pose.translation, np.add(start.translation, [0.1, 0, 0]), atol=1e-15)
    np.testing.assert_allclose(pose.rotation, exp3([0, 0, 1.0]) @ start.rotation, atol=1e-15)


def test_configurations_move_by_the_names_of_joints_along_the_tangent():
    sway = "target = {kind = 'sway', by = {left_wheel = 7.0, left_hip = 0.2}, period = 4.0}\n"
    words = f"{HEAD}left_wheel = 3.0\n[[task]]\nkind = 'posture'\ncost = 1.0\n{sway}"
    task, configuration = target(words, 1.0, "wheeled_biped")
    by = np.zeros(configuration.model.nv)
    for joint, value in (("left_wheel", 7.0), ("left_hip", 0.2)):
        by[configuration.model.joints[configuration.model.get_joint_id(joint)].idx_v] = value
    expected = kin.integrate(configuration.model, configuration.q, by)
    np.testing.assert_allclose(task.target_q, expected, atol=1e-14)
    task, configuration = target(ARM + "kind = 'posture'\ncost = 1.0\ntarget = {panda_joint1 = 0.5}\n", 0.0)
    np.testing.assert_array_equal(task.target_q, [0.5, *configuration.q[1:]])


def test_fixed_velocities_are_those_of_the_run():
    text = "kind = 'joint_velocity'\ncost = 1.0\ntarget = {panda_joint3 = 0.5}\n"
    v = Scenario(ARM + text, model="panda").run().v
    np.testing.assert_allclose(v[1:], np.tile([0, 0, 0.5, 0, 0, 0, 0], (3, 1)), atol=1e-9)  # damping of 1e-12


def test_anything_can_be_held():
    posture, configuration = target(ARM + "kind = 'posture'\ncost = 1.0\ntarget = {kind = 'hold'}\n", 1.0)
    np.testing.assert_array_equal(posture.target_q, configuration.q)
    held = "target = {kind = 'hold', about = {panda_joint1 = 0.5}}\n"
    posture, configuration = target(f"{ARM}kind = 'posture'\ncost = 1.0\n{held}", 1.0)
    np.testing.assert_array_equal(posture.target_q, [0.5, *configuration.q[1:]])


def test_points_distances_and_velocities_are_numbers():
    words = "kind = 'com'\ncost = 1.0\ntarget = {kind = 'line', by = [0.1, 0, 0.2], over = 1.0}\n"
    task, configuration = target(ARM + words, 0.5)
    start = kin.center_of_mass(configuration.model, configuration.model.create_data(), configuration.q)
    np.testing.assert_allclose(task.target_com, np.add(start, [0.05, 0, 0.1]), atol=1e-15)
    apart = "kind = 'distance'\nframe = 'panda_hand'\nroot = 'universe'\n"
    task, configuration = target(f"{ARM}{apart}target = {{kind = 'ramp', by = 0.1, over = 1.0}}\n", 2.0)
    start = configuration.get_transform_frame_to_world("panda_hand").translation
    assert task.target_distance == pytest.approx(np.linalg.norm(start) + 0.1, abs=1e-14)
    assert target(f"{ARM}{apart}target = 0.4\n", 0.0)[0].target_distance == 0.4
    task, _ = target(ARM + "kind = 'joint_velocity'\ncost = 1.0\ntarget = {panda_joint3 = 0.5}\n", 0.0)
    np.testing.assert_allclose(task.compute_error(_), [0, 0, -0.05, 0, 0, 0, 0], atol=1e-15)


def test_loops_close_where_nothing_is_said_and_stay_where_they_start_if_asked():
    loop = "[[task]]\nkind = 'closed_loop'\nframe = 'pin'\nroot = 'right_rod_end'\nmode = 'position'\n"
    task, configuration = target(f"{HEAD}left_motor = 0.3\n{loop}", 0.0, "five_bar")
    assert np.linalg.norm(task.compute_error(configuration)) > 0.01
    task, configuration = target(f"{HEAD}left_motor = 0.3\n{loop}target = 'start'\n", 0.0, "five_bar")
    np.testing.assert_allclose(task.compute_error(configuration), 0.0, atol=1e-15)


def test_shortcuts_and_joints_by_name_make_tasks():
    gaze = "kind = 'gaze'\nframe = 'eyes'\naxis = 'x'\ntarget = [2.0, 0.5, 0.3]\n"
    task, _ = target(f"{HEAD}[[task]]\n{gaze}", 0.0, "humanoid")
    np.testing.assert_array_equal(task.target_point, [2.0, 0.5, 0.3])
    flat = "kind = 'foot_flat'\nframe = 'left_sole'\nheight = -0.81\n"
    task, configuration = target(f"{HEAD}[[task]]\n{flat}", 0.0, "humanoid")
    np.testing.assert_allclose(task.compute_error(configuration)[2:], 0.0, atol=1e-12)
    task, configuration = target(f"{HEAD}[[task]]\nkind = 'posture'\ncost = {{left_knee = 2.0}}\n", 0.0, "humanoid")
    knee = configuration.model.joints[configuration.model.get_joint_id("left_knee")].idx_v - 6
    np.testing.assert_array_equal(task.cost, 2.0 * np.eye(configuration.model.nv - 6)[knee])
    coupled = "kind = 'joint_coupling'\njoint_names = ['left_knee', 'right_knee']\nratios = [1.0, -1.0]\ncost = 1.0\n"
    task, configuration = target(f"{HEAD}left_knee = 0.5\n[[task]]\n{coupled}", 0.0, "humanoid")
    np.testing.assert_allclose(task.compute_error(configuration), [0.5], atol=1e-15)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("target = {kind = 'line', by = [1, 2], over = 1.0}", "target: by: expected 3 numbers"),
        ("target = {kind = 'line', turn = [1, 2], over = 1.0}", "target: turn: expected 3 numbers"),
        ("target = {kind = 'line', over = 1.0}", "target: 'by' is missing"),
        ("target = {kind = 'line', by = {elbow = 1}, over = 1.0}", "target: by: expected real numbers"),
        ("target = {kind = 'circle', radius = 1, period = 1, by = [1, 1, 1]}", "target: by: there is no such key"),
        ("target = {kind = 'waypoints', times = [1, 2], by = [[1, 2, 3]]}", "target: times: expected 1 numbers"),
        (
            "target = {kind = 'waypoints', times = [1], by = [[1, 2, 3]], turn = []}",
            "target: by: expected a list of disp",
        ),
        ("target = {rpy = [1, 2, 3], quaternion = [0, 0, 0, 1]}", "target: give a quaternion or rpy, not both"),
        ("target = {quaternion = [0, 0, 0, 2]}", "target: quaternion: "),
        ("target = {place = [0, 0, 0]}", "target: expected a pose of position, quaternion, rpy"),
        ("target = 'begin'", "target: expected a pose of position, quaternion, rpy, got 'begin'"),
    ],
)
def test_wrong_targets_are_refused_under_their_key(words, complaint):
    with pytest.raises(ScenarioError, match=f"line 13: .*{complaint}"):
        Scenario(f"{HAND}{words}\n", model="panda")


def test_tasks_that_start_nowhere_ask_for_their_target():
    text = ARM + "kind = 'joint_velocity'\ncost = 1.0\n"
    with pytest.raises(ScenarioError, match="does not start anywhere; say where, as `about` if it moves"):
        Scenario(text, model="panda")
    moving = f"{text}target = {{kind = 'sway', about = [0, 0, 0, 0, 0, 0, 0], by = {{panda_joint1 = 1}}, period = 4}}\n"
    model = pantin.load("panda")
    task, configuration = target(moving, 1.0, model)
    np.testing.assert_allclose(task.compute_error(configuration), [-0.1, 0, 0, 0, 0, 0, 0], atol=1e-15)
