"""Batches of targets: arrays to fill, callbacks that hear how far they are, and batches that end early."""

import os
import signal
import threading

import numpy as np
import pytest
from questions import arm, configurations, reachable

from pantin import SE3, Problem, ReachOptions, ReachSolver
from pantin.errors import InvalidArgument
from pantin.kinematics import JointModelRZ
from pantin.reaching import pieces

COUNT = 300
COLUMNS = ("q", "success", "status", "position_error", "rotation_error", "seed_distance", "iterations", "starts")
#: Within the chain's length, and slow to give up.
LOST = np.array([0.0, 0.0, -0.4])


@pytest.fixture(scope="module")
def solver():
    return ReachSolver(*arm("panda"))


@pytest.fixture(scope="module")
def targets(solver):
    """Poses, a few of which are out of reach."""
    poses = reachable(solver.model, solver.frame, COUNT)
    poses[::50, :3, 3] = LOST
    return poses


@pytest.fixture(scope="module")
def seeds(solver):
    return configurations(solver.model, COUNT, seed=1)


@pytest.fixture
def small_pieces(monkeypatch):
    """Pieces of one, two, four, ... targets, however fast they are."""
    monkeypatch.setattr(pieces, "_GROWTH", 2)
    monkeypatch.setattr(pieces, "_SECONDS", 1e6)


def told(calls):
    """A callback that notes what it is told."""
    return lambda *numbers: calls.append(numbers)


def assert_equal_bits(batch, other, columns=COLUMNS):
    for name in columns:
        assert np.array_equal(getattr(batch, name), getattr(other, name)), name


class Enough(Exception):
    """What callbacks raise to end a batch."""


def after(rows):
    """A callback that ends a batch once so many rows are done."""

    def progress(done, _):
        if done >= rows:
            raise Enough(done)

    return progress


# --- out= ---


def test_out_is_filled_and_returned(solver, targets, seeds):
    out = np.full((COUNT, 7), np.nan)
    batch = solver.solve_batch(targets, seeds, out=out)
    assert batch.q is out
    assert_equal_bits(batch, solver.solve_batch(targets, seeds))


@pytest.mark.parametrize("shape", [(), (1,), (0,), (4, 0), (6, 50), (2, 3, 50)])
def test_out_has_the_leading_axes_of_the_targets(solver, targets, shape):
    many = targets[: np.prod(shape, dtype=int)].reshape(*shape, 4, 4)
    out = np.full((*shape, 7), np.nan)
    batch = solver.solve_batch(many, out=out)
    assert batch.q is out
    assert batch.status.shape == shape
    assert_equal_bits(batch, solver.solve_batch(many))


def test_seeds_may_be_the_array_to_fill(solver, targets, seeds):
    expected = solver.solve_batch(targets, seeds)
    out = seeds.copy()
    assert_equal_bits(solver.solve_batch(targets, out, threads=2, out=out), expected)
    assert np.array_equal(out, expected.q)


def test_seeds_may_lie_across_the_array_to_fill(solver, targets, seeds):
    expected = solver.solve_batch(targets[1:], seeds[:-1])
    memory = np.empty((COUNT, 7))
    memory[:-1] = seeds[:-1]  # the seed of each target is where the answer to the one before it goes
    assert_equal_bits(solver.solve_batch(targets[1:], memory[:-1], out=memory[1:]), expected)


def test_one_seed_may_be_a_row_of_the_array_to_fill(solver, targets, seeds):
    out = seeds.copy()
    expected = solver.solve_batch(targets, seeds[0])
    assert_equal_bits(solver.solve_batch(targets, out[0], out=out), expected)


def test_out_may_be_a_file_in_memory(solver, targets, tmp_path):
    out = np.memmap(tmp_path / "q", dtype=float, mode="w+", shape=(COUNT, 7))
    assert solver.solve_batch(targets, out=out).q is out
    out.flush()
    assert np.array_equal(np.fromfile(tmp_path / "q").reshape(COUNT, 7), solver.solve_batch(targets).q)


@pytest.mark.parametrize(
    ("out", "message"),
    [
        (np.empty((COUNT, 6)), r"expected shape \(300, 7\), got \(300, 6\)"),
        (np.empty((COUNT - 1, 7)), r"expected shape \(300, 7\), got \(299, 7\)"),
        (np.empty(COUNT * 7), "expected shape"),
        (np.empty((COUNT, 7), dtype=np.float32), "float64"),
        (np.empty((COUNT, 7), dtype=">f8"), "native"),
        (np.empty((7, COUNT)).T, "C-ordered"),
        (np.empty((COUNT, 14))[:, ::2], "C-ordered"),
        (np.broadcast_to(np.zeros(7), (COUNT, 7)), "writable"),
        ([[0.0] * 7] * COUNT, "a NumPy array to fill, got a list"),
    ],
)
def test_arrays_that_cannot_be_filled_are_refused(solver, targets, out, message):
    with pytest.raises(InvalidArgument, match=f"out: .*{message}"):
        solver.solve_batch(targets, out=out)


# --- progress= ---


