"""Tables as blocks of rows, put together into arrays without holding them twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from pantin.arrays import Array

__all__ = ["Body", "arrow_block", "gather"]

#: Rows that are copied at once: few enough that a stripe of the result stays in the cache.
STRIPE = 2048


class Body(NamedTuple):
    """Numbers of a table, missing ones NaN.

    Attributes:
        rows: How many rows there are.
        blocks: Blocks of rows in order, each a list of its columns.
    """

    rows: int
    blocks: Iterable[Sequence[Array]]


def gather(body: Body, groups: Sequence[Sequence[int]]) -> list[Array]:
    """Columns side by side.

    Args:
        body: The table; its blocks are used up.
        groups: Columns of each array by index, -1 for a column that the table does not have.

    Returns:
        One array for each group, shape (rows, len(group)).
    """
    arrays = [np.empty((body.rows, len(group))) for group in groups]
    start = 0
    for block in body.blocks:
        length = len(block[0])
        for low in range(0, length, STRIPE):
            high = min(low + STRIPE, length)
            for target, group in zip(arrays, groups, strict=True):
                stripe = target[start + low : start + high]
                for place, column in enumerate(group):
                    stripe[:, place] = np.nan if column < 0 else block[column][low:high]
        start += length
    return arrays


def arrow_block(batch: Any) -> list[Array]:
    """Columns of an Arrow record batch, nulls as NaN."""
    return [batch.column(i).to_numpy(zero_copy_only=False) for i in range(batch.num_columns)]
