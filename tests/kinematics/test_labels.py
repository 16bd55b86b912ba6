"""Each number of a configuration and of a velocity has a name of its own, and stands where the joint says."""

import numpy as np
import pytest

from models import configuration, every_kind, mimic_tree, velocity
from pantin.kinematics.configurations import configuration_from_dict
from pantin.kinematics.labels import joint_values, velocity_values

MODELS = {"every kind": every_kind(), "mimic joints": mimic_tree()}


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_configurations_come_back_from_their_names(model):
    q = configuration(model, 3)
    values = joint_values(model, q)
    labels = [value.label for value in values]
    assert len(set(labels)) == len(labels)
    free = {name: [] for name, joint in zip(model.names[1:], model.joints[1:], strict=True) if joint.mimic is None}
    for value in values:
        if value.joint in free:
            free[value.joint].append(float(value.value))
    np.testing.assert_allclose(configuration_from_dict(model, free), q, atol=1e-12)


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_velocities_have_a_name_each_in_their_order(model):
    v = velocity(model, 4)
    values = velocity_values(model, v)
    np.testing.assert_array_equal([value.value for value in values], v)
    assert len({value.label for value in values}) == model.nv
    assert {value.unit for value in values} == {"m/s", "rad/s"}


def test_a_free_joint_moves_and_turns():
    model = MODELS["every kind"]
    labels = [value.label for value in velocity_values(model, velocity(model, 4))]
    assert labels[:6] == ["free_0.vx", "free_0.vy", "free_0.vz", "free_0.wx", "free_0.wy", "free_0.wz"]
