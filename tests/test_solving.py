"""What all solvers share: options that check themselves."""

import dataclasses
import pickle

import pytest

from pantin.errors import InvalidArgument
from pantin.reaching import ReachOptions
from pantin.solving import SolverOptions, SolverResult, Status

FIELDS = {field.name: field for field in dataclasses.fields(ReachOptions)}


@pytest.mark.parametrize("name", FIELDS)
@pytest.mark.parametrize("value", ["many", float("nan"), float("inf"), -1, -1e-9, [1, 2], True])
def test_values_out_of_a_fields_range_are_refused_by_its_name(name, value):
    with pytest.raises(InvalidArgument, match=f"^{name}: "):
        ReachOptions(**{name: value})


@pytest.mark.parametrize("name", ["max_iterations", "max_starts", "random_seed"])
def test_counts_are_whole(name):
    with pytest.raises(InvalidArgument, match=f"^{name}: expected a whole number"):
        ReachOptions(**{name: 2.5})


def test_only_the_time_limit_may_be_none():
    assert ReachOptions(time_limit_ms=None).time_limit_ms is None
    with pytest.raises(InvalidArgument, match=r"^max_starts: "):
        ReachOptions(max_starts=None)


@pytest.mark.parametrize("field", FIELDS.values(), ids=FIELDS)
def test_every_option_has_a_unit_a_reason_and_a_default_in_range(field):
    assert field.metadata["reason"]
    assert isinstance(field.metadata["unit"], str)
    if field.default is not None:
        assert field.metadata["lower"] <= field.default <= field.metadata["upper"]


def test_options_are_frozen_and_compare_by_value():
    options = ReachOptions(max_starts=5)
    with pytest.raises(dataclasses.FrozenInstanceError):
        options.max_starts = 6
    assert options == ReachOptions(max_starts=5)
    assert len({options, ReachOptions(max_starts=5), ReachOptions()}) == 2
    assert pickle.loads(pickle.dumps(options)) == options
    assert issubclass(ReachOptions, SolverOptions)


def test_the_base_of_results_leaves_the_rest_to_its_solvers():
    class Reached(SolverResult):
        status = Status.REACHED

    assert Reached().success
    with pytest.raises(NotImplementedError):
        Reached().check()
    with pytest.raises(NotImplementedError):
        _ = SolverResult().status
