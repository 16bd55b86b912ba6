"""Results of fits that never were: smooth motion of any plan, with what a fit would tell of it."""

from __future__ import annotations

import numpy as np

from pantin.fitting.camera import Camera
from pantin.fitting.observations import observe
from pantin.fitting.options import FitOptions
from pantin.fitting.result import FitResult
from pantin.fitting.sources import Distance, Orientation, Points3D, XYView
from pantin.fitting.state import State
from pantin.fitting.status import STATUSES

POINTS = Points3D()


def smooth_states(plan, frames, seed=0):
    """A walk of the root and a swing of each degree of freedom within its limits; arrays with the frames first."""
    random = np.random.default_rng(seed)
    phase = np.linspace(0.0, 2.0, frames)[:, None]
    swing = np.sin(2.0 * np.pi * (phase * random.uniform(0.5, 2.0, plan.n_dofs) + random.uniform(size=plan.n_dofs)))
    reach = np.where(plan.dof_is_slide, 0.2 * plan.length, 0.4)
    dofs = np.clip(plan.neutral + reach * swing, plan.lower, plan.upper)
    if plan.fixed_base:
        return State(np.zeros((frames, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (frames, 1)), dofs)
    root_quat = np.ones((frames, 4))
    root_quat[:, 1:] = 0.3 * np.sin(2.0 * np.pi * phase * random.uniform(0.5, 1.0, 3))
    root_quat /= np.linalg.norm(root_quat, axis=1, keepdims=True)
    return State(plan.length * phase * random.uniform(-1.0, 1.0, 3), root_quat, dofs)


def seen_from(source, plan, points, random, missing):
    """What a source would have seen of keypoints (T, K, 3), with noise and gaps, and how far off that is."""
    if isinstance(source, Orientation):
        exact = np.broadcast_to([1.0, 0.0, 0.0, 0.0], (len(points), len(source.joints), 4))
    elif isinstance(source, Distance):
        first, second = (points[:, [plan.joint(pair[end]) for pair in source.pairs]] for end in (0, 1))
        exact = np.linalg.norm(first - second, axis=-1)
    else:
        exact = source.project(points) if isinstance(source, Camera) else points[..., : source.numbers]
    noise = {"camera": 1.0, "orientation": 0.01}.get(source.kind, 0.01 * plan.length)
    off = noise * random.standard_normal(exact.shape)
    off[random.uniform(size=exact.shape[:2]) < missing] = np.nan
    return np.abs(exact + off) if exact.ndim == 2 else exact + off, np.abs(off) if exact.ndim == 2 else norms(off)


def norms(vectors):
    """Lengths of vectors along the last axis."""
    return np.linalg.norm(vectors, axis=-1)


def hand_made(plan, frames=20, *, source=POINTS, seed=0, missing=0.1, weights=False, **given):
    """A plausible result for any plan.

    Args:
        plan: The body plan.
        frames: Number of frames, or None for a single one.
        source: One source, or several.
        seed: Chooses motion, gaps, statuses.
        missing: Share of keypoints that were not observed.
        weights: The observations have weights.
        given: Attributes that replace those made here: options, time, residuals, ...
    """
    if frames is None:
        return hand_made(plan, 1, source=source, seed=seed, missing=missing, weights=weights, **given)[0]
    random = np.random.default_rng(seed)
    sources = tuple(source) if isinstance(source, (list, tuple)) else (source,)
    state = smooth_states(plan, frames, seed)
    points = plan.keypoints(state)
    positions, residuals = zip(*(seen_from(one, plan, points, random, missing) for one in sources), strict=True)
    heavy = [random.uniform(0.5, 1.0, each.shape) for each in residuals] if weights else [None] * len(sources)
    # one source at a time, so that cameras need not see together
    parts = [observe(plan, *each) for each in zip(positions, heavy, sources, strict=True)]
    observations = parts[0]
    if len(parts) > 1:
        observations = type(parts[0])(
            sources=sources,
            positions=tuple(part.positions[0] for part in parts),
            weights=tuple(part.weights[0] for part in parts),
            single=False,
            n_frames=frames,
            infinite=0,
        )
    misfit = np.stack([np.nansum(each**2, axis=1) for each in residuals], axis=1)
    prior = 1e-3 * random.uniform(size=frames)
    arrays = {
        **state._asdict(),
        "cost": misfit.sum(axis=1) + prior,
        "cost_data": misfit,
        "cost_prior": prior,
        "status_code": random.choice(len(STATUSES), size=frames, p=[0.8, 0.05, 0.05, 0.1, *[0.0] * 3]),
        "iterations": random.integers(1, 6, size=frames),
        "residuals": residuals,
        "outliers": tuple(each > 2.0 * np.sqrt(np.nan_to_num(each**2).mean()) for each in residuals),
        "at_limit": (state.dofs >= plan.upper).astype(np.int8) - (state.dofs <= plan.lower),
        "seen": random.uniform(size=state.dofs.shape) > missing,
        "restarted": random.uniform(size=frames) < 0.05,
        "scales": np.full(len(sources), plan.length),
        "time": 0.01 * np.arange(frames),
        "observations": observations,
        "provenance": {"pantin": "0.1.0", "level": "generic", "plan": plan.fingerprint},
    }
    return FitResult(**{"plan": plan, "options": FitOptions(), "source": sources, **arrays, **given})


def camera(plan, turn=0.0):
    """A camera far enough away to have the whole body before it."""
    R = np.array([[np.cos(turn), -np.sin(turn), 0.0], [np.sin(turn), np.cos(turn), 0.0], [0.0, 0.0, 1.0]])
    return Camera(600.0, 590.0, 320.0, 240.0, R, [0.0, 0.0, 30.0 * plan.length])


def mixed_sources(plan):
    """One source of each kind, and a second camera."""
    first, last = plan.joint_names[0], plan.joint_names[-1]
    sources = (Points3D(), XYView(), camera(plan), camera(plan, 0.7), Orientation((first, last)))
    return (*sources, Distance(((first, last),))) if first != last else sources
