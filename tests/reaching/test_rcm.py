"""A shaft that passes through a pivot: worked numbers for the Arctos arm, and what the mode "rcm" promises."""

import numpy as np
import pytest

pytest.importorskip("pinocchio")

from judge import Judge, angle, turn, twist
from questions import ROUNDING, configurations, within_limits

import models
import pantin
from pantin.errors import InvalidArgument, UnknownFrame
from pantin.kinematics import SE3, Frame, FrameType, JointModelRZ, Model, exp3, integrate, random_configuration
from pantin.kinematics.batch import frame_jacobians, frame_placements
from pantin.reaching import ReachOptions, ReachSolver, pivot_residual, reach

TIP, SHAFT, X = "bench_tool", 0.12, np.array([1.0, 0.0, 0.0])
#: Where the examples start, in degrees as they are printed.
Q0 = np.radians([20.0, 35.0, -30.0, 15.0, 40.0, -25.0])
#: Half a unit of the last digit that is printed.
NANOMETRE, TEN_DIGITS = 0.5e-9, 0.5e-9
TIGHT = ReachOptions(position_tolerance=1e-10, rotation_tolerance=1e-10, max_starts=1)


@pytest.fixture(scope="module")
def arctos():
    return Judge("arctos")


@pytest.fixture(scope="module")
def start(arctos):
    """The tip, the shaft's direction and the rotation at the first configuration, by Pinocchio."""
    R, p = arctos.pose(Q0)
    return p, R[:, 2], R


def through(arctos, pivot, q):
    """How far the pivot is from the shaft's line, and how deep it lies, by Pinocchio."""
    R, p = arctos.pose(q)
    return np.linalg.norm(np.cross(pivot - p, R[:, 2])), (p - pivot) @ R[:, 2]


def farthest(arctos, pivot, q, then, points=401):
    """Largest distance of the pivot from the shaft on the straight way between two configurations."""
    ways = np.linspace(0.0, 1.0, points)[:, None]
    return max(through(arctos, pivot, one)[0] for one in q + ways * (then - q))


def test_the_arm_starts_where_it_is_printed(start):
    p, d, _ = start
    assert p == pytest.approx([0.2176162266, -0.5215580366, 0.5872628097], abs=0.5e-10)
    assert p - 0.045 * d == pytest.approx([0.198003147, -0.489560475, 0.562433730], abs=NANOMETRE)


def test_a_pivot_seen_from_a_tool_at_rest():
    model = Model()
    model.add_joint(0, JointModelRZ(), SE3.Identity(), "joint")
    p, R = np.array([0.30, 0.05, 0.20]), exp3([0.0, np.radians(20.0), 0.0])
    model.add_frame(Frame("tip", 1, 0, SE3(R, p), FrameType.OP_FRAME))
    d = R[:, 2]
    assert d == pytest.approx([0.342020143, 0.0, 0.939692621], abs=TEN_DIGITS)
    pivot = p - 0.04 * d
    assert pivot == pytest.approx([0.286319194, 0.05, 0.162412295], abs=NANOMETRE)
    on = pivot_residual(model, "tip", np.zeros(1), pivot)
    assert np.abs(on.residual).max() < ROUNDING
    assert on.depth == pytest.approx(0.04, abs=ROUNDING)
    assert on.fraction(SHAFT) == pytest.approx(2 / 3, abs=1e-12)
    pivot = pivot + np.array([0.002, -0.001, 0.0005])
    off = pivot_residual(model, "tip", np.zeros(1), pivot)
    assert off.residual == pytest.approx([0.001708375, -0.001], abs=NANOMETRE)
    assert off.depth == pytest.approx(0.038846113, abs=NANOMETRE)
    assert np.linalg.norm(off.residual) == pytest.approx(1.979531692e-3, abs=0.5e-12)
    assert np.linalg.norm(off.residual) == pytest.approx(np.linalg.norm(np.cross(pivot - p, d)), abs=ROUNDING)
    assert off.fraction(SHAFT) == pytest.approx(0.676282389, abs=1e-9)  # of 0.6762823883, rounded up in print


