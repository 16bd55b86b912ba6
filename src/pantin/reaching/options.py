"""How `reach` solves; what it is asked is a matter of arguments."""

from __future__ import annotations

import dataclasses

from pantin.solving import SolverOptions, option

__all__ = ["ReachOptions"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReachOptions(SolverOptions):
    """How to solve.

    Attributes:
        position_tolerance: Distance to the target that counts as reached, m.
        rotation_tolerance: Angle to the target that counts as reached, rad.
        max_iterations: Iterations of one start.
        max_starts: Starts to try, the seed's own included.
        random_seed: Chooses the configurations that later starts begin from.
        time_limit_ms: Time for one target, ms; None for no limit. A result that ran out of time is the one thing
            that depends on more than its arguments.
    """

    position_tolerance: float = option(1e-6, "m", "distance that counts as reached", lower=1e-12, upper=1e6)
    rotation_tolerance: float = option(1e-6, "rad", "angle that counts as reached", lower=1e-12, upper=10.0)
    max_iterations: int = option(100, "", "iterations of one start", lower=1, upper=1_000_000)
    max_starts: int = option(256, "", "starts to try, the seed's own included", lower=1, upper=1_000_000)
    random_seed: int = option(0, "", "chooses where later starts begin", lower=0, upper=2**63 - 1)
    time_limit_ms: float | None = option(None, "ms", "time for one target", lower=1e-3, upper=1e9, optional=True)
