"""Every format brings back what it was given, to the last bit."""

import numpy as np
import pytest
from stored import ENDINGS, results

from pantin.fitting.result import FitResult
from pantin.fitting.storage.dataset import dataset_of, result_of_dataset
from pantin.fitting.storage.record import record_of

RESULTS = results()

#: NetCDF and Zarr store the same data set, so the kinds that try the files themselves are enough.
HARD = ("a mix", "no frames", "one frame", "odd names")


def agree(again, result):
    """Both say the same, in the signs of zeros as well."""
    assert again.equals(result)
    assert np.signbit(again.cost).tolist() == np.signbit(result.cost).tolist()
    assert again.options.prescribe.keys() == result.options.prescribe.keys()
    assert dict(again.options.lock) == dict(result.options.lock)
    assert again.joins == result.joins


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("kind", RESULTS)
def test_what_is_read_equals_what_was_written(tmp_path, kind, ending):
    if ending in (".nc", ".zarr") and kind not in HARD:
        return
    path = tmp_path / f"result{ending}"
    RESULTS[kind].save(path)
    agree(FitResult.load(path), RESULTS[kind])
    assert [place.name for place in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("kind", RESULTS)
def test_a_data_set_holds_the_whole_result(kind):
    agree(result_of_dataset(dataset_of(record_of(RESULTS[kind]))), RESULTS[kind])


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_observations_may_stay_behind(tmp_path, ending):
    result, path = RESULTS["weights"], tmp_path / f"result{ending}"
    result.save(path)
    whole = path.stat().st_size
    result.save(path, observations=False)
    again = FitResult.load(path)
    assert again.observations is None
    assert np.array_equal(again.dofs, result.dofs)
    assert path.stat().st_size < whole


def test_other_programs_find_columns_by_name(tmp_path):
    pandas = pytest.importorskip("pandas")
    result = RESULTS["plain"]
    result.save(tmp_path / "result.csv", keypoints=True)
    result.save(tmp_path / "result.parquet", keypoints=True)
    for table in (
        pandas.read_csv(tmp_path / "result.csv", comment="#"),
        pandas.read_parquet(tmp_path / "result.parquet"),
    ):
        # some versions of pandas round the last digit of numbers in texts
        assert np.allclose(table["dofs.knee"], result.dofs[:, 2], rtol=1e-14, atol=0.0)
        assert np.allclose(table["keypoints.foot.z"], result.keypoints[:, 3, 2], rtol=1e-14, atol=0.0)
        assert table["status"].tolist() == result.status.tolist()
        assert table["residual.foot"].isna().tolist() == np.isnan(result.residual[:, 3]).tolist()
    assert FitResult.load(tmp_path / "result.parquet").equals(result)


def test_other_programs_find_labelled_arrays(tmp_path):
    xarray = pytest.importorskip("xarray")
    result = RESULTS["plain"]
    result.save(tmp_path / "result.nc")
    with xarray.open_dataset(tmp_path / "result.nc") as data:
        assert data["dofs"].sel(dof="knee").values.tolist() == result.dofs[:, 2].tolist()
        assert data["time"].values.tolist() == result.time.tolist()
        meanings = data["status_code"].attrs["flag_meanings"].split()
        assert [meanings[code] for code in data["status_code"].values] == result.status.tolist()
