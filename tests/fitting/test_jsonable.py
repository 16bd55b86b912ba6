"""Options come back from JSON as they went in, to the last bit."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays, floating_dtypes, integer_dtypes

from pantin.fitting.jsonable import LONGEST_LIST, decoded, encoded
from pantin.fitting.options import FitOptions


def through_json(value):
    """What JSON without extensions makes of a value."""
    return decoded(json.loads(json.dumps(encoded(value), allow_nan=False)))


@given(arrays(st.one_of(floating_dtypes(endianness="="), integer_dtypes(endianness="=")), array_shapes(min_dims=0)))
def test_arrays_keep_their_bits(array):
    again = through_json(array)
    assert (again.dtype, again.shape) == (array.dtype, array.shape)
    assert again.tobytes() == array.tobytes()
    assert again.flags.writeable


@pytest.mark.parametrize("size", [LONGEST_LIST, LONGEST_LIST + 1])
def test_long_arrays_are_written_as_bytes(size):
    array = np.sqrt(np.arange(size))
    assert ("base64" in encoded(array)) == (size > LONGEST_LIST)
    assert np.array_equal(through_json(array), array)


def test_options_come_back():
    options = FitOptions(loss="huber", neutral_weight=0.1, lock=("a", "b"), prescribe={"c": np.linspace(0, 1, 1000)})
    again = FitOptions(**through_json(options))
    assert encoded(again) == encoded(options)
    assert np.array_equal(again.prescribe["c"], options.prescribe["c"])


@pytest.mark.parametrize(
    "broken",
    [
        {"dtype": "|O", "shape": [1], "values": [1]},
        {"dtype": "nonsense", "shape": [1], "values": [1]},
        {"dtype": "<f8", "shape": [2], "values": [1.0]},
        {"dtype": "<f8", "shape": "2", "values": [1.0, 2.0]},
        {"dtype": "<f8", "shape": [1], "base64": "?"},
        {"dtype": "<f8", "shape": [1], "base64": "AAAA"},
        {"dtype": "<f8", "shape": [10**18], "base64": ""},
        {"dtype": "<f8", "shape": [1], "values": [None, {}]},
    ],
)
def test_arrays_that_are_none_are_refused(broken):
    with pytest.raises(ValueError, match=r"array|numbers|reshape|size"):
        decoded(broken)
