"""Make the sample of `pantin.fitting`: `python tools/make_walker.py` writes `src/pantin/samples/walker.{json,csv}`.

The walker is an invented animal of 31 tracked points: a body, and six legs of five points and seven hinges. It walks
two strides a second in a tripod gait along an arc, and a made-up tracker records it at 100 Hz: with noise, with
points of little confidence, with gaps (one of them a whole leg for 30 frames), and with two wild mistakes of which it
is quite sure. All numbers are ours. `truth` gives the motion without the tracker's faults.

The kinematics here are written out in NumPy, so that they witness for those of the package.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

FOLDER = Path(__file__).parents[1] / "src" / "pantin" / "samples"

FRAMES, RATE = 300, 100.0  # Hz
STRIDES = 2.0  # per second and leg
STANCE = 0.6  # part of a stride that a foot is on the ground
SPEED, TURN = 14.0, 0.25  # mm/s and rad/s
START, HEADING = (60.0, 30.0), 2.4  # mm and rad, as the arena has it
LIFT = 1.6  # mm
NOISE = 0.04  # mm, where the tracker is sure

#: The way from the body to where a leg begins (mm), and the quaternion (w, z) that turns its x axis outwards; left.
LEGS = {
    "1": ((5.0, 2.0, -0.8), (0.936, 0.352)),
    "2": ((0.5, 2.8, -1.0), (0.8, 0.6)),
    "3": ((-4.5, 2.2, -0.8), (0.352, 0.936)),
}
#: Parts of a leg: the length of the part before (mm), and hinges as (axis, neutral, limits). A right leg has the axes
#: y and -x, -z where a left one has y and x, z, so that equal angles are mirror images.
PARTS = {
    "coxa": (0.0, {"yaw": ("z", 0.0, (-0.9, 0.9)), "pitch": ("y", 0.25, (-0.6, 1.1)), "roll": ("x", 0.0, (-0.8, 0.8))}),
    "femur": (1.8, {"pitch": ("y", -0.8, (-1.7, 0.5)), "roll": ("x", 0.0, (-0.6, 0.6))}),
    "tibia": (5.5, {"pitch": ("y", 1.5, (0.3, 2.6))}),
    "tarsus": (5.0, {"pitch": ("y", -0.3, (-0.8, 1.0))}),
    "claw": (2.6, {}),
}
TRIPODS = (("L1", "R2", "L3"), ("R1", "L2", "R3"))

#: Points that are not seen: first frame, how many frames, and the points whose names begin so.
GAPS = [
    (140, 30, "L2_"),
    (25, 6, "R3_claw"),
    (61, 4, "L1_claw"),
    (98, 8, "R2_coxa"),
    (188, 5, "R1_tarsus"),
    (233, 7, "L3_claw"),
    (262, 3, "body"),
]
#: Points that are reported elsewhere: frame, point, by how much (mm).
OUTLIERS = [(80, "R1_claw", (-3.0, 4.0, 3.5)), (221, "L3_tarsus", (4.5, 2.0, -2.5))]


class Walk(NamedTuple):
    """The motion that is recorded.

    Attributes:
        time: Seconds, shape (T,).
        root_pos: Position of the body, shape (T, 3), mm.
        root_quat_wxyz: Orientation of the body, shape (T, 4).
        dofs: Angles in plan order, shape (T, 42), rad.
        keypoints: Where the points are, shape (T, 31, 3), mm.
    """

    time: Array
    root_pos: Array
    root_quat_wxyz: Array
    dofs: Array
    keypoints: Array


def plan() -> dict[str, Any]:
    """The body plan, as its file has it."""
    body = {"name": "body", "parent": None, "offset_pos": [0, 0, 0], "offset_quat": [1, 0, 0, 0], "dofs": []}
    names = [f"{leg}_{part}" for leg in LEGS for part in PARTS]
    return {
        "fixed_base": False,
        "joints": [body, *(joint for side in "LR" for leg in LEGS for joint in _leg(side, leg))],
        "x-pantin": {
            "length_unit": "mm",
            "title": "six-legged walker",
            "mirror": [[f"L{name}", f"R{name}"] for name in names],
        },
    }


def _leg(side: str, leg: str) -> list[dict[str, Any]]:
    """The joints of a leg, from the body outwards."""
    (x, y, z), (turn_w, turn_z) = LEGS[leg]
    sign = 1 if side == "L" else -1
    joints: list[dict[str, Any]] = []
    for part, (length, hinges) in PARTS.items():
        name = f"{side}{leg}_{part}"
        joint = {
            "name": name,
            "parent": joints[-1]["name"] if joints else "body",
            "offset_pos": [length, 0, 0] if joints else [x, sign * y, z],
            "offset_quat": [1, 0, 0, 0] if joints else [turn_w, 0, 0, sign * turn_z],
            "dofs": [_hinge(f"{name}_{word}", sign, *hinge) for word, hinge in hinges.items()],
        }
        joints.append(joint if joints else {**joint, "weight_scaler": 0.5})  # where a leg begins is hard to see
    return joints


def _hinge(name: str, sign: int, axis: str, neutral: float, limits: tuple[float, float]) -> dict[str, Any]:
    direction = {"x": [sign, 0, 0], "y": [0, 1, 0], "z": [0, 0, sign]}[axis]
    hinge = {"type": "hinge", "axis": direction, "neutral": neutral, "limits": list(limits), "name": name}
    return {**hinge, "weight_scaler": 2.0} if axis == "x" else hinge  # twist costs more than bend


def truth() -> Walk:
    """The walk: the body along an arc with a little sway, the feet planted or on their way to the next plant."""
    joints = plan()["joints"]
    time = np.arange(FRAMES) / RATE
    neutral = np.array([dof["neutral"] for joint in joints for dof in joint["dofs"]])
    claws = [i for i, joint in enumerate(joints) if joint["name"].endswith("claw")]
    at_rest = keypoints(joints, np.zeros((1, 3)), np.array([[1.0, 0, 0, 0]]), neutral[None])[0, claws]

    pos, yaw = _arc(time)
    beat = 2.0 * np.pi * STRIDES * time
    across = np.stack([-np.sin(yaw), np.cos(yaw), 0.0 * yaw], axis=-1)
    up = np.array([0.0, 0.0, 1.0])
    height = 0.12 * np.cos(2.0 * beat) - at_rest[:, 2].mean()
    root_pos = pos + (0.15 * np.sin(beat))[:, None] * across + height[:, None] * up
    root_quat = multiply(
        multiply(about(up, yaw + 0.02 * np.sin(beat)), about([0, 1, 0], 0.02 * np.sin(2 * beat))),
        about([1, 0, 0], 0.03 * np.cos(beat)),
    )

    feet = np.stack([_foot(time, joints[i]["name"][:2], at_rest[n]) for n, i in enumerate(claws)], axis=1)
    dofs = _reach(joints, root_pos, root_quat, neutral, claws, feet)
    return Walk(time, root_pos, root_quat, dofs, keypoints(joints, root_pos, root_quat, dofs))


def _arc(time: Array) -> tuple[Array, Array]:
    """Place on the ground and heading at some times, along a circle."""
    yaw = HEADING + TURN * time
    x = START[0] + SPEED / TURN * (np.sin(yaw) - np.sin(HEADING))
    y = START[1] - SPEED / TURN * (np.cos(yaw) - np.cos(HEADING))
    return np.stack([x, y, 0.0 * yaw], axis=-1), yaw


def _foot(time: Array, leg: str, at_rest: Array) -> Array:
    """Where a foot is: planted below the body as it is in the middle of the stance, else on its way to there."""
    late = 0.0 if leg in TRIPODS[0] else 0.5
    stride = STRIDES * time - late
    number = np.floor(stride)
    swing = np.clip((stride - number - STANCE) / (1.0 - STANCE), 0.0, 1.0)

    def plant(number: Array) -> Array:
        pos, yaw = _arc((number + late + STANCE / 2.0) / STRIDES)
        return pos + turn(about([0, 0, 1], yaw), np.array([*at_rest[:2], 0.0]))

    way = swing**3 * (10.0 - 15.0 * swing + 6.0 * swing**2)
    ground = plant(number) + way[:, None] * (plant(number + 1.0) - plant(number))
    return ground + (16.0 * LIFT * swing**2 * (1.0 - swing) ** 2)[:, None] * np.array([0.0, 0.0, 1.0])


def _reach(
    joints: list[dict[str, Any]], root_pos: Array, root_quat: Array, neutral: Array, claws: list[int], feet: Array
) -> Array:
    """Angles near neutral that bring the claws to the feet: Gauss-Newton for all frames and legs at once."""
    legs = len(claws)
    hinges = len(neutral) // legs
    angles = np.tile(neutral, (len(root_pos), 1)).reshape(-1, legs, hinges)
    pull, step = 1e-3, 1e-6  # mm/rad squared; rad

    def reached(angles: Array) -> Array:
        return keypoints(joints, root_pos, root_quat, angles.reshape(len(root_pos), -1))[:, claws]

    for _ in range(12):
        here = reached(angles)
        columns = [(reached(angles + step * np.eye(hinges)[j]) - here) / step for j in range(hinges)]
        jacobian = np.stack(columns, axis=-1)
        back = np.swapaxes(jacobian, -1, -2)
        right = back @ (feet - here)[..., None] + pull * (neutral.reshape(legs, hinges) - angles)[..., None]
        angles = angles + np.linalg.solve(back @ jacobian + pull * np.eye(hinges), right)[..., 0]
    return angles.reshape(len(root_pos), -1)


def keypoints(joints: list[dict[str, Any]], root_pos: Array, root_quat: Array, dofs: Array) -> Array:
    """Where the points of a plan of hinges are, shape (T, K, 3)."""
    places: list[Array] = []
    exits: dict[str | None, tuple[Array, Array]] = {None: (root_pos, root_quat)}
    column = 0
    for joint in joints:
        pos, quat = exits[joint["parent"]]
        pos = pos + turn(quat, np.asarray(joint["offset_pos"], dtype=float))
        quat = multiply(quat, np.asarray(joint["offset_quat"], dtype=float))
        for dof in joint["dofs"]:
            quat = multiply(quat, about(dof["axis"], dofs[:, column]))
            column += 1
        places.append(pos)
        exits[joint["name"]] = (pos, quat)
    return np.stack(places, axis=1)


def about(axis: npt.ArrayLike, angle: Array) -> Array:
    """Quaternions (w, x, y, z) that turn about a unit axis."""
    half = 0.5 * angle[..., None]
    return np.concatenate([np.cos(half), np.sin(half) * np.asarray(axis, dtype=float)], axis=-1)


def multiply(a: Array, b: Array) -> Array:
    """Products of quaternions."""
    aw, bw, av, bv = a[..., :1], b[..., :1], a[..., 1:], b[..., 1:]
    w = aw * bw - np.sum(av * bv, axis=-1, keepdims=True)
    return np.concatenate([w, aw * bv + bw * av + np.cross(av, bv)], axis=-1)


def turn(quat: Array, vector: Array) -> Array:
    """Vectors turned by unit quaternions."""
    twice = 2.0 * np.cross(quat[..., 1:], vector)
    return vector + quat[..., :1] * twice + np.cross(quat[..., 1:], twice)


def record(walk: Walk) -> tuple[Array, Array]:
    """What the tracker says: points (T, K, 3) with NaN where nothing is seen, and its confidence (T, K)."""
    rng = np.random.default_rng(20)
    names = [joint["name"] for joint in plan()["joints"]]
    shape = walk.keypoints.shape[:2]
    confidence = 1.0 - 0.12 * rng.random(shape) ** 2
    unsure = rng.random(shape) < 0.01
    confidence[unsure] = 0.35 + 0.3 * rng.random(int(unsure.sum()))
    spread = np.where(unsure, 6.0, 1.0) * NOISE
    points = walk.keypoints + spread[..., None] * rng.standard_normal((*shape, 3))
    for frame, name, shift in OUTLIERS:
        points[frame, names.index(name)] = walk.keypoints[frame, names.index(name)] + shift
        confidence[frame, names.index(name)] = 0.97
    for first, length, beginning in GAPS:
        hidden = [i for i, name in enumerate(names) if name.startswith(beginning)]
        points[first : first + length, hidden] = np.nan
        confidence[first : first + length, hidden] = 0.0
    return points, confidence


def plan_text() -> str:
    """The body plan's file: a joint a line."""
    whole = plan()
    joints = ",\n".join(f"    {json.dumps(joint)}" for joint in whole["joints"])
    pairs = ",\n".join(f"      {json.dumps(pair)}" for pair in whole["x-pantin"].pop("mirror"))
    extension = ",\n".join(f"    {json.dumps(key)}: {json.dumps(value)}" for key, value in whole["x-pantin"].items())
    return (
        f'{{\n  "fixed_base": {json.dumps(whole["fixed_base"])},\n  "joints": [\n{joints}\n  ],\n'
        f'  "x-pantin": {{\n{extension},\n    "mirror": [\n{pairs}\n    ]\n  }}\n}}\n'
    )


def recording_text() -> str:
    """The recording's file: a frame a line, an empty cell where nothing is seen."""
    walk = truth()
    points, confidence = record(walk)
    names = [joint["name"] for joint in plan()["joints"]]
    header = ["time", *(f"{name}_{part}" for name in names for part in ("x", "y", "z", "confidence"))]
    rows = [",".join(header)]
    for moment, row, sure in zip(walk.time, points, confidence, strict=True):
        cells = [f"{moment:.2f}"]
        for point, c in zip(row, sure, strict=True):
            cells += ["", "", "", "0"] if np.isnan(point[0]) else [*(f"{x:.3f}" for x in point), f"{c:.2f}"]
        rows.append(",".join(cells))
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    (FOLDER / "walker.json").write_text(plan_text(), encoding="utf-8")
    (FOLDER / "walker.csv").write_text(recording_text(), encoding="utf-8")
