"""The body plan of an engine's model, and so of a URDF or MJCF file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, vector
from pantin.errors import InvalidArgument, InvalidModel
from pantin.fitting.convert.euler import AXES
from pantin.fitting.convert.model_states import FREEDOMS, dof_count, floating_base, state_of_model
from pantin.fitting.convert.names import unique
from pantin.kinematics.configurations import clamp, configuration_from_dict, neutral
from pantin.kinematics.doors import frame_index, require_model
from pantin.kinematics.frames import Frame
from pantin.kinematics.joints import JointModel
from pantin.kinematics.model import Model
from pantin.kinematics.se3 import SE3
from pantin.kinematics.so3 import quaternion_wxyz

__all__ = ["plan_document"]

Keypoints = Iterable[str | int] | Mapping[str, str | int]
MimicPolicy = Literal["refuse", "lock"]

#: A limit beyond this is none. Where a joint has a limit on one side only, it stands for the other.
FAR = 1e10

#: Poses that differ by less, in metres and as matrices, are the same.
SAME = 1e-12


class _Chosen(NamedTuple):
    """A frame that becomes a keypoint."""

    name: str
    frame: Frame


def plan_document(
    model: Model,
    keypoints: Keypoints | None = None,
    *,
    neutral_configuration: npt.ArrayLike | Mapping[str, npt.ArrayLike] | None = None,
    mimic: MimicPolicy = "refuse",
    length_unit: str | None = "m",
) -> dict[str, Any]:
    """Content of the plan file of a model.

    - Each joint of the model becomes a joint of the plan, with its limits: a revolute or continuous one with a hinge,
      a prismatic one with a slide, a ball with hinges about x, y and z, a planar one with slides along x and y and a
      hinge about z, a free flyer with both threes.
    - A free flyer that carries the whole tree becomes the free base instead, and loses its limits.
    - Each chosen frame becomes a joint without degrees of freedom. One of the same name and place as a joint is
      that joint; where only the name is the same, the frame keeps it.

    Args:
        model: The model.
        keypoints: Frames, by name or index, or a mapping from names of keypoints to frames. By default the ends of
            the tree: every frame on which no other hangs.
        neutral_configuration: Where the joints like to be: a configuration or a mapping from joints to values. By
            default the model's neutral configuration, moved within limits.
        mimic: What becomes of joints that follow others: "refuse" them, or "lock" them where the neutral
            configuration has them.
        length_unit: Written into the plan, as a label; None leaves it out.

    Raises:
        UnknownFrame: If there is no frame of a name.
        InvalidModel: If a joint is helical, or follows another and is not locked.
        InvalidArgument: If a frame is not moved by the free base, or an argument is not of its kind.
    """
    require_model(model)
    dof_count(model)
    _check_mimics(model, mimic)
    base = floating_base(model)
    chosen = _chosen(model, keypoints, base)
    values = iter(state_of_model(model, _neutral(model, neutral_configuration)).dofs.tolist())

    names, leaves = _joint_names(model, base, chosen)
    dof_names: set[str] = set()
    joints = [_joint(names[base], None, SE3.Identity())]
    for index, joint in enumerate(model.joints):
        if index in (0, base):
            continue
        joints.append(_joint(names[index], names[model.parents[index]], model.joint_placements[index]))
        for number, (_, axis) in enumerate(FREEDOMS[joint.jtype]):
            name = unique(model.names[index] + (f"_{axis.lower()}" if axis else ""), dof_names)
            dof_names.add(name)
            joints[-1]["dofs"].append({"name": name, **_dof(model, joint, number, next(values))})
    joints += [_joint(name, names[frame.parent_joint], frame.placement) for name, frame in leaves]

    about = {"title": model.name} if model.name else {}
    if length_unit is not None:
        about["length_unit"] = length_unit
    return {"fixed_base": base == 0, "joints": joints, **({"x-pantin": about} if about else {})}


def _check_mimics(model: Model, mimic: object) -> None:
    if mimic not in get_args(MimicPolicy):
        raise InvalidArgument("mimic", f"expected {' or '.join(map(repr, get_args(MimicPolicy)))}, got {mimic!r}")
    for name, joint in zip(model.names, model.joints, strict=True):
        if joint.mimic is not None and mimic == "refuse":
            master = model.names[int(joint.mimic.master)]
            raise InvalidModel(
                f"joint {name!r} follows {master!r}, and in a body plan every degree of freedom moves by itself; "
                "load the model with mimic=False to let it do so, or take mimic='lock' to hold it still"
            )


def _chosen(model: Model, keypoints: Keypoints | None, base: int) -> list[_Chosen]:
    """The frames that become keypoints, in the order given, with their names."""
    if keypoints is None:
        carried = {frame.parent_frame for frame in model.frames[1:]}
        ends = [i for i in range(1, model.nframes) if i not in carried and (base == 0 or model.frames[i].parent_joint)]
        taken: dict[str, Frame] = {}
        for i in ends:
            taken[unique(model.frames[i].name, taken)] = model.frames[i]
        return [_Chosen(*item) for item in taken.items()]
    if isinstance(keypoints, str):
        raise InvalidArgument("keypoints", f"expected names of frames in a list, got the text {keypoints!r}")
    if isinstance(keypoints, Mapping):
        chosen = [_Chosen(str(name), model.frames[frame_index(model, frame)]) for name, frame in keypoints.items()]
    else:
        try:
            frames = [model.frames[frame_index(model, frame)] for frame in keypoints]
        except TypeError:
            raise InvalidArgument("keypoints", f"expected names of frames, got {keypoints!r}") from None
        chosen = [_Chosen(frame.name, frame) for frame in frames]
    for _, frame in chosen:
        if base and frame.parent_joint == 0:
            raise InvalidArgument("keypoints", f"frame {frame.name!r} stands still while the free base moves")
    names = [name for name, _ in chosen]
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        raise InvalidArgument("keypoints", f"{', '.join(map(repr, doubled))} would stand for several keypoints")
    return chosen


def _joint_names(model: Model, base: int, chosen: list[_Chosen]) -> tuple[dict[int, str], list[_Chosen]]:
    """Names of the plan's joints by joint of the model, and the chosen frames that are none of them."""
    names: dict[int, str] = {}
    for name, frame in chosen:
        if base not in names and frame.parent_joint == base and _same(frame.placement, SE3.Identity()):
            names[base] = name
        elif model.exist_joint_name(name) and _is_joint(model, frame, model.get_joint_id(name)):
            names[model.get_joint_id(name)] = name
    leaves = [item for item in chosen if item.name not in names.values()]
    taken = {name for name, _ in chosen}
    for index, name in enumerate(model.names):
        if index not in names and (index == base or index > 0):
            names[index] = unique("root" if index == 0 else name, taken)
            taken.add(names[index])
    return names, leaves


