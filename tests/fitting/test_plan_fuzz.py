"""Whatever a plan file holds, findings are all that comes of it."""

import json
import math

import pytest
from hopper import hopper
from hypothesis import given
from hypothesis import strategies as st

from pantin.fitting import BodyPlan, Finding
from pantin.fitting.plan.document import examine
from pantin.fitting.plan.finding import Severity
from pantin.fitting.plan.schema import schema

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.just(10**400),
    st.floats(),
    st.text(max_size=4),
    st.sampled_from(["", "hip", "trunk", "hinge", "\ud800", "x-", "knee", "fot"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["name", "parent", "joints", "dofs", "axis", "x-pantin", "x-y", "oops"]), inner
        )
    ),
    max_leaves=12,
)


def places(value, path=()):
    """Every place in a document."""
    yield path
    for key, entry in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(entry, (*path, key))


PLACES = [place for place in places(hopper()) if place]


@st.composite
def mutated(draw):
    """The hopper with a few things replaced, removed, repeated or added."""
    plan = hopper()
    for _ in range(draw(st.integers(1, 4))):
        *way, last = draw(st.sampled_from(PLACES))
        holder = plan
        try:
            for key in way:
                holder = holder[key]
            change = draw(st.sampled_from(["replace", "remove", "repeat", "add"]))
            if change == "replace":
                holder[last] = draw(VALUES)
            elif change == "remove":
                del holder[last]
            elif change == "repeat" and isinstance(holder, list):
                holder.append(holder[last])
            elif isinstance(holder, dict):
                holder[draw(st.text(max_size=3))] = draw(VALUES)
        except (KeyError, IndexError, TypeError):
            continue  # an earlier change took the place away
    return plan


def assert_findings_are_all(source, **switches):
    """The check gives findings that can be printed; a plan without errors works and survives its file."""
    found = BodyPlan.check(source, **switches)
    assert all(isinstance(finding, Finding) for finding in found)
    for finding in found:
        assert finding.path.startswith("$")
        str(finding).encode()
    if any(finding.severity is Severity.ERROR for finding in found):
        return
    plan = BodyPlan.from_dict(source, **switches)
    assert math.isfinite(plan.length)
    again = BodyPlan.from_dict(json.loads(json.dumps(plan.to_dict())))
    assert again.fingerprint == plan.fingerprint
    assert again.neutral.tobytes() == plan.neutral.tobytes()


@given(mutated(), st.booleans(), st.booleans())
def test_changed_plans(plan, strict, reorder):
    assert_findings_are_all(plan, strict=strict, reorder=reorder)


@given(VALUES)
def test_any_values(value):
    report = examine(value, strict=True, reorder=False)[1]
    assert report.has_errors


@given(st.binary(max_size=60) | st.text(st.sampled_from('{}[]",:\\u08dtrue-+e.0 \n'), max_size=40).map(str.encode))
def test_any_bytes(content):
    document, report = examine(content, strict=True, reorder=False)
    assert document is None
    assert report.has_errors
    for finding in report.findings:
        str(finding).encode()
        assert finding.line >= 1


TEXT = json.dumps(hopper(), indent=1)


@given(
    st.integers(0, len(TEXT)),
    st.integers(0, 9),
    st.sampled_from(["", "}", '"', ",", "1e999", "NaN", "-", "[" * 200, "\\"]),
)
def test_text_that_was_cut_and_pasted(start, length, piece):
    text = TEXT[:start] + piece + TEXT[start + length :]
    document, report = examine(text.encode(), strict=True, reorder=False)
    assert (document is None) == report.has_errors
    try:
        value = json.loads(text)
    except ValueError:
        assert [finding.code for finding in report.findings] == ["not-json"]
        return
    except RecursionError:
        return
    # Python's own reader takes it, so ours does, unless it is too deep
    assert "[" * 101 in text or "not-json" not in {finding.code for finding in report.findings}
    if document is not None:
        assert BodyPlan.from_dict(value).to_dict() == BodyPlan.from_dict(document.content).to_dict()


@given(mutated())
def test_what_the_loader_takes_the_schema_takes(plan):
    jsonschema = pytest.importorskip("jsonschema")
    if not any(finding.severity is Severity.ERROR for finding in BodyPlan.check(plan)):
        jsonschema.validate(plan, schema())
