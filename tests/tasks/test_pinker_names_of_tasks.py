"""Every public name of Pinker 1.1 is here: modules, classes, their members, their arguments and what these hold.

What differs on purpose stands in `DIFFERENCES`, with the reason, and in the page "Move over from Pink or Pinker".
"""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
from pathlib import Path

import numpy as np
import pytest

import pantin
from oracle import to_pinker
from pantin import samples
from pantin.kinematics import integrate
from signatures import accepts, parameters, signatures

pinker = pytest.importorskip("pinker")

PAGE = Path(__file__).parents[2] / "docs" / "moving-from-pinker.md"

#: Name, and why it is not the same here.
DIFFERENCES = {
    "BodySphericalBarrier.compute_jacobian": "a matrix of one row, as of other barriers, and no vector",
    "BodySphericalBarrier.compute_qp_inequalities": "the same",
    "FrameNotFound(frames)": "the parameter is called `known` and takes frames or names",
    "JointVelocityTask.compute_error": "Pinker's robot moves against its target, ours with it",
    "JointVelocityTask.compute_qp_objective": "of that error",
    "LowAccelerationTask.set_target": "Pinker's is a posture task, whose target nothing reads",
    "LowAccelerationTask.set_target_from_configuration": "the same",
    "LowAccelerationTask.target_q": "the same",
    "LowAccelerationTask behind a root joint": "Pinker's error is longer than its Jacobian, so that no step is found",
    "ManipulabilityTask.compute_kinematic_hessian": "in LOCAL, Pinker's is not the derivative of the Jacobian there",
    "TaskDefinitionError": "an `InvalidArgument`, too: an argument and a sentence, or a sentence alone",
    "tasks.manipulability_task.check_revolute_path": "all joint kinds are welcome",
}

MODULES = sorted(
    module.name.removeprefix("pinker.")
    for module in pkgutil.walk_packages(pinker.__path__, "pinker.")
    if not module.name.startswith("pinker.kinematics")
)

#: A few roundings; quantities are of order one.
TOLERANCE = 1e-11


def in_module(name):
    """A module of theirs, and ours."""
    return importlib.import_module(f"pinker.{name}"), importlib.import_module(f"pantin.{name}")


def public(module):
    """What a module offers: what it lists, else what it defines."""
    own = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
    return getattr(module, "__all__", None) or [name for name in own if not name.startswith("_")]


CALLABLES = sorted(
    {
        (module, name)
        for module in [
            "configuration",
            "exceptions",
            "limits",
            "barriers",
            "tasks",
            "utils",
            "loaders",
            "solve_ik",
            "visualizer",
        ]
        for name in public(importlib.import_module(f"pinker.{module}"))
        if callable(getattr(importlib.import_module(f"pinker.{module}"), name))
    }
)


def test_the_face_has_each_name_of_pinkers():
    assert set(pinker.__all__) <= set(pantin.__all__)
    for name in pinker.__all__:
        assert callable(getattr(pantin, name)), f"{name} is a module of that name, not what it holds"


@pytest.mark.parametrize("module", MODULES)
def test_modules_carry_the_same_names(module):
    theirs, ours = in_module(module)
    missing = [name for name in public(theirs) if not hasattr(ours, name)]
    assert [name for name in missing if f"{module}.{name}" not in DIFFERENCES] == []


@pytest.mark.parametrize("name", ["tasks", "limits", "barriers"])
def test_packages_list_their_names_in_order(name):
    theirs, ours = in_module(name)
    assert set(theirs.__all__) <= set(ours.__all__)
    assert list(ours.__all__) == sorted(ours.__all__)


@pytest.mark.parametrize(("module", "name"), CALLABLES, ids=lambda word: word)
def test_calls_take_the_same_arguments(module, name):
    one, other = in_module(module)
    theirs, ours = getattr(one, name), getattr(other, name)
    if inspect.isclass(theirs) and issubclass(theirs, Exception):
        if "__init__" in vars(theirs) and f"{name}(frames)" not in DIFFERENCES:
            assert_accepts(ours, theirs, name)
        return
    assert_accepts(ours, theirs, name)
    if inspect.isclass(theirs):
        for member, method in inspect.getmembers(theirs, callable):
            if not member.startswith("_") and f"{name}.{member}" not in DIFFERENCES:
                assert_accepts(getattr(ours, member), method, f"{name}.{member}")


