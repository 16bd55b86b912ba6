"""What stands behind the doors of reach: targets of every form, and errors with their mend.

The core's fast path reads an `SE3` and plain arrays by itself; everything else comes here. Targets become twelve
numbers each, rotation by rows and position (or direction).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

import numpy as np
import numpy.typing as npt

from pantin import _core
from pantin.arrays import Array, batch, vector
from pantin.errors import InvalidArgument, InvalidModel
from pantin.kinematics.doors import frame_index
from pantin.kinematics.model import Model
from pantin.kinematics.poses import as_rotation, as_se3
from pantin.kinematics.rows import configuration_rows
from pantin.kinematics.se3 import SE3

if TYPE_CHECKING:
    from pantin.reaching.solver import ReachSolver

__all__ = [
    "as_target",
    "joint_of",
    "movable_frame",
    "moving_joints",
    "raise_contradiction",
    "raise_edited",
    "raise_outgrown",
    "read_form",
    "read_forms",
    "read_seeds",
    "read_target",
    "read_targets",
    "target_form",
]


def movable_frame(model: Model, frame: object, root: object) -> tuple[int, int]:
    """Indices of a frame and of the root it is moved against.

    Raises:
        UnknownFrame: If one of them does not exist.
        InvalidArgument: If no joint lies between them.
    """
    moved, base = frame_index(model, frame), 0 if root is None else frame_index(model, root)
    if not moving_joints(model, moved, base):
        names = [model.frames[i].name for i in (moved, base)]
        raise InvalidArgument(
            "frame", f"no joint moves {names[0]!r} against {names[1]!r}; nothing could reach a target"
        )
    return moved, base


def moving_joints(model: Model, frame: int, root: int) -> set[int]:
    """Joints that move a frame against another one; where a mimic does, its master."""
    ways = [set(model.supports[model.frames[i].parent_joint]) for i in (frame, root)]
    between = ways[0] ^ ways[1]
    masters = {int(mimic.master) for i in between if (mimic := model.joints[i].mimic) is not None}
    return {i for i in between | masters if model.joints[i].mimic is None}


_LAST_ROW = np.array([0.0, 0.0, 0.0, 1.0])


def read_target(solver: ReachSolver, target: object) -> Array:
    """Twelve numbers of one target: rotation by rows, and a position or direction.

    Raises:
        InvalidArgument: If the target is not what the mode asks for.
    """
    return read_form(target_form(solver), target)


def read_form(form: str, target: object) -> Array:
    """Twelve numbers of one target: a "pose", a "point", an "orientation" or a "direction".

    Raises:
        InvalidArgument: If the target is none.
    """
    numbers = np.concatenate([np.eye(3).ravel(), np.zeros(3)])
    if form == "direction":
        numbers[9:] = _unit("target", vector("target", target, 3))  # type: ignore[arg-type]  # whatever came is checked there
    elif form == "point":
        numbers[9:] = vector("target", target, 3)  # type: ignore[arg-type]  # as above
    elif form == "orientation":
        numbers[:9] = as_rotation("target", getattr(target, "rotation", target)).ravel()  # type: ignore[arg-type]
    else:
        pose = as_se3("target", target)
        numbers[:9], numbers[9:] = pose.rotation.ravel(), pose.translation
        vector("target", numbers, 12)
    return numbers


def read_targets(solver: ReachSolver, targets: object) -> tuple[Array, tuple[int, ...]]:
    """Twelve numbers of each of many targets, shape (n, 12), and the shape of the batch.

    Raises:
        InvalidArgument: If the targets are not what the mode asks for.
    """
    return read_forms(target_form(solver), targets)


def read_forms(form: str, targets: object) -> tuple[Array, tuple[int, ...]]:
    """Twelve numbers of each of many targets of a form, shape (n, 12), and the shape of the batch.

    Raises:
        InvalidArgument: If one of the targets is none.
    """
    if isinstance(targets, Sequence) and any(hasattr(target, "rotation") for target in targets):
        rows = [read_form(form, target) for target in targets]
        return np.stack(rows), (len(rows),)
    if form in ("point", "direction"):
        positions = batch("targets", targets, 3)  # type: ignore[arg-type]  # whatever came is checked there
        shape = positions.shape[:-1]
        if form == "direction":
            positions = _unit("targets", positions)
        rotations: Array = np.broadcast_to(np.eye(3), (*shape, 3, 3))
    elif form == "orientation":
        rotations = batch("targets", targets, 3, 3)  # type: ignore[arg-type]  # as above
        shape, positions = rotations.shape[:-2], np.zeros((*rotations.shape[:-2], 3))
    else:
        poses = batch("targets", targets, 4, 4)  # type: ignore[arg-type]  # as above
        shape, rotations, positions = poses.shape[:-2], poses[..., :3, :3], poses[..., :3, 3]
        if not (poses[..., 3, :] == _LAST_ROW).all():
            _refuse("a last row of (0, 0, 0, 1)", np.abs(poses[..., 3, :] - _LAST_ROW).max(axis=-1) > 1e-9)
    numbers = np.empty((*shape, 12))
    numbers[..., :9] = rotations.reshape(*shape, 9)
    numbers[..., 9:] = positions
    flat = numbers.reshape(-1, 12)
    wrong = np.zeros(len(flat), dtype=bool)
    wrong[_core.first_improper(flat) :][:1] = True
    _refuse("a rotation", wrong.reshape(shape))
    return flat, shape


def read_seeds(model: Model, seeds: npt.ArrayLike | None, shape: tuple[int, ...]) -> Array | None:
    """One seed for all targets, shape (nq,), or one for each, shape (n, nq).

    Raises:
        InvalidArgument: If the shape is neither, or a seed is not finite or not normalised.
    """
    if seeds is None:
        return None
    given = configuration_rows("seeds", model, seeds)
    if given.shape not in ((model.nq,), (*shape, model.nq)):
        raise InvalidArgument(
            "seeds", f"expected shape {(model.nq,)} or, one for each target, {(*shape, model.nq)}, got {given.shape}"
        )
    return given if given.ndim == 1 else given.reshape(-1, model.nq)


def raise_contradiction(model: Model, entry: int) -> NoReturn:
    """Refuse limits of which the lower one at `entry` is above the upper one, or NaN."""
    name = joint_of(model, entry)
    low, high = model.lower_position_limit[entry], model.upper_position_limit[entry]
    raise InvalidModel(f"joint {name!r} has a lower limit {low} above its upper limit {high}")


def raise_outgrown(model: Model) -> NoReturn:
    """Refuse a model that has other joints than when a posture or weights of its joints were given."""
    raise InvalidArgument(
        "model",
        f"its posture, locks or joint_weights were given for other joints than it has now (nq={model.nq}); make a new "
        "ReachSolver",
    )


def raise_edited(model: Model) -> NoReturn:
    """Refuse a model that was given other joints in the middle of a batch or a path."""
    raise InvalidArgument(
        "model",
        f"it was given other joints (nq={model.nq}) while a batch or path was being solved; edit it before or after",
    )


def joint_of(model: Model, entry: int) -> str:
    """Name of the joint that an entry of a configuration belongs to."""
    for name, joint in zip(model.names, model.joints, strict=True):
        if joint.mimic is None and joint.idx_q <= entry < joint.idx_q + joint.nq:
            return name
    raise AssertionError(f"entry {entry} belongs to no joint")


def target_form(solver: ReachSolver) -> str:
    """What a solver's targets are."""
    if solver.mode == "rcm":
        return "pose" if solver.question.get("roll") else "point"
    return {"position": "point", "pointing": "point", "axis": "pose"}.get(solver.mode, solver.mode)


def as_target(solver: ReachSolver, numbers: Array) -> SE3 | Array:
    """Twelve numbers as a solver's mode asks for them: a pose, a point or direction (3,), or an orientation (3, 3)."""
    rotation, position = numbers[:9].reshape(3, 3), numbers[9:]
    form = target_form(solver)
    if form == "pose":
        return SE3(rotation, position)
    return rotation if form == "orientation" else position


def _unit(name: str, directions: Array) -> Array:
    """Directions scaled to unit length, one by one as all together."""
    largest = np.abs(directions).max(axis=-1, keepdims=True, initial=0.0)
    _refuse("a direction, not zero", np.asarray(largest[..., 0] == 0.0), name)
    even = np.ldexp(directions, -np.frexp(largest)[1])
    x, y, z = np.moveaxis(even, -1, 0)
    return np.asarray(even / np.sqrt(x * x + y * y + z * z)[..., None])


def _refuse(expected: str, wrong: npt.NDArray[np.bool_], name: str = "targets") -> None:
    """Refuse the first target that is wrong."""
    if wrong.any():
        index = ", ".join(str(i) for i in np.argwhere(wrong)[0])
        raise InvalidArgument(name, f"expected {expected}{f'; the target at [{index}] has none' if index else ''}")
