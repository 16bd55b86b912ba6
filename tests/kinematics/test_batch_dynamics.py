"""A batch of dynamics is the loop over it, at every level and on any number of threads."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from dynamic_cases import ROUNDING, TREES, close

import pantin.kinematics as pt
from pantin import _core
from pantin.errors import InvalidArgument


@functools.cache
def rows(name, n=11):
    """A tree with n states of it: more than a pack, and not a whole number of packs."""
    model = TREES[name]()
    random = np.random.default_rng(9)
    q = np.array([pt.random_configuration(model, random) for _ in range(n)])
    v, a = random.normal(size=(2, n, model.nv))
    return model, q, v, a, random.normal(size=(n, model.njoints, 6))


@pytest.mark.parametrize("name", TREES)
def test_a_batch_is_the_loop(name):
    model, q, v, a, forces = rows(name)
    data = model.create_data()
    torques = [pt.rnea(model, data, *state) for state in zip(q, v, a, strict=True)]
    close(pt.batch.rnea(model, q, v, a), torques)
    forced = [pt.rnea(model, data, *state) for state in zip(q, v, a, forces, strict=True)]
    close(pt.batch.rnea(model, q, v, a, forces), forced)
    close(pt.batch.crba(model, q), [pt.crba(model, data, each) for each in q])
    fall = [pt.aba(model, data, *state) for state in zip(q, v, a, strict=True)]
    close(pt.batch.aba(model, q, v, a), fall, 1e-9)
    close(pt.batch.aba(model, q, v, pt.batch.rnea(model, q, v, a, forces), forces), a, 1e-9)


@pytest.mark.parametrize("threads", [2, 3, 7])
@pytest.mark.parametrize("name", ["every kind", "mimics"])
def test_threads_change_no_bit(name, threads):
    model, q, v, a, forces = rows(name, 53)
    for call in (
        lambda n: pt.batch.rnea(model, q, v, a, forces, threads=n),
        lambda n: pt.batch.aba(model, q, v, a, forces, threads=n),
        lambda n: pt.batch.crba(model, q, threads=n),
    ):
        np.testing.assert_array_equal(call(threads), call(1))


def test_leading_axes_are_kept_and_broadcast():
    model, q, v, a, forces = rows("arm", 12)
    grid = q.reshape(3, 4, model.nq)
    torques = pt.batch.rnea(model, grid, v[0], a[:4], forces[0])
    assert torques.shape == (3, 4, model.nv)
    single = pt.batch.rnea(model, grid[1, 2], v[0], a[2], forces[0])
    assert single.shape == (model.nv,)
    close(torques[1, 2], single)
    assert pt.batch.crba(model, q[0]).shape == (model.nv, model.nv)
    assert pt.batch.aba(model, q[:0], v[:0], a[:0]).shape == (0, model.nv)
    with pytest.raises(InvalidArgument, match="tau"):
        pt.batch.aba(model, q, v, a[:5])
    with pytest.raises(InvalidArgument, match="fext"):
        pt.batch.rnea(model, q, v, a, forces[:, 1:])


def test_batches_fill_what_they_are_given():
    model, q, v, a, _ = rows("arm", 12)
    out, matrix = np.empty((12, model.nv)), np.full((12, model.nv, model.nv), np.nan)
    assert pt.batch.rnea(model, q, v, a, out=out) is out
    np.testing.assert_array_equal(out, pt.batch.rnea(model, q, v, a))
    assert pt.batch.crba(model, q, out=matrix) is matrix
    np.testing.assert_array_equal(matrix, pt.batch.crba(model, q))
    expected = pt.batch.aba(model, q, v, a)
    assert pt.batch.aba(model, q, v, out, out=out) is out  # torques overwritten by the accelerations they produce
    close(out, a, 1e-9)
    taken = a.copy()
    pt.batch.aba(model, q, v, taken, out=taken)
    np.testing.assert_array_equal(taken, expected)
    with pytest.raises(InvalidArgument, match="out"):
        pt.batch.crba(model, q, out=np.zeros((12, 2, 2)))


@pytest.fixture
def at_level():
    yield _core.set_level
    _core.set_level("")


@pytest.mark.parametrize("name", ["every kind", "mimics"])
def test_levels_agree(name, at_level):
    model, q, v, a, forces = rows(name)
    data = model.create_data()

    def results():
        yield pt.batch.rnea(model, q, v, a, forces), ROUNDING
        yield pt.batch.crba(model, q), ROUNDING
        yield pt.batch.aba(model, q, v, a, forces), 1e-9
        yield pt.rnea(model, data, q[0], v[0], a[0], forces[0]), ROUNDING
        yield pt.crba(model, data, q[0]), ROUNDING
        yield pt.aba(model, data, q[0], v[0], a[0], forces[0]), 1e-9
        yield pt.ccrba(model, data, q[0], v[0]), ROUNDING
        yield np.array(pt.compute_mechanical_energy(model, data, q[0], v[0])), ROUNDING

    at_level("generic")
    plain = list(results())
    reached = ["generic"]
    for level in ("v2", "v3", "v4"):
        try:
            at_level(level)
        except ImportError:
            continue  # not built, or not this processor's
        reached.append(_core.level())
        for (mine, tolerance), (other, _) in zip(results(), plain, strict=True):
            close(mine, other, tolerance)
    assert len(reached) > 1
