"""Programs that go to solvers by their names, out of steps compiled once."""

import numpy as np
import pytest

import pantin
from pantin import Configuration, DifferentialIK, FrameTask, PostureTask
from pantin.barriers import PositionBarrier
from pantin.errors import InvalidArgument
from pantin.kinematics import SE3
from pantin.programs import require_solver, solver_of

qpsolvers = pytest.importorskip("qpsolvers")

START = np.array([0.0, -0.5, 0.0, -2.0, 0.0, 1.5, 0.7])
DT = 0.05
#: DAQP lets rows be missed by 1e-6 rad, or what that is as a speed.
TOLERANCE = 1e-5 / DT


@pytest.fixture
def configuration():
    model = pantin.load("panda")
    return Configuration(model, model.create_data(), START)


@pytest.fixture
def asked(monkeypatch):
    """Programs that solvers were given."""
    problems, solve_problem = [], qpsolvers.solve_problem

    def spy(problem, **options):
        problems.append(problem)
        return solve_problem(problem, **options)

    monkeypatch.setattr(qpsolvers, "solve_problem", spy)
    return problems


def parts(configuration, shift):
    """A hand that is pulled, and a posture that is not its own."""
    hand, posture = FrameTask("panda_hand", 1.0, 0.5), PostureTask(0.1)
    pose = configuration.get_transform_frame_to_world("panda_hand")
    hand.set_target(SE3(pose.rotation, pose.translation + shift))
    posture.set_target(START + 0.3)
    return hand, posture


def compared(configuration, tasks, **given):
    """A step by a solver and the core's own."""
    steps = [
        DifferentialIK(configuration.model, tasks, **given, solver=solver, settle=False) for solver in ("daqp", None)
    ]
    found = [ik.solve(configuration, DT) for ik in steps]
    assert steps[0].status == steps[1].status
    return found


def test_bounds_are_the_cores(configuration, asked):
    theirs, ours = compared(configuration, parts(configuration, [0.3, 0.1, 0.0]))
    np.testing.assert_array_equal(theirs, ours)
    assert asked == []


def test_constraints_are_the_solvers(configuration, asked):
    hand, posture = parts(configuration, [0.01, -0.01, 0.02])
    theirs, ours = compared(configuration, [posture], constraints=[hand])
    np.testing.assert_allclose(theirs, ours, atol=TOLERANCE)
    assert len(asked) == 1
    assert asked[0].A.shape == (6, 7)


def test_barriers_are_the_solvers(configuration, asked):
    hand, posture = parts(configuration, [0.05, 0.0, 0.0])
    front = configuration.get_transform_frame_to_world("panda_hand").translation[0]
    wall = PositionBarrier("panda_hand", indices=[0], p_max=np.array([front + 0.001]), gain=1.0)
    theirs, ours = compared(configuration, [hand, posture], barriers=[wall])
    np.testing.assert_allclose(theirs, ours, atol=TOLERANCE)
    assert len(asked) == 1
    free = DifferentialIK(configuration.model, [hand, posture], settle=False).solve(configuration, DT)
    assert np.abs(free - ours).max() > 0.01  # the wall does hold it


def test_lower_levels_are_the_solvers(configuration, asked):
    hand, posture = parts(configuration, [0.01, 0.0, 0.02])
    posture.priority = 1
    theirs, ours = compared(configuration, [hand, posture])
    np.testing.assert_allclose(theirs, ours, atol=10 * TOLERANCE)
    assert len(asked) == 1


def test_what_no_solver_can_solve_has_the_cores_answer(configuration):
    hand, posture = parts(configuration, [2.0, 0.0, 0.0])
    ik = DifferentialIK(configuration.model, [posture], constraints=[hand], solver="daqp")
    velocity = ik.step(configuration, DT)
    assert ik.status == "infeasible"
    assert ik.conflicts
    assert (np.abs(velocity) <= configuration.model.velocity_limit + 1e-9).all()


def test_a_solver_is_told_of_bounds_and_rows_and_gives_none_where_there_is_no_solution():
    solve = solver_of("daqp")
    none, unbounded = (np.zeros((0, 2)), np.zeros(0)), np.full(2, np.inf)
    H, c = np.eye(2), np.array([-1.0, -2.0])
    np.testing.assert_allclose(solve(H, c, *none, *none, -unbounded, unbounded), [1.0, 2.0])
    np.testing.assert_allclose(solve(H, c, *none, *none, -unbounded, np.array([0.5, np.inf])), [0.5, 2.0])
    row = np.array([[1.0, 1.0]])
    np.testing.assert_allclose(solve(H, c, row, np.array([1.0]), *none, -unbounded, unbounded), [0.0, 1.0])
    np.testing.assert_allclose(solve(H, c, *none, row, np.array([5.0]), -unbounded, unbounded), [2.0, 3.0])
    assert solve(H, c, row, np.array([-3.0]), row, np.array([3.0]), -unbounded, unbounded) is None


@pytest.mark.parametrize("name", ["dapq", "", None, ["daqp"], 3])
def test_solvers_that_are_not_installed_are_refused(name):
    for door in (require_solver, solver_of):
        with pytest.raises(InvalidArgument, match=r"there is .*'daqp'"):
            door(name)
