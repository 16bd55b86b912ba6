"""A file that is broken, foreign or not there gives one clear error, and one that cannot be written leaves nothing."""

import json
import pathlib
import shutil
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stored import ENDINGS, results

from pantin.errors import InvalidArgument, MissingExtra
from pantin.fitting.result import FitResult
from pantin.fitting.storage import csv_file, zarr_folder

RESULTS = results()
FILES = [ending for ending in ENDINGS if ending != ".zarr"]


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """A small result in every format."""
    folder = tmp_path_factory.mktemp("stored")
    for ending in ENDINGS:
        RESULTS["weights"][:3].save(folder / f"whole{ending}")
    return folder


def refused(path, words="is not a stored result, or broken"):
    """Loading the file gives the one error, which names it."""
    with pytest.raises(InvalidArgument, match=words) as error:
        FitResult.load(path)
    assert repr(str(path)) in str(error.value)
    assert "\n" not in str(error.value)


def loaded_or_refused(path):
    """The result, or None where loading gives the one error."""
    try:
        return FitResult.load(path)
    except InvalidArgument:
        refused(path)
        return None


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of libraries that close broken files
@pytest.mark.parametrize("ending", FILES)
@settings(max_examples=12)
@given(data=st.data())
def test_a_file_that_was_cut_off_is_refused(stored, ending, data):
    content = (stored / f"whole{ending}").read_bytes()
    path = stored / f"cut{ending}"
    path.write_bytes(content[: data.draw(st.integers(0, len(content) - 1))])
    refused(path)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("ending", FILES)
