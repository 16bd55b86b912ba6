"""One configuration at a time: poses, Jacobians, the configuration manifold, rigid transforms, and the import."""

from __future__ import annotations

import importlib.util
import operator
import subprocess
import sys

import numpy as np

import pantin.kinematics as kin
from harness import Case, Side, Stopwatch
from pantin.arrays import Array
from robots import Robot, mujoco, pin, pinker, robots

_LOCAL = kin.ReferenceFrame.LOCAL


def cases() -> list[Case]:
    """All cases of this floor."""
    found = [_imports()]
    for robot in robots():
        found += _poses(robot) + _jacobians(robot) + _manifold(robot)
    return found + _transforms()


def _poses(robot: Robot) -> list[Case]:
    model, data = robot.model, robot.model.create_data()
    frame = model.get_frame_id(robot.frame)
    fk = _calls(robot.q, model, data)

    def pose(i: int) -> Array:
        kin.frames_forward_kinematics(model, data, robot.q[i])
        return data.oMf[frame].homogeneous

    joints = {"pantin": Side(kin.forward_kinematics, fk, pose)}
    frames = {"pantin": Side(kin.frames_forward_kinematics, fk, pose)}
    if pin:
        their, theirs = robot.pin_model, robot.pin_model.createData()

        def pin_pose(i: int) -> Array:
            pin.framesForwardKinematics(their, theirs, robot.q[i])
            return theirs.oMf[their.getFrameId(robot.frame)].homogeneous

        joints["pin"] = Side(pin.forwardKinematics, _calls(robot.q, their, theirs), pin_pose)
        frames["pin"] = Side(pin.framesForwardKinematics, _calls(robot.q, their, theirs), pin_pose)
    if pinker:
        other, others = robot.pinker_model, robot.pinker_model.create_data()

        def pinker_pose(i: int) -> Array:
            pinker.frames_forward_kinematics(other, others, robot.q[i])
            return others.oMf[other.get_frame_id(robot.frame)].homogeneous

        joints["pinker"] = Side(pinker.forward_kinematics, _calls(robot.q, other, others), pinker_pose)
        frames["pinker"] = Side(pinker.frames_forward_kinematics, _calls(robot.q, other, others), pinker_pose)
    if mujoco:
        mj = MuJoCo(robot)
        joints["mujoco"] = frames["mujoco"] = Side(mj.forward, [(q,) for q in mj.q], mj.pose)
    return [
        Case(robot.name, "forward kinematics", joints),
        Case(robot.name, "forward kinematics, all frames", frames),
    ]


