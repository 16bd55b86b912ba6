"""Following a path keeps to the waypoints and makes no jump; where that cannot be, it is said where and why."""

import re

import numpy as np
import pytest
from paths import largest_step, line, smooth_path
from questions import ROUNDING, arm, as_asked, within_limits

import models
import oracle
import pantin
from pantin.errors import InvalidArgument, InvalidModel
from pantin.kinematics import JointModelPX, JointModelPY, JointModelRZ, Model, exp3, log3, neutral
from pantin.kinematics.batch import frame_placements
from pantin.reaching import ReachSolver
from pantin.solving import Status

#: A step of a path's own joint motion, times this, is a jump: what `reach` promises and its benchmark counts.
JUMP = 3.0


def assert_followed(solver, result):
    """Every waypoint is met within tolerance and limits, by the model's own kinematics too."""
    assert result.success, result.events
    assert result.reached.all()
    check = result.check()
    assert check.success
    assert check.position_error.max() <= 1e-6 + ROUNDING
    assert check.rotation_error.max() <= 1e-6 + ROUNDING
    np.testing.assert_allclose(check.position_error, result.position_error, rtol=0, atol=ROUNDING)
    np.testing.assert_allclose(check.rotation_error, result.rotation_error, rtol=0, atol=1e-12)  # near zero angle
    assert within_limits(solver.model, result.q)


@pytest.mark.parametrize("name", ["panda", "ur5e", "arctos"])
@pytest.mark.parametrize("seed", range(10))
def test_paths_of_smooth_joint_motions_are_followed_without_a_jump(name, seed):
    model, frame = arm(name)
    q, targets = smooth_path(model, frame, [seed, 1], 500)
    solver = ReachSolver(model, frame)
    result = solver.follow(targets, q[0])
    assert_followed(solver, result)
    assert result.jumps == ()
    assert largest_step(result.q) <= JUMP * largest_step(q)


@pytest.mark.skipif(not oracle.ROBOTS.is_dir(), reason="example-robot-data is not installed")
@pytest.mark.parametrize(
    ("file", "frame"),
    [
        ("xarm_description/urdf/xarm7.urdf", "link_eef"),
        ("talos_data/robots/talos_reduced.urdf", "gripper_left_base_link"),
        ("baxter_description/urdf/baxter.urdf", "left_gripper"),
    ],
)
def test_arms_of_other_robots_are_led_without_a_jump(file, frame):
    model = pantin.load(oracle.ROBOTS / file)
    solver = ReachSolver(model, frame)
    for seed in range(5):
        q, targets = smooth_path(model, frame, [seed, 2], 300)
        result = solver.follow(targets, q[0])
        assert_followed(solver, result)
        moving = np.ptp(q, axis=0) * (np.abs(result.q - result.q[0]).max(axis=0) > 0.0) > 0.0
        assert largest_step(result.q) <= JUMP * largest_step(q[:, moving])


@pytest.mark.parametrize("name", ["panda", "ur5e"])
def test_pinocchio_finds_the_frame_at_the_waypoints(name):
    pinocchio = pytest.importorskip("pinocchio")
    theirs = pinocchio.buildModelFromUrdf(str(pantin.samples.path(name)))
    model, frame = arm(name)
    q, targets = smooth_path(model, frame, 3)
    data, index = theirs.createData(), theirs.getFrameId(frame)
    for target, answer in zip(targets, ReachSolver(model, frame).follow(targets, q[0]).q, strict=True):
        pinocchio.framesForwardKinematics(theirs, data, answer)
        left = pinocchio.log6(data.oMf[index].actInv(pinocchio.SE3(target))).vector
        assert np.linalg.norm(left[:3]) <= 1e-6 + ROUNDING  # to first order the translation's error
        assert np.linalg.norm(left[3:]) <= 1e-6 + ROUNDING


@pytest.mark.parametrize("mode", ["position", "orientation", "axis", "direction", "pointing"])
def test_every_mode_follows(mode):
    model, frame = arm("panda")
    q, poses = smooth_path(model, frame, 4)
    solver = ReachSolver(model, frame, mode=mode)
    result = solver.follow(as_asked(mode, poses), q[0])
    assert_followed(solver, result)
    assert largest_step(result.q) <= JUMP * largest_step(q)


