"""What a step gives is the caller's: later steps leave it as it is, whatever was done with it."""

import numpy as np
import pytest

import pantin
from pantin.configuration import Configuration
from pantin.tasks import FrameTask


@pytest.fixture
def stepped():
    """A function that steps, and its configuration."""
    model = pantin.load("panda")
    configuration = Configuration(model, model.create_data(), np.array([0, -0.5, 0, -2, 0, 1.5, 0]))
    hand = FrameTask("panda_hand", 1.0, 1.0, gain=0.1)
    hand.set_target_from_configuration(configuration)
    hand.transform_target_to_world.translation[:] += [0.1, -0.2, 0.1]
    ik = pantin.DifferentialIK(model, [hand])
    return lambda: ik.step(configuration, 0.01), configuration


def test_what_is_kept_stays(stepped):
    step, configuration = stepped
    keepers = [
        lambda v: v,
        lambda v: v[2:],
        lambda v: v.reshape(1, 7).T,
        memoryview,
        lambda v: configuration.q,
        lambda v: configuration.q[::2],
        lambda v: (v, configuration.q),
    ]
    kept = [keep(step()) for _ in range(5) for keep in keepers]
    copies = [np.array(one) for one in kept]
    for _ in range(10):
        step()
    for one, copy in zip(kept, copies, strict=True):
        np.testing.assert_array_equal(one, copy)


def test_what_is_dropped_was_only_lent_its_shape(stepped):
    step, configuration = stepped
    reference = Configuration(configuration.model, configuration.model.create_data(), configuration.q)
    for spoil in (
        lambda v: setattr(v, "shape", (7, 1)),
        lambda v: setattr(v.flags, "writeable", False),
        lambda v: v.fill(np.nan),
        lambda v: setattr(v, "dtype", np.int64),
        lambda v: None,
    ):
        v = step()
        reference.integrate_inplace(v.copy(), 0.01)
        assert v.shape == (7,)
        assert v.dtype == np.float64
        assert v.flags.writeable
        assert not configuration.q.flags.writeable
        np.testing.assert_allclose(configuration.q, reference.q, atol=1e-15)
        spoil(v)
