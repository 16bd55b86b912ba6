"""How a fit is made; what is fitted is a matter of arguments."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Literal, get_args

import numpy.typing as npt

from pantin.arrays import array, scalar
from pantin.errors import InvalidArgument
from pantin.solving import SolverOptions, option

__all__ = ["FitOptions"]

LossName = Literal["linear", "huber", "soft_l1", "cauchy", "geman_mcclure"]
GapPolicy = Literal["prior", "hold", "interpolate", "nan"]
Prediction = Literal["hold", "velocity"]

CHOICES: dict[str, tuple[str, ...]] = {
    "loss": get_args(LossName),
    "gap": get_args(GapPolicy),
    "predict": get_args(Prediction),
}
SWITCHES = ("scale_free", "align", "wrap")


@dataclasses.dataclass(frozen=True, kw_only=True)
class FitOptions(SolverOptions):
    """How to fit. Lengths "times L" are in units of the plan's model length.

    Attributes:
        neutral_weight: Weight of the pull of each degree of freedom towards its neutral value.
        scale_free: Lengths count relative to the model length L, so that the fit does not depend on the unit.
        loss: Robust loss of a keypoint's misfit.
        loss_scale: Misfit from which a robust loss eases off, times L (in length units if not `scale_free`).
        max_iterations: Iterations of a frame, at most.
        position_tolerance: Last step of the root's position and of slides at which a fit has converged, times L.
        angle_tolerance: Last step of hinges and of the root's rotation at which a fit has converged, rad.
        cost_tolerance: Predicted decrease, relative to the objective, at which a fit has converged.
        damping: Starting damping, relative to the curvature of each coordinate.
        align: Start cold fits from a rigid alignment as well.
        starts: Random poses that a cold fit starts from besides.
        seed: Chooses the random poses.
        gap: What becomes of degrees of freedom that no keypoint shows while some that they move are missing.
        hold: Pull to the previous value inside a gap, in units of `neutral_weight`.
        max_gap: Longest gap that is interpolated, frames.
        restart_factor: A frame whose objective exceeds this times the running median is tried again from a cold start.
        predict: What a frame starts from: the frame before, or the line through the last two.
        wrap: Report hinges without limits in (-pi, pi].
        near: Depth below which a camera does not see a point, times L.
        lock: Degrees of freedom that keep a value: one name or several (they keep their neutral or initial value), or a
            mapping from names to values.
        prescribe: Degrees of freedom whose value is given for each frame: a mapping from names to values, shape (T,).
    """

    neutral_weight: float = option(1e-3, "", "pull towards neutral", lower=0.0, upper=1e12)
    scale_free: bool = True
    loss: LossName = "linear"
    loss_scale: float = option(0.05, "L", "misfit from which a robust loss eases off", lower=1e-12, upper=1e12)
    max_iterations: int = option(50, "", "iterations of a frame", lower=1, upper=1_000_000)
    position_tolerance: float = option(1e-4, "L", "last step of a converged fit", lower=0.0, upper=1e6)
    angle_tolerance: float = option(1e-4, "rad", "last step of a converged fit", lower=0.0, upper=10.0)
    cost_tolerance: float = option(1e-8, "", "predicted decrease of a converged fit", lower=0.0, upper=1.0)
    damping: float = option(1e-6, "", "starting damping", lower=0.0, upper=1e6)
    align: bool = True
    starts: int = option(0, "", "random poses a cold fit starts from", lower=0, upper=100_000)
    seed: int = option(0, "", "chooses the random poses", lower=0, upper=2**63 - 1)
    gap: GapPolicy = "hold"
    hold: float = option(10.0, "", "pull to the previous value inside a gap", lower=0.0, upper=1e12)
    max_gap: int = option(30, "frames", "longest gap that is interpolated", lower=0, upper=2**31 - 1)
    restart_factor: float = option(10.0, "", "rise of the objective that asks for a cold start", lower=1.0, upper=1e300)
    predict: Prediction = "hold"
    wrap: bool = False
    near: float = option(1e-3, "L", "depth below which a camera does not see", lower=1e-9, upper=1e6)
    lock: str | tuple[str, ...] | Mapping[str, float | None] = ()
    prescribe: Mapping[str, npt.ArrayLike] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check the choices, the switches and the numbers.

        Raises:
            InvalidArgument: If a value is not one of its field's; the message names the field.
        """
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if field.name in CHOICES:
                _choose(field.name, value, CHOICES[field.name])
            elif field.name in SWITCHES and value is not True and value is not False:
                raise InvalidArgument(field.name, f"expected True or False, got {value!r}")
        object.__setattr__(self, "lock", _locked(self.lock))
        object.__setattr__(self, "prescribe", _prescribed(self.prescribe))
        super().__post_init__()


def _choose(name: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise InvalidArgument(name, f"expected {' or '.join(map(repr, choices))}, got {value!r}")


def _locked(lock: Any) -> Mapping[str, float | None]:
    """Names to values, None for the value at the start."""
    if isinstance(lock, str):
        lock = (lock,)
    if not isinstance(lock, Mapping):
        try:
            lock = dict.fromkeys(lock)
        except TypeError:
            raise InvalidArgument("lock", f"expected names, or a mapping from names to values, got {lock!r}") from None
    return {name: None if value is None else scalar("lock", value) for name, value in lock.items()}


def _prescribed(prescribe: Any) -> Mapping[str, npt.ArrayLike]:
    if not isinstance(prescribe, Mapping):
        raise InvalidArgument("prescribe", f"expected a mapping from names to values, got a {type(prescribe).__name__}")
    values = {name: array("prescribe", value).copy() for name, value in prescribe.items()}
    for value in values.values():
        value.flags.writeable = False
    return values