def test_a_pivot_off_the_shaft_and_how_it_moves(arctos, start):
    p, d, _ = start
    pivot = p - 0.045 * d + (0.0015, -0.0008, 0.0010)
    assert pivot == pytest.approx([0.199503147, -0.490360475, 0.563433730], abs=NANOMETRE)
    seen = pivot_residual(arctos.model, TIP, Q0, pivot)
    assert seen.residual * 1e3 == pytest.approx([0.857457, -0.079818], abs=0.5e-6)
    assert np.linalg.norm(seen.residual) * 1e3 == pytest.approx(0.861163986, abs=0.5e-9)
    assert seen.depth * 1e3 == pytest.approx(43.225627832, abs=0.5e-9)
    printed = [
        [-0.512659736, 0.124408429, 0.052705475, -0.066183214, -0.049266459, 0.000079818],
        [0.110772336, 0.562402855, 0.329428058, 0.031547102, -0.105652261, 0.000857457],
    ]
    assert np.abs(seen.jacobian - printed).max() <= TEN_DIGITS
    deeper = [0.071863660, -0.055237092, -0.148631763, -0.000521206, -0.000290037, 0.0]
    assert np.abs(seen.depth_jacobian - deeper).max() <= TEN_DIGITS


def steps_of_least_norm(model, target, pivot, q, count):
    """Undamped steps on the position of the tip and the residual of the pivot."""
    for _ in range(count):
        seen = pivot_residual(model, TIP, q, pivot)
        J_v = frame_jacobians(model, TIP, q, pantin.ReferenceFrame.LOCAL_WORLD_ALIGNED)[:3]
        left = target - frame_placements(model, TIP, q)[:3, 3]
        q = q + np.linalg.pinv(np.vstack([J_v, seen.jacobian])) @ np.concatenate([left, -seen.residual])
    return q


def test_four_steps_of_least_norm_lead_to_the_printed_angles(arctos, start):
    p, d, _ = start
    q = steps_of_least_norm(arctos.model, p + 0.003 * X, p - 0.045 * d, Q0, 4)
    printed = [19.223311, 35.380070, -31.149993, 21.444179, 39.631696, -24.996627]
    assert np.abs(np.degrees(q) - printed).max() <= 0.5e-6
    assert through(arctos, p - 0.045 * d, q)[0] < 1e-12


def test_three_millimetres_through_a_pivot(arctos, start):
    p, d, _ = start
    pivot, target = p - 0.045 * d, p + 0.003 * X
    result = reach(arctos.model, TIP, target, Q0, mode="rcm", pivot=pivot, shaft=SHAFT, options=TIGHT)
    assert result.success
    R, tip = arctos.pose(result.q)
    aside, depth = through(arctos, pivot, result.q)
    assert np.linalg.norm(target - tip) <= 1e-10
    assert aside <= 1e-10
    assert depth * 1e3 == pytest.approx(46.386188, abs=0.5e-6)
    assert np.degrees(angle(R[:, 2], d)) == pytest.approx(3.336979, abs=0.5e-6)
    assert R[:, 2] == pytest.approx([0.487495956, -0.689807944, 0.535268805], abs=1e-9)
    # any roll is a solution: the angles are those of the least motion, which the solver's are not quite
    printed = [19.223311, 35.380070, -31.149993, 21.444179, 39.631696, -24.996627]
    assert np.abs(np.degrees(result.q) - printed).max() < 0.05
    assert farthest(arctos, pivot, Q0, result.q) * 1e3 == pytest.approx(0.105, abs=0.5e-3)


@pytest.mark.parametrize(("segments", "printed"), [(1, 3.230), (2, 1.014), (4, 0.281), (10, 0.048)])
def test_straight_joint_motion_leaves_the_pivot_the_less_the_shorter_it_is(arctos, start, segments, printed):
    p, d, _ = start
    pivot, q, largest = p - 0.045 * d, Q0, 0.0
    solver = ReachSolver(arctos.model, TIP, mode="rcm", pivot=pivot, shaft=SHAFT, options=TIGHT)
    for k in range(segments):
        result = solver.solve(p + 0.02 * (k + 1) / segments * X, q)
        assert result.success
        largest = max(largest, farthest(arctos, pivot, q, result.q))
        q = result.q
    assert largest * 1e3 == pytest.approx(printed, abs=0.5e-3)


