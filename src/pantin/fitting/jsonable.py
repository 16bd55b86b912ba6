"""Options and sources as plain JSON values, and back, to the last bit."""

from __future__ import annotations

import base64
import binascii
import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

__all__ = ["decoded", "encoded"]

#: Arrays of more numbers than this are written as their bytes.
LONGEST_LIST = 256


def encoded(value: Any) -> Any:
    """A value as JSON can say it; dataclasses become objects, arrays lists, or their bytes where these are long."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: encoded(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(name): encoded(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [encoded(item) for item in value]
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, np.generic):
        return value.item()
    return value


def _array(array: np.ndarray[Any, Any]) -> dict[str, Any]:
    """An array with its kind and shape."""
    facts = {"dtype": array.dtype.newbyteorder("<").str, "shape": list(array.shape)}
    if array.size <= LONGEST_LIST and np.isfinite(array).all():
        return {**facts, "values": array.ravel().tolist()}
    content = np.ascontiguousarray(array, dtype=facts["dtype"]).tobytes()
    return {**facts, "base64": base64.b64encode(content).decode("ascii")}


def decoded(value: Any) -> Any:
    """What `encoded` was given, with dictionaries for dataclasses and lists for tuples.

    Raises:
        ValueError: If an array is not written as `encoded` does.
    """
    if isinstance(value, list):
        return [decoded(item) for item in value]
    if not isinstance(value, Mapping):
        return value
    if value.keys() not in ({"dtype", "shape", "values"}, {"dtype", "shape", "base64"}):
        return {name: decoded(item) for name, item in value.items()}
    try:
        dtype = np.dtype(value["dtype"])
        if dtype.kind not in "fiub":
            raise ValueError(f"no numbers of kind {value['dtype']!r}")
        if "values" in value:
            return np.array(value["values"], dtype=dtype).reshape(value["shape"])
        content = base64.b64decode(value["base64"], validate=True)
        return np.frombuffer(content, dtype=dtype).reshape(value["shape"]).astype(dtype.newbyteorder("="))
    except (TypeError, binascii.Error) as error:
        raise ValueError(f"an array of it cannot be read ({error})") from None
