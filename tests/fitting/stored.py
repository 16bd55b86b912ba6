"""Results of many kinds, to be stored in every format."""

from __future__ import annotations

import numpy as np
from hand_made import camera, hand_made, mixed_sources
from random_plans import random_plan
from worked_examples import HOPPER

from pantin.fitting.join import Join
from pantin.fitting.options import FitOptions
from pantin.fitting.plan import BodyPlan
from pantin.fitting.sources import Distance, Orientation, Points3D

ENDINGS = (".nc", ".zarr", ".parquet", ".csv")

#: Names that mean something to one format or another.
ODD_NAMES = ["a,b", 'quo"te', "dot.x", "dot", " é ", "#", "line\nbreak", "tab\t", "a/b", "x" * 80]


def hopper():
    """The hopper of the worked examples."""
    return BodyPlan.from_dict(HOPPER)


def oddly_named():
    """A plan whose names are hard to write down."""
    content = random_plan(np.random.default_rng(1), len(ODD_NAMES), dofs=1)
    names = {joint["name"]: name for joint, name in zip(content["joints"], ODD_NAMES, strict=True)}
    for joint in content["joints"]:
        joint["name"], joint["parent"] = names[joint["name"]], names.get(joint["parent"])
    return BodyPlan.from_dict(content)


def results():
    """Results by what is special about each."""
    plan = hopper()
    options = FitOptions(
        loss="cauchy",
        lock={"hip_yaw": 0.1, "mast": None},
        prescribe={"knee": np.linspace(0.0, 1.0, 20) ** 3, "hip_pitch": np.sqrt(np.arange(1000.0))},
    )
    shifts = np.arange(20.0)[:, None] / 7.0
    still = camera(plan)
    moving = type(still)(
        600, 590, 320, 240, np.tile(still.R, (20, 1, 1)), still.t + shifts, distortion=[0.1, -0.05, 0, 0]
    )
    joins = (Join(5, 0.1 / 3.0, 1e-300, "joined"), Join(9, 0.3, 0.1, "repaired"))
    extremes = np.random.default_rng(0).integers(0, 2**64, (20, 4), dtype=np.uint64).view(np.float64)
    return {
        "plain": hand_made(plan),
        "weights": hand_made(plan, weights=True),
        "options and joins": hand_made(plan, options=options, joins=joins, infinite=3),
        "cameras": hand_made(plan, source=[camera(plan), camera(plan, 0.7)], weights=True),
        "a moving camera": hand_made(plan, source=moving),
        "a mix": hand_made(plan, source=mixed_sources(plan)),
        "twins": hand_made(plan, source=[Distance((("hip", "foot"),) * 3), Orientation(("hip", "hip"))]),
        "no times, no observations": hand_made(plan, time=None, observations=None),
        "one frame": hand_made(plan, None, source=[Points3D(), camera(plan)]),
        "one of many frames": hand_made(plan, 1),
        "no frames": hand_made(plan, 3)[:0],
        "odd names": hand_made(oddly_named()),
        "no freedoms": hand_made(BodyPlan.from_dict({"joints": HOPPER["joints"][:1]})),
        "any bits": hand_made(plan, dofs=extremes, cost=-np.zeros(20)),
    }
