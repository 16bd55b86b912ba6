"""The arrays of a body plan, from its checked document."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pantin.fitting.plan.rotations import matrix_of

__all__ = ["arrays_of"]


def arrays_of(content: dict[str, Any], source_order: list[int]) -> dict[str, Any]:
    """Fields of a `BodyPlan` by name.

    Args:
        content: The plan, as `document.examine` leaves it.
        source_order: Where each joint stood in the source.
    """
    joints = content["joints"]
    dofs = [dof for joint in joints for dof in joint["dofs"]]
    number = {joint["name"]: index for index, joint in enumerate(joints)}
    limits = [[-np.inf, np.inf] if dof["limits"] is None else dof["limits"] for dof in dofs]
    lower, upper = np.reshape(limits, (-1, 2)).T
    quaternions = np.array([joint["offset_quat"] for joint in joints])
    arrays: dict[str, npt.NDArray[Any]] = {
        "parents": np.array([-1 if joint["parent"] is None else number[joint["parent"]] for joint in joints], np.int32),
        "offset_pos": _column(joints, "offset_pos"),
        "offset_quat_wxyz": quaternions,
        "offset_rot": matrix_of(quaternions),
        "joint_weight": _column(joints, "weight_scaler"),
        "dof_joint": np.repeat(np.arange(len(joints), dtype=np.int32), [len(joint["dofs"]) for joint in joints]),
        "dof_is_slide": np.array([dof["type"] == "slide" for dof in dofs], np.bool_),
        "dof_axis": _column(dofs, "axis").reshape(-1, 3),
        "neutral": _column(dofs, "neutral"),
        "lower": lower.astype(np.float64),
        "upper": upper.astype(np.float64),
        "dof_weight": _column(dofs, "weight_scaler"),
        "source_order": np.array(source_order, np.int32),
    }
    return {
        "joint_names": tuple(joint["name"] for joint in joints),
        "dof_names": tuple(dof["name"] for dof in dofs),
        "fixed_base": content["fixed_base"],
        **{name: _sealed(values) for name, values in arrays.items()},
    }


def _column(records: list[dict[str, Any]], field: str) -> npt.NDArray[np.float64]:
    return np.array([record[field] for record in records], np.float64)


def _sealed(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array in memory of its own, closed to writing."""
    values = np.ascontiguousarray(values)
    values.flags.writeable = False
    return values
