"""Many configurations at once: our batch calls beside the loop that other libraries need, per configuration."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import pantin.kinematics as kin
from harness import Case, Side, cores
from kinematics import MuJoCo
from pantin.arrays import Array
from pantin.kinematics import batch
from robots import Robot, mujoco, pin, robots

_SIZES = {"panda": 100_000}
_OTHER_SIZE = 10_000
_FEW = 1_000


def cases() -> list[Case]:
    """All cases of this floor."""
    return [case for robot in robots() for case in _robot(robot)]


def _robot(robot: Robot) -> list[Case]:
    model = robot.model
    n = _SIZES.get(robot.name, _OTHER_SIZE)
    q = np.ascontiguousarray(np.resize(robot.q, (n, model.nq)))
    v = 0.1 * np.ascontiguousarray(np.resize(robot.v, (n, model.nv)))
    ends = batch.integrate(model, q, v)
    frame = model.get_frame_id(robot.frame)
    J, T = np.empty((n, 6, model.nv)), np.empty((n, 4, 4))
    centers, moved, steps = np.empty((n, 3)), np.empty((n, model.nq)), np.empty((n, model.nv))

    def jacobians(threads: int) -> None:
        batch.frame_jacobians(model, frame, q, out=J, threads=threads)

    def ours(call: Callable[..., object], out: Array, *arguments: object) -> Side:
        def answer(i: int) -> Array:
            call(*arguments)
            return out[i]

        return Side(call, [arguments], answer, per_call=n)

    peers = _loops(robot)
    few = q[:_FEW]
    short = Side(
        batch.frame_jacobians,
        [(model, frame, few)],
        lambda i: batch.frame_jacobians(model, frame, few[i]),
        per_call=_FEW,
    )
    found = [
        Case(robot.name, f"{_FEW} frame Jacobians", {"pantin": short, **peers["jacobian"]}),
        Case(robot.name, f"{n} frame Jacobians, out=", {"pantin": ours(jacobians, J, 1), **peers["jacobian"]}),
        Case(
            robot.name,
            f"{n} frame poses, out=",
            {"pantin": ours(lambda: batch.frame_placements(model, frame, q, out=T), T), **peers["pose"]},
        ),
        Case(
            robot.name,
            f"{n} centres of mass, out=",
            {"pantin": ours(lambda: batch.center_of_mass(model, q, out=centers), centers), **peers["com"]},
        ),
        Case(
            robot.name,
            f"{n} integrate, out=",
            {"pantin": ours(lambda: batch.integrate(model, q, v, out=moved), moved), **peers["integrate"]},
        ),
        Case(
            robot.name,
            f"{n} difference, out=",
            {"pantin": ours(lambda: batch.difference(model, q, ends, out=steps), steps), **peers["difference"]},
        ),
    ]
    if cores() > 1:
        two = {"pantin": ours(jacobians, J, 2), **peers["jacobian"]}
        found.insert(2, Case(robot.name, f"{n} frame Jacobians, out=, threads=2", two, cores=2))
    return found


def _loops(robot: Robot) -> dict[str, dict[str, Side]]:
    """What a loop over configurations costs elsewhere, by work and library."""
    loops: dict[str, dict[str, Side]] = {work: {} for work in ("jacobian", "pose", "com", "integrate", "difference")}
    q, v = robot.q, 0.1 * robot.v
    ends = [kin.integrate(robot.model, a, b) for a, b in zip(q, v, strict=True)]
    if pin:
        model, data = robot.pin_model, robot.pin_model.createData()
        frame = model.getFrameId(robot.frame)

        def pose(x: Array) -> Array:
            pin.forwardKinematics(model, data, x)
            return pin.updateFramePlacement(model, data, frame)

        def side(call: Callable[..., object], arguments: list[tuple[object, ...]]) -> dict[str, Side]:
            return {"pin": Side(call, arguments, lambda i: np.asarray(call(*arguments[i])))}

        loops["jacobian"] = side(pin.computeFrameJacobian, [(model, data, x, frame, pin.LOCAL) for x in q])
        loops["pose"] = {"pin": Side(pose, [(x,) for x in q], lambda i: pose(q[i]).homogeneous)}
        loops["com"] = side(pin.centerOfMass, [(model, data, x) for x in q])
        loops["integrate"] = side(pin.integrate, [(model, *x) for x in zip(q, v, strict=True)])
        loops["difference"] = side(pin.difference, [(model, *x) for x in zip(q, ends, strict=True)])
    if mujoco:
        mj = MuJoCo(robot)
        loops["jacobian"]["mujoco"] = Side(mj.jacobian, [(x,) for x in mj.q])
        loops["pose"]["mujoco"] = Side(mj.forward, [(x,) for x in mj.q], mj.pose)
    return loops
