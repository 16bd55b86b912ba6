"""pantin: one kinematic tree for robots, animals and arms, and every inverse problem on it."""

import os
import sys

from pantin import _core

try:
    _core.set_level(os.environ.get("PANTIN_LEVEL", ""))
except ImportError as _refusal:
    # Programs that import the package get the error, those who type `pantin` or `python -m pantin` its sentence.
    _command = os.path.splitext(os.path.basename(sys.argv[0]))[0] if sys.argv else ""
    if _command != "pantin" and not (_command == "-m" and "pantin" in sys.orig_argv):
        raise
    print(f"pantin: {_refusal}", file=sys.stderr)
    sys.exit(2)

from pantin import samples
from pantin.errors import PantinError
from pantin.kinematics import SE3, Data, Frame, Inertia, Model, Motion, ReferenceFrame
from pantin.load import load
from pantin.loaders import load_robot_description, load_robot_urdf
from pantin.reaching import (
    ClosedForm,
    Problem,
    ProblemResult,
    ReachOptions,
    ReachResult,
    ReachSolutions,
    ReachSolver,
    closed_form,
    reach,
)
from pantin.solving import Status
from pantin.version import __version__

__all__ = [
    "SE3",
    "ClosedForm",
    "Data",
    "Frame",
    "Inertia",
    "Model",
    "Motion",
    "PantinError",
    "Problem",
    "ProblemResult",
    "ReachOptions",
    "ReachResult",
    "ReachSolutions",
    "ReachSolver",
    "ReferenceFrame",
    "Status",
    "__version__",
    "closed_form",
    "load",
    "load_robot_description",
    "load_robot_urdf",
    "reach",
    "samples",
]
