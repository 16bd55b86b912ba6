"""Results of fits that never were: smooth motion of any plan, with what a fit would tell of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from pantin.fitting.options import FitOptions
from pantin.fitting.result import FitResult
from pantin.fitting.state import State
from pantin.fitting.status import STATUSES


def smooth_states(plan: Any, frames: int, seed: int = 0) -> State:
    """A walk of the root and a swing of each degree of freedom within its limits; arrays with the frames first."""
    random = np.random.default_rng(seed)
    phase = np.linspace(0.0, 2.0, frames)[:, None]
    swing = np.sin(2.0 * np.pi * (phase * random.uniform(0.5, 2.0, plan.n_dofs) + random.uniform(size=plan.n_dofs)))
    reach = np.where(plan.dof_is_slide, 0.2 * plan.length, 0.4)
    dofs = np.clip(plan.neutral + reach * swing, plan.lower, plan.upper)
    root_pos = plan.length * phase * random.uniform(-1.0, 1.0, 3)
    half = 0.3 * np.sin(2.0 * np.pi * phase * random.uniform(0.5, 1.0, 3))
    root_quat = np.concatenate([np.ones((frames, 1)), half], axis=1)
    root_quat /= np.linalg.norm(root_quat, axis=1, keepdims=True)
    if plan.fixed_base:
        root_pos, root_quat = np.zeros((frames, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (frames, 1))
    return State(root_pos, root_quat, dofs)


def hand_made(plan: Any, frames: int | None = 20, *, seed: int = 0, missing: float = 0.1, **given: Any) -> FitResult:
    """A plausible result for any plan.

    Args:
        plan: The body plan.
        frames: Number of frames, or None for a single one.
        seed: Chooses motion, gaps, statuses.
        missing: Share of keypoints that were not observed.
        given: Attributes that replace those made here: options, source, time, observations, residuals, ...
    """
    if frames is None:
        return hand_made(plan, 1, seed=seed, missing=missing, **given)[0]
    random = np.random.default_rng(seed)
    state = smooth_states(plan, frames, seed)
    source = given.pop("source", None)
    if source is None:
        from pantin.fitting.sources import Points3D

        source = (Points3D(),)
    residual = 0.02 * plan.length * np.abs(random.standard_normal((frames, plan.n_joints)))
    residual[random.uniform(size=residual.shape) < missing] = np.nan
    misfit = np.nansum((residual / plan.length) ** 2, axis=1)
    prior = 1e-3 * random.uniform(size=frames)
    at_limit = (state.dofs >= plan.upper).astype(np.int8) - (state.dofs <= plan.lower).astype(np.int8)
    arrays = {
        "root_pos": state.root_pos,
        "root_quat_wxyz": state.root_quat_wxyz,
        "dofs": state.dofs,
        "cost": misfit + prior,
        "cost_data": np.tile(misfit[:, None] / len(source), len(source)),
        "cost_prior": prior,
        "status_code": random.choice(len(STATUSES), size=frames, p=[0.8, 0.05, 0.05, 0.1, *[0.0] * 3]),
        "iterations": random.integers(1, 6, size=frames),
        "residuals": (residual,) * len(source),
        "outliers": (residual > 0.05 * plan.length,) * len(source),
        "at_limit": at_limit,
        "seen": random.uniform(size=state.dofs.shape) > missing,
        "restarted": random.uniform(size=frames) < 0.02,
        "time": 0.01 * np.arange(frames),
        "provenance": {"version": "0.1.0", "level": "generic"},
    }
    return FitResult(**{"plan": plan, "options": FitOptions(), "source": source, **arrays, **given})
