"""The worked example of a body plan: one leg, one mast."""

from __future__ import annotations

import copy

_UPRIGHT = [1, 0, 0, 0]

_HOPPER = {
    "fixed_base": False,
    "joints": [
        {"name": "trunk", "parent": None, "offset_pos": [0, 0, 0], "offset_quat": _UPRIGHT, "dofs": []},
        {
            "name": "hip",
            "parent": "trunk",
            "offset_pos": [0.10, 0.05, 0],
            "offset_quat": _UPRIGHT,
            "dofs": [
                {"type": "hinge", "axis": [0, 0, 1], "neutral": 0.0, "limits": [-0.8, 0.8], "name": "hip_yaw"},
                {"type": "hinge", "axis": [0, 1, 0], "neutral": 0.2, "limits": [-1.5, 1.5], "name": "hip_pitch"},
            ],
        },
        {
            "name": "knee",
            "parent": "hip",
            "offset_pos": [0, 0, -0.30],
            "offset_quat": _UPRIGHT,
            "dofs": [{"type": "hinge", "axis": [0, 1, 0], "neutral": 0.4, "limits": [0.0, 2.5]}],
        },
        {
            "name": "foot",
            "parent": "knee",
            "offset_pos": [0, 0, -0.28],
            "offset_quat": _UPRIGHT,
            "weight_scaler": 2.0,
            "dofs": [],
        },
        {
            "name": "mast",
            "parent": "trunk",
            "offset_pos": [0, 0, 0.10],
            "offset_quat": _UPRIGHT,
            "dofs": [{"type": "slide", "axis": [0, 0, 1], "neutral": 0.05, "limits": [0.0, 0.2], "weight_scaler": 0.5}],
        },
        {"name": "mast_tip", "parent": "mast", "offset_pos": [0, 0, 0.15], "offset_quat": _UPRIGHT, "dofs": []},
    ],
    "x-pantin": {"length_unit": "m", "title": "one leg, one mast"},
}


def hopper():
    """A copy of the content of its file, to be changed at will."""
    return copy.deepcopy(_HOPPER)


def joint(name, parent, offset_pos=(0, 0, 0), dofs=(), offset_quat=(1, 0, 0, 0), **more):
    """A joint as a plan file holds it."""
    fields = {"name": name, "parent": parent, "offset_pos": list(offset_pos), "offset_quat": list(offset_quat)}
    return {**fields, "dofs": list(dofs), **more}


def dof(kind, axis, neutral=0.0, **more):
    """A degree of freedom as a plan file holds it, its axis by letter or by numbers."""
    axes = {"x": [1, 0, 0], "y": [0, 1, 0], "z": [0, 0, 1]}
    return {"type": kind, "axis": axes[axis] if isinstance(axis, str) else axis, "neutral": neutral, **more}
