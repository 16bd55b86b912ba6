"""What is asked of a frame: the mode, and everything that shapes the answer."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypedDict, cast

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, array, scalar, vector
from pantin.errors import InvalidArgument
from pantin.kinematics.doors import joint_index
from pantin.kinematics.joints import named_axis
from pantin.kinematics.model import Model
from pantin.kinematics.rows import configuration_rows
from pantin.reaching.options import ReachOptions

__all__ = ["COMPARES", "MODES", "Question", "asked", "mode_index", "tool_rotation"]

Mode = Literal["pose", "position", "orientation", "axis", "direction", "pointing", "rcm"]

#: What can be asked of a frame, in the order of the core.
MODES = ("pose", "position", "orientation", "axis", "direction", "pointing", "rcm")

#: Residuals of the core, by the mode that asks for them.
_RESIDUAL = {"pose": 0, "position": 1, "orientation": 2, "axis": 3, "direction": 4, "pointing": 5, "rcm": 3}
_WEIGHTED = 6

#: Largest weight, and one over the smallest.
_MOST = 1e6

#: Components of a pose that a mode compares, where they may be chosen.
_COMPONENTS = {"pose": slice(0, 6), "position": slice(0, 3), "orientation": slice(3, 6)}

#: Errors that each mode compares; the other one is 0.
COMPARES: Mapping[Mode, tuple[str, ...]] = {
    "pose": ("position", "rotation"),
    "position": ("position",),
    "orientation": ("rotation",),
    "axis": ("position", "rotation"),
    "direction": ("rotation",),
    "pointing": ("rotation",),
    "rcm": ("position", "rotation"),
}


class Question(TypedDict, total=False):
    """Keyword arguments of `reach` and `ReachSolver` that say what is asked beside the frame and the mode.

    None stands for the default of each.

    Attributes:
        tool_axis: The tool's axis in the frame, for the modes "axis", "direction", "pointing" and "rcm": "x", "y",
            "z" (the default), one of them with a minus, or a vector of any length, shape (3,).
        mask: Components that count, in the order of the mode: x, y, z and the rotations about them for "pose",
            three of them for "position" and "orientation". Those that are False are free.
        weights: How much each component counts, in the same order, or 0 for a free one. Only their ratios count, and
            may be up to 1e6; at equal weights an error of a metre weighs as much as `1 / (0.35 * chain length)`
            radians. They say which error is left where the target cannot be reached, and by which way it is reached.
        tolerances: What counts as reached, in the same order, m and rad. Distances and angles are reached where the
            errors over their tolerances have a norm of at most 1. They do not say where to go: a component that may
            be far off is better masked, or given little weight.
        mask_frame: "tool" if the components are along the frame's own axes, "root" (the default) if along the
            root's.
        pivot: Point in the root frame that the tool's axis passes through, for the mode "rcm", shape (3,), m.
        roll: "target" if the targets of "rcm" are poses, whose turn about the tool's axis counts; None if it is free.
        shaft: Length of the tool's shaft behind the tip, for "rcm", m; the pivot lies no farther behind the tip.
            By default it has no end.
        min_depth: How far the pivot lies behind the tip at least, m; 2 mm by default.
        lock: Names of joints that stay as the seed has them.
        joint_weights: How readily joints move, by name, or for each velocity, shape (nv,): 1 by default, more where
            a joint shall do more of the work, 0 where it is locked. Only their ratios count, and may be up to 1e6.
        max_joint_change: Farthest that an answer may move any joint from the seed, rad or m; not reached then,
            a target that is reached farther away has the status "joint_jump".
        posture: Configuration that answers are drawn to within the solutions, shape (nq,); the seed by default.
        posture_weight: How strongly, from 0 (the default, not at all) to 1. Each iteration goes a tenth of the
            weight's part of the way in the null space; numbers outside [0, 1] are clamped, and noted.
    """

    tool_axis: str | npt.ArrayLike
    mask: Sequence[bool]
    weights: npt.ArrayLike
    tolerances: npt.ArrayLike
    mask_frame: Literal["tool", "root"]
    pivot: npt.ArrayLike
    roll: Literal["target"] | None
    shaft: float
    min_depth: float
    lock: Iterable[str]
    joint_weights: Mapping[str, float] | npt.ArrayLike
    max_joint_change: float
    posture: npt.ArrayLike
    posture_weight: float


def mode_index(mode: object) -> int:
    """Number of a mode.

    Raises:
        InvalidArgument: If there is no such mode.
    """
    if isinstance(mode, str) and mode in MODES:
        return MODES.index(mode)
    raise InvalidArgument("mode", f"expected one of {', '.join(map(repr, MODES))}, got {mode!r}")


def asked(model: Model, mode: Mode, question: Question, options: ReachOptions) -> dict[str, Any]:
    """The question as the core takes it.

    Raises:
        InvalidArgument: If something is not what it shall be, or has no meaning in the mode.
        UnknownJoint: If a joint does not exist.
    """
    number = mode_index(mode)
    question = _given(mode, question)
    weights, tolerances = _components(mode, question, options)
    chosen = any(name in question for name in ("mask", "weights", "tolerances"))
    roll = question.get("roll")
    if roll is not None and not (isinstance(roll, str) and roll == "target"):
        raise InvalidArgument("roll", f"expected 'target' or None, got {roll!r}")
    return {
        "asks": number,
        "residual": _WEIGHTED if chosen else 0 if roll else _RESIDUAL[mode],
        "tool": tool_rotation(question.get("tool_axis", "z")).ravel(),
        "weights": weights,
        "per_tolerance": 1.0 / tolerances,
        "in_tool": _in_tool(question),
        "with_roll": roll is not None,
        "pivot": _pivot(mode, question),
        "depths": _depths(question),
        "readiness": _readiness(model, question),
        "max_joint_change": _positive("max_joint_change", question.get("max_joint_change", np.inf)),
        "posture": _posture(model, question),
        "posture_weight": min(max(scalar("posture_weight", question.get("posture_weight", 0.0)), 0.0), 1.0),
        "position_tolerance": options.position_tolerance,
        "rotation_tolerance": options.rotation_tolerance,
        "max_iterations": options.max_iterations,
        "max_starts": options.max_starts,
        "random_seed": options.random_seed,
        "time_limit_ms": options.time_limit_ms or 0.0,
    }


def tool_rotation(axis: str | npt.ArrayLike) -> Array:
    """Rotation, shape (3, 3), of a tool whose z is an axis of the frame; the identity for "z".

    Raises:
        InvalidArgument: If it is no axis.
    """
    z = named_axis("tool_axis", axis)
    if z[2] == 1.0:
        return np.eye(3)
    across = np.eye(3)[np.argmin(np.abs(z))]
    x = across - (across @ z) * z
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def _given(mode: Mode, question: Question) -> Question:
    """The keywords that were given, None standing for the default; those that mean nothing in the mode are refused."""
    for name in question:
        if name not in Question.__annotations__:
            close = difflib.get_close_matches(name, Question.__annotations__, n=1)
            raise InvalidArgument(name, f"reach has no such argument{f'; did you mean {close[0]!r}?' if close else ''}")
    question = cast("Question", {name: value for name, value in question.items() if value is not None})
    components = {"mask", "weights", "tolerances", "mask_frame"}
    for name in components & question.keys():
        if mode not in _COMPONENTS:
            raise InvalidArgument(name, f"means nothing in the mode {mode!r}; its components are fixed")
    if "tool_axis" in question and mode not in ("axis", "direction", "pointing", "rcm"):
        raise InvalidArgument("tool_axis", f"means nothing in the mode {mode!r}; use mask, or another mode")
    for name in {"pivot", "roll", "shaft", "min_depth"} & question.keys():
        if mode != "rcm":
            raise InvalidArgument(name, f"belongs to the mode 'rcm', not to {mode!r}")
    return question


def _components(mode: Mode, question: Question, options: ReachOptions) -> tuple[Array, Array]:
    """Weights and tolerances of the six components of a pose."""
    part = _COMPONENTS.get(mode, slice(0, 6))
    size = part.stop - part.start
    weights = np.zeros(6)
    weights[part] = _relative_weights("weights", question.get("weights", np.ones(size)), size)
    if "mask" in question:
        weights[part] *= _booleans("mask", question["mask"], size)
    if not weights.any():
        raise InvalidArgument("mask" if "mask" in question else "weights", "leaves nothing that counts")
    tolerances = np.repeat([options.position_tolerance, options.rotation_tolerance], 3)
    if "tolerances" in question:
        tolerances[part] = _numbers("tolerances", question["tolerances"], size, 1e-12, 1e6)
    return weights / weights[weights > 0.0].min(), tolerances


def _in_tool(question: Question) -> bool:
    frame = question.get("mask_frame", "root")
    if isinstance(frame, str) and frame in ("tool", "root"):
        return frame == "tool"
    raise InvalidArgument("mask_frame", f"expected 'tool' or 'root', got {frame!r}")


def _pivot(mode: Mode, question: Question) -> Array:
    if mode != "rcm":
        return np.zeros(3)
    if "pivot" not in question:
        raise InvalidArgument("pivot", "the mode 'rcm' takes the point that the shaft passes through, pivot=(x, y, z)")
    return vector("pivot", question["pivot"], 3).copy()


def _depths(question: Question) -> Array:
    """How far the pivot lies behind the tip, at least and at most."""
    least = _positive("min_depth", question.get("min_depth", 0.002))
    most = _positive("shaft", question.get("shaft", np.inf))
    if least > most:
        raise InvalidArgument("min_depth", f"{least} m is more than the shaft's {most} m")
    return np.array([least, most])


def _readiness(model: Model, question: Question) -> Array | None:
    """How readily each velocity moves; None where all do alike."""
    if "lock" not in question and "joint_weights" not in question:
        return None
    ready = np.ones(model.nv)
    weights = question.get("joint_weights", {})
    if isinstance(weights, Mapping):
        for name, weight in weights.items():
            place = _velocities(model, "joint_weights", name)
            ready[place] = _relative_weights("joint_weights", weight, place.stop - place.start)
    else:
        ready = _relative_weights("joint_weights", weights, model.nv)
    locked = question.get("lock", ())
    if not isinstance(locked, Iterable):
        raise InvalidArgument("lock", f"expected names of joints, got {locked!r}")
    for name in (locked,) if isinstance(locked, str) else locked:
        ready[_velocities(model, "lock", name)] = 0.0
    for joint in model.joints:
        own = ready[joint.idx_v : joint.idx_v + joint.nv]
        if not own.all() and own.any():
            raise InvalidArgument("joint_weights", f"joint {model.names[joint.id]!r} is locked in part; lock all of it")
    return ready


def _velocities(model: Model, argument: str, name: object) -> slice:
    """Where a joint's velocities are."""
    joint = model.joints[joint_index(model, name)]
    if joint.mimic is not None:
        follower, master = model.names[joint.id], model.names[int(joint.mimic.master)]
        raise InvalidArgument(argument, f"joint {follower!r} follows {master!r}; name that")
    return slice(joint.idx_v, joint.idx_v + joint.nv)


