"""Plans with one fault each: the least that brings out each code, and where and how it is told."""

from __future__ import annotations

import json
from typing import NamedTuple

from hopper import dof, joint


class Bad(NamedTuple):
    """A plan as text, and what is found in it.

    Attributes:
        code: Code of the finding.
        severity: Its severity.
        path: Its JSON path.
        text: The file.
        words: What the message or the hint says, among other things.
    """

    code: str
    severity: str
    path: str
    text: str
    words: str


def swing(**changes):
    """A root, an arm with a hinge, and a tip; fields of the arm and, by `dof_...`, of its hinge changed or removed."""
    hinge = dof("hinge", "z")
    arm = joint("arm", "root", (1, 0, 0), [hinge])
    for key, value in changes.items():
        target, field = (hinge, key[4:]) if key.startswith("dof_") else (arm, key)
        if value is GONE:
            del target[field]
        else:
            target[field] = value
    return [joint("root", None), arm, joint("tip", "arm", (0.5, 0, 0))]


GONE = object()


def text(joints, **more):
    return json.dumps({"joints": joints, **more})


def bad(code, severity, path, joints, words, **more):
    return Bad(code, severity, path, joints if isinstance(joints, str) else text(joints, **more), words)


ARM, HINGE = "$.joints[1]", "$.joints[1].dofs[0]"

