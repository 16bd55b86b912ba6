"""`pantin fit`: recordings in, results and a table out, and sentences about what is wrong."""

import csv
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pantin import samples
from pantin.cli import main
from pantin.cli._fit_words import locked
from pantin.errors import InvalidArgument
from pantin.fitting import FitResult

WALKER = str(samples.body_plan("walker"))
RECORDING = samples.recording("walker")


@pytest.fixture(scope="module")
def short(tmp_path_factory):
    """The first 40 frames of the sample, as a file of its own."""
    path = tmp_path_factory.mktemp("recordings") / "short.csv"
    path.write_text("".join(RECORDING.read_text().splitlines(keepends=True)[:41]))
    return path


@pytest.fixture
def copies(tmp_path, short):
    """Three recordings, of which the second is broken."""
    files = [tmp_path / name for name in ("monday.csv", "tuesday.csv", "wednesday.csv")]
    for file in files:
        file.write_text(short.read_text())
    files[1].write_text(short.read_text() + "nonsense\n")
    return [str(file) for file in files]


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_the_sample_is_fitted_anywhere(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["fit", "walker", "--out", "fits", "--format", "csv"]) == 0
    told = capsys.readouterr()
    assert "1 of 1 recording is done." in told.out
    (row,) = [line for line in told.out.splitlines() if line.startswith("walker")]
    assert re.fullmatch(r"walker +300 +\d+ +0\.0\d+ mm +(100\.00|9\d\.\d\d) % +fitted +fits/walker.csv", row)
    (line,) = told.err.splitlines()
    assert re.fullmatch(
        r"walker: 300 frames, \d+ frames/s, mean residual 0\.0\d+ mm, .* % converged; .*walker.csv", line
    )
    assert "walker.csv.fit.json" in names(tmp_path / "fits")
    assert len(FitResult.load(tmp_path / "fits" / "walker.csv")) == 300


def test_columns_of_the_answer_are_aligned(tmp_path, monkeypatch, short, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["fit", WALKER, str(short), "--out", ".", "--format", "csv"]) == 0
    head, row = capsys.readouterr().out.splitlines()[-2:]
    for word, cell in (("frames", "40"), ("residual", "mm"), ("converged", "%")):
        end = head.index(word) + len(word)
        assert row[:end].endswith(cell)


@pytest.mark.parametrize("kind", ["nc", "parquet", "zarr", "csv"])
def test_every_format_is_read_back_to_the_same(tmp_path, short, kind):
    pytest.importorskip({"nc": "h5netcdf", "parquet": "pyarrow"}.get(kind, kind))
    words = ["fit", WALKER, str(short), "--workers", "1", "--format"]
    assert main([*words, kind, "--out", str(tmp_path)]) == 0
    assert main([*words, "csv", "--out", str(tmp_path / "again")]) == 0
    one, other = (FitResult.load(path) for path in (tmp_path / f"short.{kind}", tmp_path / "again" / "short.csv"))
    assert one.equals(other)


def test_what_is_finished_is_left_until_something_changes(tmp_path, short, capsys):
    words = ["fit", WALKER, str(short), "--out", str(tmp_path), "--format", "csv"]
    states = []
    for more in (
        [],
        [],
        ["--force"],
        ["--loss", "cauchy"],
        ["--loss", "cauchy"],
        ["--workers", "1", "--loss", "cauchy"],
    ):
        assert main([*words, *more, "--json"]) == 0
        states.append(json.loads(capsys.readouterr().out)["recordings"][0]["state"])
    assert states == ["fitted", "finished", "fitted", "fitted", "finished", "finished"]


def test_a_broken_recording_does_not_stop_the_others(tmp_path, copies, capsys):
    out = tmp_path / "fits"
    assert main(["fit", WALKER, *copies, "--out", str(out), "--format", "csv"]) == 1
    told = capsys.readouterr()
    assert "2 of 3 recordings are done." in told.out
    lines = told.err.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["monday", "tuesday", "wednesday"]
    assert "not fitted: " in lines[1]
    assert "line 42" in lines[1]
    assert {name.partition(".")[0] for name in names(out)} == {"monday", "wednesday"}


@given(st.data())
def test_damaged_recordings_never_crash_the_command(tmp_path_factory, short, data):
    folder = tmp_path_factory.mktemp("damaged")
    text = bytearray(short.read_bytes())
    start = data.draw(st.integers(0, len(text) - 1))
    text[start : start + data.draw(st.integers(0, 300))] = data.draw(st.binary(max_size=20))
    (folder / "x.csv").write_bytes(text)
    assert main(["fit", WALKER, str(folder / "x.csv"), "--out", str(folder / "fits"), "--format", "csv"]) in (0, 1)
    assert names(folder / "fits") in ([], ["x.csv", "x.csv.fit.json"])


