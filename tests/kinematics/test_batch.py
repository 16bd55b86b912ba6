"""Batches equal loops: for any leading axes, any number of threads, into any array, and row by row."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pantin.kinematics as pt
from lie_samples import turns, twists
from models import arm, configuration, every_kind, mimic_tree, random_tree
from pantin.errors import InvalidArgument, UnknownFrame
from pantin.kinematics import ReferenceFrame, batch

MODELS = {"arm": arm, "every kind": every_kind, "mimics": mimic_tree, "ball": lambda: random_tree(["ball"], 4)}

#: Packs and single numbers differ by a few roundings; chains have some twenty joints of a metre.
ROUNDING = 1e-13

SIZES = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33]
AXES = [(), (1,), (0,), (2, 3), (2, 0, 3), (1, 1, 5)]


class Samples:
    """Configurations and displacements with given leading axes."""

    def __init__(self, model, leading, seed=0):
        count = int(np.prod(leading, dtype=int))
        random = np.random.default_rng(seed)
        rows = [configuration(model, random) for _ in range(count)]
        others = [configuration(model, random) for _ in range(count)]
        self.q = np.array(rows).reshape(*leading, model.nq)
        self.q1 = np.array(others).reshape(*leading, model.nq)
        self.v = random.normal(size=(*leading, model.nv))


def frame_of(model):
    return model.nframes - 1


def single_placement(model, q):
    data = model.create_data()
    pt.frames_forward_kinematics(model, data, q)
    return data.oMf[frame_of(model)].homogeneous


def single_jacobian(reference, model, q):
    return pt.compute_frame_jacobian(model, model.create_data(), q, frame_of(model), reference)


#: For each function: how a batch is computed, how one row is, and its trailing shape.
FUNCTIONS = {
    "frame_placements": (
        lambda m, s, **how: batch.frame_placements(m, frame_of(m), s.q, **how),
        lambda m, q, q1, v: single_placement(m, q),
        lambda m: (4, 4),
    ),
    **{
        f"frame_jacobians {reference.name}": (
            functools.partial(
                lambda reference, m, s, **how: batch.frame_jacobians(m, frame_of(m), s.q, reference, **how), reference
            ),
            functools.partial(lambda reference, m, q, q1, v: single_jacobian(reference, m, q), reference),
            lambda m: (6, m.nv),
        )
        for reference in ReferenceFrame
    },
    "center_of_mass": (
        lambda m, s, **how: batch.center_of_mass(m, s.q, **how),
        lambda m, q, q1, v: pt.center_of_mass(m, m.create_data(), q),
        lambda m: (3,),
    ),
    "integrate": (
        lambda m, s, **how: batch.integrate(m, s.q, s.v, **how),
        lambda m, q, q1, v: pt.integrate(m, q, v),
        lambda m: (m.nq,),
    ),
    "difference": (
        lambda m, s, **how: batch.difference(m, s.q, s.q1, **how),
        lambda m, q, q1, v: pt.difference(m, q, q1),
        lambda m: (m.nv,),
    ),
}


@functools.cache
def made(name):
    """One of the models; tests leave it as it is."""
    return MODELS[name]()


@pytest.fixture(params=MODELS)
def model(request):
    return made(request.param)


@pytest.fixture(params=FUNCTIONS.values(), ids=FUNCTIONS)
def function(request):
    return request.param


def test_batches_equal_loops(model, function):
    many, one, trailing = function
    for leading in [*((n,) for n in SIZES), *AXES]:
        samples = Samples(model, leading)
        result = many(model, samples)
        assert result.shape == (*leading, *trailing(model))
        for index in np.ndindex(leading):
            expected = one(model, samples.q[index], samples.q1[index], samples.v[index])
            np.testing.assert_allclose(result[index], expected, rtol=0, atol=ROUNDING, err_msg=f"{leading} {index}")


def test_threads_give_the_same_bits(model, function):
    many, _, _ = function
    for size in SIZES:
        samples = Samples(model, (size,))
        expected = many(model, samples)
        for threads in (2, 3, 8, 64):
            np.testing.assert_array_equal(many(model, samples, threads=threads), expected, f"{size} on {threads}")


def test_a_row_does_not_depend_on_its_neighbours():
    model = arm()
    random = np.random.default_rng(0)
    q = random.normal(size=(40, 7))
    expected = batch.frame_placements(model, -1 % model.nframes, q)
    # angles so large that the C library takes over, next to ordinary ones
    for row in (0, 3, 17, 39):
        other = q.copy()
        other[row] = 1e12 * random.normal(size=7)
        result = batch.frame_placements(model, model.nframes - 1, other)
        np.testing.assert_array_equal(np.delete(result, row, 0), np.delete(expected, row, 0))
        np.testing.assert_allclose(result[row], single_placement(model, other[row]), atol=ROUNDING)


def test_the_place_in_a_batch_does_not_matter(model, function):
    many, _, _ = function
    samples = Samples(model, (16,))
    expected = many(model, samples)
    order = np.random.default_rng(1).permutation(16)
    samples.q, samples.q1, samples.v = samples.q[order], samples.q1[order], samples.v[order]
    np.testing.assert_array_equal(many(model, samples), expected[order])


# -- results in arrays that are given -----------------------------------------------------------------------------


class Mine(np.ndarray):
    """A subclass of arrays."""


def test_results_go_into_the_given_array(model, function, tmp_path):
    many, _, trailing = function
    samples = Samples(model, (9,))
    expected = many(model, samples)
    shape = (9, *trailing(model))
    memory = np.full(expected.size + 8, np.nan)
    outs = {
        "plain": np.full(shape, np.nan),
        "subclass": np.full(shape, np.nan).view(Mine),
        "file": np.memmap(tmp_path / "out", float, "w+", shape=shape),
        # at each place within a cache line
        **{f"offset {k}": memory[k : k + expected.size].reshape(shape) for k in range(8)},
    }
    for name, out in outs.items():
        memory[:] = np.nan
        assert many(model, samples, out=out, threads=2) is out, name
        np.testing.assert_array_equal(out, expected, err_msg=name)
        if name.startswith("offset"):
            assert np.isnan(memory).sum() == 8  # and not a number beside it


def test_long_results_are_written_like_short_ones():
    # beyond the caches whole cache lines are written at once
    model = arm()
    rows = 2**20 // 42 + 11
    q = np.random.default_rng(0).normal(size=(rows, 7))
    parts = [batch.frame_jacobians(model, 5, part) for part in np.array_split(q, 7)]
    expected = np.concatenate(parts)
    memory = np.empty(expected.size + 16)
    for offset in (0, 1, 5):
        for threads in (1, 2):
            memory[:] = np.nan
            out = memory[offset : offset + expected.size].reshape(expected.shape)
            batch.frame_jacobians(model, 5, q, out=out, threads=threads)
            np.testing.assert_array_equal(out, expected)
            assert np.isnan(memory).sum() == 16


@pytest.mark.parametrize(
    "out",
    [
        np.empty((9, 4, 5)),
        np.empty((8, 4, 4)),
        np.empty((9, 16)),
        np.empty((9, 4, 4), dtype=np.float32),
        np.empty((9, 4, 4), dtype=">f8"),
        np.empty((9, 4, 8))[:, :, ::2],
        np.asfortranarray(np.empty((9, 4, 4))),
        np.broadcast_to(0.0, (9, 4, 4)),
        np.frombuffer(bytearray(9 * 128 + 1), dtype=np.uint8)[1:].view(float).reshape(9, 4, 4),
        [[[0.0]]],
        "out",
    ],
)
def test_arrays_that_cannot_be_filled_are_refused(out):
    model = arm()
    with pytest.raises(InvalidArgument, match=r"^out: "):
        batch.frame_placements(model, 1, np.zeros((9, 7)), out=out)


def test_results_may_overwrite_arguments():
    model = every_kind()
    samples = Samples(model, (20,))
    expected = batch.integrate(model, samples.q, samples.v)
    q = samples.q.copy()
    assert batch.integrate(model, q, samples.v, out=q) is q
    np.testing.assert_array_equal(q, expected)
    # also where they overlap in part
    memory = np.zeros((21, model.nq))
    memory[1:] = samples.q
    result = batch.integrate(model, memory[1:], samples.v, out=memory[:-1])
    np.testing.assert_array_equal(result, expected)
    memory = np.zeros(20 * 16 + 20 * model.nq)
    q = memory[100 : 100 + 20 * model.nq].reshape(20, model.nq)
    q[:] = samples.q
    placements = batch.frame_placements(model, 3, samples.q)
    np.testing.assert_array_equal(
        batch.frame_placements(model, 3, q, out=memory[: 20 * 16].reshape(20, 4, 4)), placements
    )


# -- arguments in any dress ---------------------------------------------------------------------------------------

DRESSES = {
    "list": lambda x: x.tolist(),
    "strided": lambda x: np.repeat(x, 2, axis=0)[::2],
    "reversed": lambda x: x[::-1].copy()[::-1],
    "transposed": np.asfortranarray,
    "columns": lambda x: np.concatenate([x, x], axis=-1)[..., : x.shape[-1]],
    "big-endian": lambda x: x.astype(">f8"),
    "read-only": lambda x: np.frombuffer(x.tobytes()).reshape(x.shape),
    "misaligned": lambda x: np.frombuffer(b"x" + x.tobytes(), np.uint8)[1:].view(float).reshape(x.shape),
    "subclass": lambda x: x.view(Mine),
    "longdouble": lambda x: x.astype(np.longdouble),
}


def test_arguments_in_any_dress_give_the_same_bits(model, function):
    many, _, _ = function
    expected = many(model, Samples(model, (2, 5)))
    for name, dress in DRESSES.items():
        samples = Samples(model, (2, 5))
        samples.q, samples.q1, samples.v = dress(samples.q), dress(samples.q1), dress(samples.v)
        np.testing.assert_array_equal(many(model, samples), expected, name)


def test_arguments_stay_as_they_are(model, function):
    many, _, _ = function
    samples = Samples(model, (17,))
    before = samples.q.copy(), samples.q1.copy(), samples.v.copy()
    for each in (samples.q, samples.q1, samples.v):
        each.setflags(write=False)
    many(model, samples)
    for each, copy in zip((samples.q, samples.q1, samples.v), before, strict=True):
        np.testing.assert_array_equal(each, copy)


def test_integers_and_single_precision_are_numbers():
    model = arm()
    whole = np.arange(14).reshape(2, 7) % 3
    expected = batch.frame_placements(model, 4, whole.astype(float))
    for same in (whole, whole.astype(np.float32), whole.astype(np.int8), whole.tolist()):
        np.testing.assert_array_equal(batch.frame_placements(model, 4, same), expected)


def test_leading_axes_broadcast():
    model = every_kind()
    samples = Samples(model, (3, 4))
    one = samples.q[0, 0]
    expected = np.array([[pt.integrate(model, one, v) for v in row] for row in samples.v])
    np.testing.assert_allclose(batch.integrate(model, one, samples.v), expected, atol=ROUNDING)
    expected = np.array([[pt.difference(model, a, b) for b in samples.q[0]] for a in samples.q[:, 0]])
    result = batch.difference(model, samples.q[:, :1], samples.q[0])
    np.testing.assert_allclose(result, expected, atol=ROUNDING)
    with pytest.raises(InvalidArgument, match="v: leading axes"):
        batch.integrate(model, samples.q, samples.v[:2])


def test_frames_go_by_index_or_name():
    model = arm()
    q = np.zeros((2, 7))
    name = model.frames[4].name
    for function in (batch.frame_placements, batch.frame_jacobians):
        np.testing.assert_array_equal(function(model, name, q), function(model, np.int64(4), q))
        for wrong in ("nowhere", 99, -1, True, None, 1.0, 10**30):
            with pytest.raises(UnknownFrame):
                function(model, wrong, q)


@pytest.mark.parametrize("wrong", [3, -1, 10**30, True, "LOCAL", None, 1.0])
def test_reference_frames_are_one_of_three(wrong):
    with pytest.raises(InvalidArgument, match="reference_frame"):
        batch.frame_jacobians(arm(), 1, np.zeros(7), wrong)


@pytest.mark.parametrize("wrong", [0, -1, 1025, 1.0, "2", None, True, 10**30])
def test_threads_are_counted(wrong):
    model = arm()
    for call in (
        lambda: batch.frame_placements(model, 1, np.zeros(7), threads=wrong),
        lambda: batch.frame_jacobians(model, 1, np.zeros(7), threads=wrong),
        lambda: batch.center_of_mass(model, np.zeros(7), threads=wrong),
        lambda: batch.integrate(model, np.zeros(7), np.zeros(7), threads=wrong),
        lambda: batch.difference(model, np.zeros(7), np.zeros(7), threads=wrong),
    ):
        with pytest.raises(InvalidArgument, match=r"^threads: "):
            call()


@pytest.mark.parametrize(
    "wrong", [np.zeros(6), np.zeros((7, 2)), 0.0, None, "q", [[0.0] * 7, [0.0]], np.zeros((2, 7), bool)]
)
def test_arrays_of_another_shape_are_refused_by_name(wrong):
    model = arm()
    q = np.zeros((2, 7))
    for call, name in (
        (lambda: batch.frame_placements(model, 1, wrong), "q"),
        (lambda: batch.frame_jacobians(model, 1, wrong), "q"),
        (lambda: batch.center_of_mass(model, wrong), "q"),
        (lambda: batch.integrate(model, wrong, q), "q"),
        (lambda: batch.integrate(model, q, wrong), "v"),
        (lambda: batch.difference(model, wrong, q), "q0"),
        (lambda: batch.difference(model, q, wrong), "q1"),
    ):
        with pytest.raises(InvalidArgument, match=f"^{name}: "):
            call()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e200])
def test_one_bad_number_is_refused_with_its_place(bad):
    model = arm()
    q = np.zeros((3, 2, 7))
    q[2, 1, 5] = bad
    with pytest.raises(InvalidArgument, match=r"q: expected .* at index \[2, 1, 5\]"):
        batch.frame_placements(model, 1, q)


@pytest.mark.parametrize("kind", ["RUBX", "ball", "planar", "free"])
def test_rotations_that_are_not_unit_are_refused_with_their_place(kind):
    model = random_tree(["RX", kind], 0)
    q = np.tile(pt.neutral(model), (2, 3, 1))
    q[1, 2, -1] += 0.5
    entry = model.nq - {"RUBX": 2, "ball": 4, "planar": 2, "free": 4}[kind]
    for call in (
        lambda: batch.frame_placements(model, 1, q),
        lambda: batch.integrate(model, q, np.zeros(model.nv)),
        lambda: batch.difference(model, q[0], q),
    ):
        with pytest.raises(InvalidArgument, match=rf"entry {entry} of configuration \(1, 2\).*normalize"):
            call()


def test_what_is_not_a_model_is_a_type_error():
    for wrong in (None, 3, arm().create_data()):
        with pytest.raises(TypeError, match="model"):
            batch.center_of_mass(wrong, np.zeros(7))


@given(st.integers(0, 40), st.integers(1, 70))
def test_any_size_on_any_number_of_threads(size, threads):
    model = random_tree(["RX", "PY"], 0)
    q = np.random.default_rng(size).normal(size=(size, 2))
    result = batch.frame_placements(model, 2, q, threads=threads)
    np.testing.assert_array_equal(result, batch.frame_placements(model, 2, q))


# -- rotations and poses ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("leading", [(), (0,), (1,), (2, 3), (17,)])
def test_exponentials_and_logarithms_equal_single_ones(leading):
    count = int(np.prod(leading, dtype=int))
    w = np.array(turns(0)[:count]).reshape(*leading, 3)
    nu = np.array(twists(0)[5 : 5 + count]).reshape(*leading, 6)
    R, M = batch.exp3(w), batch.exp6(nu)
    assert R.shape == (*leading, 3, 3)
    assert M.shape == (*leading, 4, 4)
    assert batch.log3(R).shape == w.shape
    assert batch.log6(M).shape == nu.shape
    for index in np.ndindex(leading):
        np.testing.assert_array_equal(R[index], pt.exp3(w[index]))
        np.testing.assert_array_equal(M[index], pt.exp6(nu[index]).homogeneous)
        np.testing.assert_array_equal(batch.log3(R)[index], pt.log3(R[index]))
        np.testing.assert_array_equal(batch.log6(M)[index], pt.log6(M[index]).vector)


def test_what_is_not_a_rotation_or_pose_is_refused_with_its_place():
    R = np.tile(np.eye(3), (2, 3, 1, 1))
    R[1, 2] *= 2.0
    with pytest.raises(InvalidArgument, match=r"R: the matrix at \(1, 2\) is not a rotation"):
        batch.log3(R)
    R[1, 2] = -np.eye(3)
    with pytest.raises(InvalidArgument, match="R: "):
        batch.log3(R)
    M = np.tile(np.eye(4), (3, 1, 1))
    M[1, 3, 0] = 5.0
    with pytest.raises(InvalidArgument, match="M: "):
        batch.log6(M)
    for call, name in (
        (lambda: batch.exp3([1.0, 2.0]), "w"),
        (lambda: batch.exp6(np.full(6, np.nan)), "nu"),
        (lambda: batch.log3(np.eye(4)), "R"),
        (lambda: batch.log6(None), "M"),
    ):
        with pytest.raises(InvalidArgument, match=f"^{name}: "):
            call()


def test_a_model_without_joints_has_batches_too():
    model = pt.Model()
    model.add_body_frame("body", 0, ([1, 2, 3], [0, 0, 0, 1]))
    q = np.zeros((5, 0))
    np.testing.assert_array_equal(batch.frame_placements(model, 1, q)[:, :3, 3], np.tile([1, 2, 3], (5, 1)))
    assert batch.frame_jacobians(model, 1, q).shape == (5, 6, 0)
    np.testing.assert_array_equal(batch.center_of_mass(model, q), np.zeros((5, 3)))
    assert batch.integrate(model, q, q).shape == (5, 0)
    assert batch.difference(model, q, q).shape == (5, 0)
