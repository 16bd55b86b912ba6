"""Outputs that appear whole with their record or not at all, and how a finished one is recognised."""

import dataclasses
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from pantin.fitting.many import Job, Record
from pantin.fitting.many.fingerprint import digest, fingerprint
from pantin.fitting.many.place import finished, hidden_folder, sweep, whole_output
from pantin.fitting.options import FitOptions

RECORD = Record(fingerprint="abc", frames=3, residual=0.5, unit="mm", converged=1.0)


@pytest.fixture
def job(tmp_path):
    return Job(plan=tmp_path / "plan.json", recording=tmp_path / "x.csv", out=tmp_path / "fits" / "x.zarr")


def write_file(place, text="whole"):
    place.write_text(text)


def write_folder(place, text="whole"):
    (place / "dofs").mkdir(parents=True)
    (place / "dofs" / "0").write_text(text)


def everything(folder):
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def put(job, write, record=RECORD, **more):
    job.out.parent.mkdir(exist_ok=True)
    with whole_output(job, record) as place:
        write(place, **more)
        assert everything(job.out.parent).keys() != {place.name}


@pytest.mark.parametrize("write", [write_file, write_folder])
def test_an_output_with_its_record_is_recognised_until_either_changes(job, write):
    assert finished(job, "abc") is None
    put(job, write)
    assert finished(job, "abc") == dataclasses.replace(RECORD, files={"x.zarr": 5})
    assert finished(job, "other") is None
    put(job, write, text="longer than before")
    assert finished(job, "abc").files == {"x.zarr": 18}
    assert len(list(job.out.parent.iterdir())) == 2
    part = job.out / "dofs" / "0" if job.out.is_dir() else job.out
    part.write_text("cut")
    assert finished(job, "abc") is None


def test_a_folder_may_take_the_place_of_a_file_and_back(job):
    for write in (write_file, write_folder, write_file):
        put(job, write)
        assert finished(job, "abc") is not None


def test_what_is_written_beside_an_output_belongs_to_it(job):
    job.out.parent.mkdir()
    with whole_output(job, RECORD) as place:
        write_file(place)
        place.with_name("x.names").write_text("abc")
    assert finished(job, "abc").files == {"x.names": 3, "x.zarr": 5}
    job.out.with_name("x.names").unlink()
    assert finished(job, "abc") is None


@pytest.mark.parametrize("record", ["", "[]", "{}", "null", '{"fingerprint": "abc", "files": 3}', "\ud800"])
def test_a_record_that_is_broken_makes_nothing_finished(job, record):
    put(job, write_file)
    job.record.write_text(record, encoding="utf-8", errors="surrogatepass")
    assert finished(job, "abc") is None


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, OSError])
@pytest.mark.parametrize("write", [write_file, write_folder])
def test_whatever_ends_the_writing_leaves_what_was_there(job, write, error):
    put(job, write)
    before = everything(job.out.parent)

    def fail(place):
        write(place, text="half")
        raise error

    with pytest.raises(error):
        put(job, fail)
    assert everything(job.out.parent) == before
    assert finished(job, "abc") is not None


def test_a_stop_while_outputs_are_exchanged_makes_nothing_finished(job, monkeypatch):
    put(job, write_file)
    moved = []

    def stop(self, target):
        moved.append(self)
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", stop)
    with pytest.raises(KeyboardInterrupt):
        put(job, write_file)
    assert moved
    assert finished(job, "abc") is None
    assert list(job.out.parent.iterdir()) == [job.out]


def test_a_folder_that_cannot_be_replaced_is_put_back(job, monkeypatch):
    put(job, write_folder, text="former")
    replace = Path.replace

    def fail(self, target):
        if self.parent.name == "new":
            raise OSError
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError):  # noqa: PT011  # it is the one from above
        put(job, write_folder)
    assert everything(job.out.parent) == {"x.zarr/dofs/0": "former"}


def test_what_killed_processes_have_left_is_swept(job):
    job.out.parent.mkdir()
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    own = hidden_folder(job)
    dead = own.with_name(own.name.replace(f"-{os.getpid()}-", f"-{gone.pid}-"))
    away = own.with_name(dead.name.replace(socket.gethostname(), "far-away"))
    other = own.with_name(dead.name.replace("x.zarr", "y.zarr"))
    odd = own.with_name(".x.zarr.part.part")
    for folder in (own, dead, away, other, odd):
        folder.mkdir()
    sweep(job)
    assert set(job.out.parent.iterdir()) == {own, away, other, odd}
    sweep(job, all_owners=True)
    assert set(job.out.parent.iterdir()) == {other, odd}


PLAN = {"joints": [{"name": "a"}], "fixed_base": False}


def test_a_fingerprint_tells_everything_apart_that_a_result_depends_on(job):
    word = fingerprint(job, PLAN, "123")
    assert len(word) == 64
    changes = {
        "mapping": {"Nose": "nose"},
        "unit": "mm",
        "individual": "left",
        "segments": 300,
        "options": FitOptions(loss="cauchy"),
    }
    others = [fingerprint(dataclasses.replace(job, **{key: value}), PLAN, "123") for key, value in changes.items()]
    others += [fingerprint(job, {**PLAN, "fixed_base": True}, "123"), fingerprint(job, PLAN, "124")]
    assert len({word, *others}) == 1 + len(others)


OTHERS = {"loss": "huber", "gap": "nan", "predict": "velocity", "lock": "hip", "prescribe": {"hip": [1.0, 2.0]}}


@pytest.mark.parametrize("field", [field.name for field in dataclasses.fields(FitOptions)])
def test_every_option_counts(job, field):
    value = getattr(FitOptions(), field)
    if field in OTHERS:
        other = OTHERS[field]
    elif isinstance(value, bool):
        other = not value
    else:
        other = 2 * value or 1
    changed = dataclasses.replace(job, options=FitOptions(**{field: other}))
    assert fingerprint(changed, PLAN, "123") != fingerprint(job, PLAN, "123")


def test_a_fingerprint_does_not_ask_where_files_lie_nor_for_the_order_of_keys(job, tmp_path):
    moved = dataclasses.replace(job, plan=tmp_path / "b.json", recording=tmp_path / "y.csv", out=tmp_path / "y.nc")
    turned = dict(reversed(PLAN.items()))
    assert fingerprint(moved, turned, "123") == fingerprint(job, PLAN, "123")


def test_the_version_counts(job, monkeypatch):
    before = fingerprint(job, PLAN, "123")
    monkeypatch.setattr("pantin.__version__", "9.9.9")
    assert fingerprint(job, PLAN, "123") != before


def test_a_digest_is_that_of_the_bytes(tmp_path):
    (tmp_path / "x").write_bytes(b"abc")
    # FIPS 180-2, appendix B.1: SHA-256 of "abc".
    assert digest(tmp_path / "x") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_the_digest_of_a_folder_has_names_and_contents(tmp_path):
    words = set()
    for name, text in [("a", "1"), ("a", "2"), ("b", "2")]:
        folder = tmp_path / f"{name}{text}"
        folder.mkdir()
        (folder / name).write_text(text)
        words.add(digest(folder))
    assert len(words) == 3
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "a").write_text("1")
    assert digest(copy) == digest(tmp_path / "a1")


def test_records_are_text_for_people(job):
    put(job, write_file)
    assert json.loads(job.record.read_text())["frames"] == 3
    assert job.record.name == "x.zarr.fit.json"