def _posture(model: Model, question: Question) -> Array | None:
    if "posture" not in question:
        return None
    return configuration_rows("posture", model, vector("posture", question["posture"], model.nq))


def _numbers(name: str, value: npt.ArrayLike, size: int, least: float, most: float) -> Array:
    numbers = vector(name, value, size)
    if size and not least <= numbers.min() <= numbers.max() <= most:
        raise InvalidArgument(name, f"expected numbers in [{least:g}, {most:g}], got {numbers.tolist()}")
    return numbers


def _relative_weights(name: str, value: npt.ArrayLike, size: int) -> Array:
    """Numbers of which the ratios count, or 0; one for all will do."""
    given = array(name, value)
    weights = _numbers(name, np.full(size, given) if given.ndim == 0 else given, size, 0.0, _MOST)
    if ((weights > 0.0) & (weights < 1.0 / _MOST)).any():
        raise InvalidArgument(name, f"expected 0 or numbers from {1.0 / _MOST:g} up, got {weights.tolist()}")
    return weights.copy()


def _booleans(name: str, value: object, size: int) -> npt.NDArray[np.bool_]:
    try:
        given = np.asarray(value)
    except ValueError:  # a ragged sequence
        given = np.empty(0)
    if given.shape != (size,) or given.dtype.kind not in "bif" or not ((given == 0) | (given == 1)).all():
        raise InvalidArgument(name, f"expected {size} booleans, True where the component counts, got {value!r}")
    return np.asarray(given == 1)


def _positive(name: str, value: object) -> float:
    """A positive number, infinite for none."""
    if isinstance(value, float) and value == np.inf:
        return value
    number = scalar(name, value, lower=0.0)
    if number == 0.0:
        raise InvalidArgument(name, "expected a positive number, got 0")
    return number
