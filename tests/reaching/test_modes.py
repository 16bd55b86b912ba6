"""Every mode and mask asks for what it says, and for nothing else; Pinocchio is the judge."""

import functools

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

pytest.importorskip("pinocchio")

from judge import ARMS, Judge, angle, turn, twist
from questions import ROUNDING, arm, configurations, within_limits
from test_scale import EXACT, assert_same_steps, in_other_units

import models
from pantin.kinematics import SE3, Frame, FrameType, JointModelRZ, Model, exp3, neutral
from pantin.kinematics.batch import frame_placements
from pantin.reaching import ReachOptions, ReachSolver, reach

#: Tool axes as they may be given, and what they are.
AXES = {
    "x": (1.0, 0.0, 0.0),
    "-x": (-1.0, 0.0, 0.0),
    "y": (0.0, 1.0, 0.0),
    "-y": (0.0, -1.0, 0.0),
    "z": (0.0, 0.0, 1.0),
    "-z": (0.0, 0.0, -1.0),
    (3.0, 0.0, -4.0): (0.6, 0.0, -0.8),
    (1.0, 2.0, 2.0): (1 / 3, 2 / 3, 2 / 3),
}
AIMING = ("axis", "direction", "pointing")
#: Two ways to an error differ by some roundings of a chain of ten joints and two metres.
TOLERANCE = 1e-6 + 10 * ROUNDING


@functools.cache
def judge(name):
    return Judge(name)


def aimed_at(mode, poses, axis, seed=0):
    """Targets of a mode that frames at these poses have reached with a tool along an axis."""
    along = poses[:, :3, :3] @ axis
    far = np.random.default_rng(seed).uniform(0.05, 2.0, size=(len(poses), 1))
    return {"axis": poses, "direction": along, "pointing": poses[:, :3, 3] + far * along}[mode]


def opposite(poses, axis):
    """The same with the axis turned over by exactly half a turn."""
    across = np.roll(axis, 1)
    flipped = poses.copy()
    flipped[:, :3, :3] = poses[:, :3, :3] @ (2.0 * np.outer(across, across) - np.eye(3))
    return flipped


def errors(mode, target, axis, R, p):
    """Distance and angle that are left, from the pose of the frame."""
    along = R @ axis
    match mode:
        case "axis":
            return np.linalg.norm(target[:3, 3] - p), angle(along, target[:3, :3] @ axis)
        case "direction":
            return 0.0, angle(along, target)
        case "pointing":
            return 0.0, angle(along, target - p)
        case "position":
            return np.linalg.norm(target - p), 0.0
        case "orientation":
            return 0.0, np.linalg.norm(turn(target, R))
    return np.linalg.norm(target[:3, 3] - p), np.linalg.norm(turn(target[:3, :3], R))


def assert_judged(one, mode, targets, axis, batch):
    """All are reached within limits, with the errors that were told."""
    assert batch.success.all(), batch.status
    assert within_limits(one.model, batch.q)
    left = np.array([errors(mode, t, axis, *one.pose(q)) for t, q in zip(targets, batch.q, strict=True)])
    assert left.max() <= TOLERANCE
    assert np.abs(left[:, 0] - batch.position_error).max() < 1e-12
    assert np.abs(left[:, 1] - batch.rotation_error).max() < 1e-12


@pytest.mark.parametrize("name", ARMS)
@pytest.mark.parametrize("mode", AIMING)
def test_an_arm_aims_its_tool_wherever_it_can(name, mode):
    one = judge(name)
    tools = list(AXES.items()) if name in ("panda", "ur5e", "arctos", "planar_3r") else list(AXES.items())[4:7]
    poses = one.poses(configurations(one.model, 300))
    for given, axis in tools:
        targets = aimed_at(mode, poses, axis)
        solver = ReachSolver(one.model, one.frame, mode=mode, root=one.root, tool_axis=given)
        assert_judged(one, mode, targets, axis, solver.solve_batch(targets))