def _is_joint(model: Model, frame: Frame, joint: int) -> bool:
    """True if a frame is where a joint is: before its motion, or after it if it only turns."""
    if frame.parent_joint == model.parents[joint]:
        return _same(frame.placement, model.joint_placements[joint])
    turns_only = all(kind == "hinge" for kind, _ in FREEDOMS.get(model.joints[joint].jtype, ()))
    return frame.parent_joint == joint != 0 and turns_only and _same(frame.placement, SE3.Identity())


def _same(one: SE3, other: SE3) -> bool:
    return bool(np.abs(one.homogeneous - other.homogeneous).max() <= SAME)


def _neutral(model: Model, given: npt.ArrayLike | Mapping[str, npt.ArrayLike] | None) -> Array:
    """The configuration that is meant, shape (nq,)."""
    if given is None:
        return clamp(model, neutral(model))
    return configuration_from_dict(model, given) if isinstance(given, Mapping) else vector("neutral", given, model.nq)


def _joint(name: str, parent: str | None, placement: SE3) -> dict[str, Any]:
    """A joint of a plan file, without degrees of freedom yet."""
    return {
        "name": name,
        "parent": parent,
        "offset_pos": placement.translation.tolist(),
        "offset_quat": quaternion_wxyz(placement.rotation).tolist(),
        "dofs": [],
    }


def _dof(model: Model, joint: JointModel, number: int, value: float) -> dict[str, Any]:
    """A degree of freedom of a plan file."""
    kind, axis = FREEDOMS[joint.jtype][number]
    direction = joint.axis if axis is None else np.eye(3)[AXES[axis]]
    assert direction is not None
    return {
        "type": kind,
        "axis": direction.tolist(),
        "neutral": value,
        "limits": [value, value] if joint.mimic is not None else _limits(model, joint, number),
    }


def _limits(model: Model, joint: JointModel, number: int) -> list[float] | None:
    """Limits of a degree of freedom that is a number of the configuration, None where there are none."""
    kind, _ = FREEDOMS[joint.jtype][number]
    if joint.nq != 1 and kind == "hinge":
        return None
    entry = joint.idx_q + number
    low, high = model.lower_position_limit[entry], model.upper_position_limit[entry]
    if low < -FAR and high > FAR:
        return None
    return [max(float(low), -FAR), min(float(high), FAR)]