def test_progress_tells_of_every_target_once(solver, targets, small_pieces):
    calls = []
    solver.solve_batch(targets, progress=told(calls))
    assert calls == [(done, COUNT) for done in (1, 3, 7, 15, 31, 63, 127, 255, COUNT)]


@pytest.mark.parametrize("count", [0, 1])
def test_progress_is_told_of_the_end_once(solver, targets, count):
    calls = []
    assert len(solver.solve_batch(targets[:count], progress=told(calls))) == count
    assert calls == [(count, count)]


def test_pieces_grow_until_they_take_their_time(solver, targets, monkeypatch):
    monkeypatch.setattr(pieces, "_SECONDS", 0.0)
    calls = []
    solver.solve_batch(targets[:20], progress=told(calls))
    assert calls == [(done, 20) for done in range(1, 21)]


def test_progress_is_called_in_the_thread_of_the_caller(solver, targets):
    threads = set()
    solver.solve_batch(targets, threads=4, progress=lambda *_: threads.add(threading.get_ident()))
    assert threads == {threading.get_ident()}


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_pieces_threads_and_out_do_not_change_the_bits(solver, targets, seeds, small_pieces, threads):
    for near in (None, seeds, seeds[0]):
        expected = solver.solve_batch(targets, near)
        assert_equal_bits(solver.solve_batch(targets, near, threads), expected)
        out = np.empty((COUNT, 7))
        assert_equal_bits(solver.solve_batch(targets, near, threads, out=out, progress=told([])), expected)
        singles = [
            solver.solve(target, None if near is None else np.broadcast_to(near, (COUNT, 7))[k])
            for k, target in enumerate(targets)
        ]
        assert np.array_equal([single.q for single in singles], expected.q)
        assert [single.status for single in singles] == expected.status.tolist()


