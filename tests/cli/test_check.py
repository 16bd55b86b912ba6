"""`pantin check`: findings about a body plan, in lines that line up."""

import json
import os
import pty
import subprocess
import sys

import pytest

from pantin.cli import main

SOUND = """{"joints": [
  {"name": "root", "parent": null, "offset_pos": [0, 0, 0], "offset_quat": [1, 0, 0, 0], "dofs": []},
  {"name": "arm", "parent": "root", "offset_pos": [0, 0, 1], "offset_quat": [1, 0, 0, 0], "dofs": [
    {"type": "hinge", "axis": [0, 0, 1], "neutral": 0, "limits": [-1, 1]}]},
  {"name": "tip", "parent": "arm", "offset_pos": [1, 0, 0], "offset_quat": [1, 0, 0, 0], "dofs": []}]}
"""


@pytest.fixture
def checked(capsys, tmp_path):
    """Exit code and output of a check of a plan's text."""

    def check(text, *options):
        path = tmp_path / "plan.json"
        path.write_text(text, encoding="utf-8")
        code = main(["check", str(path), *options])
        return code, capsys.readouterr().out

    return check


def test_a_sound_plan_is_told_in_a_sentence(checked):
    assert checked(SOUND) == (0, "plan.json is a body plan of 3 joints and 1 DOF with a free base.\n")


def test_errors_are_listed_with_places_and_mends(checked):
    code, text = checked(SOUND.replace('"limits"', '"limit"').replace('"parent": "arm"', '"parent": "arms"'))
    assert code == 1
    lines = text.splitlines()
    assert lines[:2] == ["plan.json has 2 errors and 1 warning.", ""]
    assert [line.split()[:3] for line in lines[3:]] == [
        ["error", "unknown-field", "4:56"],
        ["error", "unknown-parent", "5:19"],
        ["warning", "unseen-dof", "4:5"],
    ]
    assert lines[3].endswith("""joint 'arm', DOF number 0: there is no field "limit"; did you mean "limits"?""")
    start = lines[2].index("what, and what to do")
    assert all(line[start - 2 : start] == "  " and line[start] == "j" for line in lines[3:])
    assert "\x1b" not in text


def test_warnings_alone_are_no_failure(checked):
    code, text = checked(SOUND.replace("[-1, 1]", "[1, 1]").replace("[0, 0, 1], ", "[0, 0, 2], "))
    assert code == 0
    assert text.splitlines()[0].endswith("with a free base; it has 1 warning and 2 notes.")


def test_switches_forgive_fields_and_order(checked):
    content = json.loads(SOUND.replace('"limits"', '"limit"'))
    content["joints"].reverse()
    text = json.dumps(content)
    for options in ([], ["--lenient"], ["--reorder"]):
        assert checked(text, *options)[0] == 1
    code, out = checked(text, "--lenient", "--reorder")
    assert code == 0
    assert "it has 1 warning" in out


def test_json_tells_the_same(checked):
    code, out = checked(SOUND.replace('"limits": [-1, 1]', '"limits": [1, -1]'), "--json")
    facts = json.loads(out)
    assert code == 1
    assert {key: facts[key] for key in ("usable", "errors", "warnings", "notes")} == {
        "usable": False,
        "errors": 1,
        "warnings": 0,
        "notes": 0,
    }
    (finding,) = facts["findings"]
    assert finding["code"] == "limits-reversed"
    assert finding["path"] == "$.joints[1].dofs[0].limits"
    assert (finding["line"], finding["column"]) == (4, 56)
    assert finding["hint"] == "write [-1, 1]"
    code, out = checked(SOUND, "--json")
    assert (code, json.loads(out)["usable"], json.loads(out)["findings"]) == (0, True, [])


def test_text_that_is_no_json_is_an_error_of_the_plan(checked):
    code, out = checked("joints: none")
    assert code == 1
    assert "not-json" in out


def test_a_file_that_is_not_there_is_a_wrong_question(capsys, tmp_path):
    assert main(["check", str(tmp_path / "none.json")]) == 2
    streams = capsys.readouterr()
    assert streams.out == ""
    assert streams.err.startswith("pantin: ")
    assert "there is no such file" in streams.err
    assert main(["check", str(tmp_path)]) == 2


def test_a_screen_has_colours_and_lines_that_fit(tmp_path):
    path = tmp_path / "plan.json"
    path.write_text(SOUND.replace('"limits": [-1, 1]', '"limits": [1, -1]'), encoding="utf-8")
    screen, end = pty.openpty()
    environment = {**os.environ, "COLUMNS": "60", "TERM": "xterm"}
    environment.pop("NO_COLOR", None)
    words = [sys.executable, "-m", "pantin", "check", str(path)]
    with subprocess.Popen(words, stdout=end, env=environment) as process:
        assert process.wait() == 1
    os.close(end)
    text = os.read(screen, 10_000).decode()
    os.close(screen)
    assert "\x1b[1;31merror" in text
    plain = text.replace("\r", "")
    for mark in ("\x1b[1;31m", "\x1b[1m", "\x1b[0m", "\x1b[3m"):
        plain = plain.replace(mark, "")
    assert max(map(len, plain.splitlines())) <= 60
    assert "write [-1, 1]" in plain


def test_help_shows_an_example(capsys):
    assert main(["check", "--help"]) == 0
    assert "pantin check mouse.json" in capsys.readouterr().out
    assert main(["--help"]) == 0
    assert "pantin check" in capsys.readouterr().out
