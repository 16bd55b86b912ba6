"""What is wrong with a body plan is told all at once, with codes, places and mends."""

import json

import numpy as np
import pytest
from bad_plans import BAD_PLANS, IDS, SCHEMA_CODES, swing
from hopper import dof, hopper, joint

from pantin.errors import InvalidArgument, InvalidModel, ModelFileError, ModelFileNotFound
from pantin.fitting import BodyPlan, BodyPlanError
from pantin.fitting.plan.finding import Severity
from pantin.fitting.plan.schema import SHIPPED, schema, schema_text

#: Every code there is, with the severities it comes in.
CODES = {
    "not-json": "error",
    "duplicate-key": "error",
    "missing-field": "error",
    "wrong-type": "error",
    "wrong-length": "error",
    "unknown-field": "error warning",
    "not-finite": "error",
    "empty-plan": "error",
    "empty-name": "error",
    "duplicate-name": "error",
    "no-root": "error",
    "two-roots": "error",
    "unknown-parent": "error",
    "parent-after-child": "error",
    "cycle": "error",
    "zero-axis": "error",
    "zero-quaternion": "error",
    "non-unit-quaternion": "note warning",
    "non-unit-axis": "note",
    "limits-reversed": "error",
    "negative-weight": "error",
    "neutral-outside-limits": "warning",
    "unseen-dof": "warning",
    "on-axis": "warning",
    "repeated-axis": "warning",
    "locked-dof": "note",
    "unknown-name": "error",
}


