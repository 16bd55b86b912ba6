"""`pantin bench reach`: figures that belong together, a table that lines up, and wrong questions in one sentence."""

import json

import pytest

from pantin import _core
from pantin.cli import main

WORDS = ["bench", "reach", "panda", "--frame", "panda_hand", "--count", "50"]
KINDS = ["cold", "from nearby", "cold, in a batch", "from nearby, in a batch"]


def facts(capsys, *words):
    assert main([*WORDS, *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("mode", ["pose", "position", "orientation", "axis", "direction", "pointing"])
def test_every_target_is_reached_and_counted(capsys, mode):
    shown = facts(capsys, "--mode", mode)
    assert (shown["mode"], shown["count"], shown["threads"]) == (mode, 50, 1)
    assert shown["level"] == _core.level()
    assert sum(shown["cold_histogram"]["count"]) == 50
    for kind in KINDS:
        figures = shown[kind.replace(", ", "_").replace(" ", "_")]
        assert figures["success_rate"] == 1.0
        assert figures["mean_us"] > 0
    assert 0 < shown["cold"]["median_us"] <= shown["cold"]["p99_us"]
    assert shown["cold"]["p99_us"] >= shown["cold_histogram"]["from_us"][0]


def test_questions_are_chosen_by_the_random_seed():
    import numpy as np

    import pantin
    from pantin.cli._question import Question
    from pantin.cli.bench import _questions
    from pantin.kinematics.batch import frame_placements

    question = Question(pantin.load("biped"), "left_sole", "pose", "right_sole", {})
    targets, seeds = _questions(question, 20, np.random.default_rng(1))
    again, _ = _questions(question, 20, np.random.default_rng(1))
    other, _ = _questions(question, 20, np.random.default_rng(2))
    assert np.array_equal(targets, again)
    assert not np.array_equal(targets, other)
    assert np.all(seeds >= question.model.lower_position_limit)
    assert np.all(seeds <= question.model.upper_position_limit)
    root, frame = (frame_placements(question.model, name, seeds) for name in ("right_sole", "left_sole"))
    apart = np.abs(np.linalg.inv(root) @ frame - targets).max(axis=(1, 2))
    assert 0 < apart.max() < 0.5  # twelve joints that move by 0.02 rad or so


def test_table_lines_up_and_states_the_machine(capsys):
    assert main([*WORDS, "--threads", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "panda_hand of panda, mode pose: 50 random targets within limits"
    assert f"level {_core.level()}, 1 thread, batches 2; us per target" in lines[1]
    table = lines[3:8]
    assert table[0].split() == ["median", "mean", "p99", "reached"]
    assert len({len(line) for line in table}) == 1
    mean = table[0].index("mean") + 4
    for line, kind in zip(table[1:], KINDS, strict=True):
        assert line.startswith(kind + " ")
        assert float(line[:mean].split()[-1]) > 0
        assert line.endswith("100.00 %")
    bars = lines[10:]
    assert len(bars) == 10
    assert sum(int(line.split()[2]) for line in bars) == 50
    assert len({line.index("from") + len("from ") + len(line.split()[1]) for line in bars}) == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--frame", "panda_hamd"], "no frame 'panda_hamd'; did you mean 'panda_hand'?"),
        (["--frame", "universe"], "no joint moves 'universe'"),
        (["--mode", "pos"], "--mode: expected one of pose, position, orientation"),
        (["--mode", "rcm"], "--mode: rcm has no random targets"),
        (["--count", "1"], "count"),
        (["--root", "panda_hand"], "no joint moves 'panda_hand'"),
    ],
)
def test_wrong_question_is_one_sentence(capsys, words, sentence):
    assert main([*WORDS, *words]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert sentence in shown.err
    assert len(shown.err.splitlines()) == 1


def test_model_without_joints_is_one_sentence(capsys, tmp_path):
    robot = tmp_path / "stone.urdf"
    robot.write_text("<robot name='stone'><link name='body'/></robot>")
    assert main(["bench", "reach", str(robot), "--frame", "body"]) == 2
    assert "no joint moves 'body'" in capsys.readouterr().err
