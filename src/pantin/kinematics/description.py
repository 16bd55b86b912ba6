"""A model in plain numbers: what the core compiles, and what is pickled and copied."""

from __future__ import annotations

import copy
import math
from typing import TYPE_CHECKING, Any, Self, cast

from pantin._core import ModelBase, Tree
from pantin.kinematics.frames import Frame, FrameType
from pantin.kinematics.inertia import Inertia
from pantin.kinematics.joints import JT_HELICAL, JointModel, Mimic
from pantin.kinematics.se3 import SE3

if TYPE_CHECKING:
    from pantin.kinematics.model import Model

__all__ = ["Copying", "describe"]


def describe(model: Model) -> dict[str, Any]:
    """Arguments of the core's tree."""
    joints = model.joints
    mimics = [joint.mimic or Mimic(-1) for joint in joints]
    return {
        "kind": [joint.jtype for joint in joints],
        "parent": list(model.parents),
        "q": [max(joint.idx_q, 0) for joint in joints],
        "v": [max(joint.idx_v, 0) for joint in joints],
        "master": [mimic.master for mimic in mimics],
        "multiplier": [mimic.multiplier for mimic in mimics],
        "offset": [mimic.offset for mimic in mimics],
        "pitch": [joint.lead / math.tau if joint.jtype == JT_HELICAL else 0.0 for joint in joints],
        "axis": [x for joint in joints for x in _axis_numbers(joint)],
        "placement": [x for pose in model.joint_placements for x in _pose_numbers(pose)],
        "inertia": [x for body in model.inertias for x in _inertia_numbers(body)],
        "frame_joint": [frame.parent_joint for frame in model.frames],
        "frame_placement": [x for frame in model.frames for x in _pose_numbers(frame.placement)],
        "armature": model.armature.tolist(),
        "gravity": model.gravity.tolist(),
    }


def save(model: Model) -> dict[str, Any]:
    """Everything a model holds, in built-in types and arrays."""
    return {
        "name": model.name,
        "names": list(model.names),
        "parents": list(model.parents),
        "joints": [(j.jtype, j.axis, j.lead, j.mimic, j.idx_q, j.idx_v) for j in model.joints],
        "joint_placements": [pose.homogeneous for pose in model.joint_placements],
        "inertias": [(body.mass, body.lever, body.inertia) for body in model.inertias],
        "frames": [
            (f.name, f.parent_joint, f.parent_frame, f.placement.homogeneous, int(f.type)) for f in model.frames
        ],
        "vectors": {name: vector.values.copy() for name, vector in model._vectors.items()},
        "gravity": model.gravity.copy(),
    }


def rebuild(model: Model, state: dict[str, Any]) -> None:
    """Fill an empty model with what `save` wrote."""
    model.name = state["name"]
    for i, (jtype, axis, lead, mimic, idx_q, idx_v) in enumerate(state["joints"]):
        if i == 0:
            continue
        joint = JointModel(jtype, axis, lead=lead, mimic=mimic)
        joint.idx_q, joint.idx_v = idx_q, idx_v
        model._append_joint(joint, state["parents"][i], SE3(state["joint_placements"][i]), state["names"][i])
    for i, parts in enumerate(state["inertias"]):
        model.inertias[i] = Inertia(*parts)
    for i, (name, parent_joint, _, placement, kind) in enumerate(state["frames"]):
        frame = Frame(name, parent_joint, 0, SE3(placement), FrameType(kind))
        if i == 0:
            model.frames[0] = frame
        else:
            model.add_frame(frame)
    for frame, (_, _, parent_frame, _, _) in zip(model.frames, state["frames"], strict=True):
        frame.parent_frame = parent_frame  # it may come later
    for name, values in state["vectors"].items():
        model._vectors[name].extend(values)
    model.gravity = state["gravity"]


class Copying(ModelBase):
    """How models are copied and pickled, whatever arguments the `__init__` of a derived class takes."""

    def copy(self) -> Self:
        """Model of its own with the same content; a `Data` serves both until one is edited."""
        other = self._blank()
        rebuild(cast("Model", other), save(cast("Model", self)))
        vars(other).update(self._extras())
        other._tree = self._tree
        return other

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        other = memo[id(self)] = self.copy()
        vars(other).update(copy.deepcopy(self._extras(), memo))
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        return self._blank, (), (save(cast("Model", self)), self._extras(), self._tree)

    def __setstate__(self, state: tuple[dict[str, Any], dict[str, Any], Tree | None]) -> None:
        saved, extras, tree = state
        rebuild(cast("Model", self), saved)
        vars(self).update(extras)
        self._tree = tree

    def _clear(self) -> None:
        """Make an empty model of what `__new__` gave."""
        raise NotImplementedError

    @classmethod
    def _blank(cls) -> Self:
        """Empty model, made without the `__init__` of a derived class."""
        model = cls.__new__(cls)
        model._clear()
        return model

    def _extras(self) -> dict[str, Any]:
        """Attributes that are not the model's own: a derived class's, or the user's."""
        own = vars(self._blank())
        return {name: value for name, value in vars(self).items() if name not in own}


def _axis_numbers(joint: JointModel) -> list[float]:
    return [0.0, 0.0, 1.0] if joint.axis is None else joint.axis.tolist()


def _pose_numbers(pose: SE3) -> list[float]:
    return [*pose.rotation.ravel().tolist(), *pose.translation.tolist()]


def _inertia_numbers(body: Inertia) -> list[float]:
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = body.inertia.tolist()
    return [body.mass, *body.lever.tolist(), xx, xy, xz, yy, yz, zz]
