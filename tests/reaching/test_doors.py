"""What reach is given: targets of every form, and refusals that name what is wrong."""

import gc
import pickle
import signal
import time
import weakref

import numpy as np
import pytest
from questions import arm, reachable

import models
import pantin
from pantin.errors import InvalidArgument, InvalidModel, PantinError, UnknownFrame
from pantin.kinematics import SE3, matrix_to_quaternion
from pantin.reaching import ReachOptions, ReachSolver, reach
from pantin.reaching.question import MODES, mode_index


@pytest.fixture(scope="module")
def panda():
    model, frame = arm("panda")
    return model, frame, reachable(model, frame, 1, seed=9)[0]


def test_a_pose_may_be_given_in_every_form(panda):
    model, frame, target = panda
    solver, expected = ReachSolver(model, frame), reach(model, frame, target)
    pair = target[:3, 3], matrix_to_quaternion(target[:3, :3])
    forms = [SE3(target), target.tolist(), np.asfortranarray(target), target.astype(">f8"), target[None][0]]
    for form in forms:
        assert np.array_equal(solver.solve(form).q, expected.q)
    assert np.allclose(solver.solve(pair).q, expected.q, rtol=0.0, atol=1e-6)  # within tolerances, by other roundings
    pinocchio = pytest.importorskip("pinocchio")
    assert np.array_equal(solver.solve(pinocchio.SE3(target)).q, expected.q)


def test_positions_and_orientations_may_be_given_in_every_form(panda):
    model, frame, target = panda
    position, rotation = target[:3, 3], target[:3, :3]
    solver = ReachSolver(model, frame, mode="position")
    for form in (position.tolist(), tuple(position), position.copy()[None], np.repeat(position, 2)[::2]):
        assert np.array_equal(solver.solve(form).q, solver.solve(position).q)
    assert solver.solve(position.astype(np.float32)).success
    assert solver.solve([1, 0, 0]).position_error > 0.0
    solver = ReachSolver(model, frame, mode="orientation")
    assert np.array_equal(solver.solve(SE3(target)).q, solver.solve(rotation).q)
    assert solver.solve(matrix_to_quaternion(rotation)).success


def test_a_list_of_poses_is_a_batch(panda):
    model, frame, target = panda
    solver = ReachSolver(model, frame)
    assert np.array_equal(solver.solve_batch([SE3(target)] * 3).q, solver.solve_batch(np.stack([target] * 3)).q)


@pytest.mark.parametrize("shape", [(), (0,), (2, 3), (2, 0, 3)])
def test_answers_have_the_leading_axes_of_their_targets(panda, shape):
    model, frame, target = panda
    batch = ReachSolver(model, frame).solve_batch(np.broadcast_to(target, (*shape, 4, 4)))
    assert batch.q.shape == (*shape, 7)
    for column in (batch.success, batch.status, batch.position_error, batch.iterations, batch.starts):
        assert column.shape == shape
    assert batch.success.all()


def test_the_target_and_seed_of_the_caller_stay(panda):
    model, frame, target = panda
    given, seed = target.copy(), np.full(7, 9.0)
    result = reach(model, frame, given, seed)
    assert np.array_equal(given, target)
    assert np.array_equal(seed, np.full(7, 9.0))
    given[:] = 0.0
    assert result.check().success


def test_a_seed_outside_the_limits_is_clipped_and_noted(panda):
    model, frame, target = panda
    seed = np.full(7, 9.0)
    result = reach(model, frame, target, seed)
    assert result.success
    assert any("clipped" in note for note in result.notes)
    assert np.array_equal(result.q, reach(model, frame, target, np.clip(seed, None, model.upper_position_limit)).q)


def test_a_rotation_that_is_not_quite_one_is_projected_and_noted(panda):
    model, frame, target = panda
    skewed = target.copy()
    skewed[:3, :3] *= 1.0 + 1e-4
    result = reach(model, frame, skewed)
    assert result.success
    assert any("projected" in note for note in result.notes)
    u, _, v = np.linalg.svd(skewed[:3, :3])
    assert np.abs(result.target.rotation - u @ v).max() < 1e-14
    assert reach(model, frame, target).notes == ()


