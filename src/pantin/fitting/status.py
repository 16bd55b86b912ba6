"""How the fit of a frame ended, in one word."""

from __future__ import annotations

import enum

import numpy as np
import numpy.typing as npt

__all__ = ["STATUSES", "FitStatus", "status_words"]


class FitStatus(enum.StrEnum):
    """Why the fit of a frame ended; each member equals its word."""

    CONVERGED = "converged"
    """A minimum within the limits."""
    MAX_ITERATIONS = "max_iterations"
    """The iterations were used up on the way to one."""
    NO_OBSERVATIONS = "no_observations"
    """Nothing was seen: the freedoms rest where the prior puts them, the root where it was."""
    UNOBSERVABLE = "unobservable"
    """A minimum, along which some direction is undetermined."""
    FAILED = "failed"
    """A number that is not finite arose; the state is the start."""
    DEADLINE = "deadline"
    """The time allowed was used up on the way to a minimum."""
    UNSOLVED = "unsolved"
    """The work was interrupted before this frame."""


#: The statuses in the order of their codes.
STATUSES: tuple[FitStatus, ...] = tuple(FitStatus)


def status_words(codes: npt.NDArray[np.int8]) -> npt.NDArray[np.str_]:
    """The words of status codes, same shape."""
    return np.array([status.value for status in STATUSES])[codes]