def assert_accepts(ours, theirs, name):
    wanted = parameters(theirs)
    assert any(accepts(given, wanted) for given in signatures(ours)), (name, wanted, signatures(ours))


# -- what objects hold, and what they answer -----------------------------------------------------------


class World:
    """A robot in one package, in a configuration well within its limits."""

    def __init__(self, package, robot, root_joint, here, there):
        self.package = package
        self.robot = package.load_robot_urdf(str(samples.path(robot)), root_joint=root_joint)
        self.model = self.robot.model
        self.here = package.Configuration(self.model, self.robot.data, here)
        self.there = package.Configuration(self.model, self.robot.data, there)

    def __getattr__(self, name):
        """A module of the package."""
        return importlib.import_module(f"{self.package.__name__}.{name}")

    def v(self):
        return np.random.default_rng(7).normal(size=self.model.nv)

    def with_target(self, task, *targets):
        if targets:
            task.set_target(*targets)
        else:
            task.set_target_from_configuration(self.there)
        return task

    def acceleration_limit(self):
        limit = self.limits.AccelerationLimit(self.model, np.linspace(1.0, 3.0, self.model.nv))
        limit.set_last_integration(0.1 * self.v(), 0.01)
        return limit

    def low_acceleration(self):
        task = self.tasks.LowAccelerationTask(cost=0.3)
        task.set_last_integration(0.1 * self.v(), 0.01)
        return task


@functools.cache
def worlds(robot, root_joint):
    """Our world and Pinker's, with one robot."""
    ours = pantin.load_robot_urdf(samples.path(robot), root_joint)
    lower, upper, middle = ours.model.lower_position_limit, ours.model.upper_position_limit, ours.q0.copy()
    root = ours.model.get_root_joint_dim()[0]
    middle[root:] = 0.5 * (lower + upper)[root:]
    random = np.random.default_rng(0)
    places = [integrate(ours.model, middle, 0.05 * random.normal(size=ours.nv)) for _ in range(2)]
    return World(pantin, robot, root_joint, *places), World(pinker, robot, root_joint, *places)


def worlds_of(name):
    """A humanoid, or an arm for what Pinker does with those alone."""
    return worlds("panda", None) if name in OF_ARMS else worlds("humanoid", "free_flyer")


#: What Pinker's classes do not do behind a root joint.
OF_ARMS = ("LowAccelerationTask", "ManipulabilityTask")


def rows(w):
    return np.random.default_rng(3).normal(size=(3, w.model.nv))


