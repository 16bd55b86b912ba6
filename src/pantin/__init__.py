"""pantin: one kinematic tree for robots, animals and arms, and every inverse problem on it."""

import importlib
import os
import sys
from typing import TYPE_CHECKING

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
from pantin.runner import Runner
from pantin.solving import Status
from pantin.version import __version__

if TYPE_CHECKING:
    from pantin.fitting import BodyPlan, FitOptions, FitResult, FitSolver, Tracker, fit

__all__ = [
    "SE3",
    "BodyPlan",
    "ClosedForm",
    "Data",
    "FitOptions",
    "FitResult",
    "FitSolver",
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
    "Runner",
    "Status",
    "Tracker",
    "__version__",
    "closed_form",
    "fit",
    "load",
    "load_robot_description",
    "load_robot_urdf",
    "reach",
    "samples",
]

#: Names that are imported when they are first asked for, so that `import pantin` stays quick for those who do not fit.
_OF_FITS = ("BodyPlan", "FitOptions", "FitResult", "FitSolver", "Tracker", "fit")

if not TYPE_CHECKING:  # or checkers would take any name for one of the face

    def __getattr__(name):
        """Give what belongs to fits."""
        if name != "fitting" and name not in _OF_FITS:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        fitting = importlib.import_module("pantin.fitting")
        return fitting if name == "fitting" else getattr(fitting, name)

    def __dir__():
        """List all names, those of fits included."""
        return sorted({*globals(), *_OF_FITS})
