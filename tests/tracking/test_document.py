"""What is wrong in a document is told with its line, its key and the nearest right one."""

import pickle
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pantin.tracking.document import ScenarioError, read_document

TEXT = """\
# a comment
title = "x"

[scenario]
dt = 0.1
start = { elbow = 1, wrist = '''
[task]
kind = 2''' }

[[task]]
kind = "frame"

[[task]]
# another
kind = "posture"
cost = [
  1,
  2,
]
[task.target]
kind = "line"
"""


@pytest.mark.parametrize(
    ("place", "line"),
    [
        (("title",), 2),
        (("scenario",), 4),
        (("scenario", "dt"), 5),
        (("scenario", "start"), 6),
        (("scenario", "start", "wrist"), 6),
        (("task", 0), 10),
        (("task", 1), 13),
        (("task", 1, "kind"), 15),
        (("task", 1, "cost"), 16),
        (("task", 1, "target"), 20),
        (("task", 1, "target", "kind"), 21),
        (("scenario", "nothing"), 4),
        (("task", 5), 10),
    ],
)
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_places_are_found_in_the_text(place, line, ends):
    section = read_document(TEXT.replace("\n", ends), "a.toml")
    key = place[-1] if isinstance(place[-1], str) else ""
    section.place = place[:-1] if key else place
    with pytest.raises(ScenarioError, match=f"a.toml, line {line}: ") as caught:
        section.refuse(key, "no")
    assert caught.value.line == line
    assert caught.value.key == ".".join(map(str, place))


def test_keys_have_their_kinds():
    section = read_document('dt = 1\nname = ""\nyes = 1\ntask = 3\nsolver = [1]\nkind = "frme"')
    for read, words in (
        (lambda: section.words("dt"), "line 1: dt: expected words in quotes, got 1"),
        (lambda: section.words("name"), "line 2: name: expected words in quotes, got ''"),
        (lambda: section.truth("yes"), "line 3: yes: expected true or false, got 1"),
        (lambda: section.sections("task"), r"line 4: task: expected tables under \[\[task\]\]"),
        (lambda: section.section("solver"), "line 5: solver: expected a table, got a list"),
        (lambda: section.choice("kind", ["frame", "com"]), "line 6: kind: there is no 'frme'; did you mean 'frame'?"),
    ):
        with pytest.raises(ScenarioError, match=words):
            read()


def test_what_is_left_or_missing_is_told():
    section = read_document("duraton = 1\n")
    with pytest.raises(ScenarioError, match=r"line 1: duraton: there is no such key; did you mean 'duration'\?"):
        section.end(["dt", "duration"])
    with pytest.raises(ScenarioError, match=r"line 1: duraton: 'duration' is missing; is it meant here\?"):
        section.need("duration")
    with pytest.raises(ScenarioError, match=r"^'dt' is missing$"):
        section.need("dt")


def test_errors_survive_pickling():
    with pytest.raises(ScenarioError) as caught:
        read_document("dt = ", "b.toml")
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert again.source == "b.toml"


@given(st.text(max_size=60))
def test_any_text_is_a_document_or_refused(text):
    try:
        section = read_document(text)
    except ScenarioError:
        return
    assert section.values == tomllib.loads(text)
    for key in section.values:
        with pytest.raises(ScenarioError) as caught:
            section.refuse(key, "no")
        assert caught.value.line >= 1


def test_documents_nested_without_end_are_refused():
    with pytest.raises(ScenarioError, match="not TOML"):
        read_document("a = " + "[" * 100_000)
