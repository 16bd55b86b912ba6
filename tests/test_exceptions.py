"""Pinker's and Pink's names of errors: one family, with their facts, and whole after a journey."""

from __future__ import annotations

import copy
import inspect
import pickle

import numpy as np
import pytest

import pantin
from pantin import exceptions
from pantin.errors import InvalidArgument, PantinError, UnknownFrame

qpsolvers = pytest.importorskip("qpsolvers")
CLASSES = [getattr(exceptions, name) for name in exceptions.__all__]


def program():
    """The smallest quadratic program, and what a solver says that found nothing."""
    problem = qpsolvers.Problem(np.eye(1), np.ones(1))
    return problem, qpsolvers.Solution(problem, found=False)


EXAMPLES = {
    exceptions.FrameNotFound: lambda: exceptions.FrameNotFound("tol0", ["base", "tool0"]),
    exceptions.NoSolutionFound: lambda: exceptions.NoSolutionFound(*program()),
    exceptions.NotWithinConfigurationLimits: lambda: exceptions.NotWithinConfigurationLimits(
        3, 2.5, -1.0, 2.0, name="elbow"
    ),
    exceptions.TaskDefinitionError: lambda: exceptions.TaskDefinitionError("cost", "expected 6 numbers, got 2"),
    exceptions.InvalidCollisionPairs: lambda: exceptions.InvalidCollisionPairs("no pairs"),
    exceptions.NegativeMinimumDistance: lambda: exceptions.NegativeMinimumDistance("d_min is -1"),
    exceptions.NoPositionLimitProvided: lambda: exceptions.NoPositionLimitProvided("neither p_min nor p_max"),
    exceptions.TargetNotSet: lambda: exceptions.TargetNotSet("no target"),
    exceptions.TaskJacobianNotSet: exceptions.TaskJacobianNotSet,
}


def test_each_name_of_pinker_is_here_and_the_two_that_pink_has_besides():
    theirs = pytest.importorskip("pinker.exceptions")
    names = {name for name, thing in vars(theirs).items() if inspect.isclass(thing)}
    assert len(names) > 9
    assert names | {"PinkError", "ConfigurationError"} == set(exceptions.__all__)


@pytest.mark.parametrize("cls", CLASSES, ids=exceptions.__all__)
def test_either_family_catches_each(cls):
    assert issubclass(cls, PantinError)
    assert exceptions.PinkerError is exceptions.PinkError is PantinError
    assert cls is PantinError or issubclass(cls, (ValueError, RuntimeError))


@pytest.mark.parametrize("duplicate", [lambda e: pickle.loads(pickle.dumps(e)), copy.copy, copy.deepcopy])
@pytest.mark.parametrize("cls", EXAMPLES, ids=lambda cls: cls.__name__)
def test_they_survive_the_way_to_another_process(cls, duplicate):
    error = EXAMPLES[cls]()
    again = duplicate(error)
    assert type(again) is cls
    assert str(again) == str(error) == again.message
    assert set(vars(again)) == set(vars(error))
    assert [fact for name, fact in vars(again).items() if not same(fact, vars(error)[name])] == []


def same(one, other):
    """Equal, or of one type where the type knows no equality."""
    return one == other or (type(one) is type(other) and type(one).__module__.startswith("qpsolvers"))


def test_facts_are_attributes():
    error = EXAMPLES[exceptions.NotWithinConfigurationLimits]()
    assert (error.joint, error.value, error.lower, error.upper) == (3, 2.5, -1.0, 2.0)
    assert error.message == "q[3] of joint 'elbow' is 2.5, outside its limits [-1, 2]"
    problem, results = program()
    error = exceptions.NoSolutionFound(problem, results)
    assert error.problem is problem
    assert error.results is results


def test_a_task_is_defined_wrongly_in_one_sentence_or_about_one_argument():
    assert str(exceptions.TaskDefinitionError("no rows at all")) == "task: no rows at all"
    error = exceptions.TaskDefinitionError("cost", "expected 6 numbers, got 2")
    assert (error.argument, str(error)) == ("cost", "cost: expected 6 numbers, got 2")
    assert isinstance(error, InvalidArgument)


def test_frames_may_stand_for_their_names():
    frames = pantin.load("panda").frames
    error = exceptions.FrameNotFound("panda_hnad", frames)
    assert (error.name, error.nearest) == ("panda_hnad", "panda_hand")
    with pytest.raises(exceptions.FrameNotFound) as refusal:
        pantin.load("panda").get_frame_id("nowhere")
    assert type(refusal.value) is UnknownFrame