@pytest.mark.parametrize("name", ARMS)
@pytest.mark.parametrize("mode", ["pose", "position", "orientation"])
def test_an_arm_takes_the_poses_positions_and_orientations_it_can(name, mode):
    one = judge(name)
    poses = one.poses(configurations(one.model, 300))
    targets = {"pose": poses, "position": poses[:, :3, 3], "orientation": poses[:, :3, :3]}[mode]
    solver = ReachSolver(one.model, one.frame, mode=mode, root=one.root)
    assert_judged(one, mode, targets, AXES["z"], solver.solve_batch(targets))


@pytest.mark.parametrize("mode", AIMING)
def test_the_turn_about_the_tool_is_free(mode):
    one = judge("panda")
    poses = one.poses(configurations(one.model, 100))
    targets = aimed_at(mode, poses, AXES["z"])
    batch = ReachSolver(one.model, one.frame, mode=mode).solve_batch(targets)
    rolls = [abs(twist(pose[:3, :3], one.pose(q)[0])) for pose, q in zip(poses, batch.q, strict=True)]
    assert np.mean(np.array(rolls) > 0.1) > 0.8
    turned = poses.copy()
    turned[:, :3, :3] = poses[:, :3, :3] @ exp3([0.0, 0.0, 0.7])
    again = ReachSolver(one.model, one.frame, mode=mode).solve_batch(aimed_at(mode, turned, AXES["z"]))
    assert np.abs(again.q - batch.q).max() < 1e-5  # by the rounding of the turn, and within tolerances


def test_a_direction_leaves_the_position_free():
    one = judge("panda")
    poses = one.poses(configurations(one.model, 100))
    batch = ReachSolver(one.model, one.frame, mode="direction").solve_batch(poses[:, :3, 2])
    away = [np.linalg.norm(pose[:3, 3] - one.pose(q)[1]) for pose, q in zip(poses, batch.q, strict=True)]
    assert min(away) > 1e-3


@pytest.mark.parametrize("name", ["panda", "ur5e", "arctos"])
@pytest.mark.parametrize("mode", ["direction", "pointing"])
@pytest.mark.parametrize("given", ["z", "-x"])
def test_a_tool_turns_to_the_opposite_of_where_it_points(name, mode, given):
    one, axis = judge(name), np.array(AXES[given])
    seeds = configurations(one.model, 30, seed=3)
    targets = aimed_at(mode, opposite(one.poses(seeds), axis), axis)
    solver = ReachSolver(one.model, one.frame, mode=mode, tool_axis=given)
    assert_judged(one, mode, targets, axis, solver.solve_batch(targets, seeds))


@pytest.mark.parametrize("name", ["panda", "ur5e", "arctos"])
@pytest.mark.parametrize("given", ["z", "-x"])
def test_a_tool_turns_to_the_opposite_elsewhere(name, given):
    one, axis = judge(name), np.array(AXES[given])
    poses = one.poses(configurations(one.model, 30, seed=3))
    exact = ReachOptions(rotation_tolerance=1e-12)
    away = ReachSolver(one.model, one.frame, mode="direction", tool_axis=given, options=exact)
    seeds = away.solve_batch(-poses[:, :3, :3] @ axis).q
    solver = ReachSolver(one.model, one.frame, mode="axis", tool_axis=given)
    assert_judged(one, "axis", poses, axis, solver.solve_batch(poses, seeds))


@pytest.mark.parametrize("mode", AIMING)
def test_the_opposite_is_half_a_turn_about_the_x_of_the_tool_away(mode):
    one = judge("panda")
    solver = ReachSolver(one.model, one.frame, mode=mode)
    for q, pose in zip(seeds := configurations(one.model, 20, seed=13), one.poses(seeds), strict=True):
        target = opposite(pose[None], AXES["z"])[0]
        numbers = np.concatenate([target[:3, :3].ravel(), aimed_at(mode, target[None], AXES["z"])[0].ravel()[-3:]])
        if mode == "axis":
            numbers[9:] = pose[:3, 3]
        error = solver._derivatives(q, numbers)[0]
        assert error[-2:] == pytest.approx([np.pi, 0.0], abs=1e-12)


@pytest.mark.parametrize("name", ["panda", "ur5e", "arctos"])
@pytest.mark.parametrize("mode", AIMING)
def test_a_stretched_arm_leaves_its_singularity(name, mode):
    one = judge(name)
    seed = np.clip(neutral(one.model), one.model.lower_position_limit, one.model.upper_position_limit)
    targets = aimed_at(mode, one.poses(configurations(one.model, 100, seed=4)), AXES["z"])
    batch = ReachSolver(one.model, one.frame, mode=mode).solve_batch(targets, seed)
    assert_judged(one, mode, targets, AXES["z"], batch)


