"""Root joints by name: what stands between the world and the root of a file."""

from __future__ import annotations

import difflib
from collections.abc import Callable

from pantin.errors import InvalidArgument
from pantin.kinematics.joints import (
    JointModel,
    JointModelFreeFlyer,
    JointModelPlanar,
    JointModelSpherical,
)

__all__ = ["FIXED", "ROOT_JOINTS", "as_root_joint"]

#: Root joints by name.
ROOT_JOINTS: dict[str, Callable[[], JointModel]] = {
    "free_flyer": JointModelFreeFlyer,
    "planar": JointModelPlanar,
    "spherical": JointModelSpherical,
}
#: Name of having none.
FIXED = "fixed"


def as_root_joint(root_joint: JointModel | str | None) -> JointModel | None:
    """Joint model of a root joint, None for a fixed root.

    Args:
        root_joint: A joint model, one of the names of `ROOT_JOINTS`, "fixed", or None for the same.

    Raises:
        InvalidArgument: If it is none of these; the message has the nearest name.
    """
    if root_joint is None or isinstance(root_joint, JointModel):
        return root_joint
    if isinstance(root_joint, str):
        if root_joint == FIXED:
            return None
        if root_joint in ROOT_JOINTS:
            return ROOT_JOINTS[root_joint]()
    known = [*ROOT_JOINTS, FIXED]
    close = difflib.get_close_matches(str(root_joint), known, n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"there is {', '.join(map(repr, known))}"
    raise InvalidArgument("root_joint", f"expected a JointModel, None or the name of one, got {root_joint!r}; {hint}")
