"""`pantin reach --plot`: the picture of an answer appears beside its table."""

import sys

import pytest

from pantin.cli import main

imread = pytest.importorskip("matplotlib.image").imread

POSE = ["reach", "panda", "--frame", "panda_hand", "--position", "0.4", "0.1", "0.5"]
BELOW = ["reach", "panda", "--frame", "panda_hand", "--position", "0", "0", "-0.5"]


@pytest.mark.parametrize(("words", "code"), [(POSE, 0), (BELOW, 1)])
def test_picture_is_drawn_and_the_answer_told(capsys, tmp_path, words, code):
    assert main([*words, "--plot", str(tmp_path / "arm.png")]) == code
    assert "panda_joint7" in capsys.readouterr().out
    assert imread(tmp_path / "arm.png").ndim == 3


def test_picture_shows_the_seed_that_is_given(tmp_path):
    pictures = []
    for seed in ("panda_joint1=0.5", "panda_joint1=-0.5"):
        assert main([*POSE, f"--seed={seed}", "--plot", str(tmp_path / "arm.png")]) == 0
        pictures.append((tmp_path / "arm.png").read_bytes())
    assert pictures[0] != pictures[1]


@pytest.mark.parametrize(
    ("path", "sentence"),
    [("arm.doc", "--plot: expected a picture such as arm.png"), ("no/arm.png", "--plot: there is no folder")],
)
def test_wrong_file_is_one_sentence(capsys, tmp_path, path, sentence):
    assert main([*POSE, "--plot", str(tmp_path / path)]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert sentence in shown.err


def test_missing_package_is_named(capsys, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert main([*POSE, "--plot", str(tmp_path / "arm.png")]) == 2
    assert "pip install 'pantin[plot]'" in capsys.readouterr().err
