"""Errors of steps out of tasks, under the names that Pinker and Pink give them.

All are of the one family of `errors`: `except PantinError`, `except PinkerError` and `except PinkError` catch the same,
and so do Pinker's name of an error and the built-in that it refines.
"""

from __future__ import annotations

from pantin.errors import InvalidArgument, PantinError, UnknownFrame

__all__ = [
    "ConfigurationError",
    "FrameNotFound",
    "InvalidCollisionPairs",
    "NegativeMinimumDistance",
    "NoPositionLimitProvided",
    "NoSolutionFound",
    "NotWithinConfigurationLimits",
    "PinkError",
    "PinkerError",
    "TargetNotSet",
    "TaskDefinitionError",
    "TaskJacobianNotSet",
]

PinkerError = PantinError
PinkError = PantinError
FrameNotFound = UnknownFrame
ConfigurationError = InvalidArgument


class InvalidCollisionPairs(PantinError, ValueError):
    """Too few or too many pairs of shapes that shall not touch."""


class NegativeMinimumDistance(PantinError, ValueError):
    """A distance to be kept that is below zero."""


class NoPositionLimitProvided(PantinError, ValueError):
    """A barrier about positions with neither a smallest nor a largest one."""


class NoSolutionFound(PantinError, RuntimeError):
    """A quadratic program that its solver found no solution of.

    Attributes:
        problem: The program, a `qpsolvers.Problem`.
        results: What the solver came back with, a `qpsolvers.Solution`.
    """

    def __init__(self, problem: object, results: object) -> None:
        self.problem = problem
        self.results = results
        super().__init__("the solver found no step that all limits, barriers and constraints allow")


class NotWithinConfigurationLimits(PantinError, ValueError):
    """A configuration outside the limits of its model.

    Attributes:
        joint: Index of the entry in the configuration vector.
        value: Its value, rad or m.
        lower: Smallest value that the model allows.
        upper: Largest value that the model allows.
    """

    def __init__(self, joint: int, value: float, lower: float, upper: float, *, name: str = "") -> None:
        """Error for one entry of q; `name` is that of its joint, for the message."""
        self.joint = joint
        self.value = value
        self.lower = lower
        self.upper = upper
        whose = f" of joint {name!r}" if name else ""
        super().__init__(f"q[{joint}]{whose} is {value:.9g}, outside its limits [{lower:.9g}, {upper:.9g}]")


class TargetNotSet(PantinError, RuntimeError):
    """A task that was asked for its error before it had a target."""


class TaskDefinitionError(InvalidArgument):
    """A task that is not defined by what it was given.

    Attributes:
        argument: Name of the argument.
    """

    def __init__(self, argument: str, message: str = "") -> None:
        """Error for an argument, or for the task where one sentence alone is given, as Pinker does."""
        super().__init__(*((argument, message) if message else ("task", argument)))


class TaskJacobianNotSet(PantinError, RuntimeError):
    """A task that was asked for its error before it had a Jacobian."""
