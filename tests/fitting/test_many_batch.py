"""Batch files: what recordings share and what differs, and one sentence for what is wrong."""

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pantin.errors import InvalidArgument
from pantin.fitting.many import Job, read_batch
from pantin.fitting.many.job import refuse_twins
from pantin.fitting.options import FitOptions

ENTRY = '[[recording]]\npath = "monday.csv"\n'
HEAD = 'plan = "fly.json"\nout = "fits"\n'


def names_in(path):
    return {"nose": path.name}


def jobs_of(folder, text, said=None):
    (folder / "batch.toml").write_text(text, encoding="utf-8")
    return read_batch(folder / "batch.toml", said, read_mapping=names_in)


def test_entries_have_what_the_top_says_unless_they_say_otherwise(tmp_path):
    text = f"""{HEAD}unit = "mm"
loss = "cauchy"
neutral_weight = 0.01
mapping = "names.csv"
{ENTRY}
[[recording]]
path = "day2/tuesday.csv"
name = "second"
format = "zarr"
loss = "linear"
segments = 500
out = "/elsewhere"
individual = "left"
mapping = {{ Nose = "nose" }}
lock = ["hip"]
"""
    first, second = jobs_of(tmp_path, text)
    assert first == Job(
        plan=tmp_path / "fly.json",
        recording=tmp_path / "monday.csv",
        out=tmp_path / "fits" / "monday.nc",
        mapping={"nose": "names.csv"},
        unit="mm",
        options=FitOptions(loss="cauchy", neutral_weight=0.01),
    )
    assert second == Job(
        plan=tmp_path / "fly.json",
        recording=tmp_path / "day2" / "tuesday.csv",
        out=Path("/elsewhere/second.zarr"),
        mapping={"Nose": "nose"},
        unit="mm",
        individual="left",
        segments=500,
        options=FitOptions(loss="linear", neutral_weight=0.01, lock=("hip",)),
    )


def test_the_command_line_counts_for_every_entry(tmp_path):
    text = f'{HEAD}loss = "huber"\nsegments = "none"\n{ENTRY}loss = "soft_l1"\n'
    (job,) = jobs_of(tmp_path, text, {"loss": "cauchy", "out": Path("there"), "format": "csv"})
    assert (job.options.loss, job.out, job.segments) == ("cauchy", Path("there/monday.csv"), None)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("plan = \n", "'.*batch.toml' is not valid TOML: .*line 1"),
        (HEAD, r"expected its recordings as tables \[\[recording\]\]"),
        (HEAD + "recording = 3", r"expected its recordings as tables \[\[recording\]\]"),
        (HEAD + "recording = [3]", r"expected its recordings as tables \[\[recording\]\]"),
        (HEAD + 'los = "cauchy"\n' + ENTRY, "batch file 'batch.toml': no setting 'los'; did you mean 'loss'"),
        (HEAD + 'path = "x"\n' + ENTRY, "no setting 'path'"),
        (
            HEAD + ENTRY + "neutral_wieght = 3",
            "recording 1: no setting 'neutral_wieght'; did you mean 'neutral_weight'",
        ),
        (HEAD + ENTRY + "[[recording]]\nname = 'b'", "recording 2: expected the path of a file under 'path', got None"),
        (HEAD + ENTRY + "neutral_weight = -1", "recording 1: neutral_weight: expected a number in"),
        (HEAD + ENTRY + "loss = 'none'", "recording 1: loss: expected 'linear' or"),
        (HEAD + ENTRY + "segments = true", "segments: expected 'auto', 'none' or a count of frames, got True"),
        (HEAD + ENTRY + "segments = 0", "segments: expected 'auto', 'none' or a count of frames, got 0"),
        (HEAD + ENTRY + "segments = 10", "segments: expected more than the 10 frames that windows share, got 10"),
        (HEAD + ENTRY + "format = 'hdf'", "format: expected 'nc' or 'parquet' or 'zarr' or 'csv', got 'hdf'"),
        (HEAD + ENTRY + "format = []", "format: expected 'nc' or"),
        (HEAD + ENTRY + "unit = 3", "unit: expected a text, got 3"),
        (HEAD + ENTRY + "name = '../b'", "name: expected the name of a file without its folder, got '../b'"),
        (HEAD + ENTRY + "plan = 7", "recording 1: plan: expected a path, got 7"),
        (HEAD + ENTRY + "mapping = { a = 3 }", "mapping: expected a path, got {'a': 3}"),
        ("out = 'fits'\n" + ENTRY, "nothing says which plan belongs to 'monday.csv'"),
        ("plan = 'fly.json'\n" + ENTRY, "nothing says which out belongs to 'monday.csv'"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path, text, sentence):
    with pytest.raises(InvalidArgument, match=sentence):
        jobs_of(tmp_path, text)


def test_files_that_are_no_text_or_not_there_are_refused(tmp_path):
    (tmp_path / "batch.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidArgument, match="is not text in UTF-8"):
        read_batch(tmp_path / "batch.toml", read_mapping=names_in)
    with pytest.raises(InvalidArgument, match=r"cannot read .*none.toml': No such file"):
        read_batch(tmp_path / "none.toml", read_mapping=names_in)


VALUES = st.one_of(
    st.integers(-9, 9), st.booleans(), st.sampled_from(['"nc"', '"x"', "[1]", "{ a = 1 }", "nan", "1e400"])
)


@given(
    st.dictionaries(
        st.sampled_from(
            ["plan", "out", "format", "segments", "unit", "loss", "hold", "align", "lock", "prescribe", "near"]
        ),
        VALUES.map(lambda value: str(value).lower() if isinstance(value, bool) else str(value)),
        max_size=4,
    )
)
def test_any_values_make_jobs_or_one_error(tmp_path_factory, settings):
    text = "".join(f"{key} = {value}\n" for key, value in settings.items()) + ENTRY
    said = {"out": Path("x"), "plan": Path("y")}
    with contextlib.suppress(InvalidArgument):
        assert [job.name for job in jobs_of(tmp_path_factory.getbasetemp(), text, said)] == ["monday"]


def job(recording, out, plan="plan.json"):
    return Job(plan=Path(plan), recording=Path(recording), out=Path(out))


def test_two_recordings_with_one_output_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    refuse_twins([job("a/x.csv", "fits/a.nc"), job("b/x.csv", "fits/b.nc")])
    with pytest.raises(InvalidArgument, match=r"'a/x.csv' and 'b/x.csv' would both be written to 'fits/../fits/x.nc'"):
        refuse_twins([job("a/x.csv", "fits/x.nc"), job("b/x.csv", "fits/../fits/x.nc")])


@pytest.mark.parametrize("out", ["x.csv", "./plan.json", "y.csv"])
def test_no_output_overwrites_what_is_read(tmp_path, monkeypatch, out):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidArgument, match=f"would overwrite '{out.removeprefix('./')}'; give another folder"):
        refuse_twins([job("x.csv", out), job("y.csv", "fits/y.csv")])


def test_each_individual_has_an_output_of_its_own(tmp_path):
    text = f'{HEAD}{ENTRY}individual = "left"\n{ENTRY}individual = "right"\n'
    jobs = jobs_of(tmp_path, text)
    assert [job.out.name for job in jobs] == ["monday.left.nc", "monday.right.nc"]
    refuse_twins(jobs)
