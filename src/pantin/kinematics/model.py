"""The model: a tree of joints with bodies, frames and limits."""

from __future__ import annotations

import threading
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from pantin import _core
from pantin._core import Data
from pantin.arrays import Array, vector
from pantin.errors import InvalidArgument, InvalidModel, UnknownFrame, UnknownJoint
from pantin.kinematics.description import Copying, describe
from pantin.kinematics.doors import frame_index, joint_index, previous_index
from pantin.kinematics.frames import Frame, FrameType, ReferenceFrame
from pantin.kinematics.inertia import Inertia
from pantin.kinematics.joints import JT_UNIVERSE, JointModel, joint_has_configuration_limit
from pantin.kinematics.mimics import Follower, follow
from pantin.kinematics.parts import FixedList, NameIndex, Names, Parts, Supports
from pantin.kinematics.poses import as_se3
from pantin.kinematics.se3 import SE3
from pantin.kinematics.vectors import JointVector, Vector, joint_limit

__all__ = ["Data", "Frame", "FrameType", "Model", "ReferenceFrame"]

_UNBOUNDED = float(np.finfo(np.float64).max)
_LIMITS = ("lower_position_limit", "upper_position_limit", "velocity_limit", "effort_limit")
_CONSTANTS = {"armature": 0.0, "friction": -np.inf, "damping": -np.inf}  # and the least that is welcome
#: What grows with the model and is not replaced as a whole.
_GROWN = {"frames", "inertias", "joint_placements", "joints", "names", "nq", "nv", "parents"}
_STANDARD_GRAVITY = (0.0, 0.0, -9.81)


