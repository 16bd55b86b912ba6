"""Configurations: neutral, random, named, interpolated, normalised and compared."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from pantin._core import difference, integrate, neutral
from pantin.arrays import Array, array, scalar, vector
from pantin.errors import InvalidArgument
from pantin.kinematics.doors import require_model
from pantin.kinematics.joints import (
    JT_HELICAL,
    JT_REVOLUTE,
    JT_REVOLUTE_UNBOUNDED,
    JointModel,
    joint_has_configuration_limit,
)
from pantin.kinematics.model import Model

__all__ = [
    "clamp",
    "configuration_from_dict",
    "configuration_to_dict",
    "custom_configuration",
    "distance",
    "interpolate",
    "is_same_configuration",
    "neutral",
    "normalize",
    "random_configuration",
    "squared_distance",
]

#: A limit beyond this counts as none: URDF writes the largest double, or 1e20.
_FAR = 1e10


def configuration_from_dict(model: Model, values: Mapping[str, npt.ArrayLike]) -> Array:
    """Configuration with named joints at given values and the others at rest.

    Args:
        model: Robot model.
        values: For each joint its angle or length, rad or m, or its nq numbers; a continuous joint takes either.

    Returns:
        Configuration, shape (nq,).

    Raises:
        UnknownJoint: If the model has no joint of a name.
        InvalidArgument: If a value has the wrong size or is not finite, or the joint follows another.
    """
    q = neutral(model)
    if not isinstance(values, Mapping):
        raise InvalidArgument("values", f"expected a mapping of joint names, got a {type(values).__name__}")
    for name, value in values.items():
        joint = model.joints[model.get_joint_id(name)]
        if joint.mimic is not None:
            master = model.names[int(joint.mimic.master)]
            raise InvalidArgument(name, f"this joint follows {master!r}; set that one")
        given = array(name, value).reshape(-1)
        if joint.jtype == JT_REVOLUTE_UNBOUNDED and given.size == 1:
            given = np.array([np.cos(given[0]), np.sin(given[0])])
        if given.size != joint.nq:
            raise InvalidArgument(name, f"expected {joint.nq} numbers for this joint, got {given.size}")
        q[_entries(joint)] = given
    return q


def custom_configuration(model: Model, **kwargs: npt.ArrayLike) -> Array:
    """Configuration with named joints at given values and the others at rest.

    Args:
        model: Robot model.
        kwargs: Values by joint name, as in `configuration_from_dict`, which takes names of any form.

    Returns:
        Configuration, shape (nq,).

    Raises:
        UnknownJoint: If the model has no joint of a name.
        InvalidArgument: If a value has the wrong size or is not finite.
    """
    return configuration_from_dict(model, kwargs)


def configuration_to_dict(model: Model, q: npt.ArrayLike) -> dict[str, float | Array]:
    """Value of each joint by name: `configuration_from_dict` takes it back.

    Args:
        model: Robot model.
        q: Configuration, shape (nq,).

    Returns:
        Angle or length of joints that move by one number, rad or m; the nq numbers of others. Mimic joints
        are left out, they follow.

    Raises:
        InvalidArgument: If q has the wrong size or is not finite.
    """
    require_model(model)
    numbers = vector("q", q, model.nq)
    values: dict[str, float | Array] = {}
    for name, joint in zip(model.names[1:], model.joints[1:], strict=True):
        if joint.mimic is not None:
            continue
        own = numbers[_entries(joint)]
        if joint.jtype == JT_REVOLUTE_UNBOUNDED:
            values[name] = float(np.arctan2(own[1], own[0]))
        else:
            values[name] = float(own[0]) if joint.nq == 1 else own.copy()
    return values


def random_configuration(model: Model, random_seed: int | np.random.Generator | None = None) -> Array:
    """Random configuration within limits.

    Joints are uniform within their limits; where there are none, turns are uniform in [-pi, pi] and lengths in
    [-1, 1] m. Rotations of spherical joints and free flyers are uniform.

    Args:
        model: Robot model.
        random_seed: Seed or generator, fresh by default.

    Returns:
        Configuration, shape (nq,).

    Raises:
        InvalidArgument: If the seed is neither.
    """
    q = neutral(model)
    try:
        random = np.random.default_rng(random_seed)
    except (TypeError, ValueError) as error:
        raise InvalidArgument(
            "random_seed", f"expected a whole number, not negative, or a generator ({error})"
        ) from None
    for joint in model.joints[1:]:
        if joint.mimic is not None:
            continue
        own = q[_entries(joint)]
        bounded = np.array(joint_has_configuration_limit(joint.jtype))
        low, high = _sampling_box(model, joint)
        # not random.uniform, which refuses limits of 0.0 and -0.0
        own[bounded] = low[bounded] + random.random(int(bounded.sum())) * (high - low)[bounded]
        direction = random.normal(size=int((~bounded).sum()))
        own[~bounded] = direction / np.linalg.norm(direction) if direction.size else direction
    return q


def _sampling_box(model: Model, joint: JointModel) -> tuple[Array, Array]:
    """Limits of a joint, finite: a missing side lies the default range away from the other."""
    reach = np.pi if joint.jtype in (JT_REVOLUTE, JT_HELICAL) else 1.0
    low = model.lower_position_limit[_entries(joint)].copy()
    high = model.upper_position_limit[_entries(joint)].copy()
    no_low, no_high = low < -_FAR, high > _FAR
    low[no_low & no_high], high[no_low & no_high] = -reach, reach
    low[no_low & ~no_high] = high[no_low & ~no_high] - 2.0 * reach
    high[~no_low & no_high] = low[~no_low & no_high] + 2.0 * reach
    return low, high


def interpolate(model: Model, q0: npt.ArrayLike, q1: npt.ArrayLike, u: float) -> Array:
    """Configuration on the geodesic from q0 (u = 0) to q1 (u = 1).

    Args:
        model: Robot model.
        q0: Configuration, shape (nq,).
        q1: Configuration, shape (nq,).
        u: Where on the way; beyond [0, 1] it is extrapolated.

    Returns:
        Configuration, shape (nq,).

    Raises:
        InvalidArgument: If a configuration has the wrong size, is not finite or not normalised.
    """
    return integrate(model, q0, scalar("u", u) * difference(model, q0, q1))


def squared_distance(model: Model, q0: npt.ArrayLike, q1: npt.ArrayLike) -> Array:
    """Squared length of each joint's part of the difference.

    Args:
        model: Robot model.
        q0: Configuration, shape (nq,).
        q1: Configuration, shape (nq,).

    Returns:
        One number for each joint but the universe and mimic joints, in their order.

    Raises:
        InvalidArgument: If a configuration has the wrong size, is not finite or not normalised.
    """
    squares = difference(model, q0, q1) ** 2
    starts = [joint.idx_v for joint in model.joints[1:] if joint.mimic is None]
    return np.add.reduceat(squares, starts) if starts else np.zeros(0)


def distance(model: Model, q0: npt.ArrayLike, q1: npt.ArrayLike) -> float:
    """Length of the difference of two configurations; it mixes metres and radians.

    Args:
        model: Robot model.
        q0: Configuration, shape (nq,).
        q1: Configuration, shape (nq,).

    Raises:
        InvalidArgument: If a configuration has the wrong size, is not finite or not normalised.
    """
    return float(np.linalg.norm(difference(model, q0, q1)))


def normalize(model: Model, q: npt.ArrayLike) -> Array:
    """Configuration with quaternions and (cos, sin) pairs scaled to unit norm.

    Args:
        model: Robot model.
        q: Configuration, shape (nq,).

    Returns:
        Configuration, shape (nq,).

    Raises:
        InvalidArgument: If q has the wrong size or is not finite, or such a part is zero.
    """
    require_model(model)
    result = vector("q", q, model.nq).copy()
    for name, joint in zip(model.names[1:], model.joints[1:], strict=True):
        bounded = joint_has_configuration_limit(joint.jtype)
        if joint.mimic is not None or all(bounded):
            continue
        unit = result[_entries(joint)][sum(bounded) :]
        norm = float(np.linalg.norm(unit))
        if norm == 0.0:
            raise InvalidArgument("q", f"the rotation of joint {name!r} is all zero and has no direction")
        unit /= norm
    return result


def is_same_configuration(model: Model, q0: npt.ArrayLike, q1: npt.ArrayLike, prec: float = 1e-12) -> bool:
    """True if two configurations place all joints alike; a quaternion and its negative do.

    Args:
        model: Robot model.
        q0: Configuration, shape (nq,).
        q1: Configuration, shape (nq,).
        prec: Largest difference of any tangent entry, m or rad.

    Raises:
        InvalidArgument: If a configuration has the wrong size, is not finite or not normalised, or prec is negative.
    """
    gap = np.abs(difference(model, q0, q1))
    return bool((gap <= scalar("prec", prec, lower=0.0)).all())


def clamp(model: Model, q: npt.ArrayLike) -> Array:
    """Configuration with each limited number moved to the nearest one within its limits.

    Args:
        model: Robot model.
        q: Configuration, shape (nq,).

    Returns:
        Configuration, shape (nq,); quaternions and (cos, sin) pairs are as given.

    Raises:
        InvalidArgument: If q has the wrong size or is not finite.
    """
    require_model(model)
    numbers = vector("q", q, model.nq)
    inside = np.clip(numbers, model.lower_position_limit, model.upper_position_limit)
    return np.where(model.has_configuration_limit(), inside, numbers)


def _entries(joint: JointModel) -> slice:
    """Where a joint stands in a configuration."""
    return slice(joint.idx_q, joint.idx_q + joint.nq)