def test_a_shaft_follows_points_through_its_pivot():
    model, frame = arm("panda")
    solver = ReachSolver(model, frame, mode="rcm", pivot=[0.5, 0.0, 0.4], shaft=0.4)
    turn = np.linspace(0.0, 2.0 * np.pi, 100)
    tips = np.stack([0.5 + 0.03 * np.cos(turn), 0.03 * np.sin(turn), np.full(100, 0.25)], axis=1)
    result = solver.follow(tips)
    assert result.success, result.events
    assert result.check().success
    deep = tips.copy()
    deep[60:, 2] = -0.2
    refused = solver.follow(deep)
    assert (refused.status, refused.events[0].waypoint) == (Status.RCM_DEPTH, 60)
    assert (refused.q[60:] == refused.q[59]).all()
    assert np.abs(refused.check().position_error - refused.position_error).max() <= 1e-12


@pytest.mark.parametrize("kind", models.KINDS)
def test_chains_with_any_kind_of_joint_follow(kind):
    model = models.random_tree(["RZ", kind, "RY", "RX", "RZ", "PX", "RY"], 3, chain=True)
    solver = ReachSolver(model, f"tool_{model.names[-1]}")
    q0 = models.configuration(model, 1)
    start = frame_placements(model, solver.frame, q0)
    turned = np.repeat(start[None], 40, axis=0)
    turned[:, :3, :3] = [exp3(t * np.array([0.0, 0.2, 0.1])) @ start[:3, :3] for t in np.linspace(0, 1, 40)]
    result = solver.follow(turned, q0)
    assert result.check().within_limits
    reached = result.reached
    assert reached[:10].all()
    assert result.position_error[reached].max() <= 1e-6
    assert result.check().rotation_error[reached].max() <= 1e-6 + 1e-12


def test_followers_are_led_by_their_masters():
    model = models.mimic_tree(2)
    frame = next(f.name for f in model.frames if "after" in f.name and f.name.startswith("tool"))
    q0 = models.configuration(model, 5)
    target = frame_placements(model, frame, q0)
    solver = ReachSolver(model, frame, mode="position")
    result = solver.follow(line(target, [0.0, 0.0, 0.0])[:, :3, 3], q0)
    assert result.success
    np.testing.assert_allclose(result.q[0], result.q[-1], atol=1e-6)


def test_a_start_of_the_solvers_own_making_will_do():
    model, frame = arm("panda")
    solver = ReachSolver(model, frame)
    q, targets = smooth_path(model, frame, [3, 7], 200)
    result = solver.follow(targets, solver.solve(targets[0], q[0] + 0.05 * np.sin(np.arange(len(q[0])))).q)
    assert_followed(solver, result)


def test_joints_may_go_as_far_as_the_frame():
    gantry = Model()
    for axis, kind in (("x", JointModelPX), ("y", JointModelPY)):
        gantry.add_joint(gantry.njoints - 1, kind(), pantin.SE3.Identity(), axis, [1.0], [1.0], [-1.0], [1.0])
    frame = gantry.frames[gantry.add_joint_frame(2)].name
    points = np.linspace([0.0, 0.0, 0.0], [0.9, 0.1, 0.0], 20)
    result = ReachSolver(gantry, frame, mode="position").follow(points, neutral(gantry))
    assert result.success
    np.testing.assert_allclose(result.q, points[:, :2], atol=1e-6)
    model, frame = hinge()
    turned = ReachSolver(model, frame, mode="orientation").follow(about_z(np.linspace(0.0, 3.0, 31)), [0.0])
    np.testing.assert_allclose(turned.q[:, 0], np.linspace(0.0, 3.0, 31), atol=1e-6)


@pytest.mark.parametrize("seed", [0, 3, 18])
def test_without_a_start_one_is_found_that_leads_all_the_way(seed):
    model, frame = arm("panda")
    _, targets = smooth_path(model, frame, [seed, 1])
    solver = ReachSolver(model, frame)
    assert_followed(solver, solver.follow(targets))


def test_a_six_joint_arm_passes_through_singular_configurations():
    model, frame = arm("ur5e")
    # the wrist straightens at the middle of the way, and the elbow at the same time
    u = np.linspace(-1.0, 1.0, 201)[:, None]
    q = np.array([0.3, -1.2, 0.0, -0.8, 0.0, 0.4]) + u * np.array([0.2, 0.1, 0.4, -0.1, 0.5, 0.3])
    result = ReachSolver(model, frame).follow(frame_placements(model, frame, q), q[0])
    assert_followed(ReachSolver(model, frame), result)
    # away from the singular configurations the motion is the only one
    np.testing.assert_allclose(result.q[[0, 60, -60, -1]], q[[0, 60, -60, -1]], atol=1e-3)


