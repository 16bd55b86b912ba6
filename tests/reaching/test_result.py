"""Answers say what they are, and can be checked."""

import numpy as np
import pytest
from questions import ROUNDING, arm, as_asked, reachable

import pantin
from pantin.kinematics import SE3
from pantin.reaching import ReachCheck, ReachResult, ReachSolver, reach
from pantin.solving import SolverResult, Status


@pytest.fixture(scope="module")
def panda():
    model, frame = arm("panda")
    return model, frame, reachable(model, frame, 20, seed=10)


@pytest.mark.parametrize("mode", ["pose", "position", "orientation"])
@pytest.mark.parametrize("scale", [1.0, 3.0])
def test_an_answer_tells_the_errors_that_the_model_finds(panda, mode, scale):
    model, frame, targets = panda
    poses = targets.copy()
    poses[:, :3, 3] *= scale
    for target in as_asked(mode, poses):
        result = reach(model, frame, target, mode=mode)
        check = result.check()
        assert abs(check.position_error - result.position_error) <= ROUNDING
        assert abs(check.rotation_error - result.rotation_error) <= ROUNDING
        assert check.within_limits
        assert check.success == result.success
        assert (result.position_error == 0.0) == (mode == "orientation")
        assert (result.rotation_error == 0.0) == (mode == "position")


def test_a_check_sees_what_was_done_to_the_answer(panda):
    model, frame, targets = panda
    result = reach(model, frame, targets[0])
    assert result.check().success
    result.q[0] += 1e-3
    assert not result.check().success
    result.q[0] = 100.0
    assert not result.check().within_limits


def test_a_batch_can_be_checked(panda):
    model, frame, targets = panda
    batch = ReachSolver(model, frame).solve_batch(targets.reshape(4, 5, 4, 4))
    position, rotation = batch.check()
    assert position.shape == rotation.shape == (4, 5)
    assert np.abs(position - batch.position_error).max() <= ROUNDING
    assert np.abs(rotation - batch.rotation_error).max() <= ROUNDING


def test_an_answer_knows_its_target(panda):
    model, frame, targets = panda
    pose = targets[0]
    assert reach(model, frame, pose).target.is_approx(SE3(pose))
    assert np.array_equal(reach(model, frame, pose[:3, 3], mode="position").target, pose[:3, 3])
    assert np.abs(reach(model, frame, pose[:3, :3], mode="orientation").target - pose[:3, :3]).max() <= ROUNDING


def test_seed_distance_is_the_largest_motion_of_a_joint(panda):
    model, frame, targets = panda
    seed = np.array([0.1, 0.2, -0.3, -1.5, 0.2, 1.0, 0.5])
    for target in targets:
        result = reach(model, frame, target, seed)
        assert result.seed_distance == pytest.approx(np.abs(result.q - seed).max(), abs=ROUNDING)


def test_the_seed_itself_is_the_answer_where_it_reaches(panda):
    model, frame, targets = panda
    for target in targets:
        first = reach(model, frame, target)
        again = reach(model, frame, target, first.q)
        assert np.array_equal(first.q, again.q)
        assert (again.iterations, again.starts, again.seed_distance) == (1, 1, 0.0)


def test_a_result_is_no_truth_value(panda):
    model, frame, targets = panda
    with pytest.raises(TypeError, match=r"ask for its \.success"):
        bool(reach(model, frame, targets[0]))


def test_representations_tell_the_outcome(panda):
    model, frame, targets = panda
    result = reach(model, frame, targets[0])
    assert repr(result).startswith("ReachResult(reached, position_error=")
    solver = ReachSolver(model, frame)
    assert repr(solver) == "ReachSolver('panda', 'panda_hand_tcp', mode='pose', root='universe')"
    assert repr(solver.solve_batch(targets)) == "ReachBatch(20 of 20 reached)"


def test_kinds_of_things():
    assert issubclass(ReachResult, SolverResult)
    assert ReachCheck._fields == ("position_error", "rotation_error", "within_limits", "success")
    assert pantin.Status is Status
    assert Status.REACHED == "reached"
    assert {str(word) for word in Status} >= {"reached", "not_found", "out_of_workspace", "limits", "deadline"}