def _jacobians(robot: Robot) -> list[Case]:
    model, data = robot.model, robot.model.create_data()
    frame = model.get_frame_id(robot.frame)
    out = np.empty((6, model.nv))

    def jacobian(i: int) -> Array:
        return kin.compute_frame_jacobian(model, data, robot.q[i], frame, _LOCAL)

    def from_screws(i: int) -> Array:
        kin.compute_joint_jacobians(model, data, robot.q[i])
        kin.update_frame_placements(model, data)
        return kin.get_frame_jacobian(model, data, frame, _LOCAL)

    from_screws(0)
    q = robot.q
    screws = {"pantin": Side(kin.compute_joint_jacobians, _calls(q, model, data))}
    fresh = {"pantin": Side(kin.compute_frame_jacobian, [(model, data, x, frame, _LOCAL) for x in q], jacobian)}
    filled = {"pantin": Side(kin.compute_frame_jacobian, [(model, data, x, frame, _LOCAL, out) for x in q], jacobian)}
    three = {"pantin": Side(from_screws, [(i,) for i in range(len(q))], jacobian)}
    get = {"pantin": Side(kin.get_frame_jacobian, [(model, data, frame, _LOCAL)] * len(q))}
    com = {"pantin": Side(kin.jacobian_center_of_mass, _calls(q, model, data), lambda i: _com(model, data, q[i]))}
    if pin:
        their, theirs = robot.pin_model, robot.pin_model.createData()
        at = their.getFrameId(robot.frame)

        def pin_jacobian(i: int) -> Array:
            return pin.computeFrameJacobian(their, theirs, q[i], at, pin.LOCAL)

        def pin_from_screws(i: int) -> Array:
            pin.computeJointJacobians(their, theirs, q[i])
            pin.updateFramePlacements(their, theirs)
            return pin.getFrameJacobian(their, theirs, at, pin.LOCAL)

        pin_from_screws(0)
        screws["pin"] = Side(pin.computeJointJacobians, _calls(q, their, theirs))
        fresh["pin"] = Side(pin.computeFrameJacobian, [(their, theirs, x, at, pin.LOCAL) for x in q], pin_jacobian)
        filled["pin"] = fresh["pin"]
        three["pin"] = Side(pin_from_screws, [(i,) for i in range(len(q))], pin_from_screws)
        get["pin"] = Side(pin.getFrameJacobian, [(their, theirs, at, pin.LOCAL)] * len(q))
        com["pin"] = Side(
            pin.jacobianCenterOfMass,
            _calls(q, their, theirs),
            lambda i: np.vstack([pin.jacobianCenterOfMass(their, theirs, q[i]).T, theirs.com[0]]),
        )
    if pinker:
        other, others = robot.pinker_model, robot.pinker_model.create_data()
        there = other.get_frame_id(robot.frame)
        local = pinker.ReferenceFrame.LOCAL

        def pinker_from_screws(i: int) -> Array:
            pinker.compute_joint_jacobians(other, others, q[i])
            pinker.update_frame_placements(other, others)
            return pinker.get_frame_jacobian(other, others, there, local)

        pinker_from_screws(0)
        screws["pinker"] = Side(pinker.compute_joint_jacobians, _calls(q, other, others))
        three["pinker"] = Side(pinker_from_screws, [(i,) for i in range(len(q))], pinker_from_screws)
        fresh["pinker"] = filled["pinker"] = three["pinker"]
        get["pinker"] = Side(pinker.get_frame_jacobian, [(other, others, there, local)] * len(q))
        com["pinker"] = Side(
            pinker.jacobian_center_of_mass,
            _calls(q, other, others),
            lambda i: np.vstack([pinker.jacobian_center_of_mass(other, others, q[i]).T, others.com[0]]),
        )
    if mujoco:
        mj = MuJoCo(robot)
        arguments = [(x,) for x in mj.q]
        compare = not robot.floating  # a floating base has other tangents there
        three["mujoco"] = Side(mj.jacobian, arguments, mj.local_jacobian if compare else None)
        fresh["mujoco"] = filled["mujoco"] = three["mujoco"]
        com["mujoco"] = Side(mj.com_jacobian, arguments, mj.com_and_jacobian if compare else None)
    return [
        Case(robot.name, "joint Jacobians", screws),
        Case(robot.name, "frame Jacobian from q", fresh),
        Case(robot.name, "frame Jacobian from q, out=", filled),
        Case(robot.name, "frame Jacobian in three calls", three),
        Case(robot.name, "frame Jacobian, known screws", get),
        Case(robot.name, "centre of mass and Jacobian", com),
    ]


def _manifold(robot: Robot) -> list[Case]:
    model, q, v = robot.model, robot.q, 0.1 * robot.v
    ends = np.array([kin.integrate(model, a, b) for a, b in zip(q, v, strict=True)])
    steps, pairs = list(zip(q, v, strict=True)), list(zip(q, ends, strict=True))
    n = len(q)
    moved = {"pantin": Side(kin.integrate, [(model, *x) for x in steps], lambda i: kin.integrate(model, *steps[i]))}
    gaps = {"pantin": Side(kin.difference, [(model, *x) for x in pairs], lambda i: kin.difference(model, *pairs[i]))}
    zero = {"pantin": Side(kin.neutral, [(model,)] * n, lambda i: kin.neutral(model))}
    if pin:
        their = robot.pin_model
        moved["pin"] = Side(pin.integrate, [(their, *x) for x in steps], lambda i: pin.integrate(their, *steps[i]))
        gaps["pin"] = Side(pin.difference, [(their, *x) for x in pairs], lambda i: pin.difference(their, *pairs[i]))
        zero["pin"] = Side(pin.neutral, [(their,)] * n, lambda i: pin.neutral(their))
    if pinker:
        other = robot.pinker_model
        moved["pinker"] = Side(
            pinker.integrate, [(other, *x) for x in steps], lambda i: pinker.integrate(other, *steps[i])
        )
        gaps["pinker"] = Side(
            pinker.difference, [(other, *x) for x in pairs], lambda i: pinker.difference(other, *pairs[i])
        )
        zero["pinker"] = Side(pinker.neutral, [(other,)] * n, lambda i: pinker.neutral(other))
    if mujoco:
        mj = MuJoCo(robot)
        moved["mujoco"] = Side(mj.integrate, list(zip(mj.q, v[:, mj.iv], strict=True)))
        gaps["mujoco"] = Side(mj.difference, list(zip(mj.q, ends[:, mj.iq], strict=True)))
    return [
        Case(robot.name, "integrate", moved),
        Case(robot.name, "difference", gaps),
        Case(robot.name, "neutral", zero),
    ]