THINGS = {
    "Configuration": lambda w: w.here,
    "VectorSpace": lambda w: w.here.tangent,
    "FrameTask": lambda w: w.with_target(w.tasks.FrameTask("left_foot", 2.0, [1, 2, 3], lm_damping=0.1, gain=0.7)),
    "RelativeFrameTask": lambda w: w.with_target(w.tasks.RelativeFrameTask("left_hand", "head", [1.0, 0.0, 2.0], 0.5)),
    "ComTask": lambda w: w.with_target(w.tasks.ComTask([1, 2, 3], lm_damping=0.2)),
    "PostureTask": lambda w: w.with_target(w.tasks.PostureTask(cost=1e-2, gain=0.5)),
    "DampingTask": lambda w: w.tasks.DampingTask(cost=0.2),
    "JointCouplingTask": lambda w: w.tasks.JointCouplingTask(["left_knee", "right_knee"], [1.0, -2.0], 3.0, w.here),
    "JointVelocityTask": lambda w: w.with_target(w.tasks.JointVelocityTask(cost=0.5), w.v()[6:], 0.01),
    "LinearHolonomicTask": lambda w: w.tasks.LinearHolonomicTask(rows(w), np.arange(3.0), w.robot.q0, cost=2.0),
    "LowAccelerationTask": World.low_acceleration,
    "ManipulabilityTask": lambda w: w.tasks.ManipulabilityTask("panda_hand", w.model, cost=0.1, mask="position"),
    "OmniwheelTask": lambda w: w.tasks.OmniwheelTask("left_foot", "universe", 0.1, cost=[1.0, 2.0]),
    "RollingTask": lambda w: w.tasks.RollingTask("left_foot", "universe", 0.1, cost=1.0, gain=0.5, lm_damping=0.1),
    "AccelerationLimit": World.acceleration_limit,
    "ConfigurationLimit": lambda w: w.limits.ConfigurationLimit(w.model, config_limit_gain=0.3),
    "FloatingBaseVelocityLimit": lambda w: w.limits.FloatingBaseVelocityLimit(w.model, None, 0.5, [0.1, 0.2, 0.3]),
    "VelocityLimit": lambda w: w.limits.VelocityLimit(w.model),
    "PositionBarrier": lambda w: w.barriers.PositionBarrier(
        "left_hand", indices=[0, 2], p_min=[-1.0, -2.0], p_max=[1.0, 3.0], gain=[1.0, 2.0, 3.0, 4.0]
    ),
    "BodySphericalBarrier": lambda w: w.barriers.BodySphericalBarrier(("left_hand", "right_hand"), 0.05, gain=10.0),
}


def test_the_things_cover_every_class():
    classes = {name for module, name in CALLABLES if inspect.isclass(getattr(in_module(module)[0], name))}
    exceptions = set(public(importlib.import_module("pinker.exceptions")))
    bases = {"Task", "Limit", "Barrier", "ViserVisualizer"}
    assert classes - exceptions - bases == set(THINGS)


@pytest.mark.parametrize("name", THINGS)
def test_attributes_hold_the_same(name):
    ours, theirs = (THINGS[name](world) for world in worlds_of(name))
    for member in dir(theirs):
        if member.startswith("_") or f"{name}.{member}" in DIFFERENCES:
            continue
        mine, value = getattr(ours, member), getattr(theirs, member)
        if not callable(value) and (numbers := plain(value)) is not None:
            np.testing.assert_allclose(plain(mine), numbers, atol=TOLERANCE, err_msg=f"{name}.{member}")


def plain(value):
    """Numbers of an attribute, or None where it is a thing of its own."""
    if hasattr(value, "homogeneous"):
        return value.homogeneous
    if value is None or isinstance(value, str) or (isinstance(value, (list, tuple)) and isinstance(value[0], str)):
        return None
    numbers = np.asarray(value)
    return numbers if numbers.dtype.kind in "fiub" else None


#: What is asked of each thing that has an answer, with its arguments behind the configuration.
QUESTIONS = {
    "compute_error": (),
    "compute_jacobian": (),
    "compute_qp_objective": (),
    "compute_barrier": (),
    "compute_safe_displacement": (),
    "compute_manipulability": (),
    "compute_kinematic_hessian": (),
    "compute_qp_inequalities": (0.01,),
}


@pytest.mark.parametrize("name", [name for name in THINGS if name not in ("Configuration", "VectorSpace")])
def test_questions_have_the_same_answers(name):
    ours, theirs = (THINGS[name](world) for world in worlds_of(name))
    asked = [question for question in QUESTIONS if hasattr(theirs, question)]
    assert asked
    for question in asked:
        if f"{name}.{question}" not in DIFFERENCES:
            for mine, their in zip(*answers(name, question, ours, theirs), strict=True):
                assert_close(mine, their, f"{name}.{question}")


def answers(name, question, *things):
    """What things of both packages answer, as tuples."""
    for thing, world in zip(things, worlds_of(name), strict=True):
        answer = getattr(thing, question)(world.here, *QUESTIONS[question])
        yield answer if isinstance(answer, tuple) else (answer,)


def assert_close(mine, their, name):
    their = np.asarray(their)
    assert np.shape(mine) == their.shape, name
    scale = max(1.0, np.abs(their).max(initial=0.0))
    np.testing.assert_allclose(mine, their, atol=TOLERANCE * scale, err_msg=name)


