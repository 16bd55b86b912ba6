"""How well a fit is determined: what decides each degree of freedom, its uncertainty, and what nothing decides.

All of it is computed when it is asked for, from a result, its plan and its observations, by the curvature of the
objective at the result: H = J'WJ + Lambda, where W holds weights times the slope of the robust loss, and Lambda the
prior. Coordinates that a limit holds, and those that were locked or prescribed, are left out.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, scalar
from pantin.errors import InvalidArgument
from pantin.fitting.fields import FIELDS
from pantin.fitting.information import free_coordinates, information, prior_curvature
from pantin.fitting.spectrum import RANK_TOLERANCE, Inverse, invert, open_directions, plain_basis

if TYPE_CHECKING:
    from pantin.fitting.result import FitResult

__all__ = ["NullSpace", "covariance", "dof_std", "null_space", "observability"]

#: Memory that the matrices of a block of frames may take, bytes.
BLOCK_BYTES = 16_000_000

#: Shares of a direction that are named: those of at least this part of the largest.
NAMED_SHARE = 0.3


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class NullSpace:
    """Directions of motion that the data of a frame leave open.

    Attributes:
        names: Names of all coordinates, those of the plan's tangent.
        basis: Orthonormal columns, shape (tangent_dim, k); a step along them changes no observation to first order.
        held: True where the prior alone holds a direction, shape (k,); the others keep their start.
        sizes: Size of each coordinate's unit, shape (tangent_dim,): 1 for angles, the model length for lengths.
    """

    names: tuple[str, ...]
    basis: Array
    held: npt.NDArray[np.bool_]
    sizes: Array

    def __len__(self) -> int:
        """Number of directions."""
        return int(self.basis.shape[1])

    @property
    def directions(self) -> tuple[str, ...]:
        """Each direction by the names of the coordinates that have a large part in it."""
        found = []
        for column in (self.basis / self.sizes[:, None]).T:
            largest = np.abs(column).max()
            parts = [i for i in np.argsort(-np.abs(column), kind="stable") if abs(column[i]) >= NAMED_SHARE * largest]
            signs = ["" if i == parts[0] else " + " if column[i] * column[parts[0]] > 0.0 else " - " for i in parts]
            found.append("".join(f"{sign}{self.names[i]}" for sign, i in zip(signs, parts, strict=True)))
        return tuple(found)

    def __repr__(self) -> str:
        """The directions."""
        return f"NullSpace({', '.join(self.directions)})"

    def __str__(self) -> str:
        """One sentence for a reader."""
        if not len(self):
            return "The data determine every direction."
        fates = ("nothing holds it", "the prior alone holds it")
        told = [f"{name} ({fates[int(held)]})" for name, held in zip(self.directions, self.held, strict=True)]
        count = "one direction" if len(told) == 1 else f"{len(told)} directions"
        return f"The data leave {count} open: {', '.join(told)}."


def observability(result: FitResult) -> Array:
    """Share of each degree of freedom that the data decide, shape (T, N), in [0, 1].

    o_j = 1 - lambda_j (H^-1)_jj: 1 where data alone decide, 0 where the prior alone does. Without a prior it is 1 or
    0, by a rank decision at relative 1e-8. NaN where a limit, a lock or a prescription holds the degree of freedom.

    Raises:
        InvalidArgument: If the result does not hold what it was fitted to.
    """
    many = _many(result)
    shares = np.full(many.dofs.shape, np.nan)
    for block in _blocks(many):
        decided = 1.0 - block.prior * _diagonal(block.inverse.determined)
        decided = np.where(block.prior > 0.0, decided, ~block.undetermined)
        shares[block.rows] = np.where(block.free, np.clip(decided, 0.0, 1.0), np.nan)[:, block.dofs]
    return shares[0] if result.single else shares


def dof_std(result: FitResult, variance: float | None = None) -> Array:
    """Standard deviation of each degree of freedom, shape (T, N), rad or length units.

    Args:
        result: The fit.
        variance: Of an observation of weight 1, relative to the squared length that residuals count by; by default
            that of the residuals of each frame.

    Returns:
        Infinity where nothing determines the degree of freedom, NaN where a limit, a lock or a prescription holds it,
        and where no variance can be told since there are no more observations than unknowns.

    Raises:
        InvalidArgument: If the result does not hold what it was fitted to.
    """
    many = _many(result)
    deviations = np.full(many.dofs.shape, np.nan)
    for block in _blocks(many):
        spread = _variance(many, block, variance)[:, None] * _diagonal(block.inverse.determined)
        spread = np.where(block.undetermined, np.inf, spread)
        deviations[block.rows] = np.where(block.free, np.sqrt(spread), np.nan)[:, block.dofs]
    return deviations[0] if result.single else deviations


def covariance(result: FitResult, variance: float | None = None) -> Array:
    """Covariance of all coordinates, shape (T, D, D) in the order of the plan's tangent: variance times H^-1.

    Choose frames first where there are many: `covariance(result[a:b])`.

    Args:
        result: The fit.
        variance: As for `dof_std`.

    Returns:
        Infinite entries along undetermined directions, NaN for coordinates that were not free.

    Raises:
        InvalidArgument: If the result does not hold what it was fitted to.
    """
    many, size = _many(result), result.plan.tangent_dim
    matrices = np.full((len(many), size, size), np.nan)
    for block in _blocks(many):
        spread = _variance(many, block, variance)[:, None, None] * block.inverse.determined
        along = block.inverse.undetermined
        with np.errstate(invalid="ignore"):
            spread = np.where(np.abs(along) > RANK_TOLERANCE, np.sign(along) * np.inf, spread)
        matrices[block.rows] = np.where(block.free[:, :, None] & block.free[:, None, :], spread, np.nan)
    return matrices[0] if result.single else matrices


def null_space(result: FitResult, frame: int | None = None) -> NullSpace:
    """Directions that the data of one frame leave open, by name; its text is a sentence.

    Args:
        result: The fit.
        frame: Which frame; not needed where there is one.

    Raises:
        InvalidArgument: If the frame is not there, or the result does not hold what it was fitted to.
    """
    one, plan, every = _many(_frame(result, frame)), result.plan, slice(None)
    data, free = information(one, every)[0], free_coordinates(one, every)
    prior, sizes = prior_curvature(plan, one.options), _sizes(plan)
    opened = open_directions(data[0], free[0], sizes) if np.isfinite(data).all() else np.zeros((len(sizes), 0))
    pull = prior * sizes**2
    values, vectors = np.linalg.eigh(opened.T @ (pull[:, None] * opened))
    held = values > RANK_TOLERANCE * pull.max(initial=0.0)
    parts = [plain_basis(opened @ vectors[:, which]) for which in (~held, held)]
    basis = _orthonormal(sizes[:, None] * np.hstack(parts))
    return NullSpace(tuple(plan.tangent_names), basis, np.sort(held), sizes)


class _Block(NamedTuple):
    """Some frames, and what their curvature tells.

    Attributes:
        rows: Which frames.
        dofs: Which coordinates are the degrees of freedom.
        free: Coordinates that were free, shape (B, D).
        prior: Curvature by the prior, shape (D,).
        inverse: Of the curvature.
        spare: Observations less effective parameters, shape (B,).
    """

    rows: slice
    dofs: slice
    free: npt.NDArray[np.bool_]
    prior: Array
    inverse: Inverse
    spare: Array

    @property
    def undetermined(self) -> npt.NDArray[np.bool_]:
        """Coordinates that have a part in an undetermined direction, shape (B, D)."""
        return _diagonal(self.inverse.undetermined) > RANK_TOLERANCE


def _blocks(many: FitResult) -> Iterator[_Block]:
    """All frames, block by block, so that memory stays bounded."""
    plan = many.plan
    size, prior = plan.tangent_dim, prior_curvature(plan, many.options)
    step = max(1, BLOCK_BYTES // (8 * size * (3 * plan.n_joints * len(many.source) + 4 * size) + 1))
    for first in range(0, len(many), step):
        rows = slice(first, first + step)
        data, numbers = information(many, rows)
        free = free_coordinates(many, rows)
        broken = ~np.isfinite(data).all(axis=(1, 2))
        data[broken], free[broken] = 0.0, False
        inverse = invert(data, prior, free, _sizes(plan))
        parameters = np.einsum("bij,bji->b", data, inverse.determined)
        yield _Block(rows, slice(size - plan.n_dofs, size), free, prior, inverse, numbers - parameters)


def _variance(many: FitResult, block: _Block, variance: float | None) -> Array:
    """Variance of an observation of weight 1 in each frame of a block."""
    if variance is not None:
        return np.full(len(block.spare), scalar("variance", variance, lower=0.0))
    data = np.sum(many.cost_data[block.rows], axis=1)
    return np.where(block.spare > 1e-6, data / np.where(block.spare > 1e-6, block.spare, 1.0), np.nan)


def _sizes(plan: Any) -> Array:
    """Size of the unit of each coordinate of the tangent: 1 for angles, the model length for lengths."""
    root = [] if plan.fixed_base else [plan.length] * 3 + [1.0] * 3
    return np.concatenate([root, np.where(plan.dof_is_slide, plan.length, 1.0)])


def _orthonormal(vectors: Array) -> Array:
    """The first vector with length 1, each other one as well without what those before it span."""
    Q, R = np.linalg.qr(vectors)
    return np.asarray(Q * np.sign(np.diag(R)))


def _diagonal(matrices: Array) -> Array:
    return np.diagonal(matrices, axis1=1, axis2=2)


def _many(result: FitResult) -> FitResult:
    """The result with an axis of frames; its observations have one anyway."""
    if not result.single:
        return result
    return dataclasses.replace(
        result,
        **{field.name: getattr(result, field.name)[None] for field in FIELDS},
        residuals=tuple(each[None] for each in result.residuals),
        outliers=tuple(each[None] for each in result.outliers),
        time=None,
    )


def _frame(result: FitResult, frame: int | None) -> FitResult:
    """One frame of a result."""
    if result.single:
        if frame not in (None, 0):
            raise InvalidArgument("frame", f"the result has one frame, got {frame}")
        return result
    if frame is None or not -len(result) <= frame < len(result):
        raise InvalidArgument("frame", f"expected one of {len(result)} frames, got {frame}")
    return result[int(frame)]
