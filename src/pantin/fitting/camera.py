"""Cameras: where they stand, what they see, and how that changes with the point they see."""

from __future__ import annotations

import dataclasses
import functools
import math
from typing import Any, Literal, Self, get_args

import numpy as np
import numpy.typing as npt

from pantin import _core
from pantin.arrays import Array, array, scalar
from pantin.errors import InvalidArgument
from pantin.fitting.projection import nearest_rotation, parts_of_projection
from pantin.fitting.sources import Source

__all__ = ["Camera"]

LensName = Literal["pinhole", "fisheye"]

#: Farthest that a matrix may be from a rotation, in the Frobenius norm.
ROTATION_TOLERANCE = 1e-6

#: How many coefficients of distortion each model takes.
COEFFICIENTS: dict[str, tuple[int, ...]] = {"pinhole": (4, 5, 8), "fisheye": (4,)}


@dataclasses.dataclass(frozen=True, init=False, eq=False, repr=False)
class Camera(Source):
    """A calibrated camera, which does not change once it is made; x right, y down, z forward, as in OpenCV.

    A point X of the world is at p = R X + t in the camera frame and at x = p1/p3, y = p2/p3 in its image plane; the
    lens bends (x, y), and the pixel is u = fx x + skew y + cx, v = fy y + cy.

    Attributes:
        fx, fy: Focal lengths, pixels.
        cx, cy: Principal point, pixels.
        R: Orientation of the world in the camera frame, shape (3, 3), or (T, 3, 3) for a rig that moves.
        t: Position of the world's origin in the camera frame, shape (3,) or (T, 3), length units of the plan.
        skew: Pixels per unit of y that u slants by.
        distortion: Coefficients (k1, k2, p1, p2[, k3[, k4, k5, k6]]) of a pinhole, or (k1, k2, k3, k4) of a fisheye;
            empty for none.
        model: "pinhole" (Brown 1971, rational with k4 to k6) or "fisheye" (Kannala and Brandt 2006).
    """

    kind = "camera"
    numbers = 2

    fx: float
    fy: float
    cx: float
    cy: float
    R: Array
    t: Array
    skew: float
    distortion: tuple[float, ...]
    model: LensName

    def __init__(
        self,
        fx: float,
        fy: float,
        cx: float,
        cy: float,
        R: npt.ArrayLike,
        t: npt.ArrayLike,
        skew: float = 0.0,
        distortion: npt.ArrayLike | None = None,
        model: LensName = "pinhole",
    ) -> None:
        """Check what a calibration gave.

        Raises:
            InvalidArgument: If a number is not finite, a focal length not positive, `R` farther than 1e-6 from a
                rotation (the message gives the nearest one), `t` or `distortion` of another shape, or the model
                unknown.
        """
        if not isinstance(model, str) or model not in COEFFICIENTS:
            raise InvalidArgument("model", f"expected {' or '.join(map(repr, get_args(LensName)))}, got {model!r}")
        inside = {name: scalar(name, value, lower=1e-12) for name, value in (("fx", fx), ("fy", fy))}
        inside |= {name: scalar(name, value) for name, value in (("cx", cx), ("cy", cy), ("skew", skew))}
        coefficients = _coefficients(model, distortion)
        rotation, translation = _extrinsics(R, t)
        facts = {**inside, "R": rotation, "t": translation, "distortion": coefficients, "model": model}
        for name, value in facts.items():
            object.__setattr__(self, name, value)

    @classmethod
    def from_matrix(
        cls,
        matrix: npt.ArrayLike,
        R: npt.ArrayLike | None = None,
        t: npt.ArrayLike | None = None,
        *,
        distortion: npt.ArrayLike | None = None,
        model: LensName = "pinhole",
    ) -> Self:
        """Camera of an intrinsic matrix with `R` and `t`, or of a projection matrix alone.

        Args:
            matrix: K = ((fx, skew, cx), (0, fy, cy), (0, 0, 1)), shape (3, 3); or P = K (R | t) to any scale, shape
                (3, 4), which is taken apart by an RQ decomposition (Hartley and Zisserman 2004, section 6.2.4).
            R: As for `Camera`; with K only.
            t: As for `Camera`; with K only.
            distortion: As for `Camera`.
            model: As for `Camera`.

        Raises:
            InvalidArgument: If the matrix is neither, or `R` and `t` are missing for K or given beside P.
        """
        given = array("matrix", matrix)
        if given.shape == (3, 4):
            if R is not None or t is not None:
                raise InvalidArgument("matrix", "a projection (3, 4) holds R and t already; give it alone")
            given, R, t = parts_of_projection(given)
        elif given.shape != (3, 3):
            raise InvalidArgument("matrix", f"expected K (3, 3) or a projection (3, 4), got shape {given.shape}")
        elif R is None or t is None:
            raise InvalidArgument("matrix", "an intrinsic matrix K (3, 3) needs R and t beside it")
        if given[1, 0] != 0.0 or given[2, 0] != 0.0 or given[2, 1] != 0.0 or given[2, 2] == 0.0:
            raise InvalidArgument("matrix", f"expected ((fx, skew, cx), (0, fy, cy), (0, 0, 1)), got {given.tolist()}")
        K = given / given[2, 2]
        return cls(K[0, 0], K[1, 1], K[0, 2], K[1, 2], R, t, K[0, 1], distortion, model)

    @property
    def n_frames(self) -> int | None:
        """Number of frames of a rig that moves; None for a camera that stands."""
        return len(self.R) if self.R.ndim == 3 else None

    @property
    def center(self) -> Array:
        """Where the camera is in the world, shape (3,) or (T, 3): -R' t."""
        return np.asarray(-np.einsum("...ji,...j->...i", self.R, self.t))

    @property
    def mean_focal(self) -> float:
        """Mean of both focal lengths, pixels."""
        return 0.5 * (self.fx + self.fy)

    @functools.cached_property
    def lens(self) -> Array:
        """What the core takes, shape (14,): 1 for a fisheye, else 0; fx, fy, cx, cy, skew; coefficients and zeros."""
        fisheye = float(self.model == "fisheye")
        lens = np.zeros(14)
        lens[:6] = (fisheye, self.fx, self.fy, self.cx, self.cy, self.skew)
        lens[6 : 6 + len(self.distortion)] = self.distortion
        lens.flags.writeable = False
        return lens

    def at(self, frames: int | slice) -> Camera:
        """The camera in one frame, or the rig in some; a camera that stands is the same in all."""
        if self.n_frames is None:
            return self
        return dataclasses.replace(self, R=self.R[frames], t=self.t[frames])

    def project(self, points: npt.ArrayLike) -> Array:
        """Pixels of points.

        Args:
            points: Positions in the world, shape (..., 3); (T, ..., 3) for a rig that moves. Length units of the plan.

        Returns:
            Pixels (u, v), shape (..., 2); NaN for points that are not in front of the camera, or NaN themselves.

        Raises:
            InvalidArgument: If the shape is another.
        """
        return np.ascontiguousarray(self._look(points)[0][..., :2])

    def jacobian(self, points: npt.ArrayLike) -> Array:
        """Derivatives of `project` with respect to the points.

        Args:
            points: As for `project`.

        Returns:
            Pixels per length unit, shape (..., 2, 3); NaN where `project` is.

        Raises:
            InvalidArgument: If the shape is another.
        """
        seen, R = self._look(points)
        return np.asarray(seen[..., 2:8].reshape(*seen.shape[:-1], 2, 3) @ R)

    def undistort(self, pixels: npt.ArrayLike) -> Array:
        """Where the rays of pixels meet the image plane at distance 1: the camera sees (x, y, 1) at the pixel.

        Args:
            pixels: Pixels (u, v), shape (..., 2).

        Returns:
            Points (x, y) in the camera frame, shape (..., 2); NaN where the lens brings no ray in front of the camera
            to a pixel.

        Raises:
            InvalidArgument: If the shape is another.
        """
        given = _points("pixels", pixels, 2)
        return np.asarray(_core.fit_undistort(self.lens, given.reshape(-1, 2)).reshape(given.shape))

    def _look(self, points: npt.ArrayLike) -> tuple[Array, Array]:
        """What the core sees of points, shape (..., 9), and the rotations that go with them."""
        given = _points("points", points, 3)
        R, t = self.R, self.t
        if self.n_frames is not None:
            if given.ndim < 2 or len(given) != self.n_frames:
                raise InvalidArgument(
                    "points", f"expected shape ({self.n_frames}, ..., 3) for a moving rig, got {given.shape}"
                )
            between = (1,) * (given.ndim - 2)
            R, t = R.reshape(-1, *between, 3, 3), t.reshape(-1, *between, 3)
        in_camera = np.ascontiguousarray(np.einsum("...ij,...j->...i", R, given) + t)
        seen = _core.fit_look(self.lens, in_camera.reshape(-1, 3)).reshape(*in_camera.shape[:-1], 9)
        seen[~(in_camera[..., 2] > 0.0)] = math.nan
        return seen, R

    def to_dict(self) -> dict[str, Any]:
        """The camera in numbers, texts and lists, as JSON takes them."""
        facts = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        lists = {"R": self.R.tolist(), "t": self.t.tolist(), "distortion": list(self.distortion)}
        return {"kind": self.kind, **facts, **lists}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Camera):
            return NotImplemented
        return (
            np.array_equal(self.lens, other.lens)
            and np.array_equal(self.R, other.R)
            and np.array_equal(self.t, other.t)
            and self.distortion == other.distortion
        )

    def __hash__(self) -> int:
        return hash((self.lens.tobytes(), self.R.tobytes(), self.t.tobytes()))

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), tuple(getattr(self, field.name) for field in dataclasses.fields(self)))

    def __repr__(self) -> str:
        stands = "" if self.n_frames is None else f", {self.n_frames} frames"
        return f"<Camera {self.model}, fx {self.fx:g}, fy {self.fy:g}, centre ({self.cx:g}, {self.cy:g}){stands}>"