NAN, FAR = float("nan"), 1e200


@pytest.mark.parametrize(
    ("mode", "target"),
    [
        ("pose", np.full((4, 4), NAN)),
        ("pose", np.eye(3)),
        ("pose", np.zeros((4, 4))),
        ("pose", np.diag([1.0, 1.0, -1.0, 1.0])),
        ("pose", np.diag([2.0, 2.0, 2.0, 1.0])),
        ("pose", np.eye(4) + np.eye(4)[::-1] * 1e-3),
        ("pose", (1.0, 2.0, 3.0)),
        ("pose", None),
        ("pose", "here"),
        ("pose", [np.zeros(3), np.zeros(4)]),
        ("pose", [[1.0, FAR, 0.0], [0.0, 0.0, 0.0, 1.0]]),
        ("position", (0.0, NAN, 0.0)),
        ("position", (0.0, np.inf, 0.0)),
        ("position", (0.0, FAR, 0.0)),
        ("position", (0.0, 0.0)),
        ("position", np.eye(4)),
        ("position", (1j, 0.0, 0.0)),
        ("orientation", (0.0, 0.0, 0.0, 0.0)),
        ("orientation", np.ones((3, 3))),
        ("orientation", -np.eye(3)),
    ],
)
def test_targets_that_are_none_are_refused_by_name(panda, mode, target):
    model, frame, _ = panda
    solver = ReachSolver(model, frame, mode=mode)
    with pytest.raises((InvalidArgument, TypeError), match=r"target|rotation|translation|quat"):
        solver.solve(target)
    with pytest.raises(PantinError, match=r"targets|target|rotation|translation|quat"):
        solver.solve_batch(target if isinstance(target, str) else [target])


def test_the_first_wrong_target_of_a_batch_is_named(panda):
    model, frame, target = panda
    targets = np.stack([target] * 6).reshape(2, 3, 4, 4).copy()
    targets[1, 2, :3, :3] *= 2.0
    with pytest.raises(InvalidArgument, match=r"rotation; the target at \[1, 2\]"):
        ReachSolver(model, frame).solve_batch(targets)


@pytest.mark.parametrize("seed", [np.zeros(6), np.full(7, NAN), np.zeros((2, 7)), "seed", np.full(7, 1j)])
def test_seeds_that_are_none_are_refused_by_name(panda, seed):
    model, frame, target = panda
    with pytest.raises(InvalidArgument, match="seed"):
        reach(model, frame, target, seed)
    with pytest.raises(InvalidArgument, match="seeds"):
        ReachSolver(model, frame).solve_batch(target, seed)


def test_seeds_with_rotations_that_are_none_are_refused():
    model = models.every_kind()
    frame = f"tool_{model.names[-1]}"
    with pytest.raises(InvalidArgument, match="unit norm"):
        reach(model, frame, np.eye(4), np.zeros(model.nq))
    with pytest.raises(InvalidArgument, match="unit norm"):
        ReachSolver(model, frame).solve_batch(np.eye(4), np.zeros(model.nq))


def test_unknown_frames_are_refused_with_the_nearest(panda):
    model, _, target = panda
    with pytest.raises(UnknownFrame, match="panda_hand_tcp"):
        reach(model, "panda_hand_tpc", target)
    with pytest.raises(UnknownFrame):
        reach(model, 1000, target)
    with pytest.raises(UnknownFrame):
        reach(model, "panda_hand_tcp", target, root="nowhere")
    with pytest.raises(UnknownFrame):
        reach(model, ["panda_hand_tcp"], target)


