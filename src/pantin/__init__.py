"""pantin: one kinematic tree for robots, animals and arms, and every inverse problem on it."""

import importlib
import os
import sys
import types
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
from pantin.exceptions import PinkerError, PinkError
from pantin.kinematics import SE3, Data, Frame, Inertia, Model, Motion, ReferenceFrame, custom_configuration
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

if TYPE_CHECKING:
    from pantin.batch_ik import BatchIK
    from pantin.configuration import Configuration
    from pantin.differential import DifferentialIK
    from pantin.fitting import BodyPlan, FitOptions, FitResult, FitSolver, Tracker, fit
    from pantin.runner import Runner
    from pantin.solve_ik import build_ik, solve_ik
    from pantin.tasks import (
        FrameTask,
        JointCouplingTask,
        JointVelocityTask,
        LinearHolonomicTask,
        PostureTask,
        Task,
    )
    from pantin.utils import custom_configuration_vector

__all__ = [
    "SE3",
    "BatchIK",
    "BodyPlan",
    "ClosedForm",
    "Configuration",
    "Data",
    "DifferentialIK",
    "FitOptions",
    "FitResult",
    "FitSolver",
    "Frame",
    "FrameTask",
    "Inertia",
    "JointCouplingTask",
    "JointVelocityTask",
    "LinearHolonomicTask",
    "Model",
    "Motion",
    "PantinError",
    "PinkError",
    "PinkerError",
    "PostureTask",
    "Problem",
    "ProblemResult",
    "ReachOptions",
    "ReachResult",
    "ReachSolutions",
    "ReachSolver",
    "ReferenceFrame",
    "Runner",
    "Status",
    "Task",
    "Tracker",
    "__version__",
    "build_ik",
    "closed_form",
    "custom_configuration",
    "custom_configuration_vector",
    "fit",
    "load",
    "load_robot_description",
    "load_robot_urdf",
    "reach",
    "samples",
    "solve_ik",
]

#: Names that are imported when they are first asked for, so that `import pantin` stays quick, by their modules.
_LATER = {
    "batch_ik": ("BatchIK",),
    "configuration": ("Configuration",),
    "differential": ("DifferentialIK",),
    "fitting": ("BodyPlan", "FitOptions", "FitResult", "FitSolver", "Tracker", "fit"),
    "runner": ("Runner",),
    "solve_ik": ("build_ik", "solve_ik"),
    "tasks": ("FrameTask", "JointCouplingTask", "JointVelocityTask", "LinearHolonomicTask", "PostureTask", "Task"),
    "utils": ("custom_configuration_vector",),
}
_HOMES = {name: module for module, names in _LATER.items() for name in names}
#: Modules that are attributes of the package without an import of their own, as in Pinker.
_MODULES = {*_LATER, "barriers", "collision", "exceptions", "limits", "tracking", "visualizer"}

if not TYPE_CHECKING:  # or checkers would take any name for one of the face

    class _Face(types.ModuleType):
        """Package whose function `solve_ik` stays one when the module of that name is imported."""

        def __setattr__(self, name, value):
            if isinstance(value, types.ModuleType) and name in _HOMES:
                value = getattr(value, name)
            super().__setattr__(name, value)

    sys.modules[__name__].__class__ = _Face

    def __getattr__(name):
        """Import a name that was not needed so far, or a module."""
        if name in _HOMES:
            value = getattr(importlib.import_module(f"pantin.{_HOMES[name]}"), name)
        elif name in _MODULES:
            value = importlib.import_module(f"pantin.{name}")
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value
        return value

    def __dir__():
        """List all names, those included that nobody asked for so far."""
        return sorted({*globals(), *_HOMES, *_MODULES})
