"""What comes through the door is a finite float64 array of the right shape, or an error names it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra import numpy as hnp

from pantin import arrays
from pantin.errors import InvalidArgument

NUMBERS = np.array([1.5, -2.0, 3.25, 0.0])

#: The same numbers, each in another dress.
DRESSES = {
    "list": NUMBERS.tolist(),
    "tuple": tuple(NUMBERS),
    "list of NumPy numbers": list(NUMBERS),
    "range of arrays": [np.array(x) for x in NUMBERS],
    "float32": NUMBERS.astype(np.float32),
    "float16": NUMBERS.astype(np.float16),
    "longdouble": NUMBERS.astype(np.longdouble),
    "big-endian": NUMBERS.astype(">f8"),
    "big-endian float32": NUMBERS.astype(">f4"),
    "strided": np.repeat(NUMBERS, 3)[::3],
    "reversed": NUMBERS[::-1].copy()[::-1],
    "column": np.asfortranarray(np.column_stack([NUMBERS, NUMBERS]))[:, 0],
    "row of a Fortran matrix": np.asfortranarray(np.vstack([NUMBERS, NUMBERS]))[0],
    "read-only": np.frombuffer(NUMBERS.tobytes()),
    "misaligned": np.frombuffer(b"x" + NUMBERS.tobytes(), dtype=np.uint8)[1:].view(np.float64),
    "field of a record": np.array([(x, 1) for x in NUMBERS], dtype=[("x", "f8"), ("y", "i1")])["x"],
    "subclass": NUMBERS.view(type("Mine", (np.ndarray,), {})),
    "masked without a mask": np.ma.masked_array(NUMBERS),
    "memoryview": memoryview(NUMBERS),
    "__array__": type("Has", (), {"__array__": lambda self, dtype=None, copy=None: NUMBERS})(),
}

#: Integers that stand for numbers.
INTEGERS = {
    "int": [1, -2, 3, 0],
    **{kind: np.array([1, 2, 3, 0], dtype=kind) for kind in ("i1", "u1", "i2", "i4", "i8", "u8", ">i4", ">u2")},
}

REFUSED = {
    "None": None,
    "text": "1, 2, 3",
    "bytes": b"1234",
    "texts": ["1", "2", "3", "4"],
    "booleans": [True, False, True, False],
    "boolean array": np.array([True, False, True, False]),
    "complex": [1j, 0, 0, 0],
    "objects": np.array(NUMBERS, dtype=object),
    "huge integers": [2**70, 1, 2, 3],
    "dates": np.array(["2020-01-01"] * 4, dtype="datetime64[D]"),
    "durations": np.array([1, 2, 3, 4], dtype="timedelta64[s]"),
    "records": np.zeros(4, dtype=[("x", "f8")]),
    "ragged": [[1, 2], [3]],
    "nested None": [1.0, None, 2.0, 3.0],
    "dictionary": {"a": 1},
    "set": {1.0, 2.0},
    "generator": (x for x in (1.0, 2.0, 3.0, 4.0)),
    "type": float,
    "NaN": [0.0, np.nan, 0.0, 0.0],
    "infinity": [0.0, 0.0, -np.inf, 0.0],
    "overflow of a long double": np.array([np.longdouble("1e4000"), 0, 0, 0]),
    "overflowing square": [1e200, 0.0, 0.0, 0.0],
    "masked": np.ma.masked_array(NUMBERS, mask=[False, True, False, False]),
}


@pytest.mark.parametrize("value", DRESSES.values(), ids=DRESSES)
def test_numbers_in_any_dress_are_the_same_numbers(value):
    for result in (arrays.array("x", value), arrays.vector("x", value, 4), arrays.batch("x", value, 4)):
        np.testing.assert_array_equal(result, NUMBERS)
        assert type(result) is np.ndarray
        assert result.dtype == np.float64
        assert result.dtype.isnative
        assert result.flags.c_contiguous
        assert result.flags.aligned


@pytest.mark.parametrize("value", INTEGERS.values(), ids=INTEGERS)
def test_integers_are_numbers(value):
    result = arrays.vector("x", value, 4)
    assert result.dtype == np.float64
    np.testing.assert_array_equal(result, np.array(value, dtype=float))


@pytest.mark.filterwarnings("ignore:overflow encountered in cast")
@pytest.mark.parametrize("value", REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize(
    "check", [arrays.array, lambda n, v: arrays.vector(n, v, 4), lambda n, v: arrays.batch(n, v, 4)]
)
def test_what_is_not_finite_numbers_is_refused_by_name(check, value):
    with pytest.raises(InvalidArgument, match=r"^arm: ") as error:
        check("arm", value)
    assert error.value.argument == "arm"


def test_plain_arrays_are_not_copied():
    assert arrays.array("x", NUMBERS) is NUMBERS
    assert arrays.vector("x", NUMBERS, 4) is NUMBERS


def test_errors_say_where():
    value = np.zeros((2, 3))
    value[1, 2] = np.nan
    with pytest.raises(InvalidArgument, match=r"x: expected finite numbers, got nan at index \[1, 2\]"):
        arrays.array("x", value)
    with pytest.raises(InvalidArgument, match=r"x: expected finite numbers, got inf$"):
        arrays.array("x", np.inf)
    with pytest.raises(InvalidArgument, match=r"x: expected numbers up to 1e\+150, got -1e\+151 at index \[0\]"):
        arrays.array("x", [-1e151])


def test_infinity_passes_where_it_is_asked_for():
    np.testing.assert_array_equal(arrays.vector("limit", [np.inf, -np.inf], 2, finite=False), [np.inf, -np.inf])


@pytest.mark.parametrize(
    ("value", "size"), [([[1, 2, 3]], 3), ([[1], [2], [3]], 3), ([[[1, 2, 3]]], 3), ([], 0), ([[5.0]], 1)]
)
def test_rows_and_columns_are_vectors(value, size):
    np.testing.assert_array_equal(arrays.vector("x", value, size), np.ravel(value))


@pytest.mark.parametrize(("value", "size"), [([1, 2], 3), (np.eye(2), 4), (np.zeros((2, 3)), 6), (1.0, 1), ([], 1)])
def test_vectors_of_another_size_are_refused(value, size):
    with pytest.raises(InvalidArgument, match=f"x: expected {size} numbers, got shape"):
        arrays.vector("x", value, size)


def test_batches_keep_leading_axes():
    for leading in ((), (0,), (2,), (2, 0, 3), (1, 1)):
        assert arrays.batch("x", np.zeros((*leading, 4, 4)), 4, 4).shape == (*leading, 4, 4)
    for shape in ((4,), (4, 5), (4, 4, 1), ()):
        with pytest.raises(InvalidArgument, match=r"expected shape \(\.\.\., 4, 4\)"):
            arrays.batch("x", np.zeros(shape), 4, 4)


@given(hnp.arrays(hnp.floating_dtypes() | hnp.integer_dtypes(), hnp.array_shapes(min_dims=0, max_dims=3, min_side=0)))
def test_any_array_of_numbers_comes_through_or_is_refused(value):
    with np.errstate(over="ignore"):
        expected = value.astype(np.float64)
    if (np.abs(expected) <= arrays.LARGEST).all():
        result = arrays.array("x", value)
        np.testing.assert_array_equal(result, expected)
        assert result.shape == value.shape
    else:
        with pytest.raises(InvalidArgument, match=r"^x: "):
            arrays.array("x", value)


# -- outputs ----------------------------------------------------------------------------------------------------


class Mine(np.ndarray):
    """A subclass of arrays."""


def test_results_go_into_the_array_that_was_given(tmp_path):
    for out in (np.empty((2, 3)), np.empty((2, 3)).view(Mine), np.memmap(tmp_path / "o", float, "w+", shape=(2, 3))):
        assert arrays.output("out", out, (2, 3)) is out


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([[0.0] * 3] * 2, "a NumPy array to fill, got a list"),
        (None, "a NumPy array"),
        (np.empty((3, 2)), "shape"),
        (np.empty(6), "shape"),
        (np.empty((2, 3), dtype=np.float32), "native float64"),
        (np.empty((2, 3), dtype=">f8"), "native float64"),
        (np.empty((2, 3), dtype=int), "native float64"),
        (np.empty((2, 3), dtype=object), "native float64"),
        (np.asfortranarray(np.empty((2, 3))), "C-ordered"),
        (np.empty((2, 6))[:, ::2], "C-ordered"),
        (np.broadcast_to(0.0, (2, 3)), "writable"),
        (np.frombuffer(bytes(48)).reshape(2, 3), "writable"),
        (np.frombuffer(bytearray(49), dtype=np.uint8)[1:].view(float).reshape(2, 3), "aligned"),
    ],
)
def test_arrays_that_cannot_be_filled_are_refused(value, message):
    with pytest.raises(InvalidArgument, match=f"out: expected .*{message}"):
        arrays.output("out", value, (2, 3))


def test_values_that_a_result_would_overwrite_are_copied():
    memory = np.arange(10.0)
    assert arrays.apart(memory[:4], memory[5:]) is not memory  # a view, not copied
    assert np.shares_memory(arrays.apart(memory[:4], memory[5:]), memory)
    assert not np.shares_memory(arrays.apart(memory[:4], memory[2:8]), memory)


# -- numbers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [3, 3.0, np.float32(3), np.int8(3), np.array(3.0), [3.0], np.array([[3]])])
def test_one_number_in_any_dress(value):
    result = arrays.scalar("x", value)
    assert result == 3.0
    assert type(result) is float


@pytest.mark.parametrize("value", [None, "3", True, np.nan, np.inf, [1, 2], [], 3j, object(), 1e200])
def test_what_is_not_one_number_is_refused(value):
    with pytest.raises(InvalidArgument, match=r"^x: "):
        arrays.scalar("x", value)


def test_numbers_out_of_range_are_refused():
    assert arrays.scalar("x", 1.0, lower=1.0, upper=1.0) == 1.0
    with pytest.raises(InvalidArgument, match=r"x: expected a number in \[0, 1\], got 2"):
        arrays.scalar("x", 2, lower=0.0, upper=1.0)


@pytest.mark.parametrize("value", [3, np.int64(3), np.uint8(3)])
def test_whole_numbers_count(value):
    result = arrays.count("n", value)
    assert result == 3
    assert type(result) is int


@pytest.mark.parametrize("value", [True, 3.0, "3", None, np.float64(3), [3], -1, 2**31])
def test_what_does_not_count_is_refused(value):
    with pytest.raises(InvalidArgument, match=r"n: expected a whole number"):
        arrays.count("n", value)


@pytest.mark.parametrize("value", [np.eye(3), np.eye(3).tolist(), np.eye(3, dtype=int), (1 + 1e-4) * np.eye(3)])
def test_rotations_come_through(value):
    np.testing.assert_array_equal(arrays.rotation("R", value), value)


def test_homogeneous_matrices_come_apart():
    matrix = np.eye(4)
    matrix[:3, 3] = [1, 2, 3]
    R, p = arrays.rotation_and_translation(matrix)
    np.testing.assert_array_equal(R, np.eye(3))
    np.testing.assert_array_equal(p, [1, 2, 3])
    matrix[3, 0] = 1e-6
    with pytest.raises(InvalidArgument, match="last row"):
        arrays.rotation_and_translation(matrix)
