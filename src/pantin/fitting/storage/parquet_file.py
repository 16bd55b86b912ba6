"""Results in Parquet files: one column a number, the header in the metadata of the table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pantin.errors import MissingExtra
from pantin.fitting.result import FitResult
from pantin.fitting.storage.columns import STATUS, WORDS, columns, from_columns
from pantin.fitting.storage.record import Record, header_of, result_of

__all__ = ["read", "write"]

#: Where the metadata has the header.
KEY = b"pantin"

#: Rows that are written at once: their columns are copied, which costs memory.
ROWS = 1 << 15

#: Numbers of a fit hardly repeat, so dictionaries and statistics would cost time for nothing.
HOW = {"write_statistics": False, "compression": "snappy", "write_page_checksum": True}


def write(record: Record, path: Path) -> None:
    """Write a result."""
    pa, pq = _pyarrow("writing Parquet files")
    writer = None
    for start in range(0, max(record.frames, 1), ROWS):
        block = dict(columns(record, slice(start, start + ROWS)))
        block[STATUS] = pa.DictionaryArray.from_arrays(block[STATUS], pa.array(WORDS))
        table = pa.table(block, metadata={KEY: record.text.encode()})
        if writer is None:
            writer = pq.ParquetWriter(path, table.schema, use_dictionary=[STATUS], **HOW)
        writer.write_table(table)
    if writer is not None:
        writer.close()


def read(path: Path) -> FitResult:
    """Read a result.

    Raises:
        Exception: Of some kind or another, if the file does not hold one.
    """
    pa, pq = _pyarrow("reading Parquet files")
    with pq.ParquetFile(path, page_checksum_verification=True) as file:
        header = header_of((file.schema_arrow.metadata or {}).get(KEY, b""))

        def columns_named(names: list[str]) -> list[npt.NDArray[Any]]:
            table = file.read(columns=names, use_threads=False)
            return [_codes(table[name], pa) if name == STATUS else table[name].to_numpy() for name in names]

        return result_of(header, from_columns(columns_named, file.metadata.num_rows))


def _codes(words: Any, pa: Any) -> npt.NDArray[Any]:
    """Codes of statuses in words.

    Raises:
        ValueError: If a word is none of them.
    """
    places = pa.compute.index_in(words.cast(pa.string()), pa.array(WORDS))
    if places.null_count:
        raise ValueError(f"it has a status that is none of {', '.join(WORDS)}")
    return np.asarray(places.to_numpy())


def _pyarrow(purpose: str) -> tuple[Any, Any]:
    """The library, and its part for Parquet."""
    try:
        import pyarrow as pa  # noqa: PLC0415  # optional
        import pyarrow.compute  # noqa: PLC0415
        import pyarrow.parquet as pq  # noqa: PLC0415
    except ImportError:
        raise MissingExtra("pyarrow", "fit", purpose) from None
    return pa, pq
