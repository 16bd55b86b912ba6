"""Body plans of the worked examples, as the objects of their files, and the numbers that were worked out for them.

Keypoints were made with two independent kinematics libraries; minima with a bounded trust-region least squares.
"""

from __future__ import annotations

import numpy as np

X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)


def joint(name, parent, offset_pos, *dofs, quat=(1.0, 0.0, 0.0, 0.0), **fields):
    """A joint."""
    offset = {"offset_pos": list(offset_pos), "offset_quat": list(quat)}
    return {"name": name, "parent": parent, **offset, "dofs": list(dofs), **fields}


def hinge(axis, neutral=0.0, limits=None, **fields):
    """A hinge."""
    return {"type": "hinge", "axis": list(axis), "neutral": neutral, "limits": limits, **fields}


def slide(axis, neutral=0.0, limits=None, **fields):
    """A slide."""
    return {"type": "slide", "axis": list(axis), "neutral": neutral, "limits": limits, **fields}


def plan(*joints, fixed_base=True):
    """A body plan."""
    return {"fixed_base": fixed_base, "joints": list(joints)}


#: One leg, one mast; a free base.
HOPPER = {
    **plan(
        joint("trunk", None, (0, 0, 0)),
        joint(
            "hip",
            "trunk",
            (0.10, 0.05, 0),
            hinge(Z, 0.0, [-0.8, 0.8], name="hip_yaw"),
            hinge(Y, 0.2, [-1.5, 1.5], name="hip_pitch"),
        ),
        joint("knee", "hip", (0, 0, -0.30), hinge(Y, 0.4, [0.0, 2.5])),
        joint("foot", "knee", (0, 0, -0.28), weight_scaler=2.0),
        joint("mast", "trunk", (0, 0, 0.10), slide(Z, 0.05, [0.0, 0.2], weight_scaler=0.5)),
        joint("mast_tip", "mast", (0, 0, 0.15)),
        fixed_base=False,
    ),
    "x-pantin": {"length_unit": "m", "title": "one leg, one mast"},
}
HOPPER_LENGTH = 0.3146992
HOPPER_NEUTRAL = [
    (0, 0, 0),
    (0.1, 0.05, 0),
    (0.0403992, 0.05, -0.29402),
    (-0.1177007, 0.05, -0.5251139),
    (0, 0, 0.1),
    (0, 0, 0.3),
]

#: Name: plan, position, quaternion (scalar first), degrees of freedom, keypoints.
_root = joint("root", None, (0, 0, 0))
_half = np.sqrt(0.5)
KEYPOINTS = {
    "hinge": (
        plan(_root, joint("elbow", "root", (1, 0, 0), hinge(Z)), joint("wrist", "elbow", (1, 0, 0))),
        *(None, None, np.radians([30.0])),
        {"elbow": (1, 0, 0), "wrist": (1.866025, 0.5, 0)},
    ),
    "z, then y": (
        plan(_root, joint("hip", "root", (0, 0, 1), hinge(Z), hinge(Y)), joint("tip", "hip", (0.5, 0, 0))),
        *(None, None, np.radians([60.0, -40.0])),
        {"hip": (0, 0, 1), "tip": (0.191511, 0.331707, 1.321394)},
    ),
    "y, then z": (
        plan(_root, joint("hip", "root", (0, 0, 1), hinge(Y), hinge(Z)), joint("tip", "hip", (0.5, 0, 0))),
        *(None, None, np.radians([-40.0, 60.0])),
        {"hip": (0, 0, 1), "tip": (0.191511, 0.433013, 1.160697)},
    ),
    "hinge, then slide": (
        plan(_root, joint("arm", "root", (1, 0, 0), hinge(Z), slide(X)), joint("tip", "arm", (0.4, 0, 0))),
        *(None, None, np.array([np.pi / 2, 0.25])),
        {"arm": (1, 0, 0), "tip": (1, 0.65, 0)},
    ),
    "slide, then hinge": (
        plan(_root, joint("arm", "root", (1, 0, 0), slide(X), hinge(Z)), joint("tip", "arm", (0.4, 0, 0))),
        *(None, None, np.array([0.25, np.pi / 2])),
        {"tip": (1.25, 0.4, 0)},
    ),
    "turned offset": (
        plan(
            _root,
            joint("shank", "root", (0, 0, 1), hinge(Z), quat=(_half, _half, 0, 0)),
            joint("tip", "shank", (0.5, 0.2, 0.1)),
        ),
        *(None, None, np.radians([90.0])),
        {"tip": (-0.2, -0.1, 1.5)},
    ),
    "hopper": (
        HOPPER,
        *((0.2, -0.1, 0.5), (0.9, 0.1, 0.3, -0.3), np.array([0.3, -0.5, 1.1, 0.08])),
        {
            "trunk": (0.2, -0.1, 0.5),
            "hip": (0.294, -0.108, 0.44),
            "knee": (0.281069, -0.045172, 0.146938),
            "foot": (0.045446, 0.073143, 0.052686),
            "mast": (0.248, -0.136, 0.58),
            "mast_tip": (0.3584, -0.2188, 0.764),
        },
    ),
    "rail": (
        plan(
            joint("world", None, (0, 0, 0)),
            joint("rail", "world", (0, 0, 0), slide(X)),
            joint("mast", "rail", (0, 0, 0.4), hinge(Y)),
            joint("tip", "mast", (0, 0, 0.3)),
        ),
        *(None, None, np.array([0.7, np.pi / 2])),
        {"rail": (0, 0, 0), "mast": (0.7, 0, 0.4), "tip": (1, 0, 0.4)},
    ),
}

