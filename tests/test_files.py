"""Files that appear whole or not at all."""

import os

import pytest

from pantin.errors import InvalidArgument
from pantin.files import output_path, whole_file


def test_file_appears_at_the_end(tmp_path):
    place = tmp_path / "table.csv"
    with whole_file("out", place) as beside:
        beside.write_text("whole")
        assert not place.exists()
        assert beside.suffix == ".csv"
    assert [path.name for path in tmp_path.iterdir()] == ["table.csv"]
    assert place.read_text() == "whole"


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_whatever_ends_the_writing_leaves_nothing(tmp_path, error):
    place = tmp_path / "table.csv"
    place.write_text("old")

    def fail():
        with whole_file("out", place) as beside:
            beside.write_text("half")
            raise error

    with pytest.raises(error):
        fail()
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("table.csv", "old")]


def test_a_link_stays_one(tmp_path):
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to(tmp_path / "real.csv")
    with whole_file("out", tmp_path / "link.csv") as beside:
        beside.write_text("new")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_text() == "new"


@pytest.mark.parametrize(
    ("path", "sentence"),
    [(os.devnull, "expected a file"), ("no/table.csv", "there is no folder"), ("", "expected a file")],
)
def test_what_is_no_file_is_refused(tmp_path, monkeypatch, path, sentence):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidArgument, match=f"out: {sentence}"):
        output_path("out", path)
    with pytest.raises(InvalidArgument, match=f"out: {sentence}"), whole_file("out", path):
        pass


def test_a_writer_that_fails_is_one_error(tmp_path):
    with (
        pytest.raises(InvalidArgument, match=r"out: cannot write .*table.csv'"),
        whole_file("out", tmp_path / "table.csv"),
    ):
        raise OSError(28, "No space left on device")
