"""A fit as the core takes it: a plan, what is observed of it, and the rules, all in numbers."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from pantin import _core
from pantin.arrays import Array
from pantin.errors import InvalidArgument
from pantin.fitting.camera import Camera
from pantin.fitting.options import CHOICES, FitOptions
from pantin.fitting.plan import BodyPlan
from pantin.fitting.sources import Distance, Orientation, Points3D, Source, XYView, joint_indices, source_list
from pantin.version import __version__

__all__ = ["FitProblem"]

#: Observability from which a degree of freedom counts as seen.
SEEN_FROM = 0.1

#: Squared misfit, in units of the loss's scale squared, from which rho' is below 1/4.
OUTLIER_FROM = {"linear": np.inf, "huber": 16.0, "soft_l1": 15.0, "cauchy": 3.0, "geman_mcclure": 1.0}


class Place(NamedTuple):
    """Where the core tells of a source.

    Attributes:
        cost: Column of its part of the objective.
        misfits: Columns of its misfits.
    """

    cost: int
    misfits: slice


class FitProblem:
    """What stays the same for all recordings of a plan, and the core for it.

    Attributes:
        plan: The body plan.
        options: How to fit.
        source: What observes it, as it was given: one source or a list.
        sources: The sources.
        points: Places of the sources of points among the sources.
        cameras: Places of the cameras.
        turns: Place of the orientations, or None.
        ties: Place of the distances, or None.
        fixed: Whether each degree of freedom keeps a value, shape (N,).
        is_partly_fixed: Whether any does.
    """

    def __init__(self, plan: BodyPlan, options: FitOptions, source: Source | Sequence[Source]) -> None:
        """Look up the names and sort the sources.

        Raises:
            UnknownDof: If an option names a degree of freedom that the plan lacks.
            UnknownJoint: If a source names a joint that the plan lacks.
            InvalidArgument: If an argument is of another type, a degree of freedom is both locked and prescribed, or
                there are two sources of orientations or of distances.
        """
        if not isinstance(plan, BodyPlan):
            raise InvalidArgument("plan", f"expected a BodyPlan, got a {type(plan).__name__}")
        if not isinstance(options, FitOptions):
            raise InvalidArgument("options", f"expected FitOptions, got a {type(options).__name__}")
        self.plan, self.options, self.source = plan, options, source
        self.sources = source_list(source)
        self.points = self._of(Points3D, XYView)
        self.cameras = self._of(Camera)
        self.turns = self._one_of(Orientation, "orientations, with all their joints")
        self.ties = self._one_of(Distance, "distances, with all their pairs")
        self.locked = {plan.dof(name): value for name, value in options.lock.items()}  # type: ignore[union-attr]
        self.prescribed = np.array([plan.dof(name) for name in options.prescribe], dtype=np.int32)
        both = [plan.dof_names[dof] for dof in self.prescribed if dof in self.locked]
        if both:
            raise InvalidArgument("prescribe", f"{both[0]!r} is locked as well; it can be one of both")
        for name, values in (*options.lock.items(), *options.prescribe.items()):  # type: ignore[union-attr]
            _check_limits("lock" if name in options.lock else "prescribe", plan, name, values)
        self.fixed = np.zeros(plan.n_dofs, dtype=np.bool_)
        self.fixed[[*self.locked, *self.prescribed.tolist()]] = True
        self.fixed |= plan.lower == plan.upper
        self.is_partly_fixed = bool(self.fixed.any())

    @functools.cached_property
    def places(self) -> tuple[Place, ...]:
        """Where the core tells of each source: points first, then cameras, orientations and distances."""
        joints, order = self.plan.n_joints, [*self.points, *self.cameras]
        turns = 0 if self.turns is None else len(self.sources[self.turns].labels(self.plan))
        ends = len(order) * joints
        places = {source: Place(k, slice(k * joints, (k + 1) * joints)) for k, source in enumerate(order)}
        if self.turns is not None:
            places[self.turns] = Place(len(order), slice(ends, ends + turns))
        if self.ties is not None:
            ties = len(self.sources[self.ties].labels(self.plan))
            places[self.ties] = Place(len(order) + 1, slice(ends + turns, ends + turns + ties))
        return tuple(places[source] for source in range(len(self.sources)))

    def _of(self, *kinds: type[Source]) -> list[int]:
        return [index for index, source in enumerate(self.sources) if isinstance(source, kinds)]

    def _one_of(self, kind: type[Source], what: str) -> int | None:
        places = self._of(kind)
        if len(places) > 1:
            raise InvalidArgument("source", f"expected one source of {what}, got {len(places)}")
        return places[0] if places else None

    @property
    def is_plain(self) -> bool:
        """Whether points in space are all there is, and count by their squares."""
        alone = len(self.sources) == 1 and isinstance(self.sources[0], Points3D)
        return alone and self.options.loss == "linear"

    @property
    def point_unit(self) -> float:
        """What a squared misfit of a point counts for in the objective, in lengths of the plan's own."""
        return 1.0 if self.options.scale_free else self.plan.length**2

    @functools.cached_property
    def point_scale(self) -> Array:
        """What the weight of each keypoint is multiplied by, shape (K,)."""
        return np.asarray(self.plan.joint_weight * (self.point_unit if self.is_plain else 1.0))

    @functools.cached_property
    def full_weight(self) -> float:
        """What all keypoints weigh that one source may see at weight 1."""
        return float(self.point_scale.sum()) or 1.0

    @functools.cached_property
    def provenance(self) -> dict[str, str]:
        """What makes a result: version, instruction-set level, fingerprint of the plan."""
        return {"pantin": __version__, "level": _core.level(), "plan": self.plan.fingerprint}

    def core(self, scales: Array | None = None, time_limit: float | None = None) -> _core.FitCore:
        """The core for this fit.

        Args:
            scales: Pixels that a misfit in each camera is relative to, shape (C,); 1 by default.
            time_limit: Time for a frame, s.
        """
        plan, options = self.plan, self.options
        scales = np.ones(len(self.cameras)) if scales is None else scales
        unit = self.point_unit
        camera_units = 1.0 / scales**2 if options.scale_free else np.ones(len(self.cameras))
        turn_joints = np.zeros(0, dtype=np.int32)
        if self.turns is not None:
            turn_joints = joint_indices(plan, self.sources[self.turns].joints)  # type: ignore[attr-defined]
        tie_joints = np.zeros((0, 2), dtype=np.int32)
        if self.ties is not None:
            pairs = self.sources[self.ties].pairs  # type: ignore[attr-defined]
            tie_joints = joint_indices(plan, (name for pair in pairs for name in pair)).reshape(-1, 2)
        return _core.FitCore(
            njoints=plan.n_joints,
            ndofs=plan.n_dofs,
            fixed_base=plan.fixed_base,
            length=plan.length,
            parents=plan.parents,
            dof_joint=plan.dof_joint,
            slide=plan.dof_is_slide,
            fixed=self.fixed,
            offset_pos=plan.offset_pos,
            offset_rot=plan.offset_rot,
            axis=plan.dof_axis,
            neutral=plan.neutral,
            lower=plan.lower,
            upper=plan.upper,
            curvature=self._curvature(),
            flat=np.array([isinstance(self.sources[index], XYView) for index in self.points], dtype=np.bool_),
            units=np.concatenate((np.full(len(self.points), unit), camera_units)),
            lenses=np.array([self.sources[index].lens for index in self.cameras]),  # type: ignore[attr-defined]
            turn_joints=turn_joints,
            turn_scale=plan.joint_weight[turn_joints],
            tie_joints=tie_joints,
            tie_scale=np.sqrt(plan.joint_weight[tie_joints].prod(axis=1)),
            tie_unit=unit,
            loss=CHOICES["loss"].index(options.loss),
            delta=options.loss_scale,
            near=options.near,
            plain=self.is_plain,
            max_iterations=options.max_iterations,
            position_tolerance=options.position_tolerance,
            angle_tolerance=options.angle_tolerance,
            cost_tolerance=options.cost_tolerance,
            damping=options.damping,
            gradient_per_length=1.0 if options.scale_free else 1.0 / plan.length,
            time_limit=time_limit,
            point_scale=self.point_scale,
            pull=options.neutral_weight * plan.dof_weight * self._per_unit(),
            hold=options.neutral_weight * options.hold * self._per_unit(),
            weight=self.full_weight,
            camera_weight=1.0 if options.scale_free else float(np.mean(scales**2)) / unit if len(scales) else 1.0,
            seen_from=SEEN_FROM,
            restart_factor=options.restart_factor,
            outlier_from=OUTLIER_FROM[options.loss] * options.loss_scale**2,
            hold_gaps=options.gap != "prior",
            predict=options.predict == "velocity",
            align=options.align,
            starts=options.starts,
            random_seed=options.seed,
            prescribed=self.prescribed,
            start=self.start(),
        )

    def _per_unit(self) -> Array:
        """What a squared degree of freedom in the core's unit counts for in the prior."""
        return np.where(self.plan.dof_is_slide, self.point_unit, 1.0)

    def _curvature(self) -> Array:
        """What the objective curves by along each degree of freedom at neutral, all seen with weight 1, shape (N,)."""
        plan = self.plan
        if plan.n_dofs == 0:
            return np.zeros(0)
        J = plan.keypoint_jacobian(plan.neutral_state())[:, :, plan.tangent_dim - plan.n_dofs :]
        squares = np.einsum("kij,kij->j", J, J)
        return np.asarray(self.point_unit * squares / np.where(plan.dof_is_slide, 1.0, plan.length**2))

    def start(self, state: Iterable[Array] | None = None) -> Array:
        """A row (root position, quaternion wxyz, degrees of freedom) to start from: neutral, or a state.

        Locked degrees of freedom are at their values, where they have some; those that keep a value are within limits.
        """
        row = self._neutral.copy() if state is None else np.concatenate(tuple(state))
        if self.is_partly_fixed:
            for dof, value in self.locked.items():
                if value is not None:
                    row[7 + dof] = value
            row[7:][self.fixed] = np.clip(row[7:], self.plan.lower, self.plan.upper)[self.fixed]
        return row

    @functools.cached_property
    def _neutral(self) -> Array:
        return np.concatenate(tuple(self.plan.neutral_state()))

    def misfit_scales(self, scales: Array | None) -> Array:
        """Lengths, pixels or angles that the misfits of each source are relative to, shape (S,)."""
        length = self.plan.length if self.options.scale_free else 1.0
        each = np.array([length if index in (*self.points, self.ties) else 1.0 for index in range(len(self.sources))])
        if scales is not None and self.options.scale_free:
            each[self.cameras] = scales
        return each

    def prescribed_rows(self, frames: int) -> Array | None:
        """Prescribed values, shape (T, M), or None.

        Raises:
            InvalidArgument: If there are not as many as there are frames.
        """
        if not len(self.prescribed):
            return None
        columns = []
        for name, values in self.options.prescribe.items():
            given = np.asarray(values)
            if given.shape not in ((), (frames,)):
                raise InvalidArgument(
                    "prescribe", f"expected {frames} values of {name!r}, one for each frame, got shape {given.shape}"
                )
            columns.append(np.broadcast_to(given, (frames,)))
        return np.stack(columns, axis=1)

    def rows(self, positions: Sequence[Array], weights: Sequence[Array | None]) -> dict[str, Any]:
        """Observations of T frames as the core reads them."""
        turns = None
        if self.turns is not None:
            turns = (_matrices(positions[self.turns]), weights[self.turns])
        ties = None if self.ties is None else (positions[self.ties], weights[self.ties])
        cameras = [(positions[i], weights[i], _poses(self.sources[i], len(positions[i]))) for i in self.cameras]
        return {
            "points": [(positions[index], weights[index]) for index in self.points],
            "cameras": cameras,
            "turns": turns,
            "ties": ties,
        }


def _check_limits(option: str, plan: BodyPlan, name: str, values: Any) -> None:
    """Refuse values that are given to a degree of freedom beyond its limits."""
    dof = plan.dof(name)
    given = np.empty(0) if values is None else np.atleast_1d(values)
    beyond = (given < plan.lower[dof]) | (given > plan.upper[dof])
    if beyond.any():
        limits = f"[{plan.lower[dof]:g}, {plan.upper[dof]:g}]"
        raise InvalidArgument(option, f"{name!r} has the limits {limits}, got {given[beyond][0]:g}")


def _poses(camera: Source, frames: int) -> Array:
    """Where a camera stands in each frame, shape (T, 1, 12); without a copy where it stands still."""
    assert isinstance(camera, Camera)
    poses = np.concatenate((camera.R.reshape(*camera.R.shape[:-2], 9), camera.t), axis=-1)
    return np.broadcast_to(poses.reshape(-1, 1, 12), (frames, 1, 12))


def _matrices(quaternions: Array) -> Array:
    """Rotations of quaternions wxyz, shape (T, J, 9)."""
    w, x, y, z = np.moveaxis(quaternions, -1, 0)
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    return np.stack([entry for row in rows for entry in row], axis=-1)