@pytest.mark.parametrize(("depth", "speed"), [(0.045, 22), (0.020, 51), (0.005, 210), (0.002, 529)])
def test_joints_move_the_faster_the_less_of_the_shaft_is_inside(arctos, start, depth, speed):
    p, d, R = start
    seen = pivot_residual(arctos.model, TIP, Q0, p - depth * d)
    J_v = frame_jacobians(arctos.model, TIP, Q0, pantin.ReferenceFrame.LOCAL_WORLD_ALIGNED)[:3]
    sideways = np.concatenate([0.01 * R[:, 0], np.zeros(2)])
    fastest = np.abs(np.linalg.pinv(np.vstack([J_v, seen.jacobian])) @ sideways).max()
    assert np.degrees(fastest) == pytest.approx(speed, abs=0.5)


@pytest.mark.parametrize("axis", ["z", "-x", (1.0, 2.0, 2.0)])
@pytest.mark.parametrize("root", [None, "tool_RX_5", "tool_ball_4"])
def test_derivatives_of_the_residual_are_differences(axis, root):
    model = models.mimic_tree(2)
    pivot, h = np.array([0.3, -0.2, 0.5]), 1e-6
    for seed in range(5):
        q = random_configuration(model, random_seed=seed)
        seen = pivot_residual(model, "tool_RUB_6", q, pivot, axis, root)
        for k, unit in enumerate(h * np.eye(model.nv)):
            ahead, behind = (
                pivot_residual(model, "tool_RUB_6", integrate(model, q, v), pivot, axis, root) for v in (unit, -unit)
            )
            # a difference of second order: h^2, and rounding of 1e-16 / h
            assert (ahead.residual - behind.residual) / (2.0 * h) == pytest.approx(seen.jacobian[:, k], abs=1e-8)
            assert (ahead.depth - behind.depth) / (2.0 * h) == pytest.approx(seen.depth_jacobian[k], abs=1e-8)


def test_residuals_of_many_are_those_of_each(arctos):
    q = configurations(arctos.model, 6).reshape(2, 3, 6)
    many = pivot_residual(arctos.model, TIP, q, [0.2, -0.5, 0.6])
    assert many.residual.shape == (2, 3, 2)
    assert many.fraction(SHAFT).shape == (2, 3)
    for index in np.ndindex(2, 3):
        one = pivot_residual(arctos.model, TIP, q[index], [0.2, -0.5, 0.6])
        for mine, whole in zip(one, many, strict=True):
            assert np.abs(mine - whole[index]).max() < ROUNDING
        aside, depth = through(arctos, np.array([0.2, -0.5, 0.6]), q[index])
        assert np.linalg.norm(one.residual) == pytest.approx(aside, abs=ROUNDING)
        assert one.depth == pytest.approx(depth, abs=ROUNDING)


@pytest.mark.parametrize(
    ("argument", "words"),
    [
        ("q", {"q": np.zeros(5)}),
        ("pivot", {"pivot": [0.0, np.nan, 0.0]}),
        ("pivot", {"pivot": [0.0, 0.0]}),
        ("tool_axis", {"tool_axis": "w"}),
        ("tool_axis", {"tool_axis": np.zeros(3)}),
    ],
)
def test_residuals_of_what_is_none_are_refused_by_name(arctos, argument, words):
    with pytest.raises(InvalidArgument, match=f"^{argument}: "):
        pivot_residual(**{"model": arctos.model, "frame": TIP, "q": Q0, "pivot": np.zeros(3)} | words)
    with pytest.raises(UnknownFrame):
        pivot_residual(arctos.model, TIP, Q0, np.zeros(3), root="nowhere")
    with pytest.raises(InvalidArgument, match="shaft"):
        pivot_residual(arctos.model, TIP, Q0, np.zeros(3)).fraction(0.0)


