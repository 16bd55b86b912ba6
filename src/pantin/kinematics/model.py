"""The model: a tree of joints with bodies, frames and limits."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from pantin import _core
from pantin._core import Data
from pantin.arrays import Array, vector
from pantin.errors import InvalidArgument, InvalidModel, StaleData, UnknownFrame, UnknownJoint, UnknownName
from pantin.kinematics.frames import Frame, FrameType, ReferenceFrame
from pantin.kinematics.inertia import Inertia
from pantin.kinematics.joints import JT_HELICAL, JT_UNIVERSE, JointModel, Mimic, joint_has_configuration_limit
from pantin.kinematics.limits import LimitVector, master_interval
from pantin.kinematics.parts import Parts, Supports
from pantin.kinematics.se3 import SE3, as_se3

__all__ = ["Data", "Frame", "FrameType", "Model", "ReferenceFrame"]

_UNBOUNDED = float(np.finfo(np.float64).max)
_STANDARD_GRAVITY = (0.0, 0.0, -9.81)


class Model(_core.ModelBase):
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
        super().__init__()
        self._lock = threading.Lock()
        self.version = 0
        self.name = ""
        self.nq = 0
        self.nv = 0
        self.names: list[str] = []
        self.parents: list[int] = []
        self.joints: list[JointModel] = []
        self._joint_ids: dict[str, int] = {}
        self._frame_ids: dict[str, int] = {}
        self.joint_placements: Parts[SE3] = Parts(lambda v: as_se3("placement", v)._frozen(), self._changed)
        self.inertias: Parts[Inertia] = Parts(self._own_inertia, self._changed)
        self.frames: Parts[Frame] = Parts(self._own_frame, self._changed)
        self._limits = {
            name: LimitVector(name)
            for name in ("lower_position_limit", "upper_position_limit", "velocity_limit", "effort_limit")
        }
        self._joint_constants = {name: LimitVector(name) for name in ("armature", "friction", "damping")}
        self._gravity = np.array(_STANDARD_GRAVITY)
        self._announced: dict[str, list[tuple[JointModel, Mimic, str, float, float, float]]] = {}
        self._append_joint(JointModel(JT_UNIVERSE), 0, SE3.Identity(), "universe")
        self.frames._append(Frame("universe", 0, 0, SE3.Identity(), FrameType.FIXED_JOINT))
        self._frame_ids["universe"] = 0

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
            InvalidArgument: If a limit has the wrong size or is NaN, or the placement is no transform.
        """
        parent_id = _joint_index(self, parent_id)
        if not isinstance(name, str) or name in self._joint_ids:
            raise InvalidModel(f"a joint named {name!r} exists already; joint names are unique")
        pose = as_se3("placement", placement)
        joint = joint_model.copy()
        if joint.jtype == JT_UNIVERSE:
            raise InvalidModel(f"joint {name!r} is a universe; there is one, joint 0")
        size, width = (1, 1) if joint.mimic is not None else (joint.nq, joint.nv)
        lower = _limit("min_config", min_config, size, -_UNBOUNDED)
        upper = _limit("max_config", max_config, size, _UNBOUNDED)
        speed = _limit("max_velocity", max_velocity, width, _UNBOUNDED)
        effort = _limit("max_effort", max_effort, width, _UNBOUNDED)
        if (lower > upper).any():
            raise InvalidModel(f"joint {name!r} has a lower limit {lower} above its upper limit {upper}")
        if joint.mimic is not None:
            self._follow(joint, joint.mimic, name, lower[0], upper[0], speed[0])
            lower = upper = speed = effort = np.zeros(0)
        joint_id = self._append_joint(joint, parent_id, pose, name)
        for vector_name, entries in zip(self._limits, (lower, upper, speed, effort), strict=True):
            self._limits[vector_name].extend(entries)
        for constants in self._joint_constants.values():
            constants.extend(np.zeros(joint.nv))
        for follower in self._announced.pop(name, ()):
            self._follow(*follower)
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
        joint_id = _joint_index(self, joint_id)
        previous = max(previous_frame, 0)
        return self.add_frame(Frame(self.names[joint_id], joint_id, previous, SE3.Identity(), FrameType.JOINT))

    def append_body_to_joint(self, joint_id: int, inertia: Inertia, placement: SE3 | None = None) -> None:
        """Add a body's inertia to a joint.

        Args:
            joint_id: Joint that carries the body.
            inertia: Inertia in the body frame.
            placement: Pose of the body frame in the joint frame, identity by default.
        """
        joint_id = _joint_index(self, joint_id)
        pose = SE3.Identity() if placement is None else placement
        self.inertias[joint_id] = self.inertias[joint_id] + inertia.displaced(pose)

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
        return self.add_frame(Frame(name, parent_joint, max(previous_frame, 0), pose, FrameType.BODY))

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
        _joint_index(self, frame.parent_joint)
        _frame_index(self, frame.parent_frame)
        self.frames._append(frame)
        self._frame_ids.setdefault(frame.name, len(self.frames) - 1)
        self._changed()
        return len(self.frames) - 1

    def create_data(self) -> Data:
        """Buffers for this model as it is now."""
        return Data(self)

    # -- names -------------------------------------------------------------------------------------

    def exist_frame(self, name: str) -> bool:
        """True if a frame has this name."""
        return self._find(name, self._frame_ids, lambda: [frame.name for frame in self.frames]) is not None

    def get_frame_id(self, name: str) -> int:
        """Index of the first frame with a name.

        Raises:
            UnknownFrame: If there is none.
        """
        found = self._find(name, self._frame_ids, lambda: [frame.name for frame in self.frames])
        if found is None:
            raise UnknownFrame(name, [frame.name for frame in self.frames])
        return found

    def exist_joint_name(self, name: str) -> bool:
        """True if a joint has this name."""
        return self._find(name, self._joint_ids, lambda: self.names) is not None

    def get_joint_id(self, name: str) -> int:
        """Index of the joint with a name.

        Raises:
            UnknownJoint: If there is none.
        """
        found = self._find(name, self._joint_ids, lambda: self.names)
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

    @property
    def lower_position_limit(self) -> Array:
        """Lower limits, shape (nq,), m or rad, live."""
        return self._limits["lower_position_limit"].values

    @lower_position_limit.setter
    def lower_position_limit(self, values: npt.ArrayLike) -> None:
        self._limits["lower_position_limit"].values = values

    @property
    def upper_position_limit(self) -> Array:
        """Upper limits, shape (nq,), m or rad, live."""
        return self._limits["upper_position_limit"].values

    @upper_position_limit.setter
    def upper_position_limit(self, values: npt.ArrayLike) -> None:
        self._limits["upper_position_limit"].values = values

    @property
    def velocity_limit(self) -> Array:
        """Largest speeds, shape (nv,), m/s or rad/s, live."""
        return self._limits["velocity_limit"].values

    @velocity_limit.setter
    def velocity_limit(self, values: npt.ArrayLike) -> None:
        self._limits["velocity_limit"].values = values

    @property
    def effort_limit(self) -> Array:
        """Largest efforts, shape (nv,), N or N m, live."""
        return self._limits["effort_limit"].values

    @effort_limit.setter
    def effort_limit(self, values: npt.ArrayLike) -> None:
        self._limits["effort_limit"].values = values

    @property
    def armature(self) -> Array:
        """Rotor inertia seen by each joint, shape (nv,), kg or kg m^2; read-only, assign to change it."""
        return self._constant("armature")

    @armature.setter
    def armature(self, values: npt.ArrayLike) -> None:
        self._joint_constants["armature"].values = values
        self._changed()

    @property
    def friction(self) -> Array:
        """Dry friction of each joint, shape (nv,), N or N m; kept for the user, no algorithm reads it."""
        return self._joint_constants["friction"].values

    @friction.setter
    def friction(self, values: npt.ArrayLike) -> None:
        self._joint_constants["friction"].values = values

    @property
    def damping(self) -> Array:
        """Viscous damping of each joint, shape (nv,); kept for the user, no algorithm reads it."""
        return self._joint_constants["damping"].values

    @damping.setter
    def damping(self, values: npt.ArrayLike) -> None:
        self._joint_constants["damping"].values = values

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

    # -- underneath --------------------------------------------------------------------------------

    def _constant(self, name: str) -> Array:
        view = self._joint_constants[name].values.view()
        view.setflags(write=False)
        return view

    def _changed(self) -> None:
        """The compiled tree is out of date."""
        self.version += 1
        self._tree = None

    def _own_inertia(self, value: object) -> Inertia:
        if not isinstance(value, Inertia):
            raise InvalidArgument("inertia", f"expected an Inertia, got a {type(value).__name__}")
        inertia = value.copy()
        inertia._notify = self._changed
        return inertia

    def _own_frame(self, value: object) -> Frame:
        if not isinstance(value, Frame):
            raise InvalidArgument("frame", f"expected a Frame, got a {type(value).__name__}")
        frame = value.copy()
        frame._notify = self._changed
        return frame

    def _append_joint(self, joint: JointModel, parent_id: int, placement: SE3, name: str) -> int:
        joint.id = len(self.joints)
        if joint.mimic is None:
            joint.idx_q, joint.idx_v = self.nq, self.nv
        self.joints.append(joint)
        self.names.append(name)
        self.parents.append(parent_id)
        self._joint_ids[name] = joint.id
        self.joint_placements._append(placement)
        self.inertias._append(Inertia.Zero())
        self.nq += joint.nq
        self.nv += joint.nv
        return joint.id

    def _announce(self, names: Iterable[str]) -> None:
        """Let mimic joints follow joints of these names that will be added after them."""
        self._announced = {name: [] for name in names}

    def _follow(self, joint: JointModel, mimic: Mimic, name: str, lower: float, upper: float, speed: float) -> None:
        """Point a mimic joint at the end of its chain of masters and tighten that one's limits."""
        if mimic.master in self._announced:
            self._announced[str(mimic.master)].append((joint, mimic, name, lower, upper, speed))
            return
        master_id = _joint_index(self, mimic.master)
        multiplier, offset = mimic.multiplier, mimic.offset
        chained = self.joints[master_id].mimic
        if chained is not None:
            multiplier, offset = multiplier * chained.multiplier, multiplier * chained.offset + offset
            master_id = _joint_index(self, chained.master)
        master = self.joints[master_id]
        if master.nv != 1:
            raise InvalidModel(
                f"mimic joint {name!r} follows {self.names[master_id]!r}, which does not move by one number"
            )
        low = high = 0.0
        if master.nq == 1:
            low, high = master_interval(
                (self.lower_position_limit[master.idx_q], self.upper_position_limit[master.idx_q]),
                (lower, upper),
                multiplier,
                offset,
            )
            if low > high:
                raise InvalidModel(
                    f"the limits of mimic joint {name!r} leave no room for its master {self.names[master_id]!r}"
                )
            self.lower_position_limit[master.idx_q] = low
            self.upper_position_limit[master.idx_q] = high
        if multiplier != 0.0:
            allowed = min(self.velocity_limit[master.idx_v], speed / abs(multiplier))
            self.velocity_limit[master.idx_v] = allowed
        joint.mimic = Mimic(master_id, multiplier, offset)
        joint.idx_q, joint.idx_v = master.idx_q, master.idx_v

    def _find(self, name: str, index: dict[str, int], names: Any) -> int | None:
        """Index of a name; entries may have been renamed in place since the index was made."""
        found = index.get(name)
        current = names()
        if found is not None and current[found] == name:
            return found
        index.clear()
        for i, known in enumerate(current):
            index.setdefault(known, i)
        return index.get(name)

    def _compile(self) -> None:
        """Make the core's tree of the description, unless another thread just did."""
        with self._lock:
            if self._tree is None:
                self._tree = _core.Tree(**self._description())

    def _description(self) -> dict[str, Any]:
        joints = self.joints
        mimics = [joint.mimic or Mimic(-1) for joint in joints]
        return {
            "kind": [joint.jtype for joint in joints],
            "parent": list(self.parents),
            "q": [max(joint.idx_q, 0) for joint in joints],
            "v": [max(joint.idx_v, 0) for joint in joints],
            "master": [mimic.master for mimic in mimics],
            "multiplier": [mimic.multiplier for mimic in mimics],
            "offset": [mimic.offset for mimic in mimics],
            "pitch": [j.lead / (2.0 * np.pi) if j.jtype == JT_HELICAL else 0.0 for j in joints],
            "axis": [x for j in joints for x in (j.axis.tolist() if j.axis is not None else (0.0, 0.0, 1.0))],
            "placement": [x for pose in self.joint_placements for x in _numbers(pose)],
            "inertia": [x for body in self.inertias for x in _inertia_numbers(body)],
            "frame_joint": [frame.parent_joint for frame in self.frames],
            "frame_placement": [x for frame in self.frames for x in _numbers(frame.placement)],
            "armature": self.armature.tolist(),
            "gravity": self._gravity.tolist(),
        }

    def copy(self) -> Model:
        """Model of its own with the same content."""
        return _rebuild(*self.__reduce__()[1])

    def __copy__(self) -> Model:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        return self.copy()

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        state = {
            "name": self.name,
            "names": list(self.names),
            "parents": list(self.parents),
            "joints": [(j.jtype, j.axis, j.lead, j.mimic, j.idx_q, j.idx_v) for j in self.joints],
            "joint_placements": [pose.homogeneous for pose in self.joint_placements],
            "inertias": [(body.mass, body.lever, body.inertia) for body in self.inertias],
            "frames": [
                (f.name, f.parent_joint, f.parent_frame, f.placement.homogeneous, int(f.type)) for f in self.frames
            ],
            "limits": {name: limit.values.copy() for name, limit in self._limits.items()},
            "constants": {name: values.values.copy() for name, values in self._joint_constants.items()},
            "gravity": self._gravity.copy(),
            "sizes": (self.nq, self.nv),
        }
        return _rebuild, (type(self), state)

    def __repr__(self) -> str:
        """Name and sizes."""
        return f"Model({self.name!r}, nq={self.nq}, nv={self.nv}, njoints={self.njoints}, nframes={self.nframes})"


