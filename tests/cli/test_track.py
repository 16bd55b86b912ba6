"""`pantin track`: scenarios run from the command line, are told in a table or JSON, drawn and written."""

import json
import signal

import pytest

import pantin.tracking.scenario as running
from pantin.cli import main
from pantin.cli.track import _complete_scenario
from pantin.tracking import shipped

SWAY = """\
[scenario]
dt = 0.01
duration = 0.5
[scenario.start]
shoulder_pan_joint = 0.3
shoulder_lift_joint = -1.2
elbow_joint = 1.5
wrist_1_joint = -1.8
wrist_2_joint = -1.57
[[task]]
kind = "frame"
name = "tool"
frame = "tool0"
position_cost = 1.0
orientation_cost = 1.0
tolerance = 0.01
target = { kind = "sway", by = [0.0, 0.05, 0.0], period = 2.0 }
[[task]]
kind = "posture"
cost = 1e-3
"""


@pytest.fixture
def scenario(tmp_path):
    def write(before="", after=""):
        (tmp_path / "sway.toml").write_text(SWAY.replace(before, after))
        return str(tmp_path / "sway.toml")

    return write


def test_table_lines_up_and_tells_all(scenario, capsys):
    assert main(["track", "ur5e", scenario()]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = out.splitlines()
    assert lines[0] == "sway: ur5e made 50 steps of 10 ms, all as it should be."
    head, *rows = lines[2:6]
    assert head.split() == ["error", "of", "final", "worst", "at", "tolerance"]
    assert [row.split()[:2] for row in rows] == [
        ["tool", "position"],
        ["tool", "rotation"],
        ["posture", rows[2].split()[1]],
    ]
    assert [row.split()[-1] for row in rows] == ["m", "rad", "rad"]
    end = head.index("final") + len("final")
    assert all(row[end - 1] in "0123456789" and row[end] == " " for row in rows)
    for words in ("largest part of a velocity limit", "steps at a limit", "steps solved", "steps per second"):
        assert any(line.startswith(words) for line in lines)


def test_json_has_the_numbers(scenario, capsys):
    assert main(["track", "ur5e", scenario(), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["scenario"], facts["model"], facts["steps"], facts["success"]) == ("sway", "ur5e", 50, True)
    assert facts["duration"] == pytest.approx(0.5)
    assert facts["statuses"] == {"solved": 50}
    assert [(one["task"], one["part"], one["unit"]) for one in facts["errors"]] == [
        ("tool", "position", "m"),
        ("tool", "rotation", "rad"),
        ("posture", "", "rad"),
    ]
    assert facts["errors"][0]["final"] <= facts["errors"][0]["worst"] < facts["errors"][0]["tolerance"] == 0.01
    assert facts["errors"][2]["tolerance"] is None
    assert 0.0 < facts["worst_velocity"]["ratio"] < 1.0
    assert facts["steps_per_second"] > 0.0
    assert (facts["steps_at_limits"], facts["conflicts"]) == (0, {})


def test_what_misses_its_tolerance_is_told_by_the_exit_code(scenario, capsys):
    path = scenario("tolerance = 0.01", "tolerance = 1e-9")
    assert main(["track", "ur5e", path]) == 1
    assert "not all as it should be" in capsys.readouterr().out
    assert main(["track", "ur5e", path, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["success"] is False


def test_files_are_written(scenario, tmp_path, capsys):
    pytest.importorskip("pyarrow")
    pytest.importorskip("matplotlib")
    words = ["track", "ur5e", scenario(), "--out", str(tmp_path / "sway.parquet"), "--plot", str(tmp_path / "sway.svg")]
    assert main(words) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sway.parquet", "sway.svg", "sway.toml"]
    assert (tmp_path / "sway.parquet").read_bytes().startswith(b"PAR1")
    assert "<svg" in (tmp_path / "sway.svg").read_text()


def test_shipped_scenarios_are_listed(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["track", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == shipped.names()
    assert main(["track", "--list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["scenarios"]
    assert [one["name"] for one in listed] == shipped.names()
    for one in listed:
        assert one["about"].endswith(".")
    assert main(["track", "panda", "arm_circle", "--json"]) == 0
    assert _complete_scenario("arm") == ["arm_circle"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["ur5e", "sway.toml", "--out", "sway.csv"], "--out: expected a name that ends in .parquet, got 'sway.csv'"),
        (["ur5e", "sway.toml", "--out", "no/sway.parquet"], "--out: there is no folder"),
        (["ur5e", "sway.toml", "--plot", "sway.gif.txt.x"], "--plot: expected a picture such as"),
        (["ur5e", "away.toml"], "away.toml: there is no such file; did you mean 'sway.toml'?"),
        (["ur5e", "arm_circl"], "arm_circl: there is no such file; did you mean 'arm_circle'?"),
        (["ur5", "sway.toml"], "there is no such file; did you mean the sample 'ur5e'?"),
        (["panda", "sway.toml"], "line 5: start: shoulder_pan_joint: no joint 'shoulder_pan_joint'"),
        (["ur5e"], "SCENARIO: give a model and a scenario; pantin track --list shows those that ship"),
        (["ur5e", "--list"], "--list: lists all scenarios; leave out MODEL and SCENARIO"),
    ],
)
def test_wrong_questions_are_told_in_one_sentence(scenario, words, complaint, tmp_path, capsys, monkeypatch):
    if "--plot" in words:
        pytest.importorskip("matplotlib")
    scenario()
    monkeypatch.chdir(tmp_path)
    assert main(["track", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("pantin: ")
    assert complaint in err
    assert err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["sway.toml"]


def test_ctrl_c_leaves_no_file(scenario, tmp_path, capsys, monkeypatch):
    pytest.importorskip("pyarrow")
    roll = running.roll_out

    def interrupted(rollout, asked, progress):
        def press(done, total):
            progress(done, total)
            signal.raise_signal(signal.SIGINT)

        return roll(rollout, asked, press)

    monkeypatch.setattr(running, "roll_out", interrupted)
    path = scenario()
    assert main(["track", "ur5e", path, "--out", str(tmp_path / "sway.parquet")]) == 130
    assert "interrupted on the way; nothing is written" in capsys.readouterr().err
    assert [entry.name for entry in tmp_path.iterdir()] == ["sway.toml"]