# -- the differences, one by one -----------------------------------------------------------------------


def test_a_velocity_is_moved_with_and_not_against():
    name = "JointVelocityTask"
    things = [THINGS[name](world) for world in worlds_of(name)]
    (mine,), (their,) = answers(name, "compute_error", *things)
    assert_close(mine, -their, name)
    (H, c), (their_H, their_c) = answers(name, "compute_qp_objective", *things)
    assert_close(H, their_H, name)
    assert_close(c, -their_c, name)
    wanted = np.concatenate([np.zeros(6), 0.01 * worlds_of(name)[0].v()[6:]])
    np.testing.assert_allclose(np.linalg.lstsq(H, -c)[0], wanted, atol=TOLERANCE)
    assert f"{name}.compute_error" in DIFFERENCES


def test_the_jacobian_of_spheres_is_a_row():
    name = "BodySphericalBarrier"
    ours, theirs = (THINGS[name](world) for world in worlds_of(name))
    (mine,), (their,) = answers(name, "compute_jacobian", ours, theirs)
    assert_close(mine, their[None], name)
    (G, h), (their_G, their_h) = answers(name, "compute_qp_inequalities", ours, theirs)
    assert_close(G, their_G[None], name)
    assert_close(h, their_h, name)
    assert f"{name}.compute_jacobian" in DIFFERENCES


def test_low_accelerations_behind_a_root_joint_have_a_step():
    ours, theirs = (THINGS["LowAccelerationTask"](world) for world in worlds("humanoid", "free_flyer"))
    here, there = (world.here for world in worlds("humanoid", "free_flyer"))
    H, c = ours.compute_qp_objective(here)
    np.testing.assert_allclose(np.linalg.lstsq(H, -c)[0][6:], ours.Delta_q_prev[6:], atol=TOLERANCE)
    with pytest.raises(ValueError, match="mismatch"):
        theirs.compute_qp_objective(there)
    assert "LowAccelerationTask behind a root joint" in DIFFERENCES


def test_kinematic_hessians_are_pinkers_where_axes_stay():
    ours, theirs = worlds("panda", None)
    still = pantin.kinematics.ReferenceFrame.LOCAL_WORLD_ALIGNED
    mine = ours.tasks.ManipulabilityTask("panda_hand", ours.model, reference_frame=still)
    their = theirs.tasks.ManipulabilityTask("panda_hand", theirs.model)  # which turns the axes, and nothing else
    turn = np.kron(np.eye(2), ours.here.get_transform_frame_to_world("panda_hand").rotation)
    assert_close(mine.compute_kinematic_hessian(ours.here), turn @ their.compute_kinematic_hessian(theirs.here), "")
    task = THINGS["ManipulabilityTask"](ours)  # in axes that turn, the three rows of positions
    step = 1e-6
    for joint, direction in enumerate(np.eye(ours.model.nv)):
        before, after = (ours.here.integrate(direction, h).get_frame_jacobian("panda_hand")[:3] for h in (-step, step))
        # a central difference: second order in the step, roundings of order 1e-10
        np.testing.assert_allclose(
            task.compute_kinematic_hessian(ours.here)[joint], (after - before) / (2 * step), atol=1e-8
        )
    assert "ManipulabilityTask.compute_kinematic_hessian" in DIFFERENCES


def test_manipulability_takes_joints_that_slide():
    model = pantin.Model()
    model.add_joint(0, pantin.kinematics.JointModelPX(), pantin.SE3.Identity(), "rail")
    model.add_joint_frame(1)
    pantin.tasks.ManipulabilityTask("rail", model)
    with pytest.raises(ValueError, match="only supports revolute"):
        pinker.tasks.ManipulabilityTask("rail", to_pinker(model))
    assert "tasks.manipulability_task.check_revolute_path" in DIFFERENCES


def test_the_page_tells_each_difference():
    text = PAGE.read_text(encoding="utf-8")
    assert [name for name in DIFFERENCES if f"`{name}`" not in text] == []