def test_far_waypoints_are_joined_by_a_continuous_motion():
    model, frame = arm("ur5e")
    u = np.linspace(0.0, 1.0, 4)[:, None]
    q = np.array([0.0, -1.5, 1.5, -1.5, -1.5, 0.0]) + u * np.array([1.8, 0.6, -0.6, 0.4, 0.5, 1.5])
    result = ReachSolver(model, frame).follow(frame_placements(model, frame, q), q[0])
    assert_followed(ReachSolver(model, frame), result)
    np.testing.assert_allclose(result.q, q, atol=1e-4)


def test_equal_paths_have_equal_answers():
    model, frame = arm("panda")
    q, targets = smooth_path(model, frame, [1, 1], 400)
    one, other = (ReachSolver(model, frame).follow(targets, q[0]) for _ in range(2))
    np.testing.assert_array_equal(one.q, other.q)


def test_a_path_out_of_the_workspace_ends_there_and_says_so():
    model, frame = arm("ur5e")
    q0 = np.array([0.0, -1.2, 1.2, -1.5, -1.5, 0.0])
    targets = line(frame_placements(model, frame, q0), [2.0, 0.0, 0.0], 100)
    result = ReachSolver(model, frame).follow(targets, q0)
    assert not result.success
    (event,) = result.events
    assert result.status is event.status
    assert event.status in (Status.NOT_FOUND, Status.OUT_OF_WORKSPACE, Status.LIMITS)
    assert f"waypoint {event.waypoint}" in event.why
    assert result.reached[: event.waypoint].all()
    assert not result.reached[event.waypoint :].any()
    np.testing.assert_array_equal(
        result.q[event.waypoint :], np.broadcast_to(result.q[event.waypoint - 1], result.q[event.waypoint :].shape)
    )
    # farther than the arm is long; the errors are those of the configuration that is held
    assert result.position_error[-1] > 0.9
    np.testing.assert_allclose(result.check().position_error, result.position_error, atol=1e-12)
    assert repr(result) == f"PathResult({event.status.value}, {event.waypoint} of 100 reached, 1 events)"


def hinge():
    """One joint that turns a little more than half a turn either way."""
    model = Model()
    model.add_joint(0, JointModelRZ(), pantin.SE3.Identity(), "hinge", [1.0], [1.0], [-3.5], [3.5])
    frame = model.add_joint_frame(1)
    return model, model.frames[frame].name


def about_z(angles):
    """Turns about z by some angles."""
    return np.array([exp3(np.array([0.0, 0.0, angle])) for angle in angles])


def test_a_jump_is_refused_or_made_and_told():
    model, frame = hinge()
    angles = np.linspace(0.0, 2.0 * np.pi, 64)
    first = int(np.argmax(angles > 3.5))  # from here on a whole turn less is within limits
    solver = ReachSolver(model, frame, mode="orientation")
    refused = solver.follow(about_z(angles), [0.0])
    assert (refused.status, refused.success) == (Status.JOINT_JUMP, False)
    (jump,) = refused.jumps
    assert jump.waypoint == first
    assert f"from waypoint {first - 1} to waypoint {first}" in jump.why
    assert "joint 'hinge' would jump by -6.18 rad" in jump.why  # a step of 2 pi / 63 less than a turn
    assert refused.reached.tolist() == [True] * first + [False] * (64 - first)
    made = solver.follow(about_z(angles), [0.0], jumps="allow")
    assert_followed(solver, made)
    assert [event.waypoint for event in made.jumps] == [first]
    np.testing.assert_allclose(made.q[:, 0], np.where(angles > 3.5, angles - 2.0 * np.pi, angles), atol=1e-6)


def elbow():
    """Two joints that turn a frame about one axis, of which the first can do little."""
    model = Model()
    one = model.add_joint(0, JointModelRZ(), pantin.SE3.Identity(), "short", [1.0], [1.0], [-0.5], [0.5])
    model.add_joint(one, JointModelRZ(), pantin.SE3.Identity(), "long", [1.0], [2.0], [-1.0], [1.0])
    frame = model.add_joint_frame(2)
    return model, model.frames[frame].name


def test_a_path_that_limits_end_names_the_joints_at_them():
    model, frame = elbow()
    angles = np.linspace(0.0, 3.0, 61)
    turns = about_z(angles)
    result = ReachSolver(model, frame, mode="orientation").follow(turns, neutral(model))
    # the two together turn by 1.5
    assert result.reached.sum() == 31
    assert result.status is Status.LIMITS
    np.testing.assert_allclose(result.q[30], [0.5, 1.0], atol=1e-6)


