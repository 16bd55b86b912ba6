"""Results whose poses were found by the reference, for tests of what is computed from a result."""

from __future__ import annotations

import numpy as np
from reference import Objective, minimum, points
from reference_tree import Tree, from_quaternion, to_quaternion

from pantin.fitting.observations import observe
from pantin.fitting.options import FitOptions
from pantin.fitting.result import FitResult
from pantin.fitting.sources import Points3D


def referred(
    plan, positions, weights=None, options=None, *, start=None, solve=True, source=None, view=points, scale=None
):
    """The result of frames (T, K, m) of one source, at minima of the reference, or at the start itself.

    Args:
        plan: A `BodyPlan`.
        positions: What is observed.
        weights: Its weights, of the same shape without the last axis, or None.
        options: A `FitOptions`.
        start: A `State`, or one with a leading axis of frames; neutral by default.
        solve: Go to the minimum.
        source: The source.
        view: The same in the reference's words.
        scale: Pixels that residuals of a camera count by.
    """
    options = options or FitOptions()
    positions = np.asarray(positions, dtype=float)
    frames = len(positions)
    objective = Objective.of(Tree(plan.to_dict()), positions, weights, options, views=view, scales=scale)
    parts = plan.neutral_state() if start is None else start
    at = [np.broadcast_to(part, (frames, np.shape(part)[-1])).copy() for part in parts]
    if solve:
        for t in range(frames):
            state, _ = minimum(objective.frame(t), (at[0][t], from_quaternion(at[1][t]), at[2][t]))
            at[0][t], at[1][t], at[2][t] = state[0], to_quaternion(state[1]), state[2]
    state = (at[0], from_quaternion(at[1]), at[2])
    ((r, w, _, _, unit),) = objective.residuals(state)
    cost, prior = objective.cost(state), np.sum(objective.prior * (at[2] - plan.neutral) ** 2, axis=1)
    seen = w > 0.0
    return FitResult(
        plan=plan,
        options=options,
        source=(source or Points3D(),),
        root_pos=at[0],
        root_quat_wxyz=at[1],
        dofs=at[2],
        cost=cost,
        cost_data=(cost - prior)[:, None],
        cost_prior=prior,
        status_code=np.zeros(frames),
        iterations=np.ones(frames),
        residuals=(np.where(seen, np.linalg.norm(r, axis=-1), np.nan),),
        outliers=(np.zeros(seen.shape, bool),),
        at_limit=(at[2] >= plan.upper).astype(np.int8) - (at[2] <= plan.lower).astype(np.int8),
        seen=np.ones(at[2].shape, bool),
        scales=np.full((frames, 1), unit),
        observations=observe(plan, positions, weights, source or Points3D()),
    )
