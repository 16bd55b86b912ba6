"""What the answer to one question says of itself, whether `reach` or a `Problem` was asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pantin.kinematics.model import Model
from pantin.reaching.doors import joint_of
from pantin.solving import SolverResult, Status

__all__ = ["STATUS", "Answer"]

#: Status words in the order of the core.
STATUS = (
    Status.REACHED,
    Status.NOT_FOUND,
    Status.OUT_OF_WORKSPACE,
    Status.LIMITS,
    Status.DEADLINE,
    Status.JOINT_JUMP,
    Status.RCM_DEPTH,
    Status.REFUSED,
)


class Answer(SolverResult):
    """Base of answers to one question; the core's outcome beside it brings the numbers."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def position_error(self) -> float:
            """Distance that remains, m."""

        @property
        def rotation_error(self) -> float:
            """Angle that remains, rad."""

        @property
        def iterations(self) -> int:
            """Iterations of the start that gave the answer."""

        @property
        def starts(self) -> int:
            """Starts that were compared."""

        @property
        def _status(self) -> int: ...
        @property
        def _at_limit(self) -> list[int]: ...
        @property
        def _beyond(self) -> list[int]: ...
        @property
        def _seed_clipped(self) -> bool: ...

    @property
    def status(self) -> Status:
        """Why the solve ended."""
        return STATUS[self._status]

    @property
    def at_limit(self) -> tuple[str, ...]:
        """Names of the joints that stand at one of their limits."""
        return self._names(self._at_limit)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was done to the question, and what else is known of the answer, in words."""
        notes = []
        if self._seed_clipped:
            notes.append("the seed was outside the limits and was clipped")
        notes += self._own_notes()
        if self._beyond:
            names = ", ".join(map(repr, self._names(self._beyond)))
            notes.append(f"reached only outside the limits of {names}")
        return tuple(notes)

    @property
    def _model(self) -> Model:
        """The model that was asked about."""
        raise NotImplementedError

    def _own_notes(self) -> list[str]:
        """What else was done to a question of this kind."""
        return []

    def _names(self, entries: list[int]) -> tuple[str, ...]:
        """Names of joints by their entries in a configuration."""
        return tuple(dict.fromkeys(joint_of(self._model, entry) for entry in entries))

    def __repr__(self) -> str:
        """Status, errors and effort."""
        return (
            f"{type(self).__name__}({self.status.value}, position_error={self.position_error:.3g} m, "
            f"rotation_error={self.rotation_error:.3g} rad, starts={self.starts}, iterations={self.iterations})"
        )