def test_threads_that_help_with_slow_targets_do_not_change_the_bits(targets, seeds):
    solver = ReachSolver(*arm("panda"), options=ReachOptions(max_starts=2000))  # a lost target takes milliseconds
    few = targets[np.arange(40) // 2 * 50 % COUNT]
    expected = solver.solve_batch(few, seeds[:40])
    assert not expected.success.all()
    assert_equal_bits(solver.solve_batch(few, seeds[:40], threads=4), expected)


@pytest.mark.parametrize("mode", ["axis", "position", "direction", "rcm"])
def test_pieces_do_not_change_the_bits_of_other_modes(targets, small_pieces, mode):
    model, frame = arm("panda")
    pivot = {"pivot": [0.4, 0.0, 0.4], "roll": "target", "min_depth": 0.3} if mode == "rcm" else {}
    solver = ReachSolver(model, frame, mode=mode, **pivot)
    asked = targets if mode in ("axis", "rcm") else targets[..., :3, 2 if mode == "direction" else 3]
    expected = solver.solve_batch(asked)
    assert mode != "rcm" or "rcm_depth" in expected.status
    assert_equal_bits(solver.solve_batch(asked, threads=3, progress=told([])), expected)


def test_pieces_do_not_change_the_bits_of_answers_near_their_seeds(targets, seeds, small_pieces):
    solver = ReachSolver(*arm("panda"), max_joint_change=0.8)
    expected = solver.solve_batch(targets, seeds)
    assert "joint_jump" in expected.status
    assert_equal_bits(solver.solve_batch(targets, seeds, threads=2, progress=told([])), expected)


def test_a_chooser_fills_and_tells_as_the_core_does(targets, seeds):
    solver = ReachSolver(*arm("panda"), prefer="limits")
    few, near = targets[1:7].reshape(2, 3, 4, 4), seeds[1:7].reshape(2, 3, 7)
    calls, out = [], near.copy()
    batch = solver.solve_batch(few, out, out=out, progress=told(calls))
    assert batch.q is out
    assert calls[0] == (1, 6)
    assert calls[-1] == (6, 6)
    assert_equal_bits(batch, solver.solve_batch(few, near))
    singles = [
        solver.solve(target, seed) for target, seed in zip(few.reshape(-1, 4, 4), near.reshape(-1, 7), strict=True)
    ]
    assert np.array_equal(out.reshape(-1, 7), [single.q for single in singles])


@pytest.mark.parametrize("progress", [3, "bar", []])
def test_callbacks_that_are_none_are_refused(solver, targets, progress):
    out = np.zeros((COUNT, 7))
    with pytest.raises(InvalidArgument, match=r"progress: expected a callback that takes \(done, total\)"):
        solver.solve_batch(targets, out=out, progress=progress)
    assert not out.any()


def test_a_callback_that_gives_the_model_another_joint_is_told_so(targets):
    model, frame = arm("panda")
    solver = ReachSolver(model, frame)

    def edit(*_):
        model.add_joint(model.njoints - 1, JointModelRZ(), SE3.Identity(), "another")

    with pytest.raises(InvalidArgument, match="model: it was given other joints"):
        solver.solve_batch(targets, progress=edit)


# --- Batches that end early ---


def test_what_a_callback_raises_ends_the_batch(solver, targets, seeds, small_pieces):
    expected = solver.solve_batch(targets, seeds).q
    out = seeds.copy()
    with pytest.raises(Enough, match="31"):
        solver.solve_batch(targets, out, out=out, progress=after(20))
    assert np.array_equal(out[:31], expected[:31])
    assert np.array_equal(out[31:], seeds[31:])
    assert_equal_bits(solver.solve_batch(targets, seeds), solver.solve_batch(targets, seeds, out=out))


def interrupt(call, out):
    """Ctrl-C in the middle of a call, when it has begun to fill an array of NaN."""
    over = threading.Event()

    def press():
        while not over.wait(0.05):
            if np.isfinite(out).any():
                return os.kill(os.getpid(), signal.SIGINT)

    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    user = threading.Thread(target=press)
    try:
        user.start()
        with pytest.raises(KeyboardInterrupt):
            call()
    finally:
        over.set()
        user.join()
        signal.signal(signal.SIGINT, previous)


@pytest.mark.parametrize("told_of", [True, False])
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_leaves_the_rows_that_were_answered(targets, threads, told_of):
    solver = ReachSolver(*arm("panda"), options=ReachOptions(max_starts=2000))  # a lost target takes milliseconds
    many = np.concatenate([targets, *[targets[:1]] * 100_000])
    out, calls = np.full((len(many), 7), np.nan), [(0, 0)]
    interrupt(
        lambda: solver.solve_batch(many, threads=threads, out=out, progress=told(calls) if told_of else None), out
    )
    answered = np.isfinite(out).all(axis=1)
    assert not np.isfinite(out[~answered]).any()
    assert 0 < answered.sum() < len(many)
    assert answered[: calls[-1][0]].all()
    first = answered[:COUNT]
    assert np.array_equal(out[:COUNT][first], solver.solve_batch(targets[first]).q)


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_a_batch_of_quick_targets(targets, threads):
    solver = ReachSolver(*arm("panda"), options=ReachOptions(max_starts=20))
    many = np.repeat(targets[:1], 100_000, axis=0)  # which would take seconds
    out = np.full((len(many), 7), np.nan)
    interrupt(lambda: solver.solve_batch(many, threads=threads, out=out), out)
    assert np.isnan(out[-1]).all()


# --- Several residuals ---


@pytest.fixture
def hands():
    """A problem of two residuals, and one that varies."""
    model, frame = arm("panda")
    problem = Problem(model, options=ReachOptions(max_starts=20))
    problem.add_frame("panda_link4", [0.0, 0.0, 1.0], mode="direction", weights=0.1)
    return problem, problem.add_frame(frame, [0.4, 0.1, 0.5], mode="position")


def test_problems_fill_and_tell_too(hands, targets, seeds, small_pieces):
    problem, hand = hands
    points, near = targets[:60, :3, 3].reshape(3, 20, 3), seeds[:60].reshape(3, 20, 7)
    expected = problem.solve_batch({hand: points}, near)
    calls, out = [], near.copy()
    batch = problem.solve_batch({hand: points}, out, 2, out=out, progress=told(calls))
    assert batch.q is out
    assert calls == [(done, 60) for done in (1, 3, 7, 15, 31, 60)]
    errors = "position_errors", "rotation_errors"
    assert_equal_bits(batch, expected, (*errors, *(name for name in COLUMNS if not name.endswith("n_error"))))
    out[:] = near
    with pytest.raises(Enough):
        problem.solve_batch({hand: points}, near, out=out, progress=after(10))
    rows = out.reshape(60, 7)
    assert np.array_equal(rows[:15], expected.q.reshape(60, 7)[:15])
    assert np.array_equal(rows[15:], seeds[15:60])


def test_problems_refuse_what_cannot_be_filled_or_called(hands, targets):
    problem, hand = hands
    model, points = problem.model, targets[:, :3, 3]
    with pytest.raises(InvalidArgument, match="out: expected shape"):
        problem.solve_batch({hand: points}, out=np.empty((COUNT, 6)))
    with pytest.raises(InvalidArgument, match="progress: expected a callback"):
        problem.solve_batch({hand: points}, progress=3)
    with pytest.raises(InvalidArgument, match="residuals were added or removed"):
        problem.solve_batch(
            {hand: points}, progress=lambda *_: problem.add_frame("panda_link2", [0.0, 0.0, 1.0], mode="position")
        )
    with pytest.raises(InvalidArgument, match="model: it was given other joints"):
        problem.solve_batch(
            {problem.residuals[1]: points},
            progress=lambda *_: model.add_joint(model.njoints - 1, JointModelRZ(), SE3.Identity(), "another"),
        )


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_leaves_the_answered_rows_of_a_problem(hands, targets, threads):
    problem, hand = hands
    points = np.concatenate([targets[:, :3, 3], np.full((30_000, 3), 0.8)])  # which would take seconds
    out = np.full((len(points), 7), np.nan)
    interrupt(lambda: problem.solve_batch({hand: points}, threads=threads, out=out), out)
    answered = np.isfinite(out).all(axis=1)
    assert not np.isfinite(out[~answered]).any()
    assert 0 < answered.sum() < len(points)
    assert np.array_equal(out[answered], problem.solve_batch({hand: points[answered]}).q)