@pytest.mark.parametrize("name", ["panda", "ur5e", "arctos"])
@pytest.mark.parametrize("mode", AIMING)
def test_targets_with_every_joint_at_a_limit_are_reached_from_nearby(name, mode):
    one, random = judge(name), np.random.default_rng(5)
    lower, upper = one.model.lower_position_limit, one.model.upper_position_limit
    corners = np.where(random.random((50, one.model.nq)) < 0.5, lower, upper)
    seeds = np.clip(corners + 0.1 * random.normal(size=corners.shape), lower, upper)
    targets = aimed_at(mode, one.poses(corners), AXES["z"])
    batch = ReachSolver(one.model, one.frame, mode=mode).solve_batch(targets, seeds)
    assert_judged(one, mode, targets, AXES["z"], batch)


def test_a_warm_tool_follows_a_smooth_path_without_another_start():
    one, random = judge("arctos"), np.random.default_rng(0)
    lower, upper = one.model.lower_position_limit, one.model.upper_position_limit
    solver = ReachSolver(one.model, one.frame, mode="axis", options=ReachOptions(max_starts=1))
    ratios = []
    for _ in range(20):
        waves = np.linspace(0.0, 1.0, 200)[:, None] * random.uniform(1.0, 6.0, 6) + random.uniform(0.0, 6.0, 6)
        path = 0.5 * (lower + upper) + 0.4 * (upper - lower) * np.sin(waves)
        q, largest = path[0], 0.0
        for target in one.poses(path[1:]):
            result = solver.solve(target, q)
            assert result.success
            q, largest = result.q, max(largest, result.seed_distance)
        ratios.append(largest / np.abs(np.diff(path, axis=0)).max())
    assert np.sort(ratios)[-2] <= 1.2  # one path may pass a singular pose on its other side


def test_a_planar_arm_cannot_leave_its_plane_and_says_so():
    model, frame = arm("planar_3r")
    result = reach(model, frame, [0.0, 0.6, 0.8], mode="direction", tool_axis="x")
    assert result.status == "not_found"
    assert result.rotation_error == pytest.approx(np.arccos(0.6), abs=1e-6)
    assert reach(model, frame, [0.0, -3.0, 0.0], mode="direction", tool_axis="x").success


#: Components that count: of a pose x, y, z and the rotations about them.
MASKS = {
    "alpha-beta": (1, 1, 1, 1, 1, 0),
    "gamma": (1, 1, 1, 0, 0, 1),
    "alpha-beta alone": (0, 0, 0, 1, 1, 0),
    "gamma alone": (0, 0, 0, 0, 0, 1),
    "planar": (1, 1, 0, 0, 0, 1),
    "x": (1, 0, 0, 0, 0, 0),
    "yz": (0, 1, 1, 0, 0, 0),
    "without y": (1, 0, 1, 1, 1, 1),
    "all": (1, 1, 1, 1, 1, 1),
}


def components(pose, R, p, frame):
    """Errors of position and rotation along the axes of the tool or the root."""
    into = R.T if frame == "tool" else np.eye(3)
    return np.concatenate([into @ (pose[:3, 3] - p), into @ turn(pose[:3, :3], R)])


def judged_components(one, poses, q, frame):
    return np.array([components(pose, *one.pose(x), frame) for pose, x in zip(poses, q, strict=True)])


@pytest.mark.parametrize("name", sorted(ARMS.keys() - {"planar_3r"}))
@pytest.mark.parametrize("frame", ["tool", "root"])
def test_components_that_count_are_met_and_others_are_free(name, frame):
    one = judge(name)
    poses = one.poses(configurations(one.model, 100, seed=6))
    for mask in (np.array(mask, dtype=bool) for mask in MASKS.values()):
        solver = ReachSolver(one.model, one.frame, root=one.root, mask=mask, mask_frame=frame)
        batch = solver.solve_batch(poses)
        assert batch.success.all()
        assert within_limits(one.model, batch.q)
        left = judged_components(one, poses, batch.q, frame)
        assert np.linalg.norm(left[:, :3] * mask[:3], axis=1).max() <= TOLERANCE
        assert np.linalg.norm(left[:, 3:] * mask[3:], axis=1).max() <= TOLERANCE
        assert (np.median(np.abs(left[:, ~mask]), axis=0) > 1e-3).all()


