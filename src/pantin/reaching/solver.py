"""Global inverse kinematics for one frame: which joint angles bring it to a target."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Unpack, cast

import numpy.typing as npt

from pantin import _core
from pantin.arrays import Array, apart
from pantin.errors import InvalidArgument
from pantin.kinematics.doors import require_model
from pantin.kinematics.model import Model
from pantin.kinematics.rows import result_rows, thread_count
from pantin.reaching.choice import Validate, choose, chosen_columns, is_plain, single_targets
from pantin.reaching.doors import movable_frame, read_seeds, read_targets
from pantin.reaching.moving import Moving
from pantin.reaching.options import ReachOptions
from pantin.reaching.path import Jumps, follow_path
from pantin.reaching.path_result import PathResult
from pantin.reaching.pieces import Progress, in_pieces, piece_of
from pantin.reaching.preferences import Preference
from pantin.reaching.question import Mode, Question, asked
from pantin.reaching.result import ReachBatch, ReachResult
from pantin.reaching.search import Search
from pantin.reaching.solutions import ReachSolutions, all_solutions

__all__ = ["ReachSolver", "reach"]

#: Solvers that `reach` keeps for one model.
_KEPT = 16


class ReachSolver(_core.ReachCore):
    """Reach for one frame of a model, compiled once for many targets.

    A bounded Levenberg-Marquardt iteration starts from the seed, and from configurations spread over the limits
    where the seed's own branch does not reach: those first whose frame comes nearest to the target. Several starts
    run side by side as lanes of the processor's vectors.

    The answer is within the limits exactly. The seed's own branch is the answer wherever it reaches; of other
    starts, which are compared three by three, the one that moves the joints least is. Without a seed no branch is
    preferred, and the first of the spread starts that reaches is the answer. Where none reaches, the
    answer is the configuration with the least error that was found: the squared distance over the squared length
    `0.35 * chain`, plus the squared angle in radians. Equal questions have equal answers, bit for bit, one by one
    or in a batch, in any order and with any number of threads.

    The solver follows edits of the model, and reads its position limits at each solve. It may be shared between
    threads.

    Attributes:
        model: The model.
        frame: Name of the frame that is moved.
        root: Name of the frame that targets are given in.
        mode: What is asked of the frame.
        question: What else was asked, the keyword arguments of `Question`.
        options: How to solve.
        prefer: Which of the answers to take.
        validate: Callback that may refuse answers, or None.
    """

    def __init__(
        self,
        model: Model,
        frame: str | int,
        *,
        mode: Mode = "pose",
        root: str | int | None = None,
        options: ReachOptions = ReachOptions(),  # noqa: B008  # frozen
        prefer: Preference = "nearest",
        validate: Validate | None = None,
        **question: Unpack[Question],
    ) -> None:
        """Compile the chain from the root to the frame.

        Args:
            model: Robot model.
            frame: Frame to move, by name or index.
            mode: What is asked of the frame: its "pose"; its "position" or "orientation"; its position and the
                direction of the tool's axis ("axis", the turn about it is free); that "direction" alone; the tool's
                axis "pointing" at a point; or a shaft along the tool's axis that passes through a pivot, with its
                tip at a point ("rcm", a remote centre of motion).
            root: Frame that targets are given in, by name or index; the world by default.
            options: How to solve.
            prefer: Which of the answers to take. "nearest" is the nearest to the seed, as described above. The
                others compare the answers of all `max_starts` starts (at most 512), or all branches of a closed
                form: "posture", the one nearest to the `posture`; "limits", the one whose joint nearest to a limit
                is farthest from it, as a part of its range; "manipulability", the one with the largest product of
                singular values (Yoshikawa 1985) of what is asked for; "first", what the first of the starts finds.
                Where joints are left over, the best are moved on along the null space. A time limit ends the
                first search alone.
            validate: Callback that is given configurations, shape (nq,), the best first, and tells whether each may
                be the answer; a collision check, say. Where it accepts none, the answer has the status "refused"
                and is the best of those refused.
            question: What else is asked, by the keywords of `pantin.reaching.Question`. Of the tool: `tool_axis`. Of
                the components of a pose: `mask`, `weights`, `tolerances`, `mask_frame`. Of a pivot: `pivot`, `roll`,
                `shaft`, `min_depth`. Of the joints: `lock`, `joint_weights`, `max_joint_change`. Of where to stay near
                to: `posture`, `posture_weight`.

        Raises:
            UnknownFrame: If a frame does not exist.
            UnknownJoint: If a joint that is locked or weighted does not exist.
            InvalidArgument: If the mode or the preference is unknown, an argument is not what it shall be or means
                nothing in the mode, or no joint moves the frame against the root.
            InvalidModel: If the model's limits contradict each other.
        """
        require_model(model)
        if not isinstance(options, ReachOptions):
            raise InvalidArgument("options", f"expected ReachOptions, got a {type(options).__name__}")
        numbers = asked(model, mode, question, options)
        plain = is_plain(prefer, validate, question)
        self._frame, self._root = movable_frame(model, frame, root)
        self.mode: Mode = mode
        self.question = question
        self._tool, self._pivot, self._in_tool = numbers["tool"].reshape(3, 3), numbers["pivot"], numbers["in_tool"]
        self._depths = numbers["depths"]
        self._weights, self._tolerances = numbers["weights"], 1.0 / numbers["per_tolerance"]
        self._readiness = numbers["readiness"]
        super().__init__(
            model=model,
            lower=model._vectors["lower_position_limit"],
            upper=model._vectors["upper_position_limit"],
            frame=self._frame,
            root=self._root,
            chooser=None,
            **numbers,
        )
        self.model = model
        self.frame = model.frames[self._frame].name
        self.root = model.frames[self._root].name
        self.options = options
        self.prefer: Preference = prefer
        self.validate = validate
        self._moving: tuple[int, Moving] | None = None
        self._search: tuple[int, Search] | None = None
        if not plain:
            asked_plainly = ReachSolver(model, frame, mode=mode, root=root, options=options, **question)
            self._chooser = functools.partial(choose, asked_plainly, prefer, validate)

    if TYPE_CHECKING:

        def solve(self, target: object, seed: npt.ArrayLike | None = None) -> ReachResult:
            """Configuration that brings the frame to a target; see the core's docstring."""

    def solve_batch(
        self,
        targets: object,
        seeds: npt.ArrayLike | None = None,
        threads: int = 1,
        *,
        out: Array | None = None,
        progress: Progress | None = None,
    ) -> ReachBatch:
        """Configurations that bring the frame to many targets, each as `solve` would find it.

        The interpreter lock is released, and Ctrl-C is answered within milliseconds. A solver with a preference or
        a callback answers one target after the other.

        Where Ctrl-C, or what a callback raises, ends the batch early, `out` holds the rows that were answered so far,
        in any case those that `progress` was told of; the others are as they were.

        Args:
            targets: Poses, shape (..., 4, 4); points or directions, shape (..., 3), m; or orientations, shape
                (..., 3, 3), as the mode asks. A list of single targets, as `solve` takes them, will do where they
                are `SE3`.
            seeds: One seed, shape (nq,), or one for each target, shape (..., nq).
            threads: Threads to use; the answers do not depend on it.
            out: Array to fill with the configurations, shape (..., nq), which may be that of the seeds.
            progress: Callback that is told how many targets are done and how many there are, `progress(done, total)`,
                about every 0.1 s and at the end, in the thread of the caller. What it raises ends the batch. The
                answers do not depend on it.

        Returns:
            The answers, as arrays with the leading axes of the targets; `q` is `out` where that is given.

        Raises:
            InvalidArgument: If targets or seeds have the wrong shape or are not finite, a rotation is none, `out` has
                the wrong shape or kind, or a callback adds joints.
            InvalidModel: If the model's limits contradict each other.
        """
        workers = thread_count(threads)
        rows, shape = read_targets(self, targets)
        given = read_seeds(self.model, seeds, shape)
        q = result_rows(shape, (self.model.nq,), out)
        given = given if given is None or out is None else apart(given, q)
        answered = q.reshape(len(rows), self.model.nq)
        singles = None if self._chooser is None else single_targets(targets, shape)

        def solve(piece: slice) -> tuple[Array, ...]:
            near = piece_of(given, piece)
            if singles is not None:
                return chosen_columns(self, singles[piece], near, answered[piece])
            return self._solve_batch(rows[piece], near, workers, answered[piece])[1:]

        return ReachBatch(self, rows, q, in_pieces(solve, len(rows), progress))

    def all(
        self, target: object, seed: npt.ArrayLike | None = None, *, whole_turns: bool = False, count: int = 64
    ) -> ReachSolutions:
        """Every configuration that brings the frame to a target, or a sample of them.

        Arms whose poses have a closed form give every branch, to 1e-9 and better, where nothing but the pose is
        asked for. Where there is none, the ends of several hundred starts spread over the
        limits are thinned out to `count` that lie as far apart as can be; where solutions are isolated, that is
        each of those found, once.

        Args:
            target: As `solve` takes it.
            seed: Configuration that distances are measured from, shape (nq,), whose whole turns solutions are next
                to, and which gives the entries of joints that do not move the frame. By default the middle of the
                limits.
            whole_turns: Give each solution in every number of whole turns that the limits allow, not only in that
                which is nearest to the seed.
            count: Largest size of a sample, before whole turns.

        Returns:
            Solutions within limits that meet the tolerances, those nearest to the seed first; none where the target
            is out of reach. The maximal change of joints counts, a posture to be drawn to does not.

        Raises:
            InvalidArgument: If the target, the seed or the count is not what it shall be, or whole turns are asked
                for in more than 100,000 variants.
            InvalidModel: If the model's limits contradict each other.
        """
        return all_solutions(self, target, seed, whole_turns=whole_turns, count=count)

    def follow(
        self,
        targets: object,
        q0: npt.ArrayLike | None = None,
        *,
        max_joint_step: npt.ArrayLike | None = None,
        time: npt.ArrayLike | None = None,
        retime: bool = False,
        jumps: Jumps = "refuse",
        path_tolerance: npt.ArrayLike | None = None,
    ) -> PathResult:
        """Configurations that lead the frame along a path, from waypoint to waypoint without a jump.

        Each step is extrapolated and corrected, so that it holds its branch, through singular configurations too.
        What motion the targets leave free goes away from the joint limits. Where that ends, other such motions are
        tried from some waypoints before, if need be from the first one. What still cannot be followed is reported.

        A joint jumps where it moves farther from one waypoint to the next than the frame does anywhere on the path
        (an angle in radians, or a distance over `0.35 * chain length`), unless small steps along the straight way
        between the two lead there as well. "prefer" and "validate" are for `solve` and do not count here.

        The interpreter lock is released, and Ctrl-C is answered within milliseconds.

        Args:
            targets: The waypoints: poses, shape (n, 4, 4); points or directions, shape (n, 3), m; or orientations,
                shape (n, 3, 3), as the mode asks; or a list of `SE3`.
            q0: Configuration to start from, shape (nq,): the first waypoint is answered as `solve` does with this
                seed. Where none is given, other answers to it are tried, too, until one leads all the way.
            max_joint_step: Farthest that a joint may move from one waypoint to the next, rad or m: a number, or one
                for each velocity, shape (nv,).
            time: When each waypoint is passed, shape (n,), s, increasing. Steps then keep to the model's
                `velocity_limit` where they can, and the result tells where they cannot.
            retime: Give the shortest times within the velocity limits, joints moving straight from waypoint to
                waypoint. With `time`, its proportions are kept, and all of it is stretched or shortened.
            jumps: "refuse" to end before a waypoint that takes a jump or is not reached, or "allow" to jump there,
                or to the nearest that is found, and say so.
            path_tolerance: How far the frame may be from the straight way between waypoints while joints move
                straight, m and rad: one number or a pair. The result's `refined` then has configurations between
                waypoints where these are needed, at most 31 in a row.

        Returns:
            The configurations, whether or not the whole path could be followed.

        Raises:
            InvalidArgument: If targets, q0 or times have the wrong shape or are not finite, times do not increase,
                or another argument is none of its values.
            InvalidModel: If the model's limits contradict each other, or `retime` meets a velocity limit of zero.
        """
        return follow_path(
            self,
            targets,
            q0,
            max_joint_step=max_joint_step,
            time=time,
            retime=retime,
            jumps=jumps,
            path_tolerance=path_tolerance,
        )

    def __repr__(self) -> str:
        """What is asked of which frame."""
        return f"ReachSolver({self.model.name!r}, {self.frame!r}, mode={self.mode!r}, root={self.root!r})"