def test_the_longest_step_is_kept_to_or_refused():
    model, frame = elbow()
    angles = np.linspace(0.0, 1.2, 13)
    turns = about_z(angles)
    solver = ReachSolver(model, frame, mode="orientation")
    free = solver.follow(turns, neutral(model))
    both = solver.follow(turns, neutral(model), max_joint_step=0.08)
    one = solver.follow(turns, neutral(model), max_joint_step=[0.02, 0.1])
    assert free.success
    assert both.success
    assert one.success
    assert largest_step(both.q) <= 0.08 + 1e-12
    assert np.abs(np.diff(one.q[:, 0])).max() <= 0.02 + 1e-12  # rounding of sums
    short = solver.follow(turns, neutral(model), max_joint_step=0.04)
    assert (short.status, short.jumps[0].waypoint) == (Status.JOINT_JUMP, 1)


def test_speeds_are_kept_to_where_they_can_be():
    model, frame = elbow()
    angles = np.linspace(0.0, 1.2, 13)
    turns = about_z(angles)
    solver = ReachSolver(model, frame, mode="orientation")
    # 0.1 rad in each 0.04 s: 2.5 rad/s, of which the joints can do 1 and 2
    fits = solver.follow(turns, neutral(model), time=0.04 * np.arange(13))
    assert fits.success, fits.events
    assert (np.abs(np.diff(fits.q, axis=0)) <= 0.04 * model.velocity_limit * (1 + 1e-9)).all()
    np.testing.assert_array_equal(fits.times, 0.04 * np.arange(13))
    # 5 rad/s, which they cannot
    fast = solver.follow(turns, neutral(model), time=0.02 * np.arange(13))
    assert (fast.status, fast.success) == (Status.VELOCITY, False)
    assert fast.reached.all()
    assert fast.events[0].waypoint == 1
    assert re.search(r"joint '(short|long)' takes [\d.]+ rad/s, its limit is [12]", fast.events[0].why)


def test_the_shortest_times_are_those_of_the_slowest_joint():
    model, frame = arm("panda")
    q, targets = smooth_path(model, frame, [2, 1], 100)
    result = ReachSolver(model, frame).follow(targets, q[0], retime=True)
    assert_followed(ReachSolver(model, frame), result)
    durations = np.diff(result.times)
    speeds = np.abs(np.diff(result.q, axis=0)) / durations[:, None]
    ratio = (speeds / model.velocity_limit).max(axis=1)
    np.testing.assert_allclose(ratio, 1.0, rtol=1e-9)  # a difference of sums
    # brute force: of many durations of a segment, the shortest within limits is no shorter
    for k in (0, 40, 98):
        tried = np.linspace(0.5, 1.5, 10001)[:, None] * durations[k]
        fits = (np.abs(result.q[k + 1] - result.q[k]) / tried <= model.velocity_limit).all(axis=1)
        assert tried[fits].min() == pytest.approx(durations[k], rel=2e-4)  # twice the grid


def test_given_times_are_scaled_as_a_whole():
    model, frame = arm("panda")
    q, targets = smooth_path(model, frame, [2, 1], 100)
    time = 5.0 + np.linspace(0.0, 1.0, 100) ** 1.5
    result = ReachSolver(model, frame).follow(targets, q[0], time=time, retime=True)
    assert result.success
    assert result.times[0] == 5.0
    factor = (result.times - 5.0)[1:] / (time - 5.0)[1:]
    np.testing.assert_allclose(factor, factor[0])
    speeds = np.abs(np.diff(result.q, axis=0)) / np.diff(result.times)[:, None]
    assert (speeds / model.velocity_limit).max() == pytest.approx(1.0)


def straight_way(a, b, u):
    """Pose at a part u of the straight way between two."""
    pose = a.copy()
    pose[:3, 3] += u * (b[:3, 3] - a[:3, 3])
    pose[:3, :3] = a[:3, :3] @ exp3(u * log3(a[:3, :3].T @ b[:3, :3]))
    return pose


def test_the_way_between_waypoints_is_cut_until_the_frame_stays_near_it():
    model, frame = arm("ur5e")
    q, targets = smooth_path(model, frame, [5, 1], 200)
    coarse = targets[:80:4]
    solver = ReachSolver(model, frame)
    result = solver.follow(coarse, q[0], path_tolerance=(1e-3, 2e-3))
    assert_followed(solver, result)
    points, parameter = result.refined
    assert len(points) > 2 * len(coarse)
    assert (np.diff(parameter) > 0.0).all()
    np.testing.assert_array_equal(points[np.isin(parameter, np.arange(20))], result.q)
    assert within_limits(model, points)
    # between any two points, which joints join by straight motions
    middle = 0.5 * (points[:-1] + points[1:])
    for pose, p in zip(frame_placements(model, frame, middle), 0.5 * (parameter[:-1] + parameter[1:]), strict=True):
        k = int(p)
        wanted = straight_way(coarse[k], coarse[k + 1], p - k)
        assert np.linalg.norm(pose[:3, 3] - wanted[:3, 3]) <= 1e-3 + 1e-9
        assert np.linalg.norm(log3(pose[:3, :3].T @ wanted[:3, :3])) <= 2e-3 + 1e-9
    assert solver.follow(coarse, q[0]).refined is None