def test_alpha_and_beta_of_the_tool_align_its_z_and_gamma_turns_about_it():
    one = judge("panda")
    poses = one.poses(configurations(one.model, 100, seed=7))
    aligned = ReachSolver(one.model, one.frame, mask=MASKS["alpha-beta"], mask_frame="tool").solve_batch(poses)
    turned = ReachSolver(one.model, one.frame, mask=MASKS["gamma"], mask_frame="tool").solve_batch(poses)
    for pose, q, other in zip(poses, aligned.q, turned.q, strict=True):
        assert angle(one.pose(q)[0][:, 2], pose[:3, 2]) <= TOLERANCE
        R = one.pose(other)[0]
        whole = np.linalg.norm(turn(pose[:3, :3], R))
        # the z of a rotation vector of this length, as a turn after a tilt
        assert abs(twist(pose[:3, :3], R)) <= TOLERANCE * max(1.0, 2.0 * np.tan(0.5 * whole) / whole)


@pytest.mark.parametrize("frame", ["tool", "root"])
def test_masks_of_positions_and_orientations_have_three_components(frame):
    one = judge("ur5e")
    poses = one.poses(configurations(one.model, 50, seed=8))
    for mode, part in (("position", slice(0, 3)), ("orientation", slice(3, 6))):
        targets = poses[:, :3, 3] if mode == "position" else poses[:, :3, :3]
        solver = ReachSolver(one.model, one.frame, mode=mode, mask=(True, False, True), mask_frame=frame)
        batch = solver.solve_batch(targets)
        assert batch.success.all()
        left = judged_components(one, poses, batch.q, frame)[:, part]
        assert np.linalg.norm(left[:, [0, 2]], axis=1).max() <= TOLERANCE


@pytest.mark.parametrize("name", ["panda", "ur5e", "arctos"])
def test_tolerances_may_differ_by_component(name):
    one = judge(name)
    poses = one.poses(configurations(one.model, 100, seed=9))
    tolerances = np.array([1e-2, 1e-5, 1e-5, 0.3, 1e-4, 1e-4])
    seeds = configurations(one.model, 100, seed=10)
    batch = ReachSolver(one.model, one.frame, tolerances=tolerances, mask_frame="tool").solve_batch(poses, seeds)
    left = judged_components(one, poses, batch.q, "tool") / tolerances
    assert batch.success.all()
    assert np.linalg.norm(left[:, :3], axis=1).max() <= 1.0 + 1e-9
    assert np.linalg.norm(left[:, 3:], axis=1).max() <= 1.0 + 1e-9
    default = ReachSolver(one.model, one.frame).solve_batch(poses, seeds)
    assert batch.iterations.sum() < default.iterations.sum()


def test_a_target_beyond_reach_by_less_than_its_tolerance_is_never_said_to_be_out_of_the_workspace():
    one = judge("ur5e")
    far = np.array([2.0, 0.0, 0.0])
    assert reach(one.model, one.frame, far, mode="position").status == "out_of_workspace"
    assert reach(one.model, one.frame, far, mode="position", tolerances=(2.0, 0.5, 0.5)).success
    # within tolerance at full stretch along x, but a step goes for the nearest point: not found, and nothing is proven
    narrow = {"mode": "position", "tolerances": (2.0, 1e-6, 1e-6)}
    assert reach(one.model, one.frame, far, **narrow).status in ("reached", "not_found")
    assert reach(one.model, one.frame, 9.0 * far, **narrow).status == "out_of_workspace"