@pytest.mark.parametrize("name", ["panda", "ur5e", "talos"])
@pytest.mark.parametrize(("given", "axis"), [("z", (0, 0, 1)), ((3.0, 0.0, -4.0), (0.6, 0.0, -0.8))])
def test_shafts_along_any_axis_pass_through_their_pivots(name, given, axis):
    one = Judge(name)
    poses = one.poses(configurations(one.model, 60, seed=1))
    depths = np.random.default_rng(1).uniform(0.02, 0.2, size=60)
    for pose, depth in zip(poses, depths, strict=True):
        pivot = pose[:3, 3] - depth * pose[:3, :3] @ axis
        result = reach(one.model, one.frame, pose[:3, 3], mode="rcm", root=one.root, pivot=pivot, tool_axis=given)
        assert result.success
        assert within_limits(one.model, result.q)
        R, p = one.pose(result.q)
        assert np.linalg.norm(p - pose[:3, 3]) <= 1e-6 + ROUNDING
        assert np.linalg.norm(np.cross(pivot - p, R @ axis)) <= 1e-6 + ROUNDING
        assert (p - pivot) @ (R @ axis) == pytest.approx(depth, abs=1e-6)
        assert result.check().success
        seen = pivot_residual(one.model, one.frame, result.q, pivot, given, one.root)
        assert np.linalg.norm(seen.residual) <= 1e-6 + ROUNDING


def test_the_roll_of_a_target_counts_where_it_is_asked_for(arctos):
    poses = arctos.poses(configurations(arctos.model, 60, seed=2))
    free, asked = [], []
    for pose in poses:
        words = {"mode": "rcm", "pivot": pose[:3, 3] - 0.05 * pose[:3, 2], "shaft": SHAFT}
        free.append(reach(arctos.model, TIP, pose[:3, 3], **words).q)
        result = reach(arctos.model, TIP, pose, roll="target", **words)
        assert result.success
        assert result.check().success
        asked.append(result.q)
    rolls = [
        [abs(twist(pose[:3, :3], arctos.pose(q)[0])) for pose, q in zip(poses, qs, strict=True)] for qs in (free, asked)
    ]
    assert np.median(rolls[0]) > 0.1
    assert max(rolls[1]) <= 1e-6 + ROUNDING


@pytest.mark.parametrize(("given", "axis"), [("-y", (0, -1, 0)), ((3.0, 0.0, -4.0), (0.6, 0.0, -0.8))])
def test_a_roll_about_any_axis_fixes_the_orientation(given, axis):
    one = Judge("panda")
    for pose in one.poses(configurations(one.model, 30, seed=6)):
        pivot = pose[:3, 3] - 0.1 * pose[:3, :3] @ axis
        result = reach(one.model, one.frame, pose, mode="rcm", roll="target", pivot=pivot, tool_axis=given)
        assert result.success
        assert result.check().success
        assert np.linalg.norm(turn(pose[:3, :3], one.pose(result.q)[0])) <= 2e-6  # of the shaft, and about it


def test_errors_of_a_shaft_that_is_not_reached_are_true_as_well(arctos):
    poses = arctos.poses(configurations(arctos.model, 40, seed=8))
    for roll in (None, "target"):
        for pose in poses:
            x, _, z, p = pose[:3].T
            tip, pivot = p + 0.3 * x, p - 0.05 * z
            asked = SE3(pose[:3, :3], tip) if roll else tip
            result = reach(
                arctos.model, TIP, asked, mode="rcm", pivot=pivot, roll=roll, options=ReachOptions(max_starts=4)
            )
            check = result.check()
            assert result.position_error == pytest.approx(check.position_error, abs=1e-12)
            assert result.rotation_error == pytest.approx(check.rotation_error, abs=1e-9)
            R, _ = arctos.pose(result.q)
            shaft = (tip - pivot) / np.linalg.norm(tip - pivot)
            if roll is None:
                assert result.rotation_error == pytest.approx(angle(R[:, 2], shaft), abs=1e-9)
            else:
                across = x - (x @ shaft) * shaft
                across /= np.linalg.norm(across)
                aimed = np.column_stack([across, np.cross(shaft, across), shaft])
                assert result.rotation_error == pytest.approx(np.linalg.norm(turn(aimed, R)), abs=1e-9)
                assert np.isfinite(result.residual).all()


def test_a_tip_at_its_pivot_has_finite_errors(arctos, start):
    p, _, R = start
    for roll, target in ((None, p), ("target", SE3(R, p))):
        result = reach(arctos.model, TIP, target, Q0, mode="rcm", pivot=p, roll=roll)
        assert result.status == "rcm_depth"
        assert np.isfinite([*result.residual, *result.check()]).all()


