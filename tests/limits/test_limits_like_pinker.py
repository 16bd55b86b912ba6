"""Limits have the numbers of Pinker's: (G, h) in the same order, and the same attributes."""

import numpy as np
import pytest
from limit_cases import EVERYTHING, both, pairs, same_rows

from pantin import limits as ours
from pantin.kinematics import integrate, random_configuration

theirs = pytest.importorskip("pinker.limits")

#: Positions relative to the limits: inside of them, and some joints outside.
PLACES = {"inside": 0.0, "outside": 1.5}


def somewhere(model, seed, away):
    random = np.random.default_rng(seed)
    return integrate(model, random_configuration(model, random), away * random.normal(size=model.nv))


def accelerations(model):
    return np.random.default_rng(1).uniform(1.0, 50.0, model.nv)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", EVERYTHING)
def test_rows_of_joints_are_pinkers(name, place):
    mine, its = pairs(name)
    for seed in range(3):
        q = somewhere(mine, seed, PLACES[place])
        here, there = both(name, q)
        for gain in (0.5, 1.0):
            same_rows(
                ours.ConfigurationLimit(mine, gain).compute_qp_inequalities(here, 0.01),
                theirs.ConfigurationLimit(its, gain).compute_qp_inequalities(there, 0.01),
            )
        for speeds in (None, np.linspace(0.0, 3.0, mine.nv) if mine.nq == mine.nv else np.full(mine.nv, 2.0)):
            same_rows(
                ours.VelocityLimit(mine, speeds).compute_qp_inequalities(here, 0.01),
                theirs.VelocityLimit(its, speeds).compute_qp_inequalities(there, 0.01),
            )


@pytest.mark.parametrize("name", EVERYTHING)
def test_rows_of_accelerations_are_pinkers_inside_of_the_limits(name):
    mine, its = pairs(name)
    one, other = ours.AccelerationLimit(mine, accelerations(mine)), theirs.AccelerationLimit(its, accelerations(its))
    for seed in range(3):
        here, there = both(name, somewhere(mine, seed, 0.0))
        v = np.random.default_rng(seed).normal(size=mine.nv)
        one.set_last_integration(v, 0.01)
        other.set_last_integration(v, 0.01)
        same_rows(one.compute_qp_inequalities(here, 0.01), other.compute_qp_inequalities(there, 0.01))
        np.testing.assert_array_equal(one.Delta_q_prev, other.Delta_q_prev)


@pytest.mark.filterwarnings("ignore:invalid value encountered in sqrt")
@pytest.mark.parametrize("name", EVERYTHING)
def test_where_pinkers_accelerations_are_nan_ours_are_finite_and_the_others_equal(name):
    mine, its = pairs(name)
    here, there = both(name, somewhere(mine, 3, 1.5))
    one = ours.AccelerationLimit(mine, accelerations(mine)).compute_qp_inequalities(here, 0.01)
    G, h = theirs.AccelerationLimit(its, accelerations(its)).compute_qp_inequalities(there, 0.01)
    numbers = ~np.isnan(h)
    np.testing.assert_array_equal(one[0], G)
    np.testing.assert_allclose(one[1][numbers], h[numbers], rtol=1e-12, atol=1e-12)
    assert (one[1][~numbers] == 0.0).all()


@pytest.mark.parametrize("name", ["solo", "talos"])
def test_rows_of_a_floating_base_are_pinkers(name):
    mine, its = pairs(name)
    here, there = both(name, somewhere(mine, 5, 0.3))
    frames = [None, *(frame.name for frame in mine.frames if frame.parent_joint == 1)][:4]
    for frame in frames:
        for bounds in ((0.3, 0.7), ([0.1, np.inf, 0.3], [0.4, 0.5, np.inf]), (np.inf, np.inf)):
            one = ours.FloatingBaseVelocityLimit(mine, frame, *bounds)
            other = theirs.FloatingBaseVelocityLimit(its, frame, *bounds)
            same_rows(one.compute_qp_inequalities(here, 0.02), other.compute_qp_inequalities(there, 0.02))
            for attribute in ("base_frame", "frame_id", "root_joint_id", "root_idx_v", "root_nv"):
                assert getattr(one, attribute) == getattr(other, attribute)
            for attribute in ("linear_max", "angular_max", "twist_max"):
                np.testing.assert_array_equal(getattr(one, attribute), getattr(other, attribute))


@pytest.mark.parametrize("name", EVERYTHING)
def test_attributes_are_pinkers(name):
    mine, its = pairs(name)
    for one, other in (
        (ours.ConfigurationLimit(mine), theirs.ConfigurationLimit(its)),
        (ours.VelocityLimit(mine), theirs.VelocityLimit(its)),
        (ours.AccelerationLimit(mine, accelerations(mine)), theirs.AccelerationLimit(its, accelerations(its))),
    ):
        assert one.model is mine
        assert one.indices.tolist() == other.indices.tolist()
        if other.projection_matrix is None:
            assert one.projection_matrix is None
        else:
            np.testing.assert_array_equal(one.projection_matrix, other.projection_matrix)
        if hasattr(other, "joints"):
            assert [joint.id for joint in one.joints] == [joint.id for joint in other.joints]
        for attribute in ("velocity_limit", "config_limit_gain", "a_max", "Delta_q_prev", "has_configuration_limit"):
            if hasattr(other, attribute):
                np.testing.assert_array_equal(getattr(one, attribute), getattr(other, attribute))
