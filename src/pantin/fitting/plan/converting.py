"""What a body plan comes from and becomes besides its own file: the methods; the work is in `fitting.convert`.

Its modules build on body plans, so each is imported by the method that needs it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal, cast

import numpy.typing as npt

from pantin.arrays import Array
from pantin.fitting.state import State

if TYPE_CHECKING:
    from pantin.fitting.plan.body_plan import BodyPlan
    from pantin.kinematics import Model

__all__ = ["Converting"]


class Converting:
    """Conversions of a body plan, which derives from it."""

    @staticmethod
    def from_model(
        model: Model,
        keypoints: Iterable[str | int] | Mapping[str, str | int] | None = None,
        *,
        neutral: npt.ArrayLike | Mapping[str, npt.ArrayLike] | None = None,
        mimic: Literal["refuse", "lock"] = "refuse",
        length_unit: str | None = "m",
    ) -> BodyPlan:
        """Body plan of a model, and so of any file that `pantin.load` reads.

        Each joint of the model becomes a joint with its degrees of freedom and limits: a ball three hinges about x,
        y and z, a planar joint two slides and a hinge, a free flyer below everything the free base. Each chosen frame
        becomes a joint that does not move by itself.

        Args:
            model: The model.
            keypoints: Frames, by name or index, or a mapping from names of keypoints to frames. By default the ends
                of the tree: every frame on which no other hangs.
            neutral: A configuration, or a mapping from joints to values; by default the model's neutral
                configuration, moved within limits.
            mimic: What becomes of joints that follow others: "refuse" them, or "lock" them where they are at neutral.
            length_unit: Written into the plan, as a label; None leaves it out.

        Raises:
            UnknownFrame: If there is no frame of a name.
            InvalidModel: If a joint is helical, or follows another and is not locked.
            InvalidArgument: If a frame is not moved by the free base, or an argument is not of its kind.
            BodyPlanError: If the names or numbers of the model make no plan.
        """
        from pantin.fitting.convert.from_model import plan_document  # noqa: PLC0415
        from pantin.fitting.plan.body_plan import BodyPlan  # noqa: PLC0415

        document = plan_document(model, keypoints, neutral_configuration=neutral, mimic=mimic, length_unit=length_unit)
        return BodyPlan.from_dict(document)

    @staticmethod
    def from_bvh(
        source: str | os.PathLike[str],
        *,
        scale: float = 1.0,
        positions: Literal["replace", "add"] = "replace",
        length_unit: str | None = None,
    ) -> BodyPlan:
        """Body plan of the skeleton of a BVH file; `read_bvh` reads its motion too.

        Args:
            source: The file, or its text.
            scale: Factor on lengths: 0.01 makes metres of centimetres.
            positions: Whether position channels take the place of a joint's offset or are added to it.
            length_unit: Unit of the lengths in the plan, as a label.

        Raises:
            InvalidArgument: If an argument is not of its kind.
            ModelFileNotFound: If there is no such file.
            ModelFileError: If the skeleton cannot be read; the message names the line.
            BodyPlanError: If it is no body plan.
        """
        from pantin.fitting.convert.bvh import bvh_document  # noqa: PLC0415
        from pantin.fitting.plan.body_plan import BodyPlan  # noqa: PLC0415

        document = bvh_document(source, scale=scale, positions=positions, length_unit=length_unit)
        return BodyPlan.from_dict(document)

    def to_model(self) -> Model:
        """The same tree as a model for reaching, tasks and dynamics.

        A free base is a free flyer, each degree of freedom a joint of its name with its limits, each keypoint a frame
        of its joint's name. Lengths stay in the plan's unit; bodies have no mass.

        Raises:
            InvalidModel: If a keypoint is called "universe", as the world's frame is.
        """
        from pantin.fitting.convert.to_model import model_of  # noqa: PLC0415

        return model_of(cast("BodyPlan", self))

    def q(self, state: State | Mapping[str, npt.ArrayLike]) -> Array:
        """Configurations of `to_model()` at states of the plan.

        Args:
            state: As for `keypoints`.

        Returns:
            Root position, quaternion (x, y, z, w) and degrees of freedom in a row, shape (..., 7 + N), or (..., N)
            for a fixed base.

        Raises:
            InvalidArgument: If a part has the wrong shape, is not real, or a quaternion has no length.
        """
        from pantin.fitting.convert.states import configuration_of  # noqa: PLC0415

        return configuration_of(cast("BodyPlan", self), state)

    def state(self, q: npt.ArrayLike) -> State:
        """States of the plan at configurations of `to_model()`; the inverse of `q`.

        Args:
            q: Configurations, shape (..., 7 + N), or (..., N) for a fixed base.

        Raises:
            InvalidArgument: If q has the wrong shape, is not finite, or a quaternion in it has not length 1.
        """
        from pantin.fitting.convert.states import state_of  # noqa: PLC0415

        return state_of(cast("BodyPlan", self), q)

    def tangent_from_model(self, state: State | Mapping[str, npt.ArrayLike]) -> Array:
        """Matrices T that turn velocities of `to_model()` into tangents of the plan.

        A model's free flyer moves along its own axes, a plan's root along those of the world; with R the root's
        orientation T is diag(R, R, 1). So `keypoint_jacobian(state) @ T` belongs to the model's velocity.

        Args:
            state: As for `keypoints`.

        Returns:
            Orthogonal matrices, shape (..., D, D), D being `tangent_dim`.

        Raises:
            InvalidArgument: If a part has the wrong shape, is not real, or a quaternion has no length.
        """
        from pantin.fitting.convert.states import tangent_from_model  # noqa: PLC0415

        return tangent_from_model(cast("BodyPlan", self), state)

    def to_mjcf(self) -> str:
        """MJCF document of the plan for MuJoCo: a body for each keypoint, a joint for each degree of freedom.

        Raises:
            InvalidModel: If a joint is called "world", or a name cannot be written in XML.
        """
        from pantin.fitting.convert.mjcf import mjcf_text  # noqa: PLC0415

        return mjcf_text(cast("BodyPlan", self))

    def to_urdf(self) -> str:
        """URDF document of the plan: a link for each keypoint, a joint for each degree of freedom.

        Raises:
            InvalidModel: If a name cannot be written in XML.
        """
        from pantin.fitting.convert.urdf import urdf_text  # noqa: PLC0415

        return urdf_text(cast("BodyPlan", self))
