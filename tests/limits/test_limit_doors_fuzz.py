"""Whatever comes to the doors of limits and barriers is refused by a sentence, or gives rows of numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from limit_cases import placed

import pantin
from pantin.barriers import BodySphericalBarrier, PositionBarrier
from pantin.errors import PantinError
from pantin.kinematics import neutral
from pantin.limits import (
    AccelerationLimit,
    ConfigurationLimit,
    FloatingBaseConfigurationLimit,
    FloatingBaseVelocityLimit,
    VelocityLimit,
)

numbers = st.floats() | st.integers(-3, 20) | st.sampled_from([1e20, 1e300, -0.0, np.inf, np.nan])
anything = st.one_of(
    st.none(),
    st.booleans(),
    numbers,
    st.text(max_size=3),
    st.lists(numbers, max_size=6),
    st.lists(st.lists(numbers, max_size=3), max_size=3),
    st.builds(np.full, st.sampled_from([0, 1, 3, 18, (18, 1), (2, 9)]), numbers),
    st.sampled_from(["trunk", "left_front_foot", ("trunk", "head"), ["head", "tail"], {"trunk"}, object()]),
)


class Rows:
    """A model with what is made of it."""

    def __init__(self):
        self.model = pantin.load("quadruped")
        self.here = placed(self.model, neutral(self.model))


@pytest.fixture(scope="module")
def robot():
    return Rows()


DOORS = {
    "configuration": lambda model, a, b, c: ConfigurationLimit(model, a),
    "velocity": lambda model, a, b, c: VelocityLimit(model, a),
    "acceleration": lambda model, a, b, c: AccelerationLimit(model, a, config_limit_gain=b),
    "acceleration, braking": lambda model, a, b, c: AccelerationLimit(model, 5.0, braking=a),
    "base velocity": FloatingBaseVelocityLimit,
    "base velocity of its frame": lambda model, a, b, c: FloatingBaseVelocityLimit(model, None, a, b),
    "base box": lambda model, a, b, c: FloatingBaseConfigurationLimit(model, lower=a, upper=b),
    "base tilt": lambda model, a, b, c: FloatingBaseConfigurationLimit(model, max_tilt=a, config_limit_gain=b),
    "box": lambda model, a, b, c: PositionBarrier("trunk", p_min=a, p_max=b, gain=c),
    "box of a frame": lambda model, a, b, c: PositionBarrier(a, b, p_max=1.0, safe_displacement_gain=c),
    "distance": lambda model, a, b, c: BodySphericalBarrier(a, b, c),
    "distance of two": lambda model, a, b, c: BodySphericalBarrier(("trunk", "head"), a, b, c),
}


@pytest.mark.parametrize("door", DOORS)
@given(first=anything, second=anything, third=anything, dt=anything | st.just(0.01))
def test_doors_refuse_by_a_sentence_or_give_rows(robot, door, first, second, third, dt):
    try:
        limit = DOORS[door](robot.model, first, second, third)
        rows = limit.compute_qp_inequalities(robot.here, dt)
    except PantinError:
        return
    if rows is not None:
        G, h = rows
        assert G.shape == (len(h), robot.model.nv)
        assert not np.isnan(G).any()
        assert not np.isnan(h).any()
