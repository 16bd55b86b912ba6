"""The fit of the next frame of a stream, by the rules that the core has for recordings."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from pantin import _core
from pantin.arrays import Array
from pantin.fitting.found import Found, new_found
from pantin.fitting.past import Past
from pantin.fitting.status import STATUSES, FitStatus
from pantin.fitting.tracks import Frames, state_row

__all__ = ["NextFrame", "cost_of", "status_of"]


class NextFrame:
    """A frame that is fitted once or, where the first answer does not do, again, within a time for all of it."""

    def __init__(
        self, frames: Frames, past: Past, limit: float | None, core_within: Callable[[float], _core.FitCore]
    ) -> None:
        """Begin.

        Args:
            frames: The frame.
            past: What is known of those before.
            limit: Time for the fit, s, or None.
            core_within: Makes a core for the time that is left.
        """
        self._frames, self._past, self._core_within = frames, past, core_within
        self._options = frames.problem.options
        self._limit, self._began = limit, time.perf_counter()

    def fit(self) -> Found:
        """What is found of the frame."""
        if not self._past.begun:
            return self._run(None)
        found = self._followed()
        if self.is_usual(found):
            return found
        other = self._restarted()
        if other is not None and status_of(other) != FitStatus.FAILED and cost_of(other) < cost_of(found):
            found = other
        found["restarted"][:] = True
        return found

    def is_usual(self, found: Found) -> bool:
        """Whether the objective is about that of the frames before."""
        if status_of(found) == FitStatus.NO_OBSERVATIONS:
            return True
        return self._past.is_usual(cost_of(found), self._options.restart_factor, self._frames.problem.full_weight)

    def _followed(self) -> Found:
        """From the frame before."""
        past = self._past
        if self._options.predict != "velocity":
            return self._run(past.last)
        start = past.predicted()
        found = self._run(start)
        # what nothing shows stays where it was, and does not go where the prediction led it
        still = self._held(found, start)
        return found if np.array_equal(still, start) else self._again(still) or found

    def _restarted(self) -> Found | None:
        """From a cold start, but what nothing shows stays where it was; None where there is no time for it."""
        found = self._again(None)
        if found is None:
            return None
        start = state_row(found, 0)
        still = self._held(found, start)
        return found if np.array_equal(still, start) else self._again(still)

    def _held(self, found: Found, start: Array) -> Array:
        """The start, where degrees of freedom that nothing shows are where they were; all is, if nothing is shown."""
        if status_of(found) == FitStatus.NO_OBSERVATIONS:
            return self._past.last
        still = start.copy()
        if self._options.gap != "prior":
            unseen = ~found["seen"][0]
            still[7:][unseen] = self._past.last[7:][unseen]
        return still

    def _again(self, start: Array | None) -> Found | None:
        """Once more in the time that is left, if there is any."""
        if self._limit is not None:
            left = self._limit - (time.perf_counter() - self._began)
            if left <= 0.0:
                return None
            self._frames.core = self._core_within(left)
        return self._run(start)

    def _run(self, start: Array | None) -> Found:
        """From a start, or cold."""
        found = new_found(self._frames.problem, 1)
        starts = None if start is None else start[None]
        self._frames.run(found, [(0, 1, 0, 0)], starts, continues=start is not None and self._past.known > 0)
        self._frames.keep_values(found)
        return found


def status_of(found: Found) -> FitStatus:
    """How the fit of a single frame ended."""
    return STATUSES[int(found["status_code"][0])]


def cost_of(found: Found) -> float:
    """The objective of a single frame."""
    return float(found["costs"].sum())