BAD_PLANS = [
    bad("not-json", "error", "$", '{"joints": [}', "expected a value, got '}'"),
    bad("not-json", "error", "$", "", "the file is empty"),
    bad("not-json", "error", "$", '{"joints": [1,]}', "remove the comma"),
    bad("not-json", "error", "$", '{"joints": [] // one\n}', "JSON has no comments"),
    bad("not-json", "error", "$", "{'joints': []}", "double quotes"),
    bad("not-json", "error", "$", '{"fixed_base": True}', "JSON writes true"),
    bad("not-json", "error", "$", '{"joints": []} {}', "expected the end of the file"),
    bad("not-json", "error", "$", '{"joints": ["\n"]}', "control character; write \\n for a new line"),
    bad("not-json", "error", "$", '{"joints": ["a]}', "has no end"),
    bad("not-json", "error", "$", '{"joints": ["\\q"]}', "backslash"),
    bad("not-json", "error", "$", '{"joints" []}', "expected ':' after the key 'joints'"),
    bad("not-json", "error", "$", '{"joints": [1 2]}', "expected ',' or ']', got '2]}'"),
    bad("not-json", "error", "$", "[" * 100_000, "more than 100 levels deep"),
    bad(
        "duplicate-key",
        "error",
        "$.fixed_base",
        text(swing(), fixed_base=False)[:-1] + ', "fixed_base": true}',
        "again",
    ),
    bad("missing-field", "error", f"{ARM}.offset_quat", swing(offset_quat=GONE), "joint 'arm': offset_quat is missing"),
    bad("missing-field", "error", "$.joints", "{}", "joints is missing"),
    bad("missing-field", "error", f"{HINGE}.neutral", swing(dof_neutral=GONE), "DOF number 0: neutral is missing"),
    bad("wrong-type", "error", "$", "[]", "the plan: expected an object in braces, got the list []"),
    bad(
        "wrong-type",
        "error",
        "$.fixed_base",
        swing(),
        "fixed_base: expected true or false, got the number 0",
        fixed_base=0,
    ),
    bad("wrong-type", "error", "$.joints", '{"joints": {}}', "joints: expected a list, got the object {}"),
    bad(
        "wrong-type",
        "error",
        "$.joints[3]",
        [*swing(), 7],
        "joint number 3: expected an object in braces, got the number 7",
    ),
    bad(
        "wrong-type",
        "error",
        f"{ARM}.weight_scaler",
        swing(weight_scaler=None),
        "weight_scaler: expected a number, got null",
    ),
    bad("wrong-type", "error", f"{HINGE}.neutral", swing(dof_neutral=True), "neutral: expected a number, got true"),
    bad("wrong-type", "error", f"{HINGE}.neutral", swing(dof_neutral="0.1"), "without quotes"),
    bad("wrong-type", "error", f"{HINGE}.type", swing(dof_type="Hinges"), 'did you mean "hinge"?'),
    bad(
        "wrong-type",
        "error",
        f"{HINGE}.limits",
        swing(dof_limits=1),
        "limits: expected a list of 2 numbers, got the number 1",
    ),
    bad(
        "wrong-type",
        "error",
        f"{ARM}.offset_pos[1]",
        swing(offset_pos=[0, None, 0]),
        "offset_pos[1]: expected a number, got null",
    ),
    bad(
        "wrong-type",
        "error",
        f"{ARM}.name",
        swing(name=["arm"]),
        'name: expected a text in double quotes, got the list ["arm"]',
    ),
    bad("wrong-type", "error", "$['x-note']", swing(), "half a character", **{"x-note": "\ud800"}),
    bad(
        "wrong-length",
        "error",
        f"{ARM}.offset_pos",
        swing(offset_pos=[0, 0]),
        "offset_pos: expected 3 numbers, got 2: [0, 0]",
    ),
    bad("wrong-length", "error", f"{HINGE}.limits", swing(dof_limits=[1]), "limits: expected 2 numbers, got 1: [1]"),
    bad("unknown-field", "error", f"{HINGE}.limit", swing(dof_limit=[0, 1]), 'did you mean "limits"?'),
    bad("unknown-field", "error", "$.version", swing(), "begins with x-", version=1),
    bad(
        "not-finite",
        "error",
        f"{HINGE}.neutral",
        swing(dof_neutral=float("nan")),
        "neutral: expected a finite number, got nan",
    ),
    bad("not-finite", "error", f"{ARM}.offset_pos[2]", swing(offset_pos=[0, 0, float("-inf")]), "got -inf"),
    bad("not-finite", "error", f"{HINGE}.neutral", text(swing(dof_neutral=12321)).replace("12321", "1e999"), "inf"),
    bad("not-finite", "error", f"{HINGE}.neutral", text(swing(dof_neutral=12321)).replace("12321", "1" * 5000), "inf"),
    bad("not-finite", "error", f"{HINGE}.neutral", swing(dof_neutral=10**200), "square overflows"),
    bad("not-finite", "error", "$['x-note'].depth", swing(), "inf", **{"x-note": {"depth": float("inf")}}),
    bad("empty-plan", "error", "$.joints", [], "at least one joint"),
    bad("empty-name", "error", f"{ARM}.name", swing(name=""), "name is empty"),
    bad("empty-name", "error", f"{HINGE}.name", swing(dof_name=""), "name is empty"),
    bad("duplicate-name", "error", "$.joints[3].name", [*swing(), joint("arm", "root")], "joint number 1"),
    bad(
        "duplicate-name",
        "error",
        f"{ARM}.dofs[1]",
        swing(dofs=[dof("hinge", "z", name="a"), dof("hinge", "y", name="a")]),
        "the DOF name 'a' is taken already, by DOF number 0 of joint 'arm'",
    ),
    bad("no-root", "error", "$.joints", [joint("a", "b"), joint("b", "a")], "no joint is the root"),
    bad("two-roots", "error", f"{ARM}.parent", swing(parent=None), "'root' (number 0), 'arm' (number 1)"),
    bad("unknown-parent", "error", f"{ARM}.parent", swing(parent="rot"), 'did you mean "root"?'),
    bad(
        "parent-after-child",
        "error",
        f"{ARM}.parent",
        [joint("root", None), joint("tip", "arm"), joint("arm", "root")],
        "the parent 'arm' comes later, as joint number 2",
    ),
    bad("cycle", "error", f"{ARM}.parent", swing(parent="arm"), "its own parent: 'arm' -> 'arm'"),
    bad(
        "cycle",
        "error",
        f"{ARM}.parent",
        [joint("root", None), joint("a", "b"), joint("b", "c"), joint("c", "a")],
        "'a' -> 'b' -> 'c' -> 'a'",
    ),
    bad("zero-axis", "error", f"{HINGE}.axis", swing(dof_axis=[0, 0, 9e-10]), "has no direction"),
    bad("zero-quaternion", "error", f"{ARM}.offset_quat", swing(offset_quat=[0, 0, 0, 0]), "no rotation"),
    bad("non-unit-quaternion", "note", f"{ARM}.offset_quat", swing(offset_quat=[1.0001, 0, 0, 0]), "norm 1.0001"),
    bad("non-unit-quaternion", "warning", f"{ARM}.offset_quat", swing(offset_quat=[2, 0, 0, 0]), "norm 2;"),
    bad("non-unit-axis", "note", f"{HINGE}.axis", swing(dof_axis=[0, 0, 2]), "length 2"),
    bad("limits-reversed", "error", f"{HINGE}.limits", swing(dof_limits=[1, -1]), "write [-1, 1]"),
    bad(
        "negative-weight",
        "error",
        f"{ARM}.weight_scaler",
        swing(weight_scaler=-1),
        "weight_scaler: expected 0 or more, got -1",
    ),
    bad(
        "negative-weight",
        "error",
        f"{HINGE}.weight_scaler",
        swing(dof_weight_scaler=-0.5),
        "weight_scaler: expected 0 or more, got -0.5",
    ),
    bad("neutral-outside-limits", "warning", f"{HINGE}.neutral", swing(dof_limits=[1, 2]), "neutral is 0, outside"),
    bad("unseen-dof", "warning", HINGE, swing()[:2], "no joint hangs on this one"),
    bad("on-axis", "warning", HINGE, swing(dof_axis=[1, 0, 0]), "lies on the axis"),
    bad(
        "repeated-axis",
        "warning",
        f"{ARM}.dofs[2]",
        swing(dofs=[dof("hinge", "z"), dof("hinge", "y"), dof("hinge", "z")]),
        "the same line as 'arm:0'",
    ),
    bad("locked-dof", "note", f"{HINGE}.limits", swing(dof_limits=[0, 0]), "locked"),
    bad(
        "unknown-name",
        "error",
        "$['x-pantin'].mirror[0][1]",
        swing(),
        "did you mean",
        **{"x-pantin": {"mirror": [["arm", "arms"]]}},
    ),
    bad(
        "unknown-name",
        "error",
        "$['x-pantin'].scale_groups.all[0]",
        swing(),
        "'leg'",
        **{"x-pantin": {"scale_groups": {"all": ["leg"]}}},
    ),
    bad(
        "unknown-name",
        "error",
        "$['x-pantin'].colour.leg",
        swing(),
        "'leg'",
        **{"x-pantin": {"colour": {"leg": "red"}}},
    ),
    bad("unknown-field", "warning", "$['x-pantin'].units", swing(), "did you mean", **{"x-pantin": {"units": "mm"}}),
    bad(
        "wrong-type",
        "error",
        "$['x-pantin'].length_unit",
        swing(),
        'expected one of "m", "cm", "mm", "um", got the text "inch"',
        **{"x-pantin": {"length_unit": "inch"}},
    ),
    bad(
        "wrong-length",
        "error",
        "$['x-pantin'].mirror[0]",
        swing(),
        "expected a list of 2, got 1",
        **{"x-pantin": {"mirror": [["arm"]]}},
    ),
]

#: Codes whose faults a schema can see.
SCHEMA_CODES = {
    "missing-field",
    "wrong-type",
    "wrong-length",
    "unknown-field",
    "empty-plan",
    "empty-name",
    "negative-weight",
}

IDS = [f"{number}-{case.code}" for number, case in enumerate(BAD_PLANS)]
