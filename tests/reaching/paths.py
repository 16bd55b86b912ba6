"""Paths that the tests of following share: smooth joint motions within limits, and what the frame does meanwhile."""

from __future__ import annotations

import numpy as np

from pantin.kinematics.batch import frame_placements


def smooth_motion(model, seed, count=300):
    """Sums of sines of the joint angles that use a good part of the limits, shape (count, nq)."""
    random = np.random.default_rng(seed)
    low, high = np.maximum(model.lower_position_limit, -np.pi), np.minimum(model.upper_position_limit, np.pi)
    t = np.linspace(0.0, count / 1000.0, count)[:, None]
    waves = [
        random.normal(size=model.nq) * np.sin(2.0 * np.pi * (f * t + random.uniform(size=model.nq)))
        for f in random.uniform(0.3, 4.0, size=4)
    ]
    y = sum(waves)
    y = (y - y.min(axis=0)) / (y.max(axis=0) - y.min(axis=0))
    width = random.uniform(0.3, 1.0, size=model.nq)
    shift = (1.0 - width) * random.uniform(size=model.nq)
    return np.clip(low + (high - low) * (shift + width * y), low, high)


def smooth_path(model, frame, seed, count=300):
    """A smooth joint motion, and the poses that a frame takes on it."""
    q = smooth_motion(model, seed, count)
    return q, frame_placements(model, frame, q)


def largest_step(q):
    """Largest motion of one joint from a row to the next."""
    return float(np.abs(np.diff(q, axis=0)).max(initial=0.0))


def line(start, way, count=50):
    """Poses along a straight way from one."""
    poses = np.repeat(start[None], count, axis=0)
    poses[:, :3, 3] += np.linspace(0.0, 1.0, count)[:, None] * np.asarray(way)
    return poses
