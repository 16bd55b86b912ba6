"""The place where checks put what they find."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pantin.fitting.plan.finding import Finding, Severity

__all__ = ["Path", "Report"]

#: Keys and indices that lead from the whole document to one value in it.
Path = tuple[str | int, ...]


class Report:
    """Findings about one document.

    Attributes:
        findings: What was found so far.
        strict: Unknown fields are errors, else warnings.
    """

    def __init__(self, places: Mapping[Path, tuple[int, int]] | None = None) -> None:
        """Empty report.

        Args:
            places: Line and column of each value, where the document is a text.
        """
        self.findings: list[Finding] = []
        self.strict = True
        self._places = places or {}
        self._document: Any = None

    def about(self, document: Any) -> None:
        """Take names of joints from a document from now on."""
        self._document = document

    def error(self, code: str, path: Path, message: str, hint: str = "") -> None:
        """Note an error."""
        self.add(Severity.ERROR, code, path, message, hint)

    def warning(self, code: str, path: Path, message: str, hint: str = "") -> None:
        """Note a warning."""
        self.add(Severity.WARNING, code, path, message, hint)

    def note(self, code: str, path: Path, message: str, hint: str = "") -> None:
        """Note something worth knowing."""
        self.add(Severity.NOTE, code, path, message, hint)

    def add(self, severity: Severity, code: str, path: Path, message: str, hint: str = "") -> None:
        """Note a finding; its message is preceded by the joint and degree of freedom that the path leads through."""
        message = ": ".join(filter(None, [self.owner(path), message]))
        line, column = self._place(path)
        self.findings.append(Finding(severity, code, _json_path(path), message, hint, line, column))

    @property
    def has_errors(self) -> bool:
        """Whether one of the findings is an error."""
        return any(finding.severity is Severity.ERROR for finding in self.findings)

    def sorted(self) -> tuple[Finding, ...]:
        """Errors, then warnings, then notes, each in the order of the text, or else as they were found."""
        order = list(Severity)
        return tuple(
            sorted(
                self.findings,
                key=lambda finding: (order.index(finding.severity), finding.line or 0, finding.column or 0),
            )
        )

    def owner(self, path: Path) -> str:
        """Joint and degree of freedom that a path leads through, in words."""
        words = []
        value = self._document
        for kind, key in (("joint", "joints"), ("DOF", "dofs")):
            if len(path) < 2 or path[0] != key:
                break
            index = path[1]
            try:
                value = value[key][index]
                name = value.get("name")
            except (TypeError, KeyError, IndexError, AttributeError):
                value = name = None
            words.append(f"{kind} {name!r}" if isinstance(name, str) and name else f"{kind} number {index}")
            path = path[2:]
        return ", ".join(words)

    def _place(self, path: Path) -> tuple[int, int] | tuple[None, None]:
        """Line and column of a value, or of what should hold it."""
        while path and path not in self._places:
            path = path[:-1]
        return self._places.get(path, (None, None))


def _json_path(path: Path) -> str:
    """JSON path as RFC 9535 writes it."""
    words = ["$"]
    for key in path:
        if isinstance(key, int):
            words.append(f"[{key}]")
        else:
            words.append(f".{key}" if re.fullmatch(r"[A-Za-z_]\w*", key, re.ASCII) else f"[{key!r}]")
    return "".join(words)
