"""C3D files put together byte by byte from the format's description, in the dialects that no library here writes."""

from __future__ import annotations

import struct

import numpy as np

INTEL, DEC, MIPS = 84, 85, 86


def number(value, machine):
    """A float as a machine stores it."""
    if machine != DEC:
        return struct.pack("<f" if machine == INTEL else ">f", value)
    low, high = struct.unpack("<HH", struct.pack("<f", value * 4))
    return struct.pack("<HH", high, low)


def parameter(machine, group, name, value):
    """A parameter: text, a list of texts, or a list of whole numbers or floats."""
    order = ">" if machine == MIPS else "<"
    if isinstance(value, list) and value and isinstance(value[0], str):
        width = max(map(len, value))
        kind, dims, data = -1, [width, len(value)], "".join(word.ljust(width) for word in value).encode()
    elif isinstance(value, float):
        kind, dims, data = 4, [], number(value, machine)
    else:
        value = value if isinstance(value, list) else [value]
        kind, dims, data = 2, [len(value)], struct.pack(f"{order}{len(value)}h", *value)
    body = struct.pack("<bB", kind, len(dims)) + bytes(dims) + data + b"\0"
    head = struct.pack("<bb", len(name), group) + name.encode()
    return head + struct.pack(f"{order}H", len(body) + 2) + body


def c3d_bytes(points, residual, *, machine=INTEL, scale=None, labels=None, analogue=0, more=(), trial=()):
    """A file of points, shape (T, K, 3), with residuals (T, K), negative where a point is missing.

    Args:
        points: Whole numbers times `scale` where that is given, else they are stored as floats.
        residual: One number for each point.
        machine: Whose numbers.
        scale: Unit of the whole numbers.
        labels: Names of the points.
        analogue: Samples of analogue channels that follow the points of a frame.
        more: Further parameters of POINT, (name, value).
        trial: Parameters of TRIAL.
    """
    order = ">" if machine == MIPS else "<"
    frames, count, _ = points.shape
    stored = -1.0 if scale is None else scale
    facts = [
        ("USED", count),
        ("SCALE", float(stored)),
        ("RATE", 250.0),
        ("DATA_START", 4),
        ("LABELS", labels or [f"p{index}" for index in range(count)]),
        ("UNITS", ["mm"]),
        *more,
    ]
    group = struct.pack("<bb", 5, -1) + b"POINT" + struct.pack(f"{order}H", 3) + b"\0"
    parameters = bytes([1, 0x50, 2, machine]) + group
    parameters += b"".join(parameter(machine, 1, *fact) for fact in facts)
    parameters += struct.pack("<bb", 5, -2) + b"TRIAL" + struct.pack(f"{order}H", 3) + b"\0"
    parameters += b"".join(parameter(machine, 2, *fact) for fact in trial) + bytes(2)
    header = bytes([2, 0x50]) + struct.pack(f"{order}5H", count, analogue, 1, min(frames, 65535), 10)
    header += number(stored, machine) + struct.pack(f"{order}2H", 4, 0) + number(250.0, machine)
    values = np.concatenate([points / (scale or 1.0), residual[..., None]], axis=-1).reshape(frames, -1)
    values = np.concatenate([values, np.full((frames, analogue), 7.0)], axis=1)
    if scale is None:
        data = b"".join(number(value, machine) for value in values.ravel())
    else:
        data = np.round(values).astype(f"{order}i2").tobytes()
    return header.ljust(512, b"\0") + parameters.ljust(1024, b"\0") + data
