"""From how sure a tracker was to how much a keypoint counts."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, array, scalar
from pantin.errors import InvalidArgument

__all__ = ["weights_from_confidence"]


def weights_from_confidence(confidence: npt.ArrayLike, floor: float = 0.3, power: float = 2.0) -> Array:
    """Weights of observations, for `pantin.fit`.

    A weight multiplies a squared residual, so a power of 2 takes a point of half the confidence for one of twice the
    noise.

    Args:
        confidence: Numbers in [0, 1], any shape; NaN for points that are missing.
        floor: Confidence below which a point does not count.
        power: What the others are raised to.

    Returns:
        Weights in [0, 1], same shape: 0 below the floor and for NaN, elsewhere `confidence ** power`.

    Raises:
        InvalidArgument: If a confidence lies outside [0, 1]; the message tells when they look like percent.
    """
    floor = scalar("floor", floor, lower=0.0, upper=1.0)
    power = scalar("power", power, lower=0.0, upper=100.0)
    values = array("confidence", confidence, finite=False)
    wrong = (values < 0) | (values > 1)
    if wrong.any():
        first = float(values[wrong].flat[0])
        percent = np.nanmin(values) >= 0 and 10 < np.nanmax(values) <= 100
        hint = "; they look like percent: divide by 100" if percent else ""
        raise InvalidArgument("confidence", f"expected numbers in [0, 1], got {first:g}{hint}")
    weights: Array = np.asarray(values**power)
    weights[~(values >= floor)] = 0.0
    return weights
