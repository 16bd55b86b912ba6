"""What a fit has found: motion of the root, degrees of freedom, and how far to trust them."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, BoolArray
from pantin.fitting import quality
from pantin.fitting.join import Join
from pantin.fitting.options import FitOptions
from pantin.fitting.plan import BodyPlan
from pantin.fitting.result_doors import checked
from pantin.fitting.state import State
from pantin.fitting.status import STATUSES, FitStatus, status_words

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

    from pantin.fitting.summary import FitSummary

__all__ = ["FitResult"]

#: Kinds of sources whose observations are keypoints.
KEYPOINT_SOURCES = ("points", "xy", "camera")

#: Codes of the statuses that are a minimum.
MINIMA = tuple(STATUSES.index(status) for status in (FitStatus.CONVERGED, FitStatus.UNOBSERVABLE))


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class FitResult:
    """Poses that explain tracked keypoints, a frame each, or one pose where one frame was fitted.

    Arrays have the frames, T, as their first axis; the result of a single frame has none, and its numbers are plain.
    N is the number of degrees of freedom of the plan, K that of its keypoints, S that of the sources.

    Attributes:
        plan: The body plan.
        options: How it was fitted.
        source: What saw the keypoints, S sources.
        root_pos: Position of the root frame in the world, shape (T, 3), length units.
        root_quat_wxyz: Orientation of the root frame in the world, shape (T, 4), unit quaternions, scalar first.
        dofs: Degrees of freedom in plan order, shape (T, N), rad or length units.
        cost: The objective, shape (T,).
        cost_data: Its part from each source, shape (T, S).
        cost_prior: Its part from the pull to neutral values, shape (T,).
        status_code: How each fit ended, shape (T,), as a place in `pantin.fitting.status.STATUSES`.
        iterations: Iterations of each fit, shape (T,).
        residuals: Distances between observed and fitted, one array for each source, shape (T, K) for sources that see
            keypoints, in the source's unit; NaN where nothing was observed.
        outliers: True where the robust loss has set an observation aside, shaped as `residuals`.
        at_limit: -1 at the lower limit, 1 at the upper, else 0, shape (T, N).
        seen: True where the value of a degree of freedom rests on data, shape (T, N).
        restarted: True where the fit was tried again from a cold start, shape (T,).
        behind_camera: Observations set aside because the point was behind the camera, shape (T,).
        interpolated: True where a value was filled in from both edges of a gap, shape (T, N).
        scales: Length that residuals of each source are relative to, in its unit, shape (T, S); NaN if unknown.
        time: Times of the frames, s, shape (T,), or None.
        joins: Where segments of the recording were joined.
        observations: What was fitted to, or None.
        infinite: Coordinates that were infinite and counted as missing; of frames that were chosen from a result
            without its observations, those of all frames.
        provenance: What made the result: version, instruction-set level, fingerprint of the plan.

    Raises:
        InvalidArgument: If an array does not have its shape.
    """

    plan: BodyPlan
    options: FitOptions
    source: tuple[Any, ...]
    root_pos: Array
    root_quat_wxyz: Array
    dofs: Array
    cost: Array
    cost_data: Array
    cost_prior: Array
    status_code: npt.NDArray[np.int8]
    iterations: npt.NDArray[np.int32]
    residuals: tuple[Array, ...]
    outliers: tuple[BoolArray, ...]
    at_limit: npt.NDArray[np.int8]
    seen: BoolArray
    restarted: BoolArray = None  # type: ignore[assignment]  # filled in below
    behind_camera: npt.NDArray[np.int32] = None  # type: ignore[assignment]
    interpolated: BoolArray = None  # type: ignore[assignment]
    scales: Array = None  # type: ignore[assignment]
    time: Array | None = None
    joins: tuple[Join, ...] = ()
    observations: Any = None
    infinite: int = 0
    provenance: Mapping[str, str] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        """Give every array its kind, and check its shape."""
        for name, value in checked(self).items():
            object.__setattr__(self, name, value)

    @classmethod
    def trusted(cls, **fields: Any) -> FitResult:
        """A result of all its fields as a fit makes them, of the right kinds and shapes, which are not looked at."""
        result = object.__new__(cls)
        result.__dict__.update(fields)
        return result

    @property
    def single(self) -> bool:
        """True for the result of a single frame, whose arrays have no axis of frames."""
        return self.root_pos.ndim == 1

    @property
    def status(self) -> FitStatus | npt.NDArray[np.str_]:
        """How each fit ended, in a word, shape (T,)."""
        return STATUSES[int(self.status_code)] if self.single else status_words(self.status_code)

    @property
    def success(self) -> BoolArray:
        """True where a minimum was found, shape (T,)."""
        return np.isin(self.status_code, MINIMA)[()]

    @property
    def state(self) -> State:
        """The poses, as functions of the plan take them."""
        return State(self.root_pos, self.root_quat_wxyz, self.dofs)

    @cached_property
    def keypoints(self) -> Array:
        """Fitted keypoints in the world, shape (T, K, 3), length units."""
        return self.plan.keypoints(self.state)

    @property
    def residual(self) -> Array:
        """Distances of the keypoints from where they were observed, shape (T, K); NaN where they were not.

        That of the one source; of several cameras the root mean square over those that saw the keypoint, pixels; of a
        mix of sources that of the first which sees keypoints.
        """
        if len(self.source) > 1 and all(source.kind == "camera" for source in self.source):
            return _root_mean_square(self.residuals)
        return self.residuals[next(iter(self.keypoint_sources), 0)]

    @property
    def outlier(self) -> BoolArray:
        """True where a robust loss has set a keypoint aside, in any source, shape (T, K)."""
        seers = self.keypoint_sources
        return np.logical_or.reduce([self.outliers[index] for index in seers]) if seers else self.outliers[0]

    @property
    def keypoint_sources(self) -> list[int]:
        """Places in `source` of those that see keypoints: points, views and cameras."""
        return [index for index, source in enumerate(self.source) if source.kind in KEYPOINT_SOURCES]

    @cached_property
    def observability(self) -> Array:
        """Share of each degree of freedom that the data decide; see `pantin.fitting.quality.observability`."""
        return quality.observability(self)

    @cached_property
    def dof_std(self) -> Array:
        """Standard deviation of each degree of freedom; see `pantin.fitting.quality.dof_std`."""
        return quality.dof_std(self)

    def covariance(self, variance: float | None = None) -> Array:
        """Covariance of all coordinates; see `pantin.fitting.quality.covariance`."""
        return quality.covariance(self, variance)

    def null_space(self, frame: int | None = None) -> quality.NullSpace:
        """Directions that the data of one frame leave open, by name; see `pantin.fitting.quality.null_space`."""
        return quality.null_space(self, frame)

    def plot(self, path: str | os.PathLike[str] | None = None, **shown: Any) -> Figure:
        """A page about the fit; `shown` chooses what is on it, see `pantin.fitting.plot.plot_fit`."""
        from pantin.fitting.plot import plot_fit  # noqa: PLC0415  # which draws results

        return plot_fit(self, path, **shown)

    def __len__(self) -> int:
        """Number of frames.

        Raises:
            TypeError: If this is the result of a single frame.
        """
        if self.single:
            raise TypeError("the result of a single frame has no length")
        return len(self.root_pos)

    def __getitem__(self, key: Any) -> FitResult:
        """Some of the frames, by a slice, indices or a mask; or one, by its index."""
        if self.single:
            raise TypeError("the result of a single frame has no frames to choose from")
        from pantin.fitting.frames import chosen  # noqa: PLC0415  # which makes results

        return chosen(self, key)

    @classmethod
    def concatenate(cls, parts: Sequence[FitResult]) -> FitResult:
        """The frames of several results, one after the other.

        Args:
            parts: Results of one plan, one set of options and the same sources; single frames count as one.

        Raises:
            InvalidArgument: If there are none, they differ in more than their frames, or only some have times.
        """
        from pantin.fitting.frames import concatenated  # noqa: PLC0415  # which makes results

        return concatenated(parts)

    def equals(self, other: FitResult) -> bool:
        """True if another result says the same to the last bit: arrays with their gaps, plan, options, sources."""
        from pantin.fitting.comparing import same  # noqa: PLC0415  # which compares results

        return same(self, other)

    def to_xarray(self) -> xr.Dataset:
        """All arrays with named dimensions (`time`, `dof`, `keypoint`, `space`, ...), units, and the plan.

        Raises:
            MissingExtra: If xarray is not installed.
        """
        from pantin.fitting.storage.dataset import to_xarray  # noqa: PLC0415  # which knows results

        return to_xarray(self)

    def save(self, path: str | os.PathLike[str], *, observations: bool = True, keypoints: bool = False) -> None:
        """Store the result; the file, or the folder of a Zarr store, appears whole or not at all.

        Args:
            path: A name that ends in .nc (NetCDF), .zarr, .parquet or .csv; what is there is replaced.
            observations: Store what was fitted to as well.
            keypoints: Store the fitted keypoints as well, for other programs.

        Raises:
            InvalidArgument: If the name ends otherwise, or nothing can be written there.
            MissingExtra: If the packages of a format are not installed; CSV needs none.
        """
        from pantin.fitting.storage import save  # noqa: PLC0415  # which knows results

        save(self, path, observations=observations, keypoints=keypoints)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> FitResult:
        """A result that `save` stored, equal to what it was.

        Args:
            path: The file, or the folder of a Zarr store.

        Raises:
            InvalidArgument: If there is none, it is something else, or broken.
            MissingExtra: If the packages of a format are not installed.
        """
        from pantin.fitting.storage import load  # noqa: PLC0415  # which makes results

        return load(path)

    def summary(self, worst: int = 5) -> FitSummary:
        """What there is to know of the result at a glance; printing it shows aligned tables.

        Args:
            worst: How many of the worst frames are told.
        """
        from pantin.fitting.summary import summarise  # noqa: PLC0415  # which knows results

        return summarise(self, worst)

    def export(self, path: str | os.PathLike[str], *, unit: str | None = None, rate: float | None = None) -> None:
        """Write the result for another program; the file appears whole or not at all.

        Args:
            path: A name that ends in .trc (keypoints, OpenSim), .mot (angles in degrees, OpenSim), .bvh (skeleton and
                motion, Blender) or .npz (`qpos` for the model that the plan's `to_mjcf` writes, MuJoCo).
            unit: Unit of the lengths in the file, "m", "cm", "mm" or "um"; that of the plan by default.
            rate: Frames per second, for a result without times.

        Raises:
            InvalidArgument: If the name ends otherwise, nothing can be written there, the unit or the times of the
                frames are not known, or the format cannot say what the result says.
        """
        from pantin.fitting.export import export  # noqa: PLC0415  # which knows results

        export(self, path, unit=unit, rate=rate)

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: what was found, and nothing that is computed from it when it is asked for."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}

    def __bool__(self) -> bool:
        """Refuse to be taken for success.

        Raises:
            TypeError: Always.
        """
        raise TypeError("a FitResult is neither true nor false; ask for its .success")

    def __repr__(self) -> str:
        """How many frames, how they ended, and how far keypoints are from where they were observed."""
        if self.single:
            return f"FitResult({self.status}, cost={float(self.cost):.3g})"
        counts = np.bincount(self.status_code, minlength=len(STATUSES))
        ends = ", ".join(f"{count} {status.value}" for status, count in zip(STATUSES, counts, strict=True) if count)
        return f"FitResult({len(self)} frames{': ' if ends else ''}{ends})"


def _root_mean_square(residuals: tuple[Array, ...]) -> Array:
    """Root of the mean square over the arrays that have a number there, NaN where none has."""
    squares = np.zeros(residuals[0].shape)
    seeing = np.zeros(residuals[0].shape)
    for residual in residuals:
        there = ~np.isnan(residual)
        squares += np.where(there, residual, 0.0) ** 2
        seeing += there
    with np.errstate(invalid="ignore"):
        return np.asarray(np.sqrt(squares / seeing))
