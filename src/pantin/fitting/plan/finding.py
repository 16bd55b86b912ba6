"""What a look at a body plan finds, and the error that carries it."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import NamedTuple

from pantin.errors import InvalidModel

__all__ = ["BodyPlanError", "Finding", "Severity"]


class Severity(enum.StrEnum):
    """How much a finding matters; each member equals its word."""

    ERROR = "error"
    """The plan cannot be used."""
    WARNING = "warning"
    """The plan can be used, and hardly means what it says."""
    NOTE = "note"
    """Worth knowing."""


class Finding(NamedTuple):
    """One thing that was found in a body plan.

    Attributes:
        severity: How much it matters.
        code: What it is, in one word that stays the same, such as `zero-axis`.
        path: JSON path of the value, such as `$.joints[2].dofs[0].axis`.
        message: What is the matter, with the joint, the degree of freedom and the value.
        hint: What to do about it; empty where there is nothing to say.
        line: Line in the file, counted from 1; None where the plan came from no text.
        column: Column in that line, counted from 1, or None.
    """

    severity: Severity
    code: str
    path: str
    message: str
    hint: str = ""
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        """The finding in one line."""
        place = self.path if self.line is None else f"line {self.line}, column {self.column}, {self.path}"
        hint = f"; {self.hint}" if self.hint else ""
        return f"{self.severity} {self.code} at {place}: {self.message}{hint}"


class BodyPlanError(InvalidModel):
    """A body plan with errors.

    Attributes:
        findings: All that was found, errors first, warnings and notes after them.
        source: The file, empty where there was none.
    """

    def __init__(self, findings: Iterable[Finding], source: str = "") -> None:
        self.findings = tuple(findings)
        self.source = source
        errors = [finding for finding in self.findings if finding.severity is Severity.ERROR]
        head = f"{source or 'the body plan'} has {len(errors)} error{'s' if len(errors) > 1 else ''}"
        if len(errors) == 1:
            super().__init__(f"{head}: {errors[0]}")
        else:
            super().__init__("\n  ".join([f"{head}:", *map(str, errors)]))

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.findings, self.source))
