"""Every solution of the inverse kinematics of an arm with six turning joints, where it has a closed form."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pantin import _core, arrays
from pantin._core import SE3
from pantin.arrays import Array
from pantin.errors import InvalidArgument
from pantin.kinematics.configurations import clamp, neutral
from pantin.kinematics.doors import compiled_tree, frame_index, require_model
from pantin.kinematics.joints import JT_REVOLUTE, JT_REVOLUTE_UNBOUNDED, JointModel
from pantin.kinematics.model import Model
from pantin.kinematics.poses import as_se3
from pantin.kinematics.rows import configuration_rows
from pantin.reaching.turns import opened, turned_within

__all__ = ["ClosedForm", "closed_form", "no_closed_form"]


class ClosedForm:
    """Closed-form inverse kinematics of a frame.

    There is one where exactly six turning joints lead from the root to the frame, none of them a mimic, and the axes
    of three joints in a row meet in a point (a spherical wrist or shoulder, say) or are parallel (as in the arms of
    Universal Robots). The axes may miss that by 1e-5 of the arm's size, since files are printed with few digits.

    Candidates come from subproblems (Paden and Kahan 1986; Elias and Wen 2022, "IK-Geo"), and Newton's steps on
    the model's own kinematics carry them to rounding. The frame's pose errs by less than 1e-10 (rad, and lengths in
    units of the arm's size), mostly by 1e-14.

    The object follows edits of the model, and reads its position limits at each call. It may be shared between
    threads.

    Attributes:
        model: The model.
        frame: Name of the frame.
        root: Name of the frame that targets are given in.
        kind: What makes the closed form possible, in words, such as "axes 4 to 6 meet in a point".
    """

    def __init__(self, model: Model, frame: int | str, root: int | str | None = None) -> None:
        """Find the closed form of a frame.

        Args:
            model: Robot model.
            frame: Frame to bring to targets, by name or index.
            root: Frame that targets are given in, by name or index; the world by default. It may move, if the way
                from the world to the frame passes it.

        Raises:
            UnknownFrame: If there is no such frame.
            InvalidArgument: If it has no closed form; `closed_form` returns None then.
        """
        require_model(model)
        self.model = model
        self._frame = frame_index(model, frame)
        self.frame = model.frames[self._frame].name
        self._root = 0 if root is None else frame_index(model, root)
        self.root = model.frames[self._root].name
        self._compile()

    def _compile(self) -> None:
        """Find the closed form of the model as it is now."""
        self._tree = compiled_tree(self.model)
        self._core = _core.ClosedForm(self._tree, self._frame, self._root)
        kind = self._core.kind
        if kind is None:
            why = no_closed_form(self.model, self._frame, self._root)
            raise InvalidArgument("frame", f"{self.frame!r} has no closed form: {why}; use pantin.reach")
        self.kind: str = kind
        self._joints = _between(self.model, self._root, self._frame)
        plain = [i for i, joint in enumerate(self._joints) if joint.nq == 1]
        pairs = [i for i, joint in enumerate(self._joints) if joint.nq == 2]
        self._plain, self._entries = np.array(plain, dtype=int), np.array([self._joints[i].idx_q for i in plain], int)
        self._pairs, self._cosines = np.array(pairs, dtype=int), np.array([self._joints[i].idx_q for i in pairs], int)
        self._neutral = neutral(self.model)

    def solutions(
        self, target: object, seed: npt.ArrayLike | None = None, *, whole_turns: bool = False, limits: bool = True
    ) -> Array:
        """Every configuration that brings the frame to a target.

        Args:
            target: Pose in the root frame: an SE3, a (4, 4) matrix, or a pair (xyz, xyzw), m.
            seed: Configuration, shape (nq,), that gives what the target leaves open: the entries of other joints,
                the angles that a singular pose leaves free, and the whole turns. The neutral one, moved into the
                limits, by default.
            whole_turns: Give each solution in every number of whole turns that the limits allow, not only in that
                which is nearest to the seed.
            limits: Leave out what is not within the position limits.

        Returns:
            Configurations, shape (n, nq), those nearest to the seed first; n is at most 8 without whole turns (where
            axes only nearly meet or are nearly parallel, it may be more close to a singular pose), and 0 for a pose
            out of reach. At a singular pose, where there are infinitely many, one of each family.

        Raises:
            InvalidArgument: If the target is no pose, the seed is no configuration, the model was edited and has no
                closed form any more, or whole turns are asked for without limits or in more than 100,000 variants.
        """
        if self._tree is not compiled_tree(self.model):
            self._compile()
        pose = as_se3("target", target).homogeneous
        if isinstance(target, SE3):  # whose memory is open to writing; others were checked on their way
            arrays.rotation("target", arrays.array("target", pose)[:3, :3])
        if whole_turns and not limits:
            raise InvalidArgument("whole_turns", "there is no end to them without limits; leave limits=True")
        start = self._seed(seed)
        near = self._angles(start)
        low, high = self._limits() if limits else (np.full(6, -np.inf), np.full(6, np.inf))
        found = self._core.solve(pose.reshape(16), np.clip(near, low, high))
        angles, _ = turned_within(found, near, low, high, whole_turns)
        return self._configurations(start, self._nearest_first(angles, near))

    def _seed(self, seed: npt.ArrayLike | None) -> Array:
        """The seed, checked, or the default."""
        if seed is None:
            return clamp(self.model, self._neutral)
        rows = configuration_rows("seed", self.model, arrays.vector("seed", seed, self.model.nq))
        return rows.reshape(self.model.nq)

    def _angles(self, q: Array) -> Array:
        """Angles of the six joints, shape (6,)."""
        angles = np.empty(6)
        angles[self._plain] = q[self._entries]
        angles[self._pairs] = np.arctan2(q[self._cosines + 1], q[self._cosines])
        return angles

    def _limits(self) -> tuple[Array, Array]:
        """Limits of the six angles, infinite where there are none."""
        low, high = np.full(6, -np.inf), np.full(6, np.inf)
        low[self._plain] = self.model.lower_position_limit[self._entries]
        high[self._plain] = self.model.upper_position_limit[self._entries]
        return opened(low, high)

    def _nearest_first(self, angles: Array, near: Array) -> Array:
        """Rows of angles by their distance to others, as joints measure it."""
        gaps = angles - near
        gaps[:, self._pairs] = np.remainder(gaps[:, self._pairs] + np.pi, 2.0 * np.pi) - np.pi
        # Where distances are equal but for rounding, the angles decide, so that equal questions have one answer.
        return angles[np.lexsort((*angles.T[::-1], np.round(np.sqrt((gaps**2).sum(axis=1)), 9)))]

    def _configurations(self, seed: Array, angles: Array) -> Array:
        """Configurations with these angles, and the seed's entries of other joints."""
        q = np.empty((len(angles), len(seed)))
        q[:] = seed
        q[:, self._entries] = angles[:, self._plain]
        q[:, self._cosines] = np.cos(angles[:, self._pairs])
        q[:, self._cosines + 1] = np.sin(angles[:, self._pairs])
        return q

    def __repr__(self) -> str:
        """The frame and what makes the closed form possible."""
        return f"ClosedForm({self.model.name!r}, {self.frame!r}: {self.kind})"


def closed_form(model: Model, frame: int | str, root: int | str | None = None) -> ClosedForm | None:
    """Closed-form inverse kinematics of a frame, or None where it has none.

    Args:
        model: Robot model.
        frame: Frame to bring to targets, by name or index.
        root: Frame that targets are given in, by name or index; the world by default.

    Raises:
        UnknownFrame: If there is no such frame.
        TypeError: If the model is none.
    """
    require_model(model)
    moved, base = frame_index(model, frame), 0 if root is None else frame_index(model, root)
    if _core.ClosedForm(compiled_tree(model), moved, base).kind is None:
        return None
    return ClosedForm(model, moved, base)


def no_closed_form(model: Model, frame: int, root: int = 0) -> str:
    """Why a frame that has no closed form has none."""
    joints = _between(model, root, frame)
    if model.frames[root].parent_joint not in model.supports[model.frames[frame].parent_joint]:
        return f"the way to it does not pass {model.frames[root].name!r}"
    if len(joints) != 6:
        return f"it takes six joints, and {len(joints)} move it"
    for joint in joints:
        if joint.mimic is not None or joint.jtype not in (JT_REVOLUTE, JT_REVOLUTE_UNBOUNDED):
            return f"joint {model.names[joint.id]!r} does not turn by an angle of its own"
    return "no three axes in a row meet in a point or are parallel, or the six joints move it in fewer ways"


def _between(model: Model, root: int, frame: int) -> list[JointModel]:
    """Joints that move a frame and not the root, from the world outwards."""
    ways = [model.supports[model.frames[index].parent_joint] for index in (frame, root)]
    return [model.joints[joint] for joint in ways[0] if joint not in ways[1]]