def reach(
    model: Model,
    frame: str | int,
    target: object,
    seed: npt.ArrayLike | None = None,
    *,
    mode: Mode = "pose",
    root: str | int | None = None,
    options: ReachOptions = ReachOptions(),  # noqa: B008  # frozen
    prefer: Preference = "nearest",
    validate: Validate | None = None,
    **question: Unpack[Question],
) -> ReachResult:
    """Configuration that brings a frame to a target.

    The model keeps the compiled solvers of its latest questions, so that asking again costs little; a
    `ReachSolver` costs less still.

    Args:
        model: Robot model.
        frame: Frame to move, by name or index.
        target: What the mode asks for. A pose (also for "axis", and "rcm" with a roll): an `SE3`, a
            `pinocchio.SE3`, a matrix (4, 4), or a pair of position and quaternion (x, y, z, w). A position, a point
            to aim at, or where the tip shall be: shape (3,), m. A direction: shape (3,). An orientation: a matrix
            (3, 3) or a quaternion (x, y, z, w).
        seed: Configuration to start from and to stay near to, shape (nq,); one outside the limits is clipped and
            noted. Without one no branch is preferred; joints that do not move the frame then stand in the middle of
            their limits, at rest where there are none, and distances count from there.
        mode: "pose", "position", "orientation", "axis", "direction", "pointing" or "rcm", see `ReachSolver`.
        root: Frame that the target is given in, by name or index; the world by default.
        options: How to solve.
        prefer: Which of the answers to take: the "nearest" to the seed, or what `ReachSolver` lists.
        validate: Callback that may refuse configurations, see `ReachSolver`.
        question: What else is asked, by the keywords of `pantin.reaching.Question`. Of the tool: `tool_axis`. Of the
            components of a pose: `mask`, `weights`, `tolerances`, `mask_frame`. Of a pivot: `pivot`, `roll`, `shaft`,
            `min_depth`. Of the joints: `lock`, `joint_weights`, `max_joint_change`. Of where to stay near to:
            `posture`, `posture_weight`.

    Returns:
        The answer, whether or not the target was reached.

    Raises:
        UnknownFrame: If a frame does not exist.
        UnknownJoint: If a joint that is locked or weighted does not exist.
        InvalidArgument: If the target or the seed has the wrong shape or is not finite, a rotation is none, the
            mode is unknown, an argument means nothing in the mode, or no joint moves the frame against the root.
        InvalidModel: If the model's limits contradict each other.
    """
    require_model(model)
    kept = model._solvers
    key: tuple[object, ...] | None = ("reach", model.version, frame, mode, root, options, *sorted(question.items()))
    try:
        solver = cast("ReachSolver | None", kept.get(key))
    except TypeError:  # an array or list in the question, or what is no frame or mode and is refused below
        solver = key = None
    if solver is None:
        solver = ReachSolver(model, frame, mode=mode, root=root, options=options, **question)
        if key is not None:
            while len(kept) >= _KEPT:
                kept.pop(next(iter(kept)), None)
            kept[key] = solver
    if is_plain(prefer, validate, question):
        return solver.solve(target, seed)
    return choose(solver, prefer, validate, target, seed)
