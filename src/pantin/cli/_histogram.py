"""Histograms in letters."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array

__all__ = ["bar", "counts"]

#: Blocks from one eighth of a letter to a whole one.
BLOCKS = "▏▎▍▌▋▊▉█"


def counts(values: Array, bins: int) -> tuple[Array, npt.NDArray[np.intp]]:
    """How many values are in each of equal intervals from the least one to the 99th percentile, and how many beyond.

    Args:
        values: The values, shape (n,).
        bins: Intervals, the one without an end included.

    Returns:
        Lower ends of the intervals, shape (bins,), and the counts, shape (bins,).
    """
    lowest, highest = values.min(), np.percentile(values, 99, method="higher")
    edges = np.linspace(lowest, highest, bins)
    inside = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, bins - 1)
    return edges, np.bincount(inside, minlength=bins)


def bar(part: float, width: int, *, ascii_only: bool) -> str:
    """Bar of a length.

    Args:
        part: Its length as a part of the whole width, from 0 to 1.
        width: Letters of the whole.
        ascii_only: Use # in place of blocks.
    """
    if ascii_only:
        return "#" * round(part * width)
    whole, eighths = divmod(round(8 * part * width), 8)
    return BLOCKS[-1] * whole + (BLOCKS[eighths - 1] if eighths else "")
