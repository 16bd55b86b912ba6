"""Several residuals at once: two hands, a hand and a gaze, a foot that stays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from pantin import _core
from pantin.arrays import Array, array, vector
from pantin.errors import InvalidArgument
from pantin.kinematics.configurations import clamp
from pantin.kinematics.doors import compiled_tree, require_model
from pantin.kinematics.model import Model
from pantin.kinematics.rows import configuration_rows, result_rows, thread_count
from pantin.reaching.doors import movable_frame, moving_joints, read_seeds
from pantin.reaching.options import ReachOptions
from pantin.reaching.pieces import Progress, in_pieces, piece_of
from pantin.reaching.problem_doors import lockable_joint, read_batch
from pantin.reaching.problem_result import ProblemBatch, ProblemResult
from pantin.reaching.residuals import CentreOfMass, FrameTarget, LookAt, Pivot, Posture, Residual

__all__ = ["Problem"]

FrameMode = Literal["pose", "position", "orientation", "axis", "direction"]
_MODES = ("pose", "position", "orientation", "axis", "direction")
_Some = TypeVar("_Some", bound=Residual)


class Problem(_core.ProblemCore):
    """Residuals on one model that are brought to zero together.

    Each `add_...` returns an object whose `target` may be set anew before the next solve. A solve minimises the sum of
    squared errors: lengths over `0.35 * reach`, `reach` being the longest way to a frame, and angles in radians, each
    times its weight. It is a bounded Levenberg-Marquardt iteration from the seed, and from configurations spread over
    the limits where the seed's own branch does not reach.

    Answers are within the limits exactly. The seed's own branch is the answer wherever it reaches; of other starts,
    compared in groups, the one that moves the joints least is. Where none reaches, the answer is the configuration at
    rest with the least error that was found. Equal questions have equal answers, bit for bit.

    The problem follows edits of the model, and reads its position limits at each solve. A thread that solves while
    another one sets targets sees the old target or the new one.

    Attributes:
        model: The model.
        options: How to solve.
        locked: Names of the joints that stay as the seed has them.
        residuals: What is asked for, in the order it was added.
        posture: The posture, or None.
    """

    def __init__(
        self,
        model: Model,
        *,
        lock: Iterable[str | int] = (),
        options: ReachOptions = ReachOptions(),  # noqa: B008  # frozen
    ) -> None:
        """Problem without residuals.

        Args:
            model: Robot model.
            lock: Joints that stay as the seed has them, by name or index.
            options: How to solve; tolerances hold for residuals without tolerances of their own.

        Raises:
            UnknownJoint: If a joint to lock does not exist.
            InvalidArgument: If a joint to lock follows another one.
        """
        require_model(model)
        if not isinstance(options, ReachOptions):
            raise InvalidArgument("options", f"expected ReachOptions, got a {type(options).__name__}")
        if isinstance(lock, str):
            raise InvalidArgument("lock", f"expected a list of joints, got the name {lock!r}; write [{lock!r}]")
        self._locked = {lockable_joint(model, joint) for joint in lock}
        super().__init__(
            model,
            lower=model._vectors["lower_position_limit"],
            upper=model._vectors["upper_position_limit"],
            position_tolerance=options.position_tolerance,
            rotation_tolerance=options.rotation_tolerance,
            max_iterations=options.max_iterations,
            max_starts=options.max_starts,
            random_seed=options.random_seed,
            time_limit_ms=options.time_limit_ms or 0.0,
        )
        self.model = model
        self.options = options
        self.locked = tuple(model.names[joint] for joint in sorted(self._locked))
        self.residuals: tuple[Residual, ...] = ()
        self.posture: Posture | None = None

    def add_frame(
        self,
        frame: str | int,
        target: object,
        *,
        mode: FrameMode = "pose",
        root: str | int | None = None,
        tool_axis: str | npt.ArrayLike = "z",
        weights: npt.ArrayLike | None = None,
        position_tolerance: float | None = None,
        rotation_tolerance: float | None = None,
    ) -> FrameTarget:
        """A frame at a target, seen from a root that may move.

        Args:
            frame: Frame by name or index.
            target: What the mode asks for. "pose" and "axis": an `SE3`, a matrix (4, 4), or a pair of position and
                quaternion (x, y, z, w); of an axis the direction of the tool's axis counts, and the roll about it is
                free. "position": shape (3,), m. "orientation": a matrix (3, 3) or a quaternion. "direction": the
                direction that the tool's axis shall take, shape (3,).
            mode: What is asked of the frame.
            root: Frame that the target is given in; the world by default.
            tool_axis: The tool's axis in the frame, for the modes "axis" and "direction": "x", "-z" or a vector (3,).
            weights: One factor on all errors, or one for each component: positions along and rotations about the
                root's axes x, y, z (pose: 6; position, orientation: 3; axis: 3 and one for the direction). 0 frees a
                component.
            position_tolerance: Distance that counts as reached, m; that of the options by default.
            rotation_tolerance: Angle that counts as reached, rad; that of the options by default.

        Raises:
            UnknownFrame: If a frame does not exist.
            InvalidArgument: If the mode is unknown, the target or weights are not what it asks for, or no joint that
                is free to move moves the frame against the root.
        """
        if not isinstance(mode, str) or mode not in _MODES:
            raise InvalidArgument("mode", f"expected one of {', '.join(map(repr, _MODES))}, got {mode!r}")
        moved, base = self._movable(frame, root)
        tolerances = {"position_tolerance": position_tolerance, "rotation_tolerance": rotation_tolerance}
        residual = FrameTarget(
            self, mode, target, frame=moved, root=base, tool_axis=tool_axis, weights=weights, **tolerances
        )
        return self._add(residual)

    def add_look_at(
        self,
        frame: str | int,
        target: npt.ArrayLike,
        *,
        tool_axis: str | npt.ArrayLike = "z",
        root: str | int | None = None,
        weight: float = 1.0,
        rotation_tolerance: float | None = None,
    ) -> LookAt:
        """An axis of a frame that aims at a point, as a camera's does.

        Args:
            frame: Frame by name or index.
            target: Point, shape (3,), m.
            tool_axis: The axis that aims: "x", "-z" or a vector (3,).
            root: Frame that the point is given in; the world by default.
            weight: Factor on the errors.
            rotation_tolerance: Angle that counts as reached, rad; that of the options by default.

        Raises:
            UnknownFrame: If a frame does not exist.
            InvalidArgument: If the point or the axis is none, or no joint that is free to move moves the frame.
        """
        moved, base = self._movable(frame, root)
        return self._add(
            LookAt(
                self,
                "look_at",
                target,
                frame=moved,
                root=base,
                tool_axis=tool_axis,
                weights=weight,
                rotation_tolerance=rotation_tolerance,
            )
        )

    def add_pivot(
        self,
        frame: str | int,
        target: npt.ArrayLike,
        *,
        tool_axis: str | npt.ArrayLike = "z",
        root: str | int | None = None,
        weight: float = 1.0,
        position_tolerance: float | None = None,
    ) -> Pivot:
        """A shaft along an axis of a frame that passes through a point, as a tool through an incision.

        Args:
            frame: Frame by name or index.
            target: Point, shape (3,), m.
            tool_axis: Direction of the shaft in the frame: "x", "-z" or a vector (3,).
            root: Frame that the point is given in; the world by default.
            weight: Factor on the errors.
            position_tolerance: Distance of the point from the shaft that counts as reached, m; that of the options by
                default.

        Raises:
            UnknownFrame: If a frame does not exist.
            InvalidArgument: If the point or the axis is none, or no joint that is free to move moves the frame.
        """
        moved, base = self._movable(frame, root)
        return self._add(
            Pivot(
                self,
                "pivot",
                target,
                frame=moved,
                root=base,
                tool_axis=tool_axis,
                weights=weight,
                position_tolerance=position_tolerance,
            )
        )

    def add_com(
        self,
        target: object,
        *,
        weights: npt.ArrayLike | None = None,
        position_tolerance: float | None = None,
    ) -> CentreOfMass:
        """The centre of mass at a point.

        Args:
            target: Point in the world, m; a component that is None is free, as in `[0.0, 0.0, None]`.
            weights: One factor on all errors, or one for each of x, y, z; 0 frees a component.
            position_tolerance: Distance that counts as reached, m; that of the options by default.

        Raises:
            InvalidArgument: If the target is no point, the model has no mass, or every joint is locked.
        """
        masses = [self.model.inertias[i].mass for i in range(1, self.model.njoints)]
        if not sum(masses) > 0.0:
            raise InvalidArgument("target", f"model {self.model.name!r} has no mass, so no centre of mass")
        if not self._free(set(range(1, self.model.njoints))):
            raise InvalidArgument("target", "all joints are locked; none moves the centre of mass")
        if isinstance(target, list | tuple) and any(one is None for one in target):
            free = np.array([one is None for one in target])
            target = [0.0 if one is None else one for one in target]
            if free.all():
                raise InvalidArgument("target", "all components are free, so nothing is asked for")
            weights = np.broadcast_to(array("weights", 1.0 if weights is None else weights), (len(free),)) * ~free
        com = CentreOfMass(self, "centre_of_mass", target, weights=weights, position_tolerance=position_tolerance)
        return self._add(com)

    def add_posture(self, target: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> Posture:
        """A configuration to be near to in the freedom that the targets leave, which it never disturbs.

        Where the targets are reached, the answer is the nearest configuration to the posture that still reaches them:
        it minimises the sum of weighted squared joint distances. All joints take part that are not locked, also those
        that move nothing else that is asked for.

        Args:
            target: Configuration, shape (nq,); one outside the limits is clipped.
            weights: Positive weight of each entry of the tangent, shape (nv,), or one for all.

        Raises:
            InvalidArgument: If there is a posture already, or shapes or values are wrong.
        """
        if self.posture is not None:
            raise InvalidArgument("target", "there is a posture already; set its target instead")
        given = np.ones(self.model.nv) if weights is None else array("weights", weights)
        if given.shape not in ((), (self.model.nv,)) or given.min() < 1e-6 or given.max() > 1e6:
            raise InvalidArgument("weights", f"expected one number or {self.model.nv}, from 1e-6 to 1e6")
        posture = Posture(self, self._near(target), np.broadcast_to(given, (self.model.nv,)).copy())
        self._be_near(posture._target.tolist(), posture.weights.tolist())
        self.posture = posture
        return posture

    def remove(self, residual: Residual | Posture) -> None:
        """Asks for a residual or the posture no longer.

        Raises:
            InvalidArgument: If it is not one of this problem's.
        """
        if residual is self.posture and isinstance(residual, Posture):
            self.posture = None
            self._be_near([], [])
            return
        if residual not in self.residuals:
            raise InvalidArgument("residual", f"expected one of this problem's, got {residual!r}")
        assert isinstance(residual, Residual)
        self._replace(tuple(one for one in self.residuals if one is not residual))
        residual._index = -1

    if TYPE_CHECKING:

        def solve(self, seed: npt.ArrayLike | None = None) -> ProblemResult:
            """Configuration that meets all residuals at once; see the core's docstring."""

    def solve_batch(
        self,
        targets: Mapping[_Some, object],
        seeds: npt.ArrayLike | None = None,
        threads: int = 1,
        *,
        out: Array | None = None,
        progress: Progress | None = None,
    ) -> ProblemBatch:
        """Answers to many questions, each as `solve` would find it.

        The interpreter lock is released, and Ctrl-C is answered within milliseconds. Where that, or what the callback
        raises, ends the batch early, `out` holds the rows that were answered so far, in any case those that `progress`
        was told of; the others are as they were.

        Args:
            targets: For some of the residuals many targets, with the same leading axes (...): poses (..., 4, 4), points
                and directions (..., 3), orientations (..., 3, 3). Others keep their own.
            seeds: One seed, shape (nq,), or one for each question, shape (..., nq).
            threads: Threads to use; the answers do not depend on it.
            out: Array to fill with the configurations, shape (..., nq), which may be that of the seeds.
            progress: Callback that is told how many questions are done and how many there are, `progress(done, total)`,
                about every 0.1 s and at the end, in the thread of the caller. What it raises ends the batch. The
                answers do not depend on it.

        Returns:
            The answers, as arrays with the leading axes of the targets; `q` is `out` where that is given.

        Raises:
            InvalidArgument: If there is nothing to vary, a residual is not this problem's, shapes do not fit together,
                a target is none, `out` has the wrong shape or kind, or a callback adds joints or residuals.
            InvalidModel: If the model's limits contradict each other.
        """
        workers = thread_count(threads)
        own = self._targets if self.residuals else ()
        rows, shape = read_batch(self.residuals, own, targets)
        given = read_seeds(self.model, seeds, shape)
        if given is not None:
            given = np.ascontiguousarray([clamp(self.model, q) for q in np.atleast_2d(given)]).reshape(given.shape)
        q = result_rows(shape, (self.model.nq,), out)
        answered = q.reshape(-1, self.model.nq)
        residuals = self.residuals

        def solve(piece: slice) -> tuple[Array, ...]:
            if self.residuals is not residuals:
                raise InvalidArgument("targets", "residuals were added or removed while a batch was being solved")
            asked = [row if len(row) == 1 else row[piece] for row in rows]
            return self._solve_batch(asked, piece_of(given, piece), workers, answered[piece])

        return ProblemBatch(residuals, q, in_pieces(solve, len(answered), progress))

    def _movable(self, frame: object, root: object) -> tuple[int, int]:
        """Indices of a frame and its root, between which a joint is free to move."""
        moved, base = movable_frame(self.model, frame, root)
        if not self._free(moving_joints(self.model, moved, base)):
            names = [self.model.frames[i].name for i in (moved, base)]
            raise InvalidArgument("frame", f"every joint that moves {names[0]!r} against {names[1]!r} is locked")
        return moved, base

    def _free(self, joints: set[int]) -> set[int]:
        """Those of some joints that are neither locked nor follow another."""
        return {i for i in joints - self._locked if self.model.joints[i].mimic is None}

    def _add(self, residual: _Some) -> _Some:
        self._replace((*self.residuals, residual))
        return residual

    def _replace(self, residuals: tuple[Residual, ...]) -> None:
        """Asks for these residuals, each at its own target."""
        targets = np.array([residual._numbers() for residual in residuals]).reshape(-1, 12)
        locked = [i in self._locked for i in range(self.model.njoints)]
        self._ask([residual._described() for residual in residuals], locked, residuals, targets)
        for index, residual in enumerate(residuals):
            residual._index = index
        self.residuals = residuals

    def _near(self, target: npt.ArrayLike) -> Array:
        """A posture, within the limits."""
        compiled_tree(self.model)
        rows = configuration_rows("target", self.model, vector("target", target, self.model.nq))
        return clamp(self.model, rows.reshape(self.model.nq))

    def _move_posture(self, posture: Posture, target: npt.ArrayLike) -> None:
        """Sets the posture's configuration."""
        if posture is not self.posture:
            raise InvalidArgument("target", "this posture was removed from its problem")
        posture._target = self._near(target)
        self._be_near(posture._target.tolist(), posture.weights.tolist())

    def __repr__(self) -> str:
        """The model and what is asked."""
        return f"Problem({self.model.name!r}, {list(self.residuals)!r})"