def written(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def codes(findings):
    return [finding.code for finding in findings]


def test_every_code_has_a_plan_that_brings_it_out():
    shown = {code: " ".join(sorted({bad.severity for bad in BAD_PLANS if bad.code == code})) for code in CODES}
    assert shown == CODES


@pytest.mark.parametrize("bad", BAD_PLANS, ids=IDS)
def test_a_fault_is_told_with_its_place_and_words(bad, tmp_path):
    path = written(tmp_path / "plan.json", bad.text)
    found = [finding for finding in BodyPlan.check(path) if finding.code == bad.code]
    finding = next(finding for finding in found if finding.path == bad.path)
    assert finding.severity == bad.severity
    assert bad.words in f"{finding.message}; {finding.hint}"
    assert finding.line is not None
    assert finding.column is not None


@pytest.mark.parametrize("bad", BAD_PLANS, ids=IDS)
def test_one_fault_gives_one_finding(bad, tmp_path):
    found = BodyPlan.check(written(tmp_path / "plan.json", bad.text))
    if bad.code == "no-root":
        assert codes(found) == ["no-root", "cycle"]  # without a root they go round
    elif bad.path.endswith("joints[1].name") and bad.code in {"empty-name", "wrong-type"}:
        assert codes(found) == [bad.code, "unknown-parent"]  # nothing can hang on a joint without a name
    else:
        assert codes(found) == [bad.code]


@pytest.mark.parametrize("bad", BAD_PLANS, ids=IDS)
def test_errors_are_raised_and_others_kept(bad, tmp_path):
    path = written(tmp_path / "plan.json", bad.text)
    if bad.severity == "error":
        with pytest.raises(BodyPlanError) as caught:
            BodyPlan.load(path)
        assert caught.value.findings == BodyPlan.check(path)
        assert caught.value.source == str(path)
        assert isinstance(caught.value, InvalidModel)
    else:
        assert BodyPlan.load(path).findings == BodyPlan.check(path)
        assert bad.code in codes(BodyPlan.load(path).findings)


def test_the_hopper_is_without_fault():
    assert BodyPlan.check(hopper()) == ()


def test_five_faults_are_told_together():
    plan = hopper()
    joints = plan["joints"]
    joints[1]["dofs"][0]["axis"] = [0, 0, 0]
    joints[2]["dofs"][0]["limits"] = [2.5, 0.0]
    joints[2]["offset_pos"] = [0, 0]
    joints[3]["parent"] = "kneee"
    joints[4]["dofs"][0]["weight_scaler"] = -1
    found = BodyPlan.check(plan)
    errors = [finding for finding in found if finding.severity is Severity.ERROR]
    assert [(finding.code, finding.path) for finding in errors] == [
        ("zero-axis", "$.joints[1].dofs[0].axis"),
        ("wrong-length", "$.joints[2].offset_pos"),
        ("limits-reversed", "$.joints[2].dofs[0].limits"),
        ("negative-weight", "$.joints[4].dofs[0].weight_scaler"),
        ("unknown-parent", "$.joints[3].parent"),
    ]
    assert errors[0].message == "joint 'hip', DOF 'hip_yaw': axis [0, 0, 0] has no direction"
    with pytest.raises(BodyPlanError) as caught:
        BodyPlan.from_dict(plan)
    assert str(caught.value).startswith("the body plan has 5 errors:\n  error zero-axis at $.joints[1].dofs[0].axis: ")
    assert all(finding.code in str(caught.value) for finding in errors)


def test_errors_come_first():
    plan = hopper()
    plan["joints"][2]["dofs"][0]["neutral"] = 9
    plan["joints"][4]["dofs"][0]["axis"] = [0, 0, 0]
    assert codes(BodyPlan.check(plan)) == ["zero-axis", "neutral-outside-limits"]


def test_line_and_column_of_a_file(tmp_path):
    text = '{\n  "joints": [\n    {"name": "a", "parent": null,\n     "name": "b"}\n]}\n'
    found = BodyPlan.check(written(tmp_path / "plan.json", text))
    places = {(finding.code, finding.path): (finding.line, finding.column) for finding in found}
    assert places["duplicate-key", "$.joints[0].name"] == (4, 6)
    assert places["missing-field", "$.joints[0].dofs"] == (3, 5)
    (finding,) = [finding for finding in found if finding.code == "duplicate-key"]
    assert "line 3, column 6" in finding.message
    (finding,) = BodyPlan.check(written(tmp_path / "plan.json", '{\n  "joints": [,]}'))
    assert (finding.line, finding.column) == (2, 14)
    assert BodyPlan.check({"joints": []})[0].line is None


def test_a_key_that_occurs_twice_within_one_is_told_too(tmp_path):
    found = BodyPlan.check(written(tmp_path / "plan.json", '{"joints": [], "joints": [{"a": 1, "a": 2}]}'))
    paths = [finding.path for finding in found if finding.code == "duplicate-key"]
    assert sorted(paths) == ["$.joints", "$.joints[0].a"]


def test_unknown_fields_are_warnings_where_not_strict(tmp_path):
    plan = hopper()
    plan["joints"][1]["dofs"][0]["limit"] = [0, 1]
    path = written(tmp_path / "plan.json", json.dumps(plan))
    (finding,) = BodyPlan.check(path, strict=False)
    assert (finding.severity, finding.code) == (Severity.WARNING, "unknown-field")
    assert "it is ignored" in finding.message
    assert BodyPlan.load(path, strict=False) == BodyPlan.from_dict(hopper())


def test_a_cycle_is_told_once_and_in_full_though_others_hang_on_it():
    joints = [joint("root", None), joint("d", "a"), joint("a", "c"), joint("b", "a"), joint("c", "b")]
    found = BodyPlan.check({"joints": joints})
    assert codes(found) == ["cycle", "parent-after-child"]
    assert "'a' -> 'c' -> 'b' -> 'a'" in found[0].message


def test_two_cycles_are_told_apart():
    joints = [joint("root", None), joint("a", "a"), joint("b", "c"), joint("c", "b")]
    assert codes(BodyPlan.check({"joints": joints})) == ["cycle", "cycle"]


def test_hinges_on_parallel_lines_that_are_apart_show_both_angles():
    dofs = [dof("hinge", "z"), dof("slide", "x", 0.2), dof("hinge", "z")]
    assert BodyPlan.check({"joints": swing(dofs=dofs)}) == ()


def test_vectors_that_are_short_by_rounding_are_no_finding():
    assert BodyPlan.check({"joints": swing(dof_axis=[0.70710678, 0.70710678, 0])}) == ()


def test_numpy_values_and_tuples_are_welcome_and_others_are_told():
    plan = hopper()
    plan["joints"][1]["offset_pos"] = np.array([0.10, 0.05, 0])
    plan["joints"][2]["offset_pos"] = (0, np.float64(0), np.float32(-0.5))
    plan["joints"] = tuple(plan["joints"])
    assert BodyPlan.from_dict(plan).offset_pos[2].tolist() == [0, 0, -0.5]
    plan["x-set"] = {1, 2}
    plan["joints"][0]["x-map"] = {3: "three"}
    endless = plan["x-endless"] = []
    endless.append(endless)
    found = BodyPlan.check(plan)
    assert codes(found) == ["wrong-type"] * 3
    assert "JSON has no word for a set" in " ".join(finding.message for finding in found)


def test_a_file_that_is_not_there_is_told_with_the_nearest(tmp_path):
    written(tmp_path / "walker.json", "{}")
    with pytest.raises(ModelFileNotFound, match=r"did you mean 'walker\.json'"):
        BodyPlan.load(tmp_path / "walkr.json")
    with pytest.raises(ModelFileError, match="cannot be read"):
        BodyPlan.check(tmp_path)
    with pytest.raises(ModelFileError, match="cannot be read"):
        BodyPlan.load("nul\0")
    with pytest.raises(InvalidArgument, match="expected a file, got a int"):
        BodyPlan.load(3)


def test_text_that_is_not_utf8_is_told_with_its_place(tmp_path):
    path = tmp_path / "plan.json"
    path.write_bytes(b'{\n "x-name": "M\xfccke"}')
    (finding,) = BodyPlan.check(path)
    assert (finding.code, finding.line, finding.column) == ("not-json", 2, 14)
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(hopper()).encode())
    assert BodyPlan.load(path) == BodyPlan.from_dict(hopper())


def test_the_shipped_schema_is_that_of_the_tables():
    assert SHIPPED.read_text(encoding="utf-8") == schema_text()


def test_the_schema_is_a_schema():
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(schema())


JUDGED = [bad for bad in BAD_PLANS if bad.code not in {"not-json", "not-finite"} and "ud800" not in bad.text]


@pytest.mark.parametrize("bad", JUDGED, ids=lambda bad: bad.code)
def test_schema_and_loader_agree_on_values(bad):
    jsonschema = pytest.importorskip("jsonschema")
    valid = jsonschema.Draft202012Validator(schema()).is_valid(json.loads(bad.text))
    assert valid == (bad.code not in SCHEMA_CODES or bad.severity != "error")


def test_schema_and_loader_take_the_hopper():
    jsonschema = pytest.importorskip("jsonschema")
    assert jsonschema.Draft202012Validator(schema()).is_valid(hopper())
