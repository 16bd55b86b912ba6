"""One door for every file that describes a tree, and for the samples."""

from __future__ import annotations

import os
from pathlib import Path

from pantin import samples
from pantin.errors import InvalidArgument, ModelFileError, ModelFileNotFound
from pantin.kinematics.joints import JointModel
from pantin.kinematics.mjcf import build_model_from_mjcf
from pantin.kinematics.mjcf.source import root_tag
from pantin.kinematics.model import Model
from pantin.kinematics.root_joints import FIXED, as_root_joint
from pantin.kinematics.urdf import build_model_from_urdf

__all__ = ["load"]

_XML = (".urdf", ".xml", ".mjcf")
_READ = "pantin reads URDF (.urdf, .xml), xacro (.xacro) and MuJoCo's MJCF (.xml, .mjcf)"
_MESH = "a mesh has shapes but no joints; load the URDF or MJCF file that uses it"
_USD = f"USD is not supported; {_READ}"
_NOT_READ = {
    ".sdf": f"SDF is not supported; {_READ}",
    ".world": f"SDF is not supported; {_READ}",
    ".srdf": "an SRDF has groups and poses but no joints; load the URDF file that it belongs to",
    ".mjb": "a compiled MuJoCo model; open it with mujoco.MjModel.from_binary_path and give that to "
    "build_model_from_mjcf",
    **dict.fromkeys((".usd", ".usda", ".usdc", ".usdz"), _USD),
    **dict.fromkeys((".stl", ".dae", ".obj", ".ply", ".glb", ".gltf", ".fbx", ".step", ".stp", ".msh"), _MESH),
}


def load(
    path_or_name: str | os.PathLike[str],
    root_joint: JointModel | str | None = None,
    *,
    mimic: bool = True,
    strict: bool = False,
) -> Model:
    """Model of a robot file, or of a sample.

    Args:
        path_or_name: A URDF, xacro or MJCF file, told apart by their content; or the name of a sample (see
            `pantin.samples.names`) where there is no file of that name.
        root_joint: Joint between the world and the root: a joint model, or "free_flyer", "planar",
            "spherical" or "fixed". None is fixed, but for samples that stand free.
        mimic: Let coupled joints follow their masters without an entry of their own in the configuration.
        strict: Refuse what is otherwise warned about, such as joints without limits.

    Returns:
        The model.

    Raises:
        InvalidArgument: If the file's name or the root joint is not of the right kind.
        ModelFileNotFound: If there is neither a file nor a sample of that name.
        ModelFileError: If the file cannot be read; the message says why.
        InvalidModel: If what the file describes is not a tree that can move.
        MissingExtra: If the file needs a package that is not installed.
    """
    path, default_root = _find(path_or_name)
    root = as_root_joint(default_root if root_joint is None else root_joint)
    suffix = path.suffix.lower()
    if suffix == ".xacro":
        return build_model_from_urdf(path, root, mimic=mimic, strict=strict)
    if suffix not in _XML:
        unknown = f"unknown extension {suffix!r}" if suffix else "a file without extension"
        raise ModelFileError(_NOT_READ.get(suffix, f"{unknown}; {_READ}"), str(path))
    tag = _root_tag(path)
    if tag == "mujoco" or (tag is None and suffix == ".mjcf"):
        return build_model_from_mjcf(path, root, mimic=mimic, strict=strict)
    if tag == "robot" or tag is None:
        return build_model_from_urdf(path, root, mimic=mimic, strict=strict)
    raise ModelFileError(_NOT_READ.get(f".{tag}", f"its root element is <{tag}>; {_READ}"), str(path))


def _find(path_or_name: object) -> tuple[Path, str]:
    """The file that is meant, and the name of its root joint."""
    if not isinstance(path_or_name, (str, os.PathLike)):
        raise InvalidArgument(
            "path_or_name", f"expected a file or the name of a sample, got a {type(path_or_name).__name__}"
        )
    name = os.fspath(path_or_name)
    if not isinstance(name, str) or not name.strip():
        raise InvalidArgument("path_or_name", f"expected a file or the name of a sample, got {name!r}")
    if name.lstrip("\ufeff \t\r\n").startswith("<"):
        raise InvalidArgument(
            "path_or_name",
            "expected a file or the name of a sample, got XML text; build_model_from_xml and "
            "build_model_from_mjcf read text",
        )
    path = Path(name).expanduser()
    try:
        is_folder, exists = path.is_dir(), path.exists()
    except OSError as error:
        raise ModelFileError(f"cannot be read: {error.strerror}", name) from None
    if exists and not is_folder:
        return path, FIXED
    if name in samples.names():
        return samples.path(name), samples.ROOTS.get(name, FIXED)
    if is_folder:
        raise ModelFileError(f"a folder, not a file{_models_inside(path)}", str(path))
    raise ModelFileNotFound(path, samples.names())


def _models_inside(folder: Path) -> str:
    """What of a folder's files could be meant, in words."""
    try:
        inside = sorted(entry.name for entry in folder.iterdir() if entry.suffix.lower() in (*_XML, ".xacro"))
    except OSError:
        inside = []
    if not inside:
        return "; " + _READ
    more = ", ..." if len(inside) > 5 else ""
    return f"; in it there is {', '.join(repr(name) for name in inside[:5])}{more}"


def _root_tag(path: Path) -> str | None:
    """Tag of the file's root element, None where it does not look like XML."""
    try:
        return root_tag(path.read_bytes())
    except OSError as error:
        raise ModelFileError(f"cannot be read: {error.strerror}", str(path)) from None