def test_locked_joints_stay():
    model, frame = arm("panda")
    q, targets = smooth_path(model, frame, [1, 1], 100)
    solver = ReachSolver(model, frame, mode="position", lock=["panda_joint3"])
    result = solver.follow(targets[:, :3, 3], q[0])
    assert result.reached[:2].all()
    assert (result.q[:, 2] == q[0, 2]).all()


def test_one_waypoint_is_a_path():
    model, frame = arm("panda")
    q, targets = smooth_path(model, frame, 0)
    solver = ReachSolver(model, frame)
    result = solver.follow(targets[:1], q[0], retime=True)
    assert len(result) == 1
    np.testing.assert_array_equal(result.q[0], solver.solve(targets[0], q[0]).q)
    np.testing.assert_array_equal(result.times, [0.0])


def test_a_first_waypoint_that_is_not_reached_ends_the_path():
    model, frame = arm("panda")
    q, targets = smooth_path(model, frame, 0, 20)
    targets[0, :3, 3] += 10.0
    solver = ReachSolver(model, frame)
    result = solver.follow(targets, q[0])
    assert (result.status, result.reached.any()) == (Status.OUT_OF_WORKSPACE, np.False_)
    allowed = solver.follow(targets, q[0], jumps="allow")
    assert allowed.reached.tolist() == [False] + [True] * 19


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("targets", np.zeros((0, 4, 4)), "one waypoint or more"),
        ("targets", np.tile(np.eye(4), (2, 3, 1, 1)), r"a batch of shape \(2, 3\)"),
        ("targets", np.full((2, 4, 4), np.nan), None),
        ("q0", np.zeros(3), None),
        ("max_joint_step", 0.0, "a positive number, or one for each velocity"),
        ("max_joint_step", [0.1, 0.2], r"shape \(7,\)"),
        ("max_joint_step", np.nan, "a positive number"),
        ("time", np.zeros(3), r"time\[1\] = 0 follows 0"),
        ("time", [0.0, 1.0], None),
        ("retime", "yes", "True or False"),
        ("jumps", "maybe", "'refuse' or 'allow'"),
        ("path_tolerance", 0.0, None),
        ("path_tolerance", (1e-3, -1.0), "a distance and an angle"),
        ("path_tolerance", np.ones(3), None),
    ],
)
def test_bad_input_is_refused_by_name(name, given, message):
    model, frame = arm("panda")
    arguments = {"targets": np.repeat(np.eye(4)[None], 3, axis=0), name: given}
    with pytest.raises(InvalidArgument, match=message) as caught:
        ReachSolver(model, frame).follow(**arguments)
    assert str(caught.value).startswith(name)


def test_a_joint_that_may_not_move_has_no_shortest_time():
    model, frame = elbow()
    model.velocity_limit[1] = 0.0
    turns = about_z([0.0, 0.1, 0.2])
    with pytest.raises(InvalidModel, match="'long'"):
        ReachSolver(model, frame, mode="orientation").follow(turns, neutral(model), retime=True)


def test_the_callers_targets_stay_as_they_were():
    model, frame = arm("panda")
    q, targets = smooth_path(model, frame, 0, 20)
    before = targets.copy()
    ReachSolver(model, frame).follow(targets, q[0])
    np.testing.assert_array_equal(targets, before)


def test_an_arm_without_redundancy_that_turns_back_is_told_from_one_that_jumps():
    # a slide that the frame cannot leave: the way there and back is the same
    model, frame = arm("ur5e")
    q = np.array([0.3, -1.2, 1.4, -0.8, 1.0, 0.4]) + np.concatenate(
        [np.linspace(0.0, 0.5, 50), np.linspace(0.5, 0.0, 50)]
    )[:, None] * np.array([1.0, 0.5, -0.5, 0.2, 0.3, 0.1])
    result = ReachSolver(model, frame).follow(frame_placements(model, frame, q), q[0])
    assert_followed(ReachSolver(model, frame), result)
    np.testing.assert_allclose(result.q, q, atol=1e-4)
