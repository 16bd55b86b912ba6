"""A solver is small, and solving keeps nothing."""

import pytest
from questions import arm, as_asked, reachable

import pantin
from memory import growth, held
from pantin.kinematics import neutral
from pantin.kinematics.batch import frame_placements
from pantin.reaching import Problem, ReachOptions, ReachSolver


@pytest.mark.parametrize("name", ["panda", "ur5e", "arctos"])
@pytest.mark.parametrize("mode", ["pose", "position", "axis"])
def test_a_solver_takes_less_than_64_kilobytes(name, mode):
    model, frame = arm(name)
    target = as_asked(mode, reachable(model, frame, 1))[0]

    def built():
        solver = ReachSolver(model, frame, mode=mode)
        solver.solve(target)  # what is made on first use belongs to it
        return solver

    kept = [built() for _ in range(20)]
    before = held()
    kept += [built() for _ in range(100)]
    assert (held() - before) / 100 < 64 * 1024


@pytest.mark.parametrize("starts", [1, 128])
def test_ten_thousand_solves_leave_nothing_behind(starts):
    model, frame = arm("panda")
    targets = reachable(model, frame, 50)
    targets[0, :3, 3] += 10.0  # one out of reach takes the longest way
    solver = ReachSolver(model, frame, options=ReachOptions(max_starts=starts))

    def solved():
        for _ in range(50):
            for target in targets[1:]:
                solver.solve(target)
        solver.solve(targets[0])

    assert growth(solved, 1) < 1024  # of 2,500 solves: a few bits each, where `malloc` gives no less than 32 bytes


def test_solves_of_a_problem_leave_nothing_behind():
    model = pantin.load("biped")
    start = neutral(model)
    problem = Problem(model, options=ReachOptions(max_starts=9))
    problem.add_frame("left_foot", frame_placements(model, "left_foot", start))
    right = problem.add_frame("right_foot", frame_placements(model, "right_foot", start))
    problem.add_com([0.0, 0.0, None])
    problem.add_posture(start)

    near, far = (frame_placements(model, "right_foot", start) for _ in range(2))
    near[0, 3] += 0.01
    far[0, 3] += 9.0  # out of reach: the longest way

    def solved():
        for target in [near] * 200 + [far]:
            right.target = target
            problem.solve(start)

    assert growth(solved, 1) < 1024


def test_batches_leave_nothing_behind():
    model, frame = arm("panda")
    targets, solver = reachable(model, frame, 500), ReachSolver(model, frame)
    assert growth(lambda: solver.solve_batch(targets, threads=2), 5) < 1024


def test_dropped_solvers_leave_nothing_behind():
    model, frame = arm("panda")
    target = reachable(model, frame, 1)[0]
    assert growth(lambda: ReachSolver(model, frame).solve(target), 100) < 1024
