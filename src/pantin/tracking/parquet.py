"""Trajectories in Parquet files: a column for each number, and the scenario in the metadata."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pantin.arrays import Array
from pantin.errors import InvalidArgument, MissingExtra
from pantin.files import output_path, whole_file
from pantin.kinematics.labels import joint_values, velocity_values
from pantin.version import __version__

if TYPE_CHECKING:
    from pantin.tracking.trajectory import Trajectory

__all__ = ["columns", "parquet_path", "write"]


def columns(trajectory: Trajectory) -> dict[str, Array]:
    """Numbers of a trajectory by the names of their columns, shape (N + 1,) each."""
    model = trajectory.model
    values = joint_values(model, trajectory.q)
    errors = [".".join(filter(None, ["error", one.task, one.part])) for one in trajectory.measures]
    return {
        "time": trajectory.time,
        **{f"q.{value.label}": value.value for value in values},
        **{f"v.{value.label}": value.value for value in velocity_values(model, trajectory.v)},
        **dict(zip(errors, trajectory.errors.T, strict=True)),
        **{f"margin.{name}": one for name, one in zip(trajectory.limited_names, trajectory.margin.T, strict=True)},
    }


def parquet_path(name: str, path: str | os.PathLike[str]) -> None:
    """Refuse a file that could not be written.

    Args:
        name: Name of the argument, for messages.
        path: The file.

    Raises:
        MissingExtra: If pyarrow is not installed (extra `fit`).
        InvalidArgument: If its name does not end in .parquet, or there is no place for it.
    """
    if output_path(name, path).suffix.lower() not in (".parquet", ".pq"):
        raise InvalidArgument(name, f"expected a name that ends in .parquet, got {os.fspath(path)!r}")
    _pyarrow()


def write(trajectory: Trajectory, path: str | os.PathLike[str]) -> None:
    """Write a trajectory; the file appears whole or not at all.

    Raises:
        MissingExtra: If pyarrow is not installed (extra `fit`).
        InvalidArgument: If the file cannot be written.
    """
    parquet_path("path", path)
    pa, pq = _pyarrow()
    time, *rest = columns(trajectory).items()
    status = pa.array(trajectory.status.tolist()).dictionary_encode()
    metadata = {
        "pantin.version": __version__,
        "pantin.model": trajectory.model.name,
        "pantin.name": trajectory.name,
        "pantin.scenario": trajectory.scenario,
    }
    table = pa.table(dict([time, ("status", status), *rest]), metadata=metadata)
    with whole_file("path", path) as beside:
        pq.write_table(table, beside)


def _pyarrow() -> tuple[Any, Any]:
    """The library, and its part for Parquet."""
    try:
        import pyarrow as pa  # noqa: PLC0415  # optional
        import pyarrow.parquet as pq  # noqa: PLC0415
    except ImportError:
        raise MissingExtra("pyarrow", "fit", "a trajectory in a Parquet file") from None
    return pa, pq
