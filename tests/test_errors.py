"""Errors are one family, are the built-ins that they refine, carry their facts and survive pickling."""

from __future__ import annotations

import copy
import inspect
import pickle

import pytest

from pantin import errors
from pantin.errors import (
    InvalidArgument,
    InvalidModel,
    MissingExtra,
    ModelFileError,
    PantinError,
    StaleData,
    UnknownFrame,
    UnknownJoint,
    UnknownName,
)

EXAMPLES = {
    InvalidArgument: InvalidArgument("q", "expected 3 numbers"),
    InvalidModel: InvalidModel("two roots"),
    MissingExtra: MissingExtra("mujoco", "mjcf", "reading MJCF"),
    ModelFileError: ModelFileError("no <robot>", "arm.urdf"),
    PantinError: PantinError("anything"),
    StaleData: StaleData("made before an edit"),
    UnknownFrame: UnknownFrame("tol0", ["base", "tool0"]),
    UnknownJoint: UnknownJoint(7, 3),
    UnknownName: UnknownName("x", ["y"]),
}


@pytest.mark.parametrize("name", errors.__all__)
def test_every_public_error_is_of_the_family(name):
    cls = getattr(errors, name)
    if inspect.isclass(cls) and issubclass(cls, Exception) and not issubclass(cls, Warning):
        assert issubclass(cls, PantinError)


@pytest.mark.parametrize(
    ("cls", "builtins"),
    [
        (InvalidArgument, [ValueError]),
        (UnknownFrame, [LookupError, ValueError]),
        (UnknownJoint, [LookupError, ValueError]),
        (InvalidModel, [ValueError]),
        (ModelFileError, [InvalidModel, ValueError]),
        (StaleData, [ValueError]),
        (MissingExtra, [ImportError]),
    ],
)
def test_errors_are_the_built_ins_that_they_refine(cls, builtins):
    for builtin in builtins:
        assert issubclass(cls, builtin)


@pytest.mark.parametrize("error", EXAMPLES.values(), ids=[cls.__name__ for cls in EXAMPLES])
@pytest.mark.parametrize("duplicate", [lambda e: pickle.loads(pickle.dumps(e)), copy.copy, copy.deepcopy])
def test_errors_survive_the_way_to_another_process(error, duplicate):
    again = duplicate(error)
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)


def test_messages_name_the_thing_and_the_mend():
    assert str(EXAMPLES[InvalidArgument]) == "q: expected 3 numbers"
    assert str(EXAMPLES[UnknownFrame]) == "no frame 'tol0'; did you mean 'tool0'?"
    assert str(EXAMPLES[UnknownJoint]) == "no joint 7; they are numbered 0 to 2"
    assert str(EXAMPLES[ModelFileError]) == "arm.urdf: no <robot>"
    assert "pip install 'pantin[mjcf]'" in str(EXAMPLES[MissingExtra])


def test_errors_carry_their_facts():
    assert EXAMPLES[InvalidArgument].argument == "q"
    assert EXAMPLES[UnknownFrame].name == "tol0"
    assert EXAMPLES[UnknownFrame].nearest == "tool0"
    assert EXAMPLES[UnknownJoint].nearest is None
    assert EXAMPLES[MissingExtra].extra == "mjcf"
    assert EXAMPLES[ModelFileError].source == "arm.urdf"


def test_a_name_like_no_other_lists_what_there_is():
    error = UnknownFrame("zzz", [f"link_{i}" for i in range(20)])
    assert error.nearest is None
    assert "there is 'link_0', 'link_1'" in str(error)
    assert str(error).endswith("...")


@pytest.mark.parametrize("name", [None, 3.5, ("a",), b"x", "", "é" * 1000])
def test_any_thing_can_be_an_unknown_name(name):
    assert repr(name) in str(UnknownFrame(name, ["base"]))
    assert repr(name) in str(UnknownFrame(name, []))
    assert repr(name) in str(UnknownFrame(name, 0))