def test_only_the_ratios_of_weights_count():
    one = judge("panda")
    poses = one.poses(configurations(one.model, 50, seed=11))
    weights = np.array([1.0, 2.0, 4.0, 1.0, 2.0, 0.0])
    answers = [
        ReachSolver(one.model, one.frame, weights=scale * weights).solve_batch(poses).q for scale in (1.0, 2**-9)
    ]
    assert np.array_equal(*answers)
    equal = ReachSolver(one.model, one.frame, weights=6 * [0.01]).solve_batch(poses)
    assert np.array_equal(equal.q, ReachSolver(one.model, one.frame, weights=6 * [1.0]).solve_batch(poses).q)


def test_weights_share_the_error_that_is_left():
    model = Model()
    model.add_joint(0, JointModelRZ(), SE3.Identity(), "hinge")
    model.add_frame(Frame("tip", 1, 0, SE3(np.eye(3), [1.0, 0.0, 0.0]), FrameType.OP_FRAME))
    # turned by 0.5 where it is: along the arc the position costs (w / 0.35)^2 2 (1 - cos u), the rotation (u - 0.5)^2
    target = SE3(exp3([0.0, 0.0, 0.5]), [1.0, 0.0, 0.0])
    for w in (0.1, 1.0, 10.0):
        u = reach(model, "tip", target, weights=[w, w, w, 1.0, 1.0, 1.0]).q[0]
        least = minimize_scalar(lambda u, w=w: (w / 0.35) ** 2 * 2.0 * (1.0 - np.cos(u)) + (u - 0.5) ** 2, (0.0, 0.5))
        assert u == pytest.approx(least.x, abs=1e-7)  # a minimum is known to the root of rounding


@pytest.mark.parametrize("mode", ["pose", "position", "orientation", *AIMING])
def test_one_by_one_or_in_a_batch_answers_have_the_same_bits(mode):
    one = judge("panda")
    poses = one.poses(configurations(one.model, 50, seed=12))
    words = {"tool_axis": (1.0, 2.0, 2.0)} if mode in AIMING else {"mask_frame": "tool"}
    if mode == "pose":
        words |= {"mask": MASKS["without y"], "weights": (1, 2, 3, 4, 5, 6)}
    targets = {"pose": poses, "position": poses[:, :3, 3], "orientation": poses[:, :3, :3]}.get(mode)
    if targets is None:
        targets = aimed_at(mode, poses, AXES[1.0, 2.0, 2.0])
    if mode == "direction":
        targets = targets * np.geomspace(1e-200, 1e100, len(targets))[:, None]
    solver = ReachSolver(one.model, one.frame, mode=mode, **words)
    batch = solver.solve_batch(targets, threads=2)
    for target, q in zip(targets, batch.q, strict=True):
        assert np.array_equal(solver.solve(target).q, q)
        assert np.array_equal(reach(one.model, one.frame, target, mode=mode, **words).q, q)


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        *((mode, {"tool_axis": (3.0, 0.0, -4.0)}) for mode in AIMING),
        ("pose", {"mask": MASKS["alpha-beta"], "mask_frame": "tool"}),
        ("pose", {"weights": (1, 2, 3, 1, 1, 1), "tolerances": (1e-4, 1e-5, 1e-5, 1e-3, 1e-3, 1e-4)}),
    ],
)
def test_a_model_in_other_units_takes_the_same_steps(mode, words):
    model = models.random_tree(["RZ", "RY", "PX", "RX", "R", "RY"], 8, chain=True)
    frame = model.frames[-1].name
    other, factors = in_other_units(model, frame, EXACT)
    poses = frame_placements(model, frame, configurations(model, 50))
    targets = aimed_at(mode, poses, (0.6, 0.0, -0.8)) if mode in AIMING else poses
    scaled, scaled_words = targets.copy(), dict(words)
    if mode != "direction":
        scaled[(..., slice(0, 3), 3) if targets.ndim == 3 else ...] *= EXACT
    if "tolerances" in words:
        scaled_words["tolerances"] = np.array(words["tolerances"]) * [EXACT, EXACT, EXACT, 1, 1, 1]
    here = ReachSolver(model, frame, mode=mode, **words).solve_batch(targets)
    options = ReachOptions(position_tolerance=1e-6 * EXACT)
    there = ReachSolver(other, "tip", mode=mode, options=options, **scaled_words).solve_batch(scaled)
    assert here.success.all()
    assert_same_steps(here, there)
    assert np.array_equal(here.q * factors, there.q)
