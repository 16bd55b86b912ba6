"""The five losses: the specification's table, derivatives by differences, and the logarithm behind one of them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pantin import _core
from pantin.fitting.options import CHOICES

LOSSES = CHOICES["loss"]
#: Values at e = 0.2 and 0.03 for a scale of 0.05.
TABLE = {
    "linear": (0.04, 0.0009),
    "huber": (0.0175, 0.0009),
    "soft_l1": (0.0156155281, 0.0008309519),
    "cauchy": (0.0070830334, 0.0007687117),
    "geman_mcclure": (0.0023529412, 0.0006617647),
}
FORMULAS = {
    "linear": lambda e2, d: e2,
    "huber": lambda e2, d: np.where(e2 <= d * d, e2, 2 * d * np.sqrt(e2) - d * d),
    "soft_l1": lambda e2, d: 2 * d * d * np.expm1(0.5 * np.log1p(e2 / d**2)),
    "cauchy": lambda e2, d: d * d * np.log1p(e2 / d**2),
    "geman_mcclure": lambda e2, d: e2 / (1 + e2 / d**2),
}


def rho(loss, scale, e2):
    return _core.fit_rho(LOSSES.index(loss), scale, np.asarray(e2, dtype=float))


@pytest.mark.parametrize("loss", LOSSES)
def test_table(loss):
    np.testing.assert_allclose(rho(loss, 0.05, [0.04, 0.0009])[:, 0], TABLE[loss], atol=5.1e-11)  # the digits shown


@pytest.mark.parametrize("scale", [0.05, 3.0])
@pytest.mark.parametrize("loss", LOSSES)
def test_values_are_those_of_the_formulas(loss, scale):
    e2 = scale**2 * np.concatenate([[0.0], np.logspace(-12, 8, 301)])
    np.testing.assert_allclose(rho(loss, scale, e2)[:, 0], FORMULAS[loss](e2, scale), rtol=1e-14)
    one_by_one = np.concatenate([rho(loss, scale, [each]) for each in e2])
    np.testing.assert_allclose(rho(loss, scale, e2), one_by_one, rtol=1e-15)


@pytest.mark.parametrize("loss", LOSSES)
def test_derivatives_are_differences(loss):
    scale = 0.05
    e2 = scale**2 * np.array([0.01, 0.3, 0.9, 1.1, 2.0, 30.0, 300.0])
    step = 1e-5 * e2
    (_, slope, curvature), above, below = (
        rho(loss, scale, e2).T,
        rho(loss, scale, e2 + step),
        rho(loss, scale, e2 - step),
    )
    # second order in the step
    np.testing.assert_allclose((above - below)[:, 0] / (2 * step), slope, rtol=1e-8)
    np.testing.assert_allclose((above - below)[:, 1] / (2 * step), curvature, rtol=1e-8, atol=1e-9 / scale**2)


@pytest.mark.parametrize("loss", LOSSES)
def test_small_misfits_count_as_squares(loss):
    value, slope, curvature = rho(loss, 0.05, [0.0])[0]
    assert (value, slope) == (0.0, 1.0)
    assert math.isfinite(curvature)


def test_the_logarithm_is_right_to_a_few_units():
    x = np.concatenate([np.logspace(-300, 290, 5000), np.linspace(0, 3, 2001)[1:]])
    found = rho("cauchy", 1.0, x)[:, 0]
    exact = np.array([float(np.log1p(np.longdouble(each))) for each in x])
    assert np.max(np.abs(found - exact) / np.spacing(exact)) <= 2.0
