"""Xacro files expanded by the `xacrodoc` package."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path

from pantin.errors import MissingExtra, ModelFileError

__all__ = ["expand_xacro"]

#: `xacro` keeps its files, and `xacrodoc` its packages, in lists of the process.
_ONE_AT_A_TIME = threading.Lock()


def expand_xacro(
    filename: str | os.PathLike[str],
    arguments: Mapping[str, str] | None = None,
    package_dirs: Iterable[Path] = (),
    packages: Mapping[str, str] | None = None,
) -> str:
    """URDF text that a xacro file stands for.

    Packages that it names by `$(find name)` are looked for in `packages`, in `package_dirs`, in the folders
    above the file, and where ROS looks for them. Names of meshes stay as they are.

    Args:
        filename: Path of the file.
        arguments: Values of its `<xacro:arg>`.
        package_dirs: Folders that hold packages, or are packages.
        packages: Folders of packages by name.

    Raises:
        MissingExtra: If `xacrodoc` is not installed.
        ModelFileError: If the file cannot be expanded.
    """
    path = Path(filename).absolute()
    try:
        # Importing xacrodoc lets xacro find packages without ROS.
        import xacro  # type: ignore[import-untyped]  # noqa: PLC0415
        from xacrodoc import packages as finder  # type: ignore[import-untyped]  # noqa: PLC0415
    except ImportError:
        raise MissingExtra("xacrodoc", "robots", f"expanding the xacro file {path.name!r}") from None
    known = {folder.name: str(folder) for base in package_dirs for folder in _folders(base)}
    try:
        with _ONE_AT_A_TIME:
            finder.reset()
            finder.walk_up_from(path)
            finder.update_package_cache({**known, **(packages or {})})
            document = xacro.process_file(str(path), mappings=dict(arguments or {}))
    except Exception as error:  # whatever the file's expressions raise
        reason = " ".join(str(error).split()) or type(error).__name__
        raise ModelFileError(f"cannot be expanded by xacro: {reason}", str(filename)) from error
    text: str = document.toprettyxml(indent="  ")
    return text


def _folders(base: Path) -> list[Path]:
    """A folder and the folders in it."""
    inside = [entry for entry in base.iterdir() if entry.is_dir()] if base.is_dir() else []
    return [base, *inside]