@pytest.mark.parametrize("mode", ["poses", None, 0, ["pose"]])
def test_unknown_modes_are_refused(panda, mode):
    model, frame, target = panda
    with pytest.raises(InvalidArgument, match="mode: expected one of 'pose', 'position', 'orientation'"):
        reach(model, frame, target, mode=mode)


def test_a_frame_that_nothing_moves_is_refused(panda):
    model, frame, target = panda
    with pytest.raises(InvalidArgument, match="no joint moves 'panda_link0' against 'universe'"):
        reach(model, "panda_link0", target)
    with pytest.raises(InvalidArgument, match="no joint moves"):
        reach(model, frame, target, root=frame)
    with pytest.raises(InvalidArgument, match="no joint moves"):
        reach(pantin.Model(), "universe", target)


def test_what_is_no_model_or_no_options_is_refused(panda):
    model, frame, target = panda
    with pytest.raises(TypeError, match="model: expected a Model"):
        reach("panda", frame, target)
    with pytest.raises(InvalidArgument, match="options: expected ReachOptions"):
        ReachSolver(model, frame, options={"max_starts": 3})


def test_limits_that_contradict_each_other_are_refused_by_name(panda):
    model, frame, target = arm("panda")[0], panda[1], panda[2]
    solver = ReachSolver(model, frame)
    model.lower_position_limit[2] = 5.0
    with pytest.raises(InvalidModel, match=r"'panda_joint3' has a lower limit 5\.0 above its upper limit"):
        solver.solve(target)
    model.lower_position_limit[2] = NAN
    with pytest.raises(InvalidModel, match="panda_joint3"):
        solver.solve(target)
    model.lower_position_limit[2] = -1.0
    assert solver.solve(target).success


@pytest.mark.parametrize("call", [{}, {"target": 1, "goal": 2}])
def test_calls_that_do_not_fit_are_type_errors(panda, call):
    model, frame, _ = panda
    with pytest.raises(TypeError, match="solve"):
        ReachSolver(model, frame).solve(**call)


@pytest.mark.parametrize("threads", [0, -1, 1.5, "two"])
def test_numbers_of_threads_that_are_none_are_refused(panda, threads):
    model, frame, target = panda
    with pytest.raises(InvalidArgument, match="threads"):
        ReachSolver(model, frame).solve_batch(target, threads=threads)


def test_every_mode_of_the_core_has_its_word():
    assert [mode_index(mode) for mode in MODES] == list(range(7))


def interrupted_after(call):
    """Seconds from an interrupt in the middle of a call to its end."""
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        call()
    return time.monotonic() - began - 0.1


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_a_long_batch_at_once(panda, threads):
    model, frame, target = panda
    solver = ReachSolver(model, frame, options=ReachOptions(max_starts=1_000_000))
    target = target.copy()
    target[:3, 3] = 5.0
    targets = np.stack([target] * 1000)
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        # other processes may delay an interrupt, but not each time
        assert min(interrupted_after(lambda: solver.solve_batch(targets, threads=threads)) for _ in range(3)) < 0.2
        assert min(interrupted_after(lambda: solver.solve(target)) for _ in range(3)) < 0.2
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, previous)
    assert ReachSolver(model, frame).solve(reachable(model, frame, 1)[0]).success


def test_a_model_with_its_solvers_is_collected():
    model, frame = arm("panda")
    target = reachable(model, frame, 1)[0]
    result = reach(model, frame, target)
    gone = weakref.ref(model)
    del model, result
    gc.collect()
    assert gone() is None


def test_a_model_keeps_a_few_solvers_only():
    model, frame = arm("panda")
    target = reachable(model, frame, 1)[0]
    for seed in range(50):
        reach(model, frame, target, options=ReachOptions(random_seed=seed))
    assert len(model._solvers) <= 16


def test_a_model_that_was_asked_can_be_pickled_and_copied(panda):
    model, frame, target = panda
    expected = reach(model, frame, target).q
    for other in (pickle.loads(pickle.dumps(model)), model.copy()):
        assert np.array_equal(reach(other, frame, target).q, expected)
