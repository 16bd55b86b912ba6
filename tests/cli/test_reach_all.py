"""`pantin reach --all`: every solution as a row, each of them one by the model's own kinematics."""

import csv
import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest

import pantin
import pantin.kinematics as kin
from pantin.cli import main
from pantin.kinematics.batch import frame_placements

PLACE, RPY = ["0.4", "0.1", "0.5"], ["3", "0.2", "0.1"]
UR5E = ["reach", "ur5e", "--frame", "tool0", "--position", *PLACE, "--rpy", *RPY, "--all"]
PANDA = ["reach", "panda", "--frame", "panda_hand", "--position", *PLACE, "--all"]
TARGET = pantin.SE3(kin.rpy_to_matrix(*map(float, RPY)), np.array([*map(float, PLACE)]))


def facts(capsys, *words):
    assert main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_every_branch_of_a_closed_form_is_listed(capsys):
    model = pantin.load("ur5e")
    shown = facts(capsys, *UR5E)
    assert shown["complete"] is True
    found = np.array([one["q"] for one in shown["solutions"]])
    branches = pantin.closed_form(model, "tool0").solutions(TARGET)
    assert len(found) == len(branches) == 8
    assert max(np.abs(branches - q).max(axis=1).min() for q in found) < 1e-9
    assert np.abs(frame_placements(model, "tool0", found) - TARGET.homogeneous).max() < 1e-9


def test_table_has_a_row_for_each_and_their_numbers(capsys):
    shown = facts(capsys, *UR5E)["solutions"]
    assert main(UR5E) == 0
    text = capsys.readouterr().out
    assert text.startswith("tool0 is reached: 8 solutions, all there are, whole turns aside.\nClosed form: ")
    rows = [line.split() for line in text.splitlines() if line[:1].isdigit()]
    assert [row[0] for row in rows] == [str(i) for i in range(1, 9)]
    for row, one in zip(rows, shown, strict=True):
        expected = [*one["joints"].values(), one["seed_distance"]]
        assert np.allclose([float(cell) for cell in row[1:]], expected, atol=5.1e-5)  # four decimals
    distances = [one["seed_distance"] for one in shown]
    assert distances == sorted(distances)


def test_page_shows_what_is_printed(capsys):
    page = (Path(__file__).parents[2] / "docs" / "commands.md").read_text(encoding="utf-8")
    ((words, shown),) = re.findall(r"^\$ pantin (reach [^\n]* --all)\n(.*?)^```$", page, flags=re.DOTALL | re.MULTILINE)
    assert main(shlex.split(words)) == 0
    assert capsys.readouterr().out == shown


def test_whole_turns_are_variants_within_limits(capsys):
    model = pantin.load("ur5e")
    shown = facts(capsys, *UR5E, "--whole-turns")["solutions"]
    assert len(shown) > 8
    found = np.array([one["q"] for one in shown])
    assert np.all((found >= model.lower_position_limit) & (found <= model.upper_position_limit))
    assert np.abs(frame_placements(model, "tool0", found) - TARGET.homogeneous).max() < 1e-9
    main([*UR5E, "--whole-turns"])
    assert f"{len(shown)} solutions, all there are.\n" in capsys.readouterr().out


def test_a_redundant_arm_gives_a_sample(capsys):
    model = pantin.load("panda")
    shown = facts(capsys, *PANDA)
    assert shown["complete"] is False
    found = np.array([one["q"] for one in shown["solutions"]])
    assert len(found) > 8
    assert np.abs(frame_placements(model, "panda_hand", found)[:, :3, 3] - TARGET.translation).max() < 2e-6
    assert "rotation_error" not in shown["solutions"][0]


def test_solutions_are_written_whole(capsys, tmp_path):
    shown = facts(capsys, *UR5E, "--out", str(tmp_path / "all.csv"))["solutions"]
    with open(tmp_path / "all.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [[float(row[name]) for name in shown[0]["joints"]] for row in rows] == [one["q"] for one in shown]
    assert list(rows[0])[:3] == ["seed_distance", "position_error", "rotation_error"]


def test_table_shows_the_joints_that_move_the_frame(capsys):
    words = ["reach", "biped", "-f", "left_sole", "-p", "0.1", "0.1", "-0.5", "--all"]
    assert main(words) == 0
    heading = "".join(capsys.readouterr().out.splitlines()[3:8])
    assert "left_" in heading
    assert "right_" not in heading


@pytest.mark.parametrize("words", [[], ["--json"]])
def test_no_solution_exits_1(capsys, words):
    assert main(["reach", "ur5e", "-f", "tool0", "-p", "4", "0", "0", "--rpy", "0", "0", "0", "--all", *words]) == 1
    out = capsys.readouterr().out
    assert ("there is no solution within limits" in out) if not words else (json.loads(out)["solutions"] == [])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--plot", "arm.png"], "--plot: shows one answer; leave out --all"),
        (["--out", "all.txt"], "expected a name that ends in .csv or .parquet"),
        (["--targets", "poses.csv"], "belongs to a single target"),
        (["--mode", "position"], "position leaves the rotation open"),
    ],
)
def test_what_does_not_go_with_all_is_one_sentence(capsys, words, sentence):
    assert main([*UR5E, *words]) == 2
    assert sentence in capsys.readouterr().err


def test_whole_turns_belong_to_all(capsys):
    assert main([*PANDA[:-1], "--whole-turns"]) == 2
    assert "--whole-turns: belongs to --all" in capsys.readouterr().err