def _transforms() -> list[Case]:
    twists = np.random.default_rng(1).uniform(-1.0, 1.0, (64, 6))
    product: dict[str, Side] = {}
    log: dict[str, Side] = {}
    exp: dict[str, Side] = {}
    for name, module in (("pantin", kin), ("pin", pin), ("pinker", pinker)):
        if not module:
            continue
        poses = [module.exp6(x) for x in twists]
        pairs = list(zip(poses, poses[1:] + poses[:1], strict=True))
        product[name] = Side(operator.mul, pairs, lambda i, pairs=pairs: (pairs[i][0] * pairs[i][1]).homogeneous)
        log[name] = Side(
            module.log6, [(M,) for M in poses], lambda i, log6=module.log6, poses=poses: _numbers(log6(poses[i]))
        )
        exp[name] = Side(module.exp6, [(x,) for x in twists], lambda i, poses=poses: poses[i].homogeneous)
    return [Case("SE(3)", "product", product), Case("SE(3)", "log6", log), Case("SE(3)", "exp6", exp)]


def _imports() -> Case:
    """Processor time of the import alone in a fresh interpreter, NumPy's included."""
    names = {"pantin": "pantin", "pin": "pinocchio", "pinker": "pinker", "mujoco": "mujoco"}
    return Case(
        "import",
        "module and what it needs",
        {k: Stopwatch(_import, [(v,)]) for k, v in names.items() if importlib.util.find_spec(v)},
    )


def _import(name: str) -> float:
    program = f"from time import process_time as now; start = now(); import {name}; print(now() - start)"
    return float(subprocess.run([sys.executable, "-c", program], check=True, capture_output=True).stdout)


def _calls(q: Array, *first: object) -> list[tuple[object, ...]]:
    return [(*first, x) for x in q]


def _com(model: kin.Model, data: kin.Data, q: Array) -> Array:
    return np.vstack([kin.jacobian_center_of_mass(model, data, q).T, data.com[0]])


def _numbers(motion: object) -> Array:
    return np.asarray(getattr(motion, "vector", motion))


class MuJoCo:
    """MuJoCo's functions as calls of one configuration in its own order of joints."""

    def __init__(self, robot: Robot) -> None:
        self.model = robot.mujoco_model
        self.data = mujoco.MjData(self.model)
        self.iq, self.iv = robot.mujoco_order()
        self.back = np.argsort(self.iv)
        self.q = robot.q[:, self.iq].copy()
        self.body = self.model.body(robot.frame).id
        self.root = self.model.jnt_bodyid[0]
        self.J = np.zeros((6, self.model.nv))
        self.Jcom = np.zeros((3, self.model.nv))
        self.end = np.zeros(self.model.nq)
        self.gap = np.zeros(self.model.nv)

    def forward(self, q: Array) -> None:
        """Poses of all bodies."""
        self.data.qpos[:] = q
        mujoco.mj_kinematics(self.model, self.data)

    def pose(self, i: int) -> Array:
        """Pose of the robot's frame."""
        self.forward(self.q[i])
        M = np.eye(4)
        M[:3, :3], M[:3, 3] = self.data.xmat[self.body].reshape(3, 3), self.data.xpos[self.body]
        return M

    def jacobian(self, q: Array) -> None:
        """Jacobian of the robot's frame in world axes."""
        self.forward(q)
        mujoco.mj_comPos(self.model, self.data)
        mujoco.mj_jacBody(self.model, self.data, self.J[:3], self.J[3:], self.body)

    def local_jacobian(self, i: int) -> Array:
        """The same in the frame's axes and our order."""
        self.jacobian(self.q[i])
        R = self.data.xmat[self.body].reshape(3, 3)
        return np.vstack([R.T @ self.J[:3], R.T @ self.J[3:]])[:, self.back]

    def com_jacobian(self, q: Array) -> None:
        """Jacobian of the centre of mass."""
        self.forward(q)
        mujoco.mj_comPos(self.model, self.data)
        mujoco.mj_jacSubtreeCom(self.model, self.data, self.Jcom, self.root)

    def com_and_jacobian(self, i: int) -> Array:
        """The same in our order, and the centre below it."""
        self.com_jacobian(self.q[i])
        return np.vstack([self.Jcom[:, self.back].T, self.data.subtree_com[self.root]])

    def integrate(self, q: Array, v: Array) -> None:
        """Configuration after a step."""
        self.end[:] = q
        mujoco.mj_integratePos(self.model, self.end, v, 1.0)

    def difference(self, q0: Array, q1: Array) -> None:
        """Step between configurations."""
        mujoco.mj_differentiatePos(self.model, self.gap, 1.0, q0, q1)
