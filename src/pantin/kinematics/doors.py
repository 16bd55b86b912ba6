"""What stands behind the doors of the core's calls: look-up by name or index, and errors with their mend.

The core's fast path reads whole numbers in range and plain arrays by itself; everything else comes here.
"""

from __future__ import annotations

from typing import NoReturn, Protocol

import numpy as np
import numpy.typing as npt

from pantin._core import Data, ModelBase, Tree
from pantin.arrays import Array, batch
from pantin.errors import InvalidArgument, InvalidModel, StaleData, UnknownFrame, UnknownJoint, UnknownName
from pantin.kinematics.frames import ReferenceFrame
from pantin.kinematics.joints import JointModel

__all__ = [
    "compiled_tree",
    "external_forces",
    "frame_index",
    "joint_index",
    "previous_index",
    "raise_needs_velocity",
    "raise_no_inertia",
    "raise_not_unit",
    "raise_stale_data",
    "reference_frame_index",
    "require_data",
    "require_model",
]


class Named(Protocol):
    """A model, as far as names go."""

    @property
    def njoints(self) -> int: ...
    @property
    def nframes(self) -> int: ...
    def get_joint_id(self, name: str) -> int: ...
    def get_frame_id(self, name: str) -> int: ...


class Jointed(Protocol):
    """A model, as far as the places of its joints go."""

    @property
    def names(self) -> list[str]: ...
    @property
    def joints(self) -> list[JointModel]: ...


def joint_index(model: Named, joint: object) -> int:
    """Index of a joint given by index or name.

    Raises:
        UnknownJoint: If there is no such joint.
    """
    require_model(model)
    if isinstance(joint, str):
        return model.get_joint_id(joint)
    return _index(joint, model.njoints, UnknownJoint)


def frame_index(model: Named, frame: object) -> int:
    """Index of a frame given by index or name.

    Raises:
        UnknownFrame: If there is no such frame.
    """
    require_model(model)
    if isinstance(frame, str):
        return model.get_frame_id(frame)
    return _index(frame, model.nframes, UnknownFrame)


def previous_index(model: Named, frame: object) -> int:
    """Index of the frame before another one in the tree, the universe where negative.

    Raises:
        UnknownFrame: If there is no such frame.
    """
    if isinstance(frame, int | np.integer) and not isinstance(frame, bool) and frame < 0:
        return 0
    return frame_index(model, frame)


def reference_frame_index(reference_frame: object) -> int:
    """Number of a reference frame.

    Raises:
        InvalidArgument: If it is none.
    """
    whole = isinstance(reference_frame, int | np.integer) and not isinstance(reference_frame, bool)
    if whole and reference_frame in tuple(ReferenceFrame):
        return int(reference_frame)  # type: ignore[no-any-return, call-overload]  # a whole number
    raise InvalidArgument("reference_frame", f"expected WORLD, LOCAL or LOCAL_WORLD_ALIGNED, got {reference_frame!r}")


def require_model(model: object) -> None:
    """Refuse what is not a model.

    Raises:
        TypeError: If it is none.
    """
    if not isinstance(model, ModelBase):
        raise TypeError(f"model: expected a Model, got a {type(model).__name__}")


def compiled_tree(model: ModelBase) -> Tree:
    """The compiled tree of a model.

    Raises:
        TypeError: If it is no model.
    """
    require_model(model)
    while (tree := model._tree) is None:  # another thread may edit the model right after
        model._compile()  # type: ignore[attr-defined]  # the core's base leaves it to Model
    return tree


def require_data(model: ModelBase, data: Data) -> None:
    """Refuse a data that does not belong to the model as it is now.

    Raises:
        StaleData: If it does not.
        TypeError: If it is no data.
    """
    if not isinstance(data, Data):
        raise TypeError(f"data: expected a Data, got a {type(data).__name__}")
    if data._tree is not compiled_tree(model):
        raise_stale_data()


def raise_stale_data() -> NoReturn:
    """Refuse a data that does not belong to the model as it is now."""
    raise StaleData(
        "this data was made for another model, or for this one before it was edited; "
        "make a new one with model.create_data()"
    )


def raise_needs_velocity() -> NoReturn:
    """Refuse accelerations without velocities."""
    raise InvalidArgument("a", "accelerations need velocities; give v too")


def raise_not_unit(name: str, q: npt.ArrayLike, entry: int) -> NoReturn:
    """Refuse a configuration whose rotation that starts at `entry` is not of unit norm."""
    values = np.asarray(q, dtype=np.float64).reshape(-1)
    raise InvalidArgument(
        name,
        f"the quaternion or (cos, sin) pair that starts at entry {entry} is not of unit norm "
        f"({np.array2string(values[entry : entry + 4], precision=4)}...); "
        "start from neutral(model), or scale it with normalize(model, q)",
    )


def external_forces(name: str, forces: object, njoints: int) -> Array:
    """Forces on the joints' bodies, shape (njoints, 6), from an array or from objects with a `vector`.

    Raises:
        InvalidArgument: If they are of another shape, or not finite.
    """
    try:
        rows = [getattr(force, "vector", force) for force in forces]  # type: ignore[attr-defined]  # or the error
    except TypeError:
        rows = forces  # type: ignore[assignment]
    array = batch(name, rows, njoints, 6)
    if array.ndim != 2:
        raise InvalidArgument(name, f"expected one force per joint, shape ({njoints}, 6), got {array.shape}")
    return array


def raise_no_inertia(model: Jointed, entry: int, where: str = "") -> NoReturn:
    """Refuse forward dynamics of a joint that moves no inertia; `entry` is its place in a velocity."""
    name = next(
        name
        for name, joint in zip(model.names, model.joints, strict=True)
        if joint.mimic is None and joint.idx_v <= entry < joint.idx_v + joint.nv
    )
    raise InvalidModel(
        f"joint {name!r} moves no inertia{where}, so its acceleration is not determined; "
        "give its bodies mass and inertia, or set model.armature"
    )


def _index(index: object, size: int, error: type[UnknownName]) -> int:
    """Index in range, or the error that says what there is."""
    if not isinstance(index, int | np.integer) or isinstance(index, bool) or not 0 <= index < size:
        raise error(index, size)
    return int(index)
