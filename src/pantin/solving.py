"""What all solvers share: the words of a status, and the bases of options and results."""

from __future__ import annotations

import dataclasses
import enum
from typing import Any

from pantin.arrays import count, scalar

__all__ = ["SolverOptions", "SolverResult", "Status", "option"]


class Status(enum.StrEnum):
    """Why a solve ended; each member equals its word."""

    REACHED = "reached"
    """All tolerances are met."""
    NOT_FOUND = "not_found"
    """Every start was used up without meeting them, which proves nothing."""
    OUT_OF_WORKSPACE = "out_of_workspace"
    """The target is farther away than the chain is long, which is a proof."""
    LIMITS = "limits"
    """The tolerances were met outside the joint limits and never within them."""
    DEADLINE = "deadline"
    """The time limit came first."""
    JOINT_JUMP = "joint_jump"
    """The tolerances are met only where a joint moves farther than it may at once."""
    VELOCITY = "velocity"
    """A joint would have to move faster than its velocity limit."""
    RCM_DEPTH = "rcm_depth"
    """The tip would be behind the pivot by less than it must, or by more than the shaft is long."""
    REFUSED = "refused"
    """The tolerances were met, and the `validate` callback accepted none of the configurations that meet them."""


def option(default: Any, unit: str, reason: str, *, lower: float, upper: float, optional: bool = False) -> Any:
    """Field of an options class, checked when the options are made.

    Args:
        default: Value where none is given; a whole number makes it an option of whole numbers.
        unit: Its unit, "" for none.
        reason: What it is for, in one line.
        lower: Smallest value.
        upper: Largest value.
        optional: None is welcome, too.
    """
    facts = {"unit": unit, "reason": reason, "lower": lower, "upper": upper, "optional": optional}
    return dataclasses.field(default=default, metadata=facts)


@dataclasses.dataclass(frozen=True, kw_only=True)
class SolverOptions:
    """Base of all options: frozen, and its numbers checked field by field when made.

    Raises:
        InvalidArgument: If a value is not a number in its field's range; the message names the field.
    """

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value, facts = getattr(self, field.name), field.metadata
            if not facts or (value is None and facts["optional"]):
                continue
            checked: float
            if isinstance(field.default, int):
                checked = count(field.name, value, lower=facts["lower"], upper=facts["upper"])
            else:
                checked = scalar(field.name, value, lower=facts["lower"], upper=facts["upper"])
            object.__setattr__(self, field.name, checked)


class SolverResult:
    """Base of all results: what each says of itself, whoever made it."""

    __slots__ = ()

    @property
    def success(self) -> bool:
        """True if all tolerances are met."""
        return self.status is Status.REACHED

    @property
    def status(self) -> Status:
        """Why the solve ended."""
        raise NotImplementedError

    def check(self) -> Any:
        """What remains, computed anew from the model."""
        raise NotImplementedError

    def __bool__(self) -> bool:
        """Refuse to be taken for success.

        Raises:
            TypeError: Always.
        """
        raise TypeError(f"a {type(self).__name__} is neither true nor false; ask for its .success")