def test_a_warm_tip_runs_around_a_circle_or_there_is_no_way_nearby(arctos):
    turns = np.linspace(0.0, 2.0 * np.pi, 201)[1:, None]
    clean, far = 0, np.radians(10.0)
    for first, pose in zip(qs := configurations(arctos.model, 60, seed=7), arctos.poses(qs), strict=True):
        q, (x, y, z, tip) = first, pose[:3].T
        words = {"mode": "rcm", "pivot": tip - 0.045 * z, "shaft": SHAFT}
        warm = ReachSolver(arctos.model, TIP, options=ReachOptions(max_starts=1), max_joint_change=far, **words)
        for target in tip + 0.005 * ((np.cos(turns) - 1.0) * x + np.sin(turns) * y):
            result = warm.solve(target, q)
            if not result.success:
                anywhere = reach(arctos.model, TIP, target, q, **words)
                assert not anywhere.success or anywhere.seed_distance > far
                break
            assert np.abs(result.q - q).max() <= far
            q = result.q
        else:
            clean += 1
    assert clean / len(qs) > 0.5


def test_only_the_roll_of_a_target_counts_and_not_its_direction(arctos):
    pose = arctos.pose(configurations(arctos.model, 1, seed=3)[0])
    R, p = pose
    pivot = p - 0.05 * R[:, 2]
    tilted = SE3(R @ exp3([0.0, 0.3, 0.0]), p)  # about its y, so that its x stays over the shaft
    result = reach(arctos.model, TIP, tilted, mode="rcm", pivot=pivot, roll="target")
    assert result.success
    assert angle(arctos.pose(result.q)[0][:, 0], R[:, 0]) < 1e-6 + ROUNDING


@pytest.mark.parametrize("batched", [False, True])
def test_pivots_too_near_or_too_far_behind_the_tip_are_told(arctos, start, batched):
    p, d, _ = start
    for depth, words, expected in [
        (0.0015, {}, "rcm_depth"),
        (0.0025, {}, "reached"),
        (0.0025, {"min_depth": 0.003}, "rcm_depth"),
        (0.0005, {"min_depth": 0.0004}, "reached"),
        (0.13, {}, "reached"),
        (0.13, {"shaft": SHAFT}, "rcm_depth"),
        (0.11, {"shaft": SHAFT}, "reached"),
        (0.0, {"min_depth": 1e-9}, "rcm_depth"),
    ]:
        solver = ReachSolver(arctos.model, TIP, mode="rcm", pivot=p - depth * d, **words)
        result = solver.solve(p, Q0)
        told = solver.solve_batch(p[None], Q0).status[0] if batched else result.status
        assert told == expected, (depth, words)
        assert result.check().success == (expected == "reached")
        assert np.isfinite(result.q).all()


@pytest.mark.parametrize("depth", [1.0, 6.0, 100.0])
def test_a_pivot_far_behind_the_arm_is_met_as_exactly(arctos, depth):
    for pose in arctos.poses(configurations(arctos.model, 20, seed=5)):
        pivot = pose[:3, 3] - depth * pose[:3, 2]
        result = reach(arctos.model, TIP, pose[:3, 3], mode="rcm", pivot=pivot)
        assert result.success
        assert through(arctos, pivot, result.q)[0] <= 1e-6 + depth * ROUNDING


def test_a_pivot_of_the_caller_stays_the_callers(arctos, start):
    p, d, _ = start
    pivot = p - 0.045 * d
    result = reach(arctos.model, TIP, p, Q0, mode="rcm", pivot=pivot)
    pivot[:] = 0.0
    assert result.check().success


def test_shafts_one_by_one_or_in_a_batch_have_the_same_bits(arctos, start):
    p, d, R = start
    targets = p + 0.01 * np.random.default_rng(4).normal(size=(40, 3))
    poses = np.tile(np.eye(4), (40, 1, 1))
    poses[:, :3, :3], poses[:, :3, 3] = R, targets
    for roll, asked in ((None, targets), ("target", poses)):
        solver = ReachSolver(arctos.model, TIP, mode="rcm", pivot=p - 0.045 * d, roll=roll)
        batch = solver.solve_batch(asked)
        for target, q, status in zip(asked, batch.q, batch.status, strict=True):
            result = solver.solve(target)
            assert np.array_equal(result.q, q)
            assert result.status == status
