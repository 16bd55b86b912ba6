"""The body plan: a tree of joints, each of them a keypoint too, with degrees of freedom."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pantin import samples
from pantin.arrays import Array, BoolArray
from pantin.errors import InvalidArgument, ModelFileError, ModelFileNotFound, UnknownDof, UnknownJoint
from pantin.files import whole_file
from pantin.fitting.plan import kinematics
from pantin.fitting.plan.build import arrays_of
from pantin.fitting.plan.converting import Converting
from pantin.fitting.plan.document import Document, examine
from pantin.fitting.plan.doors import as_state, as_tangent
from pantin.fitting.plan.finding import BodyPlanError, Finding
from pantin.fitting.plan.geometry import check_geometry
from pantin.fitting.plan.report import Report
from pantin.fitting.plan.writing import canonical, shortened, to_json
from pantin.fitting.state import State

__all__ = ["BodyPlan"]

IntArray = npt.NDArray[np.int32]

ROOT_TANGENT = ("root_x", "root_y", "root_z", "root_rot_x", "root_rot_y", "root_rot_z")


@dataclasses.dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class BodyPlan(Converting):
    """A tree of K joints, which are the keypoints too, with N degrees of freedom; it never changes.

    `BodyPlan.load` and `BodyPlan.from_dict` make one. Arrays are read-only; lengths are in the unit of the plan,
    angles in rad.

    Attributes:
        joint_names: Names of the joints and keypoints, K of them; parents stand before children.
        dof_names: Names of the degrees of freedom, N of them, ordered by joint and within it as they apply.
        parents: Index of the parent of each joint, -1 for the root, shape (K,).
        offset_pos: Origin of each joint in the frame where its parent's children hang, shape (K, 3).
        offset_quat_wxyz: Orientation of each joint at rest in that frame, unit quaternions, shape (K, 4).
        offset_rot: The same as matrices, shape (K, 3, 3).
        joint_weight: Factor on the weight of each keypoint, shape (K,).
        dof_joint: Index of the joint of each degree of freedom, shape (N,).
        dof_is_slide: Whether it slides instead of turning, shape (N,).
        dof_axis: Its axis in the frame reached so far inside its joint, length 1, shape (N, 3).
        neutral: Its preferred value, rad or length, shape (N,).
        lower: Its least value, -inf where there is none, shape (N,).
        upper: Its largest value, inf where there is none, shape (N,).
        dof_weight: Factor on its pull towards neutral, shape (N,).
        fixed_base: Whether the root is fixed to the world; else it floats with six unknowns.
        source_order: Where each joint stood in the file, shape (K,); 0, 1, ... unless it was reordered.
        findings: Warnings and notes about the plan.
    """

    joint_names: tuple[str, ...]
    dof_names: tuple[str, ...]
    parents: IntArray
    offset_pos: Array
    offset_quat_wxyz: Array
    offset_rot: Array
    joint_weight: Array
    dof_joint: IntArray
    dof_is_slide: BoolArray
    dof_axis: Array
    neutral: Array
    lower: Array
    upper: Array
    dof_weight: Array
    fixed_base: bool
    source_order: IntArray
    findings: tuple[Finding, ...]
    _content: dict[str, Any]

    @staticmethod
    def load(path: str | os.PathLike[str], strict: bool = True, reorder: bool = False) -> BodyPlan:
        """Body plan of a JSON file.

        Args:
            path: The file, or the name of a sample that ships with the package, such as "walker".
            strict: Unknown fields are errors; else they are warnings and left out.
            reorder: Sort joints whose parents come later; else these are errors.

        Raises:
            BodyPlanError: If the plan has errors; it carries all of them, and the warnings and notes.
            ModelFileError: If the file cannot be read.
            InvalidArgument: If `path` is no path.
        """
        return _made(*examine(_content_of(path), strict=strict, reorder=reorder), os.fspath(path))

    @staticmethod
    def from_dict(plan: Mapping[str, Any], strict: bool = True, reorder: bool = False) -> BodyPlan:
        """Body plan of the values that a JSON file would hold; NumPy numbers and arrays are welcome among them.

        Args:
            plan: The values, which are copied.
            strict: Unknown fields are errors; else they are warnings and left out.
            reorder: Sort joints whose parents come later; else these are errors.

        Raises:
            BodyPlanError: If the plan has errors; it carries all of them, and the warnings and notes.
        """
        return _made(*examine(plan, strict=strict, reorder=reorder))

    @staticmethod
    def check(
        plan: str | os.PathLike[str] | Mapping[str, Any], strict: bool = True, reorder: bool = False
    ) -> tuple[Finding, ...]:
        """Everything that is to be said about a plan: errors, then warnings, then notes.

        Args:
            plan: A JSON file, the name of a sample, or the values that a file would hold.
            strict: Unknown fields are errors, else warnings.
            reorder: Sort joints whose parents come later; else these are errors.

        Raises:
            ModelFileError: If the file cannot be read.
        """
        source = plan if isinstance(plan, Mapping) else _content_of(plan)
        try:
            return _made(*examine(source, strict=strict, reorder=reorder)).findings
        except BodyPlanError as error:
            return error.findings

    def to_dict(self) -> dict[str, Any]:
        """The values that `save` writes; fields that say what their absence would say are left out."""
        return shortened(json.loads(json.dumps(self._content)))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write canonical JSON; loading it gives an equal plan, and saving that one the same file.

        Raises:
            InvalidArgument: If the file cannot be written.
        """
        with whole_file("path", path) as place:
            place.write_text(to_json(self._content), encoding="utf-8", newline="\n")

    @property
    def n_joints(self) -> int:
        """Number of joints and keypoints, K."""
        return len(self.joint_names)

    @property
    def n_dofs(self) -> int:
        """Number of degrees of freedom, N."""
        return len(self.dof_names)

    @property
    def tangent_dim(self) -> int:
        """Numbers of a tangent vector: 6 for a root that floats, and N."""
        return self.n_dofs if self.fixed_base else len(ROOT_TANGENT) + self.n_dofs

    @property
    def tangent_names(self) -> tuple[str, ...]:
        """Labels of the numbers of a tangent vector."""
        return self.dof_names if self.fixed_base else ROOT_TANGENT + self.dof_names

    @property
    def extensions(self) -> dict[str, Any]:
        """A copy of the plan's own x- fields."""
        return {key: value for key, value in self.to_dict().items() if key.startswith("x-")}

    @property
    def length_unit(self) -> str | None:
        """Unit of lengths as the plan states it: "m", "cm", "mm" or "um"; None where it does not."""
        unit: str | None = self._content.get("x-pantin", {}).get("length_unit")
        return unit

    @functools.cached_property
    def length(self) -> float:
        """Model length L: root mean square distance of the other keypoints from the root's in the neutral pose.

        1 where that is zero.
        """
        points = self.keypoints(self.neutral_state())
        square = float(((points[1:] - points[0]) ** 2).sum()) / max(1, self.n_joints - 1)
        return square**0.5 or 1.0

    @functools.cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the canonical JSON, 64 hexadecimal digits; plans that say the same have the same."""
        return hashlib.sha256(canonical(self._content).encode()).hexdigest()

    def joint(self, name: str) -> int:
        """Index of a joint, which is that of its keypoint.

        Raises:
            UnknownJoint: If there is none of that name; the message has the nearest one.
        """
        if name not in self.joint_names:
            raise UnknownJoint(name, self.joint_names)
        return self.joint_names.index(name)

    def dof(self, name: str) -> int:
        """Index of a degree of freedom.

        Raises:
            UnknownDof: If there is none of that name; the message has the nearest one.
        """
        if name not in self.dof_names:
            raise UnknownDof(name, self.dof_names)
        return self.dof_names.index(name)

    def neutral_state(self) -> State:
        """The state with the root at the world's origin and all degrees of freedom at neutral, within limits or not."""
        return State(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), self.neutral.copy())

    def keypoints(self, state: State | Mapping[str, npt.ArrayLike]) -> Array:
        """Positions of the keypoints in the world.

        Args:
            state: States with any leading axes, which broadcast; or a mapping with some of `root_pos` (..., 3),
                `root_quat_wxyz` (..., 4) and `dofs` (..., N), the others being neutral. Quaternions are normalised.
                A fixed base looks at `dofs` alone.

        Returns:
            Positions, shape (..., K, 3); NaN where a number of the state that moves them is.

        Raises:
            InvalidArgument: If a part has the wrong shape, is not real, or a quaternion has no length.
        """
        return kinematics.keypoints(self, as_state(self, state))

    def keypoint_jacobian(self, state: State | Mapping[str, npt.ArrayLike]) -> Array:
        """Derivatives of the keypoints by the tangent vector.

        Args:
            state: As for `keypoints`.

        Returns:
            Derivatives, shape (..., K, 3, D), D being `tangent_dim` and the last axis as `tangent_names`: root shift
            and root turn in world axes, then the degrees of freedom.

        Raises:
            InvalidArgument: If a part has the wrong shape, is not real, or a quaternion has no length.
        """
        return kinematics.jacobian(self, as_state(self, state))

    def step(self, state: State | Mapping[str, npt.ArrayLike], tangent: npt.ArrayLike) -> State:
        """The state reached along a tangent vector; limits are not looked at.

        Args:
            state: As for `keypoints`.
            tangent: Vectors, shape (..., D): the root's shift in world axes, its turn as a rotation vector in world
                axes (applied on the left), then increments of the degrees of freedom. Leading axes broadcast.

        Returns:
            States with the leading axes of both; quaternions have length 1 and the sign that follows from the state's.

        Raises:
            InvalidArgument: If a part has the wrong shape, is not real, or a quaternion has no length.
        """
        return kinematics.step(self, *as_tangent(self, as_state(self, state), tangent))

    def __eq__(self, other: object) -> bool:
        """Whether two plans say the same, extensions included."""
        return isinstance(other, BodyPlan) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        """Hash of the canonical JSON."""
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        """Sizes and root of the plan in one line."""
        base = "fixed" if self.fixed_base else "free"
        return f"<BodyPlan {self.joint_names[0]!r}: {self.n_joints} joints, {self.n_dofs} DOFs, {base} base>"

    def __reduce__(self) -> tuple[object, ...]:
        """The plan by its content, so that a copy in another process is equal to the bit."""
        return (_remade, (self._content, self.source_order.tolist(), self.findings))


def _made(document: Document | None, report: Report, source: str = "") -> BodyPlan:
    """The plan of a document, with what was found; or an error."""
    if document is None:
        raise BodyPlanError(report.sorted(), source)
    plan = _remade(document.content, document.source_order, ())
    check_geometry(plan, report)
    return dataclasses.replace(plan, findings=report.sorted())


def _remade(content: dict[str, Any], source_order: list[int], findings: tuple[Finding, ...]) -> BodyPlan:
    arrays = arrays_of(content, source_order)
    return BodyPlan(**arrays, findings=findings, _content=content)


def _content_of(path: str | os.PathLike[str]) -> bytes:
    """What is in a file, or in that of a sample where there is no such file."""
    if not isinstance(path, (str, os.PathLike)):
        raise InvalidArgument("path", f"expected a file, got a {type(path).__name__}")
    place, known = Path(path), samples.body_plans()
    if str(path) in known and not place.exists():
        place = samples.body_plan(str(path))
    try:
        return place.read_bytes()
    except FileNotFoundError:
        raise ModelFileNotFound(place, known) from None
    except (OSError, ValueError) as error:
        raise ModelFileError(f"cannot be read: {getattr(error, 'strerror', None) or error}", str(path)) from None
