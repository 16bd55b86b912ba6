"""Dynamics of one configuration, and of many beside a loop: torques, accelerations, inertia, energy, momentum."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import pantin.kinematics as kin
from harness import Case, Side
from kinematics import MuJoCo
from pantin.arrays import Array
from pantin.kinematics import batch
from robots import Robot, mujoco, pin, robots

_BATCH = 512

#: Our function, Pinocchio's, and how many of q, v and a it takes.
_CALLS = {
    "inverse dynamics": (kin.rnea, "rnea", 3),
    "mass matrix": (kin.crba, "crba", 1),
    "forward dynamics": (kin.aba, "aba", 3),
    "bias": (kin.non_linear_effects, "nonLinearEffects", 2),
    "gravity": (kin.compute_generalized_gravity, "computeGeneralizedGravity", 1),
    "kinetic energy": (kin.compute_kinetic_energy, "computeKineticEnergy", 2),
    "potential energy": (kin.compute_potential_energy, "computePotentialEnergy", 1),
    "mechanical energy": (kin.compute_mechanical_energy, "computeMechanicalEnergy", 2),
    "centroidal momentum": (kin.compute_centroidal_momentum, "computeCentroidalMomentum", 2),
    "centroidal map": (kin.compute_centroidal_map, "computeCentroidalMap", 1),
    "centroidal map and momentum": (kin.ccrba, "ccrba", 2),
}
_IN_BATCH = {"inverse dynamics": batch.rnea, "mass matrix": batch.crba, "forward dynamics": batch.aba}


def cases() -> list[Case]:
    """All cases of this floor."""
    return [case for robot in robots() for case in [*_single(robot), *_pushed(robot), *_batches(robot)]]


def _states(robot: Robot) -> tuple[Array, Array, Array]:
    return robot.q, robot.v, robot.v[::-1]


def _single(robot: Robot) -> list[Case]:
    model, data = robot.model, robot.model.create_data()
    found = []
    for name, (ours, theirs, count) in _CALLS.items():
        states = list(zip(*_states(robot)[:count], strict=True))
        sides = {"pantin": _side(ours, [(model, data, *state) for state in states])}
        if pin:
            their, witness = robot.pin_model, robot.pin_model.createData()
            sides["pin"] = _side(getattr(pin, theirs), [(their, witness, *state) for state in states])
        if mujoco and (call := getattr(MuJoCoDynamics(robot), name.replace(" ", "_"), None)):
            sides["mujoco"] = call
        # accelerations of the lightest links lose digits everywhere
        found.append(Case(robot.name, name, sides, tolerance=1e-6 if name == "forward dynamics" else 1e-9))
    return found


def _pushed(robot: Robot) -> list[Case]:
    """Inverse dynamics with a force on every body."""
    model, data = robot.model, robot.model.create_data()
    forces = np.random.default_rng(2).normal(size=(model.njoints, 6))
    states = list(zip(*_states(robot), strict=True))
    sides = {"pantin": _side(kin.rnea, [(model, data, *state, forces) for state in states])}
    if pin:
        their, witness = robot.pin_model, robot.pin_model.createData()
        pushes = pin.StdVec_Force()
        pushes.extend([pin.Force(force) for force in forces])
        sides["pin"] = _side(pin.rnea, [(their, witness, *state, pushes) for state in states])
    return [Case(robot.name, "inverse dynamics with forces", sides)]


def _batches(robot: Robot) -> list[Case]:
    model, found = robot.model, []
    for name, call in _IN_BATCH.items():
        _, theirs, count = _CALLS[name]
        rows = [np.ascontiguousarray(np.resize(x, (_BATCH, x.shape[1]))) for x in _states(robot)[:count]]
        out = np.empty((_BATCH, model.nv, model.nv) if name == "mass matrix" else (_BATCH, model.nv))
        sides = {"pantin": _filling(call, model, rows, out)}
        if pin:
            their, witness = robot.pin_model, robot.pin_model.createData()
            states = zip(*_states(robot)[:count], strict=True)
            sides["pin"] = _side(getattr(pin, theirs), [(their, witness, *state) for state in states])
        tolerance = 1e-6 if name == "forward dynamics" else 1e-9
        found.append(Case(robot.name, f"{_BATCH} {name}, out=", sides, tolerance=tolerance))
    return found


def _side(call: Callable[..., object], arguments: list[tuple[object, ...]]) -> Side:
    return Side(call, arguments, lambda i: _numbers(call(*arguments[i])))


def _filling(call: Callable[..., Array], model: kin.Model, rows: list[Array], out: Array) -> Side:
    def work() -> Array:
        return call(model, *rows, out=out)

    return Side(work, [()], lambda i: work()[i], per_call=_BATCH)


def _numbers(result: object) -> Array:
    """A copy of numbers, also of those of Pinocchio's forces."""
    return np.array(getattr(result, "vector", result), dtype=float)


class MuJoCoDynamics:
    """MuJoCo's shortest ways to torques, mass matrix and accelerations, in its own order of joints."""

    def __init__(self, robot: Robot) -> None:
        self.mj = MuJoCo(robot)
        self.model, self.data, self.back = self.mj.model, self.mj.data, self.mj.back
        _, v, a = _states(robot)
        self.states = list(zip(self.mj.q, v[:, self.mj.iv], a[:, self.mj.iv], strict=True))
        self.judged = not robot.floating  # a floating base has other tangents there
        self.result, self.matrix = np.zeros(self.model.nv), np.zeros((self.model.nv, self.model.nv))

    @property
    def inverse_dynamics(self) -> Side:
        """Torques of accelerations."""

        def call(q: Array, v: Array, a: Array) -> Array:
            self._move(q, v)
            self.data.qacc[:] = a
            mujoco.mj_rne(self.model, self.data, 1, self.result)
            return self.result

        return self._timed(call, self.states, lambda torques: torques[self.back])

    @property
    def mass_matrix(self) -> Side:
        """The full matrix."""

        def call(q: Array) -> Array:
            self.mj.forward(q)
            mujoco.mj_comPos(self.model, self.data)
            mujoco.mj_makeM(self.model, self.data)
            mujoco.mj_fullM(self.model, self.data, self.matrix)
            return self.matrix

        return self._timed(call, [state[:1] for state in self.states], lambda M: M[np.ix_(self.back, self.back)])

    @property
    def forward_dynamics(self) -> Side:
        """Accelerations that torques produce."""
        row = np.zeros((1, self.model.nv))

        def call(q: Array, v: Array, torques: Array) -> Array:
            self._move(q, v)
            mujoco.mj_makeM(self.model, self.data)
            mujoco.mj_factorM(self.model, self.data)
            mujoco.mj_rne(self.model, self.data, 0, self.result)
            mujoco.mj_solveM(self.model, self.data, row, (torques - self.result)[None])
            return row[0]

        return self._timed(call, self.states, lambda accelerations: accelerations[self.back])

    def _move(self, q: Array, v: Array) -> None:
        self.mj.forward(q)
        self.data.qvel[:] = v
        mujoco.mj_comPos(self.model, self.data)
        mujoco.mj_comVel(self.model, self.data)

    def _timed(
        self, call: Callable[..., Array], arguments: list[tuple[Array, ...]], ours: Callable[[Array], Array]
    ) -> Side:
        return Side(call, arguments, (lambda i: ours(call(*arguments[i])).copy()) if self.judged else None)