def test_what_needs_a_package_names_its_extra_before_anything_runs(tmp_path, short, monkeypatch, capsys):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["fit", WALKER, str(short), "--out", str(tmp_path / "fits")]) == 2
    assert "writing .nc files, unlike .csv files, needs the package 'xarray'" in capsys.readouterr().err
    assert names(tmp_path) == []


def test_json_tells_everything(tmp_path, copies, capsys):
    out = tmp_path / "fits"
    assert main(["fit", WALKER, *copies[:2], "--out", str(out), "--format", "csv", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["success"] is False
    one, two = told["recordings"]
    assert (one["name"], one["state"], one["frames"], one["unit"], one["error"]) == ("monday", "fitted", 40, "mm", None)
    assert one["out"] == str(out / "monday.csv")
    assert 0 < one["mean_residual"] < 0.2
    assert one["frames_per_second"] > 0
    assert (two["state"], two["frames"], two["out"]) == ("failed", None, None)
    assert two["error"]


def test_a_batch_file_says_it_all(tmp_path, copies, capsys):
    (tmp_path / "batch.toml").write_text(
        """plan = "walker"
out = "fits"
format = "csv"

[[recording]]
path = "monday.csv"

[[recording]]
path = "wednesday.csv"
name = "third"
loss = "huber"
"""
    )
    assert main(["fit", "--batch", str(tmp_path / "batch.toml")]) == 0
    assert {"monday.csv", "third.csv"} <= set(names(tmp_path / "fits"))
    assert FitResult.load(tmp_path / "fits" / "third.csv").options.loss == "huber"
    capsys.readouterr()
    assert main(["fit", str(tmp_path / "batch.toml"), "--json"]) == 0
    assert [one["state"] for one in json.loads(capsys.readouterr().out)["recordings"]] == ["finished", "finished"]


def test_options_reach_the_fit(tmp_path, short):
    words = ["--loss", "soft_l1", "--gap", "prior", "--neutral-weight", "0.01", "--segments", "none"]
    lock = ["--lock", "L1_coxa_yaw,L1_tibia_pitch=1.25"]
    assert main(["fit", WALKER, str(short), "--out", str(tmp_path), "--format", "csv", *words, *lock]) == 0
    result = FitResult.load(tmp_path / "short.csv")
    options = result.options
    assert (options.loss, options.gap, options.neutral_weight) == ("soft_l1", "prior", 0.01)
    assert np.ptp(result.dofs[:, result.plan.dof("L1_coxa_yaw")]) == 0
    assert (result.dofs[:, result.plan.dof("L1_tibia_pitch")] == 1.25).all()


def test_units_and_names_are_converted(tmp_path, short, capsys):
    with short.open(newline="") as file:
        rows = list(csv.reader(file))
    rows[0] = [name.replace("body", "Trunk") for name in rows[0]]
    lengths = [index for index, name in enumerate(rows[0]) if name[-2:] in ("_x", "_y", "_z")]
    for row in rows[1:]:
        for index in lengths:
            row[index] = f"{float(row[index]) / 1000:.6f}" if row[index] else ""
    with (tmp_path / "metres.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    (tmp_path / "names.csv").write_text("recording,joint\nTrunk,body\n")
    (tmp_path / "wrong.csv").write_text("Trunk,bodi\n")
    out = tmp_path / "fits"
    words = ["--unit", "m", "--mapping", str(tmp_path / "names.csv"), "--out", str(out), "--format", "csv"]
    assert main(["fit", WALKER, str(tmp_path / "metres.csv"), *words]) == 0
    assert main(["fit", WALKER, str(short), *words[4:]]) == 0
    one, other = (FitResult.load(out / name) for name in ("metres.csv", "short.csv"))
    assert np.abs(one.dofs - other.dofs).max() < 1e-6  # positions are rounded to 1e-6 m, as the sample's to 1e-3 mm
    capsys.readouterr()
    assert main(["fit", WALKER, str(tmp_path / "metres.csv"), *words[:2], *words[4:], "--force"]) == 0
    assert "joints without a keypoint: body; keypoints without a joint: Trunk" in capsys.readouterr().err
    assert main(["fit", WALKER, str(short), "--mapping", str(tmp_path / "wrong.csv"), *words[4:]]) == 2
    assert "no joint 'bodi'; did you mean 'body'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "PLAN: give a body plan and recordings, or --batch FILE"),
        (["walker"], "--out: give the folder that results are written to"),
        ([WALKER, "--out", "x"], "RECORDING: give the recordings"),
        (["walkr", "--out", "x"], "no sample 'walkr'; did you mean 'walker'?"),
        (["walkr.json", str(RECORDING), "--out", "x"], "walkr.json: there is no such file"),
        (["walker", "gone.csv", "--out", "x"], "gone.csv: there is no such file"),
        (["walker", "--out", "x", "--format", "hdf"], "format: expected 'nc' or"),
        (["walker", "--out", "x", "--loss", "l2"], "loss: expected 'linear' or"),
        (["walker", "--out", "x", "--gap", "fill"], "gap: expected 'prior' or"),
        (["walker", "--out", "x", "--segments", "-3"], "segments: expected 'auto'"),
        (["walker", "--out", "x", "--workers", "0"], "--workers: expected a count, or -1 for all cores, got 0"),
        (["walker", "--out", "x", "--lock", "L1=a"], "--lock: expected a number, got 'a'"),
        (["walker", "--out", "x", "--lock", "L1_coxa_yav"], "'L1_coxa_yav'; did you mean 'L1_coxa_yaw'?"),
        (["walker", "--out", "x", "--unit", "inch"], "unit: expected 'm', 'cm', 'mm', 'um' or 'px', got 'inch'"),
        (["walker", "--out", "x", "--dask", "cloud"], "--dask: expected 'local', got 'cloud'"),
        (["walker", "--out", "x", "--dask", "local", "--scheduler", "y"], "--dask: belongs to this machine"),
        (["walker", str(RECORDING), str(RECORDING), "--out", "x"], "would both be written to 'x/walker.nc'"),
        (["walker", "a.csv", "--batch", "b.toml"], "--batch: its file names the recordings; leave out 'a.csv'"),
        (["--batch", "b.toml"], "cannot read 'b.toml': No such file"),
        (["walker", "--out", "x", "--mapping", "m.csv"], "m.csv: there is no such file"),
    ],
)
def test_wrong_questions_get_a_sentence_and_leave_nothing(tmp_path, monkeypatch, capsys, words, sentence):
    monkeypatch.chdir(tmp_path)
    assert main(["fit", *words]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert sentence in told.err
    assert len(told.err.splitlines()) == 1
    assert names(tmp_path) == []


def test_freedoms_to_lock_are_names_with_or_without_values():
    assert locked(["hip,knee=0.3", "toe=-1"]) == {"hip": None, "knee": 0.3, "toe": -1.0}
    assert locked([]) is None
    with pytest.raises(InvalidArgument, match="--lock: expected finite numbers"):
        locked(["hip=nan"])


def test_help_shows_examples(capsys):
    assert main(["fit", "--help"]) == 0
    assert "pantin fit walker --out fits" in capsys.readouterr().out


def test_ctrl_c_keeps_what_is_finished_and_leaves_nothing_else(tmp_path, short):
    pipe = tmp_path / "endless.csv"
    os.mkfifo(pipe)
    out = tmp_path / "fits"
    words = [WALKER, str(short), str(pipe), "--out", str(out), "--format", "csv"]
    process = subprocess.Popen(
        [sys.executable, "-m", "pantin", "fit", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    with pipe.open("w"):  # opens once the command reads the file, and lets it wait for more
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        told, err = process.communicate(timeout=20)
    assert (process.returncode, told) == (130, "")
    assert err.splitlines()[-1] == ("pantin: interrupted after 1 of 2 recordings; the same command goes on from there")
    assert time.monotonic() - began < 10
    assert all(name.startswith("short.csv") for name in names(out))


def test_a_terminal_sees_how_far_it_is(tmp_path, short):
    shown = []

    def read(terminal):
        shown.append(os.read(terminal, 4096))
        return shown[-1]

    words = [WALKER, str(short), "--out", str(tmp_path), "--format", "csv"]
    code = pty.spawn([sys.executable, "-m", "pantin", "fit", *words], read, lambda _: b"")
    text = b"".join(shown).decode()
    assert os.waitstatus_to_exitcode(code) == 0
    assert re.search(r"recordings .*0/1", text)
    assert re.search(r"recordings .*1/1", text)
    assert "1 of 1 recording is done." in text


def test_the_shell_completes_plans():
    line = "pantin fit wal"
    environment = {**os.environ, "_PANTIN_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": "2"}
    done = subprocess.run([sys.executable, "-m", "pantin"], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["walker"]


def test_other_commands_do_not_wait_for_fitting():
    code = "import sys, pantin.cli._app; print(*(name for name in sys.modules if 'fitting.many' in name))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
