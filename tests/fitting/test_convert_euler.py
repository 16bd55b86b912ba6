"""Three turns about coordinate axes: any order, also where two of them are about one axis."""

import itertools

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from pantin.fitting.convert.euler import euler_angles, turn

ORDERS = ["".join(axes) for axes in itertools.permutations("XYZ")]


@pytest.mark.parametrize("order", ORDERS)
def test_angles_give_the_rotation_again(order):
    rng = np.random.default_rng(0)
    angles = rng.uniform([-3.1, -1.5, -3.1], [3.1, 1.5, 3.1], (300, 3))
    near = np.array([0.0, 1e-16, 1e-12, 1e-9, 1e-8, 1e-6, 1e-3])
    angles[:14, 1] = np.pi / 2 - np.concatenate([near, np.pi - near])
    matrices = Rotation.from_euler(order, angles).as_matrix()
    found = euler_angles(matrices, order)
    assert np.abs(Rotation.from_euler(order, found).as_matrix() - matrices).max() < 4e-15
    assert found[14:] == pytest.approx(angles[14:], abs=1e-13)
    assert np.abs(found[:, 1]).max() <= np.pi / 2
    assert euler_angles(matrices[:4].reshape(2, 2, 3, 3), order).shape == (2, 2, 3)


@pytest.mark.parametrize("axis", range(3))
def test_turns_about_an_axis(axis):
    angles = np.linspace(-7.0, 7.0, 15)
    expected = Rotation.from_euler("XYZ"[axis], angles[:, None]).as_matrix()
    found = Rotation.from_quat(np.roll(turn(axis, angles), -1, axis=-1)).as_matrix()
    assert np.abs(found - expected).max() < 1e-15
