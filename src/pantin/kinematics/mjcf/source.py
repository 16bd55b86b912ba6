"""Compiled MuJoCo models from files and text, and the first look at an XML file."""

from __future__ import annotations

import importlib
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pantin.errors import InvalidArgument, MissingExtra, ModelFileError, ModelFileNotFound

if TYPE_CHECKING:
    import mujoco

__all__ = ["compile_source", "import_mujoco", "root_tag"]

_CLOSING = {b"<?": b"?>", b"<!--": b"-->", b"<!": b">"}
_SKIPPED = re.compile(rb"\s*(<\?|<!--|<!)")
_TAG = re.compile(rb"\s*<([A-Za-z_][\w.:-]*)")


def import_mujoco() -> Any:
    """The module `mujoco`, which only who reads MJCF needs.

    Raises:
        MissingExtra: If it is not installed.
    """
    try:
        return importlib.import_module("mujoco")
    except ImportError:
        raise MissingExtra("mujoco", "mjcf", "reading MJCF") from None


def compile_source(module: Any, source: object) -> tuple[mujoco.MjModel, str]:
    """Compiled model of an MJCF file, MJCF text or an `MjModel`, and what to call it in messages.

    Raises:
        InvalidArgument: If it is none of the three.
        ModelFileNotFound: If there is no such file.
        ModelFileError: If MuJoCo cannot read it, or it is a URDF.
    """
    if isinstance(source, module.MjModel):
        return source, "MjModel"
    if isinstance(source, str) and (text := source.lstrip("\ufeff \t\r\n")).startswith("<"):
        _refuse_urdf(text.encode(errors="replace"), "MJCF text")
        return _compiled(module.MjModel.from_xml_string, text, "MJCF text")
    if not isinstance(source, (str, os.PathLike)):
        raise InvalidArgument(
            "source", f"expected a path, MJCF text or a mujoco.MjModel, got a {type(source).__name__}"
        )
    path = Path(source).expanduser()
    if not path.exists():
        raise ModelFileNotFound(path)
    try:
        _refuse_urdf(path.read_bytes(), str(path))
    except OSError as error:
        raise ModelFileError(f"cannot be read: {error.strerror}", str(path)) from None
    return _compiled(module.MjModel.from_xml_path, str(path), str(path))


def root_tag(document: bytes) -> str | None:
    """Tag of the root element of an XML document, or None where it does not look like one.

    MuJoCo reads XML that a strict parser refuses, so this looks no further than the first tag.
    """
    at = len(document) - len(document.removeprefix(b"\xef\xbb\xbf"))
    while opening := _SKIPPED.match(document, at):
        closing = _CLOSING[opening[1]]
        end = document.find(closing, opening.end())
        if end < 0:
            return None
        at = end + len(closing)
    tag = _TAG.match(document, at)
    return tag[1].decode() if tag else None


def _refuse_urdf(document: bytes, origin: str) -> None:
    """MuJoCo would read a URDF too, but merges its fixed links and loses their names."""
    if root_tag(document) == "robot":
        raise ModelFileError("this is a URDF, not MJCF; build_model_from_urdf reads it", origin)


def _compiled(read: Any, document: str, origin: str) -> tuple[mujoco.MjModel, str]:
    try:
        return read(document), origin
    except ValueError as error:
        raise ModelFileError(f"MuJoCo cannot read it: {' '.join(str(error).split())}", origin) from None