def _rebuild(cls: type[Model], state: dict[str, Any]) -> Model:
    """Model from what `__reduce__` wrote."""
    model = cls()
    model.name = state["name"]
    for i, (jtype, axis, lead, mimic, idx_q, idx_v) in enumerate(state["joints"]):
        if i == 0:
            continue
        joint = JointModel(jtype, axis, lead=lead, mimic=mimic)
        joint.idx_q, joint.idx_v = idx_q, idx_v
        model._append_joint(joint, state["parents"][i], SE3(state["joint_placements"][i]), state["names"][i])
    for i, parts in enumerate(state["inertias"]):
        model.inertias[i] = Inertia(*parts)
    for name, parent_joint, parent_frame, placement, kind in state["frames"][1:]:
        model.add_frame(Frame(name, parent_joint, parent_frame, SE3(placement), FrameType(kind)))
    for name, values in state["limits"].items():
        model._limits[name].extend(values)
    for name, values in state["constants"].items():
        model._joint_constants[name].extend(values)
    model.gravity = state["gravity"]
    return model


def _limit(name: str, values: npt.ArrayLike | None, size: int, default: float) -> Array:
    """Limits of one joint, `default` where none are given."""
    if values is None:
        return np.full(size, default)
    limit = vector(name, values, size, finite=False)
    if np.isnan(limit).any():
        raise InvalidArgument(name, "a limit is NaN; use infinity for none")
    return limit


