"""A humanoid of 29 hinges, and a walking person of other proportions whom it is to follow: data that never fit.

All numbers are ours. The humanoid is 1.3 m tall, its hips, waist and shoulders are motors a few centimetres apart. The
person is 1.75 m tall, with longer legs, narrower hips and shoulders, and a spine and collar bones that bend, walks with
swinging arms, turns, bows and reaches. Keypoints are those of both: pelvis, chest, head; on each side hip, knee, ankle,
toe, shoulder, elbow, wrist and hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pantin.arrays import Array
from pantin.fitting import BodyPlan

FRAMES, RATE = 300, 50.0

_AXES = {"roll": [1, 0, 0], "pitch": [0, 1, 0], "yaw": [0, 0, 1]}
_SIDES = (("left", 1.0), ("right", -1.0))

#: Each motor of a limb: name, offset from the one before (m; y outwards), axis, neutral, limits (rad; roll and yaw
#: outwards on both sides).
_LEG = (
    ("hip", (0.0, 0.06, -0.10), "pitch", -0.25, (-2.5, 2.8)),
    ("hip_roll", (0.0, 0.05, -0.03), "roll", 0.0, (-0.5, 2.9)),
    ("hip_yaw", (0.02, 0.0, -0.12), "yaw", 0.0, (-2.7, 2.7)),
    ("knee", (-0.08, 0.0, -0.18), "pitch", 0.5, (-0.1, 2.8)),
    ("ankle", (0.0, 0.0, -0.30), "pitch", -0.25, (-0.9, 0.5)),
    ("ankle_roll", (0.0, 0.0, -0.02), "roll", 0.0, (-0.26, 0.26)),
)
_ARM = (
    ("shoulder", (0.0, 0.10, 0.24), "pitch", 0.2, (-3.0, 2.6)),
    ("shoulder_roll", (0.0, 0.04, -0.01), "roll", 0.15, (-1.5, 2.2)),
    ("shoulder_yaw", (0.0, 0.01, -0.10), "yaw", 0.0, (-2.6, 2.6)),
    ("elbow", (0.015, 0.0, -0.08), "pitch", -0.6, (-1.6, 1.0)),
    ("wrist_roll", (0.10, 0.0, -0.01), "roll", 0.0, (-1.9, 1.9)),
    ("wrist", (0.04, 0.0, 0.0), "pitch", 0.0, (-1.6, 1.6)),
    ("wrist_yaw", (0.05, 0.0, 0.0), "yaw", 0.0, (-1.6, 1.6)),
)
_WAIST = (
    ("waist", (0.0, 0.0, 0.0), "yaw", 0.0, (-2.6, 2.6)),
    ("waist_roll", (0.0, 0.0, 0.04), "roll", 0.0, (-0.5, 0.5)),
    ("chest", (0.0, 0.0, 0.03), "pitch", 0.0, (-0.5, 0.5)),
)


def _joint(name: str, parent: str | None, offset: Any, *dofs: dict[str, Any]) -> dict[str, Any]:
    place = {"offset_pos": [float(x) for x in offset], "offset_quat": [1.0, 0.0, 0.0, 0.0]}
    return {"name": name, "parent": parent, **place, "dofs": list(dofs)}


def _limb(motors: Any, parent: str, side: str, sign: float, tip: tuple[str, tuple[float, float, float]]) -> Any:
    for name, (x, y, z), axis, neutral, limits in (*motors, (tip[0], tip[1], None, None, None)):
        full = f"{side}_{name}" if side else name
        dof = None
        if axis is not None:
            direction = [(1.0 if axis == "pitch" else sign) * x for x in _AXES[axis]]
            dof = {"type": "hinge", "axis": direction, "neutral": neutral, "limits": list(limits)}
        yield _joint(full, parent, (x, sign * y, z), *([dof] if dof else []))
        parent = full


def humanoid() -> BodyPlan:
    """The humanoid: 35 joints, 29 hinges with limits, a free base, metres."""
    joints = [_joint("pelvis", None, (0.0, 0.0, 0.0))]
    for side, sign in _SIDES:
        joints += _limb(_LEG, "pelvis", side, sign, ("toe", (0.13, 0.0, -0.03)))
    joints += _limb(_WAIST, "pelvis", "", 1.0, ("head", (0.0, 0.0, 0.42)))
    for side, sign in _SIDES:
        joints += _limb(_ARM, "chest", side, sign, ("hand", (0.08, 0.0, 0.0)))
    return BodyPlan.from_dict({"fixed_base": False, "joints": joints})


def _ball(neutral: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> list[dict[str, Any]]:
    return [{"type": "hinge", "axis": _AXES[a], "neutral": n} for a, n in zip(_AXES, neutral, strict=True)]


def _person() -> BodyPlan:
    bend = [{"type": "hinge", "axis": _AXES["pitch"], "neutral": 0.0}]
    joints = [_joint("pelvis", None, (0.0, 0.0, 0.0))]
    for side, sign in _SIDES:
        joints += [
            _joint(f"{side}_hip", "pelvis", (0.0, 0.09 * sign, -0.06), *_ball()),
            _joint(f"{side}_knee", f"{side}_hip", (0.0, 0.0, -0.43), *bend),
            _joint(f"{side}_ankle", f"{side}_knee", (0.0, 0.0, -0.42), *_ball()),
            _joint(f"{side}_toe", f"{side}_ankle", (0.17, 0.0, -0.06)),
        ]
    joints.append(_joint("spine", "pelvis", (0.0, 0.0, 0.12), *_ball()))
    joints.append(_joint("chest", "spine", (0.0, 0.0, 0.20), *_ball()))
    joints.append(_joint("head", "chest", (0.02, 0.0, 0.38)))
    for side, sign in _SIDES:
        joints += [
            _joint(f"{side}_collar", "chest", (0.0, 0.03 * sign, 0.18), *_ball()),
            _joint(f"{side}_shoulder", f"{side}_collar", (0.0, 0.15 * sign, 0.0), *_ball()),
            _joint(f"{side}_elbow", f"{side}_shoulder", (0.0, 0.0, -0.30), *bend),
            _joint(f"{side}_wrist", f"{side}_elbow", (0.0, 0.0, -0.26), *_ball()),
            _joint(f"{side}_hand", f"{side}_wrist", (0.0, 0.0, -0.09)),
        ]
    return BodyPlan.from_dict({"fixed_base": False, "joints": joints})


def _motion(plan: BodyPlan, time: Array, rng: np.random.Generator) -> dict[str, Array]:
    """A walk with swinging arms, with slow bows, turns and reaches on top."""
    beat, slow = 2.0 * np.pi * 0.9 * time, 2.0 * np.pi * 0.23 * time
    dofs = np.zeros((len(time), plan.n_dofs))

    def move(name: str, values: Array, hinge: int = 0) -> None:
        dofs[:, np.flatnonzero(plan.dof_joint == plan.joint(name))[hinge]] = values

    for (side, sign), late in zip(_SIDES, (0.0, np.pi), strict=True):
        leg = beat + late
        move(f"{side}_hip", -0.45 * np.sin(leg) - 0.15 - 0.2 * np.sin(slow) ** 2, 1)
        move(f"{side}_hip", sign * (0.06 + 0.05 * np.sin(beat)), 0)
        move(f"{side}_knee", 0.25 + 0.45 * np.maximum(0.0, np.sin(leg + 1.0)) + 0.4 * np.sin(slow) ** 2)
        move(f"{side}_ankle", 0.15 * np.sin(leg + 2.0), 1)
        move(f"{side}_shoulder", 0.5 * np.sin(leg) - 1.3 * np.sin(slow + sign) ** 4, 1)
        move(f"{side}_shoulder", sign * (0.25 + 0.5 * np.sin(slow + 2.0 * sign) ** 2), 0)
        move(f"{side}_shoulder", 0.2 * np.sin(slow + 1.0), 2)
        move(f"{side}_elbow", -0.6 - 0.35 * np.sin(leg))
        move(f"{side}_collar", sign * 0.12 * np.sin(slow), 0)
        move(f"{side}_wrist", 0.2 * np.sin(slow + sign), 1)
    for name, size in (("spine", 0.15), ("chest", 0.12)):
        for hinge in range(3):
            phase = rng.uniform(0.0, 2.0 * np.pi)
            move(name, size * np.sin((1.0 + hinge) * slow + phase), hinge)
    yaw = 0.8 * np.sin(0.5 * slow)
    forward = 1.1 * np.cumsum(np.stack([np.cos(yaw), np.sin(yaw)], axis=1), axis=0) / RATE
    height = 0.96 + 0.025 * np.cos(2.0 * beat) - 0.06 * np.sin(slow) ** 2
    root_quat = np.stack([np.cos(yaw / 2), 0.02 * np.sin(beat), 0.03 * np.cos(beat), np.sin(yaw / 2)], axis=1)
    return {"root_pos": np.column_stack([forward, height]), "root_quat_wxyz": root_quat, "dofs": dofs}


def person(plan: BodyPlan) -> Array:
    """Keypoints of the person where the humanoid has its own, shape (300, K, 3), m; NaN for its other joints."""
    rng = np.random.default_rng(0)
    body = _person()
    seen = body.keypoints(_motion(body, np.arange(FRAMES) / RATE, rng))
    seen += 0.004 * rng.normal(size=seen.shape)
    positions = np.full((FRAMES, plan.n_joints, 3), np.nan)
    for k, name in enumerate(plan.joint_names):
        if name in body.joint_names:
            positions[:, k] = seen[:, body.joint(name)]
    return positions