#: The elbow example of the normal equations: at 30 degrees E, g, H and the undamped step.
ELBOW = plan(
    _root,
    joint("elbow", "root", (1, 0, 0), hinge(Z, 0.2, weight_scaler=2.0)),
    joint("wrist", "elbow", (1, 0, 0), weight_scaler=0.5),
)
ELBOW_POSITIONS = np.array([(np.nan, np.nan, np.nan), (1, 0.1, 0), (1.8, 0.6, 0)])
ELBOW_WEIGHTS = np.array([1.0, 1.0, 4.0])
ELBOW_NUMBERS = {"E": 0.0408130312, "g": 0.2327585, "H": 2.02, "step": 0.1152270}

#: Two hinges in a plane, the second limited: the bounded minimum is not where clamped steps settle.
LIMITED = plan(
    joint("base", None, (0, 0, 0)),
    joint("shoulder", "base", (0, 0, 0), hinge(Z)),
    joint("elbow", "shoulder", (0.3, 0, 0), hinge(Z, 0.0, [-0.5, 0.5])),
    joint("hand", "elbow", (0.25, 0, 0)),
)
LIMITED_POSITIONS = np.array(
    [
        (np.nan, np.nan, np.nan),
        (np.nan, np.nan, np.nan),
        (0.3 * np.cos(0.4), 0.3 * np.sin(0.4), 0.0),
        (0.3 * np.cos(0.4) + 0.25 * np.cos(1.6), 0.3 * np.sin(0.4) + 0.25 * np.sin(1.6), 0.0),
    ]
)
LIMITED_MINIMUM = {"dofs": (0.6273294, 0.5), "E": 0.0124516708}

#: Robust losses at e = 0.2 and e = 0.03, scale 0.05.
LOSSES = {
    "linear": (0.04, 0.0009),
    "huber": (0.0175, 0.0009),
    "soft_l1": (0.0156155281, 0.0008309519),
    "cauchy": (0.0070830334, 0.0007687117),
    "geman_mcclure": (0.0023529412, 0.0006617647),
}

#: Targets of the hopper, which it cannot take exactly.
HOPPER_POSITIONS = np.array(
    [
        (0.21, -0.1, 0.5),
        (0.294, -0.118, 0.445),
        (0.285, -0.045, 0.157),
        (0.035, 0.083, 0.053),
        (0.248, -0.136, 0.592),
        (0.364, -0.227, 0.764),
    ]
)


def _without(k):
    positions = HOPPER_POSITIONS.copy()
    positions[k] = np.nan
    return positions


#: Targets that the mast is too short for: the state of "hopper" above, its mast 0.3 long.
HOPPER_TOO_LONG = np.array(
    [
        (0.2, -0.1, 0.5),
        (0.294, -0.108, 0.44),
        (0.28106894, -0.04517173, 0.1469379),
        (0.0454461, 0.07314326, 0.05268588),
        (0.248, -0.136, 0.58),
        (0.464, -0.298, 0.94),
    ]
)

#: Case: positions, lambda, E, root position, degrees of freedom, observability; `scale_free=False`.
HOPPER_MINIMA = {
    "all seen": (
        HOPPER_POSITIONS,
        1e-3,
        0.0013658490,
        (0.2067679, -0.1018047, 0.5049036),
        (0.3519322, -0.4294316, 1.0060444, 0.0778569),
        (0.791755, 0.967506, 0.971051, 0.999364),
    ),
    "all seen, no prior": (
        HOPPER_POSITIONS,
        0.0,
        0.0004066257,
        (0.2053451, -0.0989740, 0.5062375),
        (0.4422873, -0.4631224, 1.0364026, 0.0786290),
        (1.0, 1.0, 1.0, 1.0),
    ),
    "mast_tip missing": (
        _without(5),
        1e-3,
        0.0012152028,
        (0.2060898, -0.1002502, 0.5008475),
        (0.3456277, -0.3413910, 0.9816083, 0.05),
        (0.785604, 0.914832, 0.966041, 0.0),
    ),
    "foot missing": (
        _without(3),
        1e-3,
        0.0007803981,
        (0.2070233, -0.1001836, 0.5062119),
        (0.3233660, -0.4728915, 0.4, 0.0773182),
        (0.739928, 0.961918, 0.0, 0.999357),
    ),
    "mast at its limit": (
        HOPPER_TOO_LONG,
        1e-3,
        0.0087657722,
        (0.2113934, -0.1088699, 0.5161616),
        (0.2576514, -0.4476920, 0.9658568, 0.2),
        (0.791950, 0.976648, 0.972422, np.nan),
    ),
}
#: Quaternion of the first of these, scalar first.
HOPPER_QUATERNION = (0.8907196, 0.1011177, 0.2998528, -0.3263160)