def _points(name: str, value: npt.ArrayLike, width: int) -> Array:
    """Array of shape (..., width), in which NaN is welcome."""
    given = array(name, value, finite=False)
    if given.ndim == 0 or given.shape[-1] != width:
        raise InvalidArgument(name, f"expected shape (..., {width}), got {given.shape}")
    return given


def _coefficients(model: str, distortion: npt.ArrayLike | None) -> tuple[float, ...]:
    """Coefficients of distortion; none where they are None or empty."""
    given = array("distortion", () if distortion is None else distortion).ravel()
    if given.size and given.size not in COEFFICIENTS[model]:
        counts = " or ".join(map(str, COEFFICIENTS[model]))
        raise InvalidArgument("distortion", f"expected {counts} coefficients of a {model}, got {given.size}")
    return tuple(given.tolist())


def _extrinsics(R: npt.ArrayLike, t: npt.ArrayLike) -> tuple[Array, Array]:
    """Rotation and translation, both of one camera that stands, or both of a rig that moves; read-only."""
    rotation = array("R", R)
    if rotation.shape == (3,):
        raise InvalidArgument(
            "R", "expected a rotation matrix (3, 3); pantin.kinematics.exp3 makes one of a rotation vector"
        )
    translation = array("t", t)
    if translation.shape == (3, 1):
        translation = translation[:, 0]
    if rotation.shape[-2:] != (3, 3) or rotation.ndim > 3 or translation.shape[-1:] != (3,) or translation.ndim > 2:
        raise InvalidArgument(
            "R, t",
            f"expected shapes (3, 3) or (T, 3, 3), and (3,) or (T, 3), got {rotation.shape}, {translation.shape}",
        )
    frames = {len(each) for each, axes in ((rotation, 3), (translation, 2)) if each.ndim == axes}
    if len(frames) > 1:
        raise InvalidArgument(
            "R, t", f"expected the same number of frames in both, got {len(rotation)} and {len(translation)}"
        )
    _refuse_others_than_rotations(rotation)
    shape = (*frames,)
    rotation, translation = (
        np.array(np.broadcast_to(each, (*shape, *each.shape[-axes:])))
        for each, axes in ((rotation, 2), (translation, 1))
    )
    rotation.flags.writeable = translation.flags.writeable = False
    return rotation, translation


def _refuse_others_than_rotations(R: Array) -> None:
    """Name the first matrix that is no rotation, and the rotation nearest to it."""
    # twice the distance, near a rotation
    apart = np.linalg.norm(R @ np.swapaxes(R, -1, -2) - np.eye(3), axis=(-2, -1))
    for frame in np.flatnonzero((apart > ROTATION_TOLERANCE) | (np.linalg.det(R) < 0.0)):
        matrix = R.reshape(-1, 3, 3)[frame]
        nearest = nearest_rotation(matrix)
        distance = np.linalg.norm(matrix - nearest)
        if distance > ROTATION_TOLERANCE:
            where = f"the matrix of frame {frame}" if R.ndim == 3 else "the matrix"
            raise InvalidArgument(
                "R",
                f"{where} is {distance:.3g} from a rotation (at most {ROTATION_TOLERANCE:g}); the nearest one is "
                f"{nearest.tolist()}",
            )
