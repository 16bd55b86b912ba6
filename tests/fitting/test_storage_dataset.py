"""Labelled arrays: dimensions, names along them, units, and the plan."""

import json

import numpy as np
import pytest
from hand_made import camera, hand_made, mixed_sources
from worked_examples import HOPPER

from pantin.fitting.plan import BodyPlan
from pantin.fitting.result import FitResult
from pantin.fitting.storage.dataset import result_of_dataset

pytest.importorskip("xarray")


@pytest.fixture(scope="module")
def hopper():
    return BodyPlan.from_dict(HOPPER)


def test_dimensions_and_places_have_names(hopper):
    result = hand_made(hopper)
    data = result.to_xarray()
    assert data["keypoints"].dims == ("time", "keypoint", "space")
    assert data["keypoints"].sel(keypoint="foot", space="z").values.tolist() == result.keypoints[:, 3, 2].tolist()
    assert data["dofs"].sel(dof="knee", time=0.05).item() == result.dofs[5, 2]
    assert data["root_quat_wxyz"].sel(quaternion="w").values.tolist() == result.root_quat_wxyz[:, 0].tolist()
    assert data["residual"].dims == data["outlier"].dims == ("time", "keypoint")
    assert json.loads(data.attrs["plan"]) == hopper.to_dict()


def test_units_are_told(hopper):
    data = hand_made(hopper, source=mixed_sources(hopper)).to_xarray()
    units = {name: variable.attrs["units"] for name, variable in data.variables.items() if "units" in variable.attrs}
    assert {name for name, unit in units.items() if unit == "px"} == {
        f"{what}_camera_{number}" for what in ("residual", "positions") for number in (0, 1)
    }
    assert units["time"] == "s"
    assert units["residual_orientation"] == "rad"
    assert units["root_pos"] == units["residual_points"] == units["residual_distance"] == "m"
    assert data["dof_unit"].sel(dof=["knee", "mast"]).values.tolist() == ["rad", "m"]


def test_several_sources_have_a_common_residual_too(hopper):
    result = hand_made(hopper, source=[camera(hopper), camera(hopper, 0.7)])
    data = result.to_xarray()
    assert np.array_equal(data["residual"].values, result.residual, equal_nan=True)
    assert np.array_equal(data["residual_camera_1"].values, result.residuals[1], equal_nan=True)


def test_one_frame_has_no_axis_of_frames(hopper):
    data = hand_made(hopper, None).to_xarray()
    assert "time" not in data.sizes
    assert data["dofs"].dims == ("dof",)


def test_a_data_set_that_was_cut_is_a_result_no_more(hopper):
    result = hand_made(hopper)
    assert result_of_dataset(result.to_xarray()).equals(result)
    with pytest.raises(ValueError, match="expected shape"):
        result_of_dataset(result.to_xarray().isel(time=slice(3)))
    with pytest.raises(KeyError, match="dofs"):
        result_of_dataset(result.to_xarray().drop_vars("dofs"))


def test_a_real_fit_comes_back(tmp_path):
    from pantin.fitting import Points3D, Segments, fit, match, read_recording
    from pantin.samples import recording

    plan = BodyPlan.load("walker")
    tracked = match(read_recording(recording("walker")), plan)
    result = fit(plan, tracked.positions, tracked.weights, time=tracked.time, segments=Segments(100), source=Points3D())
    assert result.success.all()
    assert len(result.joins) == 2
    result.save(tmp_path / "walk.csv")
    again = FitResult.load(tmp_path / "walk.csv")
    assert again.equals(result)
    assert np.array_equal(again.keypoints, result.keypoints)
    assert np.array_equal(again.observability, result.observability, equal_nan=True)
    assert str(again.summary()) == str(result.summary())