class Model(Copying):
    """Kinematic tree: joints with their bodies, frames and limits.

    Joints are numbered from the universe, joint 0; a joint comes after its parent. The structure changes
    through `add_joint`, `append_body_to_joint`, `add_frame` and the like, and by assigning entries of
    `joint_placements`, `inertias` and `frames`; the next computation compiles the tree anew and needs a new
    `Data`. Limit vectors may be written at any time.

    A model may be shared between threads, each with a `Data` of its own.

    Attributes:
        name: Name of the model.
        names: Name of each joint.
        parents: Parent of each joint.
        joints: Kind and place in the configuration of each joint.
        joint_placements: Pose of each joint in the frame of its parent joint.
        inertias: Inertia of the bodies that each joint carries, in its frame.
        frames: Frames, by index.
        nq: Size of a configuration.
        nv: Size of a velocity.
        version: Counts the changes of the structure.
    """

    def __init__(self) -> None:
        """Empty model: the universe alone."""
        self._clear()

    def _clear(self) -> None:
        _core.ModelBase.__init__(self)
        self._lock = threading.RLock()
        self.version = 0
        self.name = ""
        self.nq = 0
        self.nv = 0
        self._joint_ids = NameIndex(lambda: self.names)
        self._frame_ids = NameIndex(lambda: [frame.name for frame in self.frames])
        self.names: list[str] = Names(self._joint_ids.forget)
        self.parents: list[int] = FixedList()
        self.joints: list[JointModel] = FixedList()
        self.joint_placements: Parts[SE3] = Parts(lambda v: as_se3("placement", v)._frozen(), self._changed)
        self.inertias: Parts[Inertia] = Parts(self._own_inertia, self._changed)
        self.frames: Parts[Frame] = Parts(self._own_frame, self._frames_changed)
        self._vectors = {name: JointVector(name) for name in _LIMITS}
        self._vectors |= {name: JointVector(name, finite=True, least=least) for name, least in _CONSTANTS.items()}
        self._gravity = np.array(_STANDARD_GRAVITY)
        self._announced: dict[str, list[Follower]] = {}
        self._solvers: dict[object, object] = {}  # what was compiled of questions to this model, by the question
        self._append_joint(JointModel(JT_UNIVERSE), 0, SE3.Identity(), "universe")
        self._append_frame(Frame("universe", 0, 0, SE3.Identity(), FrameType.FIXED_JOINT))

    # -- structure ---------------------------------------------------------------------------------

    @property
    def njoints(self) -> int:
        """Number of joints, the universe included."""
        return len(self.joints)

    @property
    def nframes(self) -> int:
        """Number of frames."""
        return len(self.frames)

    @property
    def supports(self) -> Supports:
        """For each joint the joints from the universe down to it."""
        return Supports(self.parents)

    def add_joint(
        self,
        parent_id: int,
        joint_model: JointModel,
        placement: SE3,
        name: str,
        max_effort: npt.ArrayLike | None = None,
        max_velocity: npt.ArrayLike | None = None,
        min_config: npt.ArrayLike | None = None,
        max_config: npt.ArrayLike | None = None,
    ) -> int:
        """Add a joint.

        Limits are the largest double where they are not given, as in Pinocchio. Those of a mimic joint, one
        number each, tighten its master's.

        Args:
            parent_id: Joint it hangs on.
            joint_model: Its kind.
            placement: Pose of the joint frame in the frame of the parent joint.
            name: Name of the new joint.
            max_effort: Largest effort, shape (nv,), N or N m.
            max_velocity: Largest speed, shape (nv,), m/s or rad/s.
            min_config: Lower limits, shape (nq,), m or rad.
            max_config: Upper limits, shape (nq,), m or rad.

        Returns:
            Index of the new joint.

        Raises:
            UnknownJoint: If the parent, or the master of a mimic joint, does not exist.
            InvalidModel: If the name is taken, a lower limit is above its upper one, or a mimic joint leaves its
                master no room.
            InvalidArgument: If a limit has the wrong size or is NaN, the placement is no transform, or another
                argument is not of its kind.
        """
        parent_id = joint_index(self, parent_id)
        if not isinstance(name, str):
            raise InvalidArgument("name", f"expected a text, got {name!r}")
        if self.exist_joint_name(name):
            raise InvalidModel(f"a joint named {name!r} exists already; joint names are unique")
        pose = as_se3("placement", placement)
        if not isinstance(joint_model, JointModel):
            raise InvalidArgument("joint_model", f"expected a JointModel, got a {type(joint_model).__name__}")
        joint = joint_model.copy()
        if joint.jtype == JT_UNIVERSE:
            raise InvalidModel(f"joint {name!r} is a universe; there is one, joint 0")
        size, width = (1, 1) if joint.mimic is not None else (joint.nq, joint.nv)
        lower = joint_limit("min_config", min_config, size, -_UNBOUNDED)
        upper = joint_limit("max_config", max_config, size, _UNBOUNDED)
        speed = joint_limit("max_velocity", max_velocity, width, _UNBOUNDED)
        effort = joint_limit("max_effort", max_effort, width, _UNBOUNDED)
        if (lower > upper).any():
            raise InvalidModel(f"joint {name!r} has a lower limit {lower} above its upper limit {upper}")
        with self._lock:
            if joint.mimic is not None:
                follow(self, Follower(joint, name, lower[0], upper[0], speed[0]))
                lower = upper = speed = effort = np.zeros(0)
            joint_id = self._append_joint(joint, parent_id, pose, name)
            for vector_name, entries in zip(_LIMITS, (lower, upper, speed, effort), strict=True):
                self._vectors[vector_name].extend(entries)
            for vector_name in _CONSTANTS:
                self._vectors[vector_name].extend(np.zeros(joint.nv))
            for follower in self._announced.pop(name, ()):
                follow(self, follower)
            self._changed()
        return joint_id

    def add_joint_frame(self, joint_id: int, previous_frame: int = -1) -> int:
        """Add the JOINT frame that coincides with a joint.

        Args:
            joint_id: The joint.
            previous_frame: Frame before it in the tree; the universe where negative.

        Returns:
            Index of the new frame.
        """
        joint_id = joint_index(self, joint_id)
        previous = previous_index(self, previous_frame)
        return self.add_frame(Frame(self.names[joint_id], joint_id, previous, SE3.Identity(), FrameType.JOINT))

    def append_body_to_joint(self, joint_id: int, inertia: Inertia, placement: SE3 | None = None) -> None:
        """Add a body's inertia to a joint.

        Args:
            joint_id: Joint that carries the body.
            inertia: Inertia in the body frame.
            placement: Pose of the body frame in the joint frame, identity by default.
        """
        joint_id = joint_index(self, joint_id)
        body = self._own_inertia(inertia).displaced(SE3.Identity() if placement is None else placement)
        self.inertias[joint_id] = self.inertias[joint_id] + body

    def add_body_frame(
        self, name: str, parent_joint: int, placement: SE3 | None = None, previous_frame: int = -1
    ) -> int:
        """Add a BODY frame.

        Args:
            name: Name of the new frame.
            parent_joint: Joint that carries it.
            placement: Pose in the joint frame, identity by default.
            previous_frame: Frame before it in the tree; the universe where negative.

        Returns:
            Index of the new frame.
        """
        pose = SE3.Identity() if placement is None else placement
        previous = previous_index(self, previous_frame)
        return self.add_frame(Frame(name, joint_index(self, parent_joint), previous, pose, FrameType.BODY))

    def add_frame(self, frame: Frame) -> int:
        """Add a copy of a frame.

        Args:
            frame: The frame; its name may stand for several frames, look-up then finds the first.

        Returns:
            Index of the new frame.

        Raises:
            UnknownJoint: If its joint does not exist.
            UnknownFrame: If its previous frame does not exist.
        """
        with self._lock:
            self._append_frame(frame)
            self._changed()
            return len(self.frames) - 1

    def create_data(self) -> Data:
        """Buffers for this model as it is now."""
        return Data(self)

    # -- names -------------------------------------------------------------------------------------

    def exist_frame(self, name: str) -> bool:
        """True if a frame has this name."""
        return self._frame_ids.find(name) is not None

    def get_frame_id(self, name: str) -> int:
        """Index of the first frame with a name.

        Raises:
            UnknownFrame: If there is none.
        """
        found = self._frame_ids.find(name)
        if found is None:
            raise UnknownFrame(name, [frame.name for frame in self.frames])
        return found

    def exist_joint_name(self, name: str) -> bool:
        """True if a joint has this name."""
        return self._joint_ids.find(name) is not None

    def get_joint_id(self, name: str) -> int:
        """Index of the joint with a name.

        Raises:
            UnknownJoint: If there is none.
        """
        found = self._joint_ids.find(name)
        if found is None:
            raise UnknownJoint(name, self.names)
        return found

    def get_joint_tangent_id(self, name: str) -> int:
        """First entry of a joint in a velocity; a mimic joint has its master's.

        Raises:
            UnknownJoint: If there is no such joint.
        """
        return self.joints[self.get_joint_id(name)].idx_v

    def get_root_joint_dim(self) -> tuple[int, int]:
        """Sizes (nq, nv) of the joint called "root_joint", or (0, 0)."""
        if not self.exist_joint_name("root_joint"):
            return 0, 0
        root = self.joints[self.get_joint_id("root_joint")]
        return root.nq, root.nv

    # -- limits and constants ----------------------------------------------------------------------

    def has_configuration_limit(self) -> npt.NDArray[np.bool_]:
        """For each configuration number whether its joint kind can limit it, shape (nq,)."""
        flags: list[bool] = []
        for joint in self.joints:
            if joint.mimic is None:
                flags.extend(joint_has_configuration_limit(joint.jtype))
        return np.array(flags, dtype=bool)

    lower_position_limit = Vector("Lower limits, shape (nq,), m or rad, live.")
    upper_position_limit = Vector("Upper limits, shape (nq,), m or rad, live.")
    velocity_limit = Vector("Largest speeds, shape (nv,), m/s or rad/s, live.")
    effort_limit = Vector("Largest efforts, shape (nv,), N or N m, live.")
    armature = Vector(
        "Rotor inertia seen by each joint, shape (nv,), kg or kg m^2, not negative; assign to change it.", compiled=True
    )
    friction = Vector("Dry friction of each joint, shape (nv,), N or N m; for the user, no algorithm reads it.")
    damping = Vector("Viscous damping of each joint, shape (nv,); for the user, no algorithm reads it.")

    @property
    def gravity(self) -> Array:
        """Acceleration of gravity in the world, shape (3,), m/s^2; read-only, assign to change it."""
        view = self._gravity.view()
        view.setflags(write=False)
        return view

    @gravity.setter
    def gravity(self, value: npt.ArrayLike) -> None:
        self._gravity = vector("gravity", value, 3).copy()
        self._changed()

    def __setattr__(self, name: str, value: object) -> None:
        if name in _GROWN and name in vars(self):
            raise TypeError(f"{name} follows from what is added to the model; entries of some may be assigned")
        super().__setattr__(name, value)

    # -- underneath --------------------------------------------------------------------------------

    def _changed(self) -> None:
        """The compiled tree is out of date."""
        self.version += 1
        self._tree = None

    def _part_changed(self, name: str) -> None:
        """An attribute of a frame or inertia was assigned."""
        if name == "name":
            self._frame_ids.forget()
        self._changed()

    def _frames_changed(self) -> None:
        self._frame_ids.forget()
        self._changed()

    def _admit(self, name: str, value: object) -> None:
        """Refuse a joint or frame that a part names and the model does not have."""
        if name == "parent_joint":
            joint_index(self, value)
        if name == "parent_frame" and value != 0:
            frame_index(self, value)

    def _own_inertia(self, value: object) -> Inertia:
        if not isinstance(value, Inertia):
            raise InvalidArgument("inertia", f"expected an Inertia, got a {type(value).__name__}")
        inertia = value.copy()
        inertia._own(self)
        return inertia

    def _own_frame(self, value: object) -> Frame:
        if not isinstance(value, Frame):
            raise InvalidArgument("frame", f"expected a Frame, got a {type(value).__name__}")
        self._admit("parent_joint", value.parent_joint)
        self._admit("parent_frame", value.parent_frame)
        frame = value.copy()
        frame._own(self)
        return frame

    def _append_frame(self, frame: Frame) -> None:
        self.frames._append(frame)
        self._frame_ids.append(frame.name, len(self.frames) - 1)

    def _append_joint(self, joint: JointModel, parent_id: int, placement: SE3, name: str) -> int:
        if joint.mimic is None and joint.jtype != JT_UNIVERSE:
            joint.idx_q, joint.idx_v = self.nq, self.nv
        joint.id = len(self.joints)
        self.joints.append(joint)
        self.names.append(name)
        self.parents.append(parent_id)
        self._joint_ids.append(name, joint.id)
        self.joint_placements._append(placement)
        self.inertias._append(Inertia.Zero())
        vars(self).update(nq=self.nq + joint.nq, nv=self.nv + joint.nv)
        return joint.id

    def _announce(self, names: Iterable[str]) -> None:
        """Let mimic joints follow joints of these names that will be added after them."""
        self._announced = {name: [] for name in names}

    def _compile(self) -> None:
        """Make the core's tree of the description, unless another thread just did; edits wait meanwhile."""
        with self._lock:
            while self._tree is None:
                version = self.version
                tree = _core.Tree(**describe(self))
                if self.version == version:  # nobody edited meanwhile
                    self._tree = tree

    def __repr__(self) -> str:
        """Name and sizes."""
        return f"Model({self.name!r}, nq={self.nq}, nv={self.nv}, njoints={self.njoints}, nframes={self.nframes})"