@settings(max_examples=12)
@given(data=st.data())
def test_changed_bytes_give_a_result_or_the_error(stored, ending, data):
    content = bytearray((stored / f"whole{ending}").read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = stored / f"changed{ending}"
    path.write_bytes(content)
    result = loaded_or_refused(path)
    assert result is None or len(result) == 3


@pytest.mark.parametrize("part", ["dofs/0.0", "status_code/0", "dof/0", ".zmetadata"])
def test_a_folder_with_a_broken_file_is_refused(stored, tmp_path, part):
    copy = tmp_path / "copy.zarr"
    shutil.copytree(stored / "whole.zarr", copy)
    content = (copy / part).read_bytes()
    (copy / part).write_bytes(content[: len(content) // 2])
    refused(copy)
    middle = len(content) // 2
    (copy / part).write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])
    refused(copy)
    (copy / part).unlink()
    refused(copy)


JUNK = st.one_of(
    st.none(), st.booleans(), st.integers(-(10**20), 10**20), st.floats(), st.text(max_size=5),
    st.lists(st.integers(), max_size=3), st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)  # fmt: skip


@settings(max_examples=15)
@given(data=st.data())
def test_a_header_that_was_changed_gives_a_result_or_the_error(stored, data):
    mark, rest = (stored / "whole.csv").read_text(encoding="utf-8").split("\n", 1)
    header = json.loads(mark.removeprefix(csv_file.MARK))
    place, key = header, data.draw(st.sampled_from(sorted(header)))
    while isinstance(place[key], dict) and place[key] and data.draw(st.booleans()):
        place, key = place[key], data.draw(st.sampled_from(sorted(place[key])))
    if data.draw(st.booleans()):
        place[key] = data.draw(JUNK)
    else:
        del place[key]
    path = stored / "header.csv"
    path.write_text(f"{csv_file.MARK}{json.dumps(header)}\n{rest}", encoding="utf-8")
    result = loaded_or_refused(path)
    if result is not None:
        result.save(path)
        assert FitResult.load(path).equals(result)


@pytest.mark.parametrize("ending", FILES)
def test_foreign_files_are_refused(tmp_path, ending):
    pandas, xarray = pytest.importorskip("pandas"), pytest.importorskip("xarray")
    path = tmp_path / f"foreign{ending}"
    table = pandas.DataFrame({"x": np.arange(3.0)})
    {
        ".csv": table.to_csv,
        ".parquet": table.to_parquet,
        ".nc": lambda path: xarray.Dataset.from_dataframe(table).to_netcdf(path, engine="h5netcdf"),
    }[ending](path)
    refused(path, "it has no header of a result")


@pytest.mark.parametrize(("frames", "words"), [("2", "expected shape"), ("-1", "frames"), ('"3"', "frames")])
def test_a_wrong_number_of_frames_is_refused(stored, frames, words):
    path = stored / "frames.csv"
    text = (stored / "whole.csv").read_text(encoding="utf-8")
    path.write_text(text.replace('"frames":3', f'"frames":{frames}'), encoding="utf-8")
    refused(path, words)


def test_a_later_version_is_refused(stored):
    path = stored / "later.csv"
    text = (stored / "whole.csv").read_text(encoding="utf-8")
    path.write_text(text.replace('"version":1', '"version":2'), encoding="utf-8")
    refused(path, "version 2 of the format")


def test_a_file_that_is_not_there_is_named_with_the_nearest(stored):
    with pytest.raises(InvalidArgument, match=r"no file .*; did you mean 'whole\.parquet'\?"):
        FitResult.load(stored / "whloe.parquet")


def test_a_name_must_end_as_a_format(tmp_path):
    for call in (FitResult.load, RESULTS["plain"].save):
        with pytest.raises(InvalidArgument, match=r"ends in \.nc, \.zarr, \.parquet, \.csv"):
            call(tmp_path / "result.txt")


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_fails_half_way_leaves_what_was_there(tmp_path, monkeypatch, ending):
    path = tmp_path / f"result{ending}"
    RESULTS["plain"].save(path)

    def broken(record, path):
        """Writes a piece and fails."""
        path.mkdir() if ending == ".zarr" else path.write_bytes(b"piece")
        raise KeyboardInterrupt

    module = {".csv": csv_file, ".zarr": zarr_folder}.get(ending) or sys.modules[
        f"pantin.fitting.storage.{'netcdf' if ending == '.nc' else 'parquet'}_file"
    ]
    monkeypatch.setattr(module, "write", broken)
    with pytest.raises(KeyboardInterrupt):
        RESULTS["weights"].save(path)
    assert FitResult.load(path).equals(RESULTS["plain"])
    assert [place.name for place in tmp_path.iterdir()] == [path.name]


def test_a_folder_that_cannot_be_put_in_place_leaves_the_former(tmp_path, monkeypatch):
    path = tmp_path / "result.zarr"
    RESULTS["plain"].save(path)
    rename = pathlib.Path.rename

    def refuse(self, target):
        """Fails for the new folder, when the former has been put aside."""
        if ".new." in self.name:
            raise PermissionError(13, "Permission denied")
        return rename(self, target)

    monkeypatch.setattr(pathlib.Path, "rename", refuse)
    with pytest.raises(InvalidArgument, match=r"cannot write .*Permission denied"):
        RESULTS["weights"].save(path)
    assert FitResult.load(path).equals(RESULTS["plain"])
    assert [place.name for place in tmp_path.iterdir()] == [path.name]


def test_a_folder_of_something_else_is_not_replaced(tmp_path):
    (tmp_path / "mine.zarr").mkdir()
    (tmp_path / "mine.zarr" / "letter.txt").write_text("dear")
    with pytest.raises(InvalidArgument, match="something else"):
        RESULTS["plain"].save(tmp_path / "mine.zarr")
    assert (tmp_path / "mine.zarr" / "letter.txt").read_text() == "dear"
    for ending in ENDINGS:
        with pytest.raises(InvalidArgument, match="there is no folder"):
            RESULTS["plain"].save(tmp_path / "nowhere" / f"result{ending}")


MISSING = [
    (".nc", "xarray"),
    (".nc", "h5netcdf"),
    (".zarr", "xarray"),
    (".zarr", "zarr"),
    (".parquet", "pyarrow"),
]


@pytest.mark.parametrize(("ending", "package"), MISSING)
def test_a_missing_package_is_named(stored, tmp_path, monkeypatch, ending, package):
    monkeypatch.setitem(sys.modules, package, None)
    for call, path in (
        (RESULTS["plain"].save, tmp_path / f"result{ending}"),
        (FitResult.load, stored / f"whole{ending}"),
    ):
        with pytest.raises(MissingExtra, match=rf"'{package}'.*pip install 'pantin\[fit\]'"):
            call(path)
    assert list(tmp_path.iterdir()) == []
