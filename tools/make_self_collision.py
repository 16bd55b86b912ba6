"""Write what Pink 4.4 makes of self-collisions: `python tools/make_self_collision.py`.

Needs `pin-pink`, `pin`, `qpsolvers[daqp]` and `example-robot-data`; pantin is not asked. Pinocchio's measurements are
made with the tolerance of pantin's, 1e-9 m, since with its own normals are off by up to some hundredths; and meshes are
taken for their convex hulls. Configurations without contact are chosen: in contact Pink's rows lead into it.
"""

from __future__ import annotations

import json
import sys
import sysconfig
from importlib.metadata import version
from pathlib import Path

import coal
import numpy as np
import pink
import pink.barriers
import pinocchio as pin

ROOT = Path(__file__).parents[1]
FILE = ROOT / "tests" / "barriers" / "self_collision.json"
ROBOTS = Path(sysconfig.get_paths()["purelib"]) / "cmeel.prefix/share/example-robot-data/robots"

#: Name, file under the samples or the robots, kind of shapes, number of pairs that count.
SCENES = (
    ("dual_arm", ROOT / "src/pantin/samples/dual_arm.urdf", pin.GeometryType.VISUAL, 6),
    ("panda", ROBOTS / "panda_description/urdf/panda.urdf", pin.GeometryType.COLLISION, 4),
)
GAIN, D_MIN, DT, CONFIGURATIONS = 0.5, 0.01, 0.01, 6


def main() -> int:
    """Write the file."""
    scenes = {name: scene(*rest) for name, *rest in SCENES}
    origin = (
        f"tools/make_self_collision.py with pin-pink {version('pin-pink')}, pin {version('pin')} and "
        f"coal {version('coal')}"
    )
    settings = {"gain": GAIN, "d_min": D_MIN, "dt": DT}
    FILE.write_text(json.dumps({"origin": origin, **settings, "scenes": scenes}) + "\n")
    return 0


def scene(urdf: Path, kind: pin.GeometryType, count: int) -> dict[str, object]:
    """What Pink makes of one robot."""
    model = pin.buildModelFromUrdf(str(urdf))
    shapes = pin.buildGeomFromUrdf(model, str(urdf), kind, package_dirs=str(ROBOTS.parents[1]))
    for shape in shapes.geometryObjects:
        if isinstance(shape.geometry, coal.BVHModelBase):
            shape.geometry.buildConvexHull(True, "Qt")
            shape.geometry = shape.geometry.convex
    keep_apart(model, shapes)
    random = np.random.default_rng(0)
    cases: list[dict[str, object]] = []
    while len(cases) < CONFIGURATIONS:
        q = pin.randomConfiguration(model, model.lowerPositionLimit, model.upperPositionLimit)
        q = 0.5 * q + 0.5 * random.uniform(model.lowerPositionLimit, model.upperPositionLimit)
        data = measurements(shapes)
        configuration = pink.Configuration(model, model.createData(), q, collision_model=shapes, collision_data=data)
        barrier = pink.barriers.SelfCollisionBarrier(count, gain=GAIN, d_min=D_MIN)
        values = barrier.compute_barrier(configuration)
        if values.min() < -D_MIN + 1e-3:
            continue
        order = np.argsort(values)
        G, h = barrier.compute_qp_inequalities(configuration, DT)
        H, c = barrier.compute_qp_objective(configuration)
        task = pink.tasks.PostureTask(cost=1.0)
        task.set_target(q + random.uniform(-3.0, 3.0, model.nq))
        velocity = pink.solve_ik(configuration, [task], DT, "daqp", barriers=[barrier], limits=[])
        cases.append(
            {
                "q": q.tolist(),
                "barrier": values[order].tolist(),
                "jacobian": barrier.compute_jacobian(configuration)[order].tolist(),
                "G": G[order].tolist(),
                "h": h[order].tolist(),
                "H": H.tolist(),
                "c": c.tolist(),
                "target": task.target_q.tolist(),
                "velocity": velocity.tolist(),
            }
        )
    names = [shape.name for shape in shapes.geometryObjects]
    pairs = [(names[pair.first], names[pair.second]) for pair in shapes.collisionPairs]
    return {"count": count, "pairs": pairs, "cases": cases}


def keep_apart(model: pin.Model, shapes: pin.GeometryModel) -> None:
    """Keep those shapes apart that are of no neighbours and do not touch in the neutral configuration."""
    shapes.addAllCollisionPairs()
    data, geometry = model.createData(), measurements(shapes)
    pin.computeDistances(model, data, shapes, geometry, pin.neutral(model))
    kept = []
    for pair, result in zip(shapes.collisionPairs, geometry.distanceResults, strict=True):
        first, second = (shapes.geometryObjects[shape].parentJoint for shape in (pair.first, pair.second))
        if first not in (second, model.parents[second]) and second != model.parents[first] and result.min_distance > 0:
            kept.append(pin.CollisionPair(pair.first, pair.second))
    shapes.removeAllCollisionPairs()
    for pair in kept:
        shapes.addCollisionPair(pair)


def measurements(shapes: pin.GeometryModel) -> pin.GeometryData:
    """Data of shapes that is measured closely."""
    data = pin.GeometryData(shapes)
    for request in data.distanceRequests:
        request.gjk_tolerance = 1e-9
    return data


if __name__ == "__main__":
    pin.seed(0)
    sys.exit(main())
