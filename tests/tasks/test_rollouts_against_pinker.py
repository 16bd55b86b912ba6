"""Programs and steps are Pinker's, all along rollouts of many robots.

Both packages play the scenes of `scenes.py`. Pinker's robot leads, so that each step is compared at one configuration;
its program is solved by DAQP with tolerances far below those that are asked for. PANTIN_LONG_TESTS=1 plays each scene
for 1000 steps.

Pinker's `Jlog6` is that of Pinocchio, which loses up to nine digits where a turn is between 1e-4 and 1e-2 rad: its
terms cancel. There it gets the series instead.
"""

import os
from collections import defaultdict
from functools import cache, partial

import numpy as np
import pytest
from scenes import DT, SCENES, words

import pantin
from pantin.differential import DifferentialIK

pinker = pytest.importorskip("pinker")
qpsolvers = pytest.importorskip("qpsolvers")

STEPS = 1000 if os.environ.get("PANTIN_LONG_TESTS") else 60

#: A program of this condition or worse has no step to eight digits.
WORST_CONDITION = 1e8

#: Pinker's limits that bound single joints.
BOUNDS = (pinker.limits.ConfigurationLimit, pinker.limits.VelocityLimit, pinker.limits.AccelerationLimit)

EXACT = {"primal_tol": 1e-13, "dual_tol": 1e-13, "iter_limit": 10_000}


def jlog6(theirs, pose):
    """Derivative of the logarithm of a pose: sum of B_n ad^n / n!, with the Bernoulli numbers B_n."""
    twist = pinker.kinematics.log6(pose).vector
    if np.linalg.norm(twist[3:]) > 0.03:
        return theirs(pose)
    turn = skew(twist[3:])
    ad = np.block([[turn, skew(twist[:3])], [np.zeros((3, 3)), turn]])
    square = ad @ ad
    return np.eye(6) + ad / 2 + square @ (np.eye(6) / 12 - square @ (np.eye(6) / 720 - square / 30240))


def skew(vector):
    """Matrix of the cross product with a vector."""
    x, y, z = vector
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def difference(ours, theirs):
    """Largest difference of two arrays, or parts that are not there, where entries above one count relatively."""
    if ours is None or theirs is None:
        return 0.0 if ours is theirs else np.inf
    if ours.shape != theirs.shape:
        return np.inf
    apart = ours != theirs  # infinities may be the same
    return float((np.abs(ours[apart] - theirs[apart]) / np.maximum(1.0, np.abs(theirs[apart]))).max(initial=0.0))


def arguments(stage):
    """What `build_ik` and `solve_ik` of either package are given, besides the solver."""
    return {
        "configuration": stage.configuration,
        "tasks": stage.tasks,
        "dt": DT,
        "limits": stage.limits,
        "barriers": stage.barriers,
        "constraints": stage.constraints,
    }


def together(name, steps):
    """Both packages' stages of a scene and Pinker's program and velocity, step after step."""
    theirs, ours = SCENES[name]("pinker"), SCENES[name]("pantin")
    for step in range(steps):
        theirs.drive(step * DT)
        ours.drive(step * DT)
        ours.configuration.update(theirs.configuration.q)
        problem = words("pinker").build_ik(**arguments(theirs))
        found = qpsolvers.solve_problem(problem, "daqp", **EXACT)
        assert found.found
        velocity = found.x / DT
        yield ours, theirs, problem, velocity
        theirs.configuration.integrate_inplace(velocity, DT)
        theirs.after(velocity)
        ours.after(velocity)


@cache
def played(name):
    """Largest differences from Pinker along a rollout, of each part of programs and of each way to make a step."""
    worst, conditions, ik = defaultdict(float), [], None

    def compare(part, ours, theirs):
        worst[part] = max(worst[part], difference(ours, theirs))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pinker.kinematics, "Jlog6", partial(jlog6, pinker.kinematics.Jlog6))
        for ours, theirs, problem, velocity in together(name, STEPS):
            conditions.append(np.linalg.cond(problem.P))
            built = pantin.build_ik(**arguments(ours))
            for part in "PqGhAb":
                compare(f"build_ik {part}", getattr(built, part), getattr(problem, part))
            ik = ik or DifferentialIK(
                ours.configuration.model,
                ours.tasks,
                ours.configuration.default_limits if ours.limits is None else ours.limits,
                ours.barriers,
                constraints=ours.constraints,
            )
            program = ik.problem(ours.configuration, DT)
            compare("DifferentialIK P", program.H, problem.P)
            compare("DifferentialIK q", program.c, problem.q)
            if problem.A is not None:
                compare("DifferentialIK A", program.A, problem.A)
                compare("DifferentialIK b", program.b, problem.b)
            for part, numbers in zip(("G", "h", "lower", "upper"), allowed(theirs), strict=True):
                compare(f"DifferentialIK {part}", getattr(program, part), numbers)
            if conditions[-1] < WORST_CONDITION:
                compare("solve_ik", pantin.solve_ik(**arguments(ours), solver="daqp", **EXACT), velocity)
                compare("step", ik.step(ours.configuration, DT), velocity)
                assert ik.status == "solved"
    return dict(worst), conditions


def allowed(stage):
    """What limits and barriers of Pinker's allow: G and h of rows, and bounds where a limit is about single joints."""
    configuration = stage.configuration
    lower, upper = np.full(configuration.model.nv, -np.inf), np.full(configuration.model.nv, np.inf)
    rows, sides = [np.zeros((0, lower.size))], [np.zeros(0)]
    limits = configuration.default_limits if stage.limits is None else stage.limits
    for part in (*limits, *(stage.barriers or ())):
        G, h = part.compute_qp_inequalities(configuration, DT)
        if isinstance(part, BOUNDS):
            picked = G.argmax(axis=1)[: len(h) // 2]
            upper[picked] = np.minimum(upper[picked], h[: picked.size])
            lower[picked] = np.maximum(lower[picked], -h[picked.size :])
        else:
            rows.append(np.atleast_2d(G))
            sides.append(h)
    return np.vstack(rows), np.hstack(sides), lower, upper


@pytest.mark.parametrize("name", SCENES)
def test_programs_are_pinkers(name):
    worst, _ = played(name)
    assert max(difference for part, difference in worst.items() if part not in ("solve_ik", "step")) < 1e-9, worst


@pytest.mark.parametrize("name", SCENES)
def test_steps_are_pinkers(name):
    worst, conditions = played(name)
    assert max(conditions) < WORST_CONDITION, "a scene that shows nothing"
    assert worst["solve_ik"] < 1e-8
    assert worst["step"] < 1e-8