def _numbers(pose: SE3) -> list[float]:
    return [*pose.rotation.ravel().tolist(), *pose.translation.tolist()]


def _inertia_numbers(body: Inertia) -> list[float]:
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = body.inertia.tolist()
    return [body.mass, *body.lever.tolist(), xx, xy, xz, yy, yz, zz]


def _joint_index(model: Model, joint: object) -> int:
    """Index of a joint given by index or name."""
    if isinstance(joint, str):
        return model.get_joint_id(joint)
    return _index(joint, model.njoints, UnknownJoint)


def _frame_index(model: Model, frame: object) -> int:
    """Index of a frame given by index or name."""
    if isinstance(frame, str):
        return model.get_frame_id(frame)
    return _index(frame, model.nframes, UnknownFrame)


def _index(index: object, size: int, error: type[UnknownName]) -> int:
    """Index in range, or the error that says what there is."""
    if not isinstance(index, int | np.integer) or isinstance(index, bool) or not 0 <= index < size:
        raise error(index, size)
    return int(index)


def _raise_stale_data() -> None:
    raise StaleData(
        "this data was made for another model, or for this one before it was edited; "
        "make a new one with model.create_data()"
    )


def _raise_not_unit(name: str, q: npt.ArrayLike, entry: int) -> None:
    values = np.asarray(q, dtype=np.float64).reshape(-1)
    raise InvalidArgument(
        name,
        f"the quaternion or (cos, sin) pair that starts at entry {entry} is not of unit norm "
        f"({np.array2string(values[entry : entry + 4], precision=4)}...); "
        "start from neutral(model), or scale it with normalize(model, q)",
    )
