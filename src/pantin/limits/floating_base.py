"""The floating base of a model, and the frame that stands for it."""

from __future__ import annotations

from pantin.errors import InvalidArgument
from pantin.kinematics.doors import require_model
from pantin.kinematics.joints import JT_FREEFLYER, JT_PLANAR, JointModel
from pantin.kinematics.model import Model

__all__ = ["base_frame_of", "floating_joint", "require_base_frame"]


def floating_joint(model: Model) -> JointModel:
    """The joint "root_joint", or else of the first free flyer or planar joint at the root.

    Raises:
        InvalidArgument: If there is none.
        TypeError: If the model is none.
    """
    require_model(model)
    if model.exist_joint_name("root_joint"):
        return model.joints[model.get_joint_id("root_joint")]
    for joint in model.joints[1:]:
        if model.parents[joint.id] == 0 and joint.jtype in (JT_FREEFLYER, JT_PLANAR):
            return joint
    raise InvalidArgument(
        "model",
        "it has no floating base: neither a joint 'root_joint' nor a free flyer or planar joint at its root; "
        "load it with root_joint='free_flyer'",
    )


def base_frame_of(model: Model, joint_id: int, base_frame: str | None) -> str:
    """Name of the frame that stands for a floating base: the one that is named, or the first on its joint.

    Raises:
        UnknownFrame: If the model has no such frame.
        InvalidArgument: If the frame is not on that joint, or the joint has none.
    """
    if base_frame is not None:
        require_base_frame(model, joint_id, base_frame)
        return base_frame
    for frame in model.frames:
        if frame.parent_joint == joint_id:
            return frame.name
    raise InvalidArgument("base_frame", f"joint {model.names[joint_id]!r} carries no frame; add one to the model")


def require_base_frame(model: Model, joint_id: int, base_frame: str) -> int:
    """Index of a frame on a joint.

    Raises:
        UnknownFrame: If the model has no such frame.
        InvalidArgument: If the frame is on another joint.
    """
    frame_id = model.get_frame_id(base_frame)
    carrier = model.frames[frame_id].parent_joint
    if carrier != joint_id:
        raise InvalidArgument(
            "base_frame",
            f"{base_frame!r} is on joint {model.names[carrier]!r}, not on the floating base {model.names[joint_id]!r}",
        )
    return frame_id
