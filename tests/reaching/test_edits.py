"""Models and problems that are edited while solvers work with them: as an argument is read, or between solves."""

import numpy as np
import pytest
from questions import arm, reachable, within_limits

import models
from pantin.errors import InvalidArgument, InvalidModel
from pantin.kinematics import SE3, JointModelFreeFlyer, JointModelRX, neutral
from pantin.reaching import Problem, ReachSolver


class Editing:
    """Numbers that call back the first time they are read."""

    def __init__(self, numbers, edit):
        self.numbers = np.asarray(numbers)
        self.edit = edit

    def __array__(self, dtype=None, copy=None):
        edit, self.edit = self.edit, lambda: None
        edit()
        return np.array(self.numbers, dtype=dtype)


def grow(model):
    """Give the model more joints, some of them on the way to its last frames."""
    for parent in (1, 2, 3):
        model.add_joint(parent, JointModelFreeFlyer(), SE3.Identity(), f"float_{model.njoints}")
    for _ in range(40):
        model.add_joint(model.njoints - 1, JointModelRX(), SE3.Identity(), f"late_{model.njoints}")


@pytest.fixture
def panda():
    model, frame = arm("panda")
    return model, ReachSolver(model, frame), reachable(model, frame, 3)


def test_a_target_that_edits_the_model_is_answered_for_the_model_as_it_is_then(panda):
    model, solver, targets = panda

    def edit():
        grow(model)
        solver.solve(targets[1])

    result = solver.solve(Editing(targets[0], edit))
    assert result.q.shape == (model.nq,)
    assert result.check().success


def test_a_seed_that_edits_the_model_is_answered_for_the_model_before(panda):
    model, solver, targets = panda
    expected = solver.solve(targets[0], neutral(model)).q

    def edit():
        grow(model)
        solver.solve(targets[1])

    seed = Editing(neutral(model), edit)
    assert np.array_equal(solver.solve(targets[0], seed).q, expected)


def test_a_path_whose_start_is_outgrown_by_then_is_refused(panda):
    model, solver, targets = panda
    steps = Editing(np.ones(model.nv), lambda: grow(model))
    with pytest.raises(InvalidArgument, match="model"):
        solver.follow(targets, neutral(model), max_joint_step=steps)


def test_a_seed_that_edits_the_model_is_judged_by_the_model_before():
    model = models.random_tree(["ball", "RX", "RUBX", "RZ"], 1, chain=True)
    solver = ReachSolver(model, model.nframes - 1, mode="position")
    seed = neutral(model)
    seed[3] = 3.0

    def edit():
        grow(model)
        solver.solve(np.zeros(3))

    with pytest.raises(InvalidArgument, match="unit norm"):
        solver.solve(np.zeros(3), Editing(seed, edit))


def test_a_seed_that_spoils_the_limits_leaves_those_of_its_question(panda):
    model, solver, targets = panda
    far = targets[0].copy()
    far[:3, 3] = [0.9, 0.0, 0.33]
    expected = solver.solve(far, neutral(model))

    def edit():
        grow(model)
        model.lower_position_limit[0] = 9.0
        with pytest.raises(InvalidModel):
            solver.solve(targets[1])

    result = solver.solve(far, Editing(neutral(model), edit))
    assert (result.status, result.notes) == (expected.status, expected.notes)
    assert np.array_equal(result.q, expected.q)


def test_a_residual_whose_target_removes_others_gets_it(panda):
    model, solver, targets = panda
    problem = Problem(model)
    points = [problem.add_frame(solver.frame, targets[0][:3, 3], mode="position") for _ in range(60)]

    def edit():
        for point in points[:-1]:
            problem.remove(point)

    points[-1].target = Editing(targets[1][:3, 3], edit)
    assert problem.residuals == (points[-1],)
    assert np.array_equal(points[-1].target, targets[1][:3, 3])


def test_a_residual_whose_target_removes_it_is_refused(panda):
    model, solver, targets = panda
    problem = Problem(model)
    turn = problem.add_frame(solver.frame, targets[0][:3, :3], mode="orientation")
    with pytest.raises(InvalidArgument, match="removed"):
        turn.target = Editing(targets[1][:3, :3], lambda: problem.remove(turn))


def test_a_frame_that_no_joint_moves_any_more_is_refused(panda):
    model, solver, targets = panda
    problem = Problem(model)
    problem.add_frame(solver.frame, targets[0])
    problem.solve()
    model.frames[model.get_frame_id(solver.frame)].parent_joint = 0
    for ask in (lambda: solver.solve(targets[0]), lambda: solver.solve_batch(targets), lambda: solver.follow(targets)):
        with pytest.raises(InvalidArgument, match=f"no joint moves '{solver.frame}'"):
            ask()
    with pytest.raises(InvalidArgument, match="no joint that is free"):
        problem.solve()


@pytest.mark.parametrize("prefer", ["nearest", "limits", "first"])
def test_joints_elsewhere_are_brought_within_their_limits_too(prefer):
    model = models.random_tree(["RZ", "RY", "PX", "RX", "RY", "planar"], 4)
    tip = next(
        f.name for f in model.frames if f.name.startswith("tool") and 1 <= len(model.supports[f.parent_joint]) < 4
    )
    solver = ReachSolver(model, tip, mode="position", prefer=prefer)
    target = reachable(model, tip, 1)[0, :3, 3]
    seed = neutral(model) + 50.0 * model.has_configuration_limit()
    result = solver.solve(target, seed)
    assert result.success
    assert result.check().success
    assert "the seed was outside the limits and was clipped" in result.notes
    batch = solver.solve_batch([target], seed)
    assert np.array_equal(batch.q[0], result.q)
    for rows in (solver.follow([target] * 3, seed).q, solver.all(target, seed, count=3).q):
        assert all(within_limits(model, q) for q in rows)


def test_a_seed_with_another_joint_outside_its_limits_is_noted():
    model, frame = arm("panda")
    model.add_joint(0, JointModelRX(), SE3.Identity(), "elsewhere", min_config=[-1.0], max_config=[1.0])
    seed = neutral(model)
    seed[-1] = 2.0
    inside = np.clip(seed, model.lower_position_limit, model.upper_position_limit)
    inside[-1] = 2.0
    result = ReachSolver(model, frame).solve(reachable(model, frame, 1)[0], inside)
    assert result.q[-1] == 1.0
    assert result.notes == ("the seed was outside the limits and was clipped",)
