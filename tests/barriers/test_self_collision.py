"""A robot whose parts stay apart: rows, roll-outs, and what is told where something is missing."""

from __future__ import annotations

import copy
import pickle
import sys

import numpy as np
import pytest

from pantin import kinematics as kin
from pantin import samples
from pantin.barriers import SelfCollisionBarrier
from pantin.barriers.barrier import identity
from pantin.barriers.body_spherical_barrier import saturating
from pantin.collision import GeometryData, collision_pairs
from pantin.configuration import Configuration
from pantin.differential import DifferentialIK
from pantin.errors import InvalidArgument, MissingExtra
from pantin.exceptions import InvalidCollisionPairs, NegativeMinimumDistance
from pantin.load import load
from pantin.tasks import FrameTask, PostureTask

pytest.importorskip("coal", reason="the package coal measures distances")


@pytest.fixture(scope="module")
def arms():
    """The sample with two arms, and the shapes that it is drawn with."""
    model = load("dual_arm")
    shapes = kin.build_geom_from_urdf(model, samples.path("dual_arm"))
    shapes.collision_pairs = collision_pairs(model, shapes, clear_at=np.zeros(model.nq))
    return model, shapes


def placed(arms, q=None, **options):
    model, shapes = arms
    q = 0.4 * np.sin(np.arange(model.nq)) if q is None else q
    return Configuration(model, model.create_data(), q, collision_model=shapes, **options)


def test_rows_are_the_nearest_distances_and_their_derivatives(arms):
    configuration = placed(arms)
    barrier = SelfCollisionBarrier(6, gain=5.0, d_min=0.01)
    h, J = barrier.compute_barrier(configuration), barrier.compute_jacobian(configuration)
    every = sorted(result.min_distance for result in configuration.collision_data.distance_results)
    np.testing.assert_allclose(h, np.array(every[:6]) - 0.01, atol=1e-12)

    step = 1e-5
    for axis in np.eye(configuration.model.nv):
        ahead, behind = (configuration.integrate(sign * axis, step) for sign in (1.0, -1.0))
        difference = (barrier.compute_barrier(ahead) - barrier.compute_barrier(behind)) / (2.0 * step)
        # distances are measured to 1e-9, and cylinders are smooth
        np.testing.assert_allclose(J @ axis, difference, atol=3e-4)

    G, bound = barrier.compute_qp_inequalities(configuration, 0.01)
    np.testing.assert_allclose(G, -J / 0.01)
    np.testing.assert_allclose(bound, 5.0 * h)


def test_rows_follow_the_robot_and_come_back(arms):
    configuration = placed(arms)
    barrier = SelfCollisionBarrier(4)
    q, before = configuration.q, barrier.compute_jacobian(configuration)
    configuration.integrate_inplace(np.ones(configuration.model.nv), 0.1)
    assert np.abs(barrier.compute_jacobian(configuration) - before).max() > 1e-3
    configuration.update(q)
    np.testing.assert_array_equal(barrier.compute_jacobian(configuration), before)
    np.testing.assert_array_equal(barrier.compute_jacobian(configuration.copy()), before)


def test_in_contact_the_row_leads_out():
    model, shapes = two_hands()
    configuration = Configuration(model, model.create_data(), [-0.15, 0.0], collision_model=shapes)
    barrier = SelfCollisionBarrier(1, gain=10.0, d_min=0.02, safe_displacement_gain=0.0)
    assert barrier.compute_barrier(configuration) == pytest.approx([-0.07])
    ik = DifferentialIK(model, [PostureTask(cost=1e-3)], limits=[], barriers=[barrier])
    ik._tasks[0].set_target_from_configuration(configuration)
    distances = []
    for _ in range(100):
        ik.step(configuration, 0.01)
        distances.append(barrier.compute_barrier(configuration)[0])
    np.testing.assert_allclose(distances[:5], -0.07 * 0.9 ** np.arange(1, 6), rtol=1e-6)
    assert distances[-1] == pytest.approx(0.0, abs=1e-5)


def two_hands():
    """Two balls of 0.1 m on rails that face each other, their centres x0 - x1 + 0.3 apart."""
    model, shapes = kin.Model(), kin.GeometryModel()
    for name, at in (("left", 0.3), ("right", 0.0)):
        place = kin.SE3(np.eye(3), np.array([at, 0.0, 0.0]))
        joint = model.add_joint(0, kin.JointModelPX(), place, name, [10.0], [10.0], [-5.0], [5.0])
        model.append_body_to_joint(joint, kin.Inertia.Zero(), kin.SE3.Identity())
        model.add_frame(kin.Frame(name, joint, 0, kin.SE3.Identity(), kin.FrameType.OP_FRAME))
        shapes.add_geometry_object(kin.GeometryObject(name, joint, kin.SE3.Identity(), "sphere", [0.1], link=name))
    shapes.add_all_collision_pairs()
    return model, shapes


def test_balls_that_are_pressed_together_stop_at_the_distance_that_is_kept():
    model, shapes = two_hands()
    configuration = Configuration(model, model.create_data(), [0.5, 0.0], collision_model=shapes)
    barrier = SelfCollisionBarrier(1, gain=20.0, d_min=0.02)
    task = FrameTask("left", position_cost=1.0, orientation_cost=0.0)
    hold = FrameTask("right", position_cost=1.0, orientation_cost=0.0)
    hold.set_target_from_configuration(configuration)
    task.set_target(kin.SE3(np.eye(3), np.array([-1.0, 0.0, 0.0])))
    ik = DifferentialIK(model, [task, hold], barriers=[barrier])
    for _ in range(400):
        ik.step(configuration, 0.01)
        assert barrier.compute_barrier(configuration)[0] > -1e-9, "a ball's distance is linear here"
    assert barrier.compute_barrier(configuration)[0] == pytest.approx(0.0, abs=1e-6)


def test_arms_that_are_driven_through_each_other_never_come_closer(arms):
    configuration = placed(arms, np.zeros(arms[0].nq))
    model = arms[0]
    barrier = SelfCollisionBarrier(10, gain=20.0, d_min=0.03, n_witnesses=4)
    tasks = [FrameTask(f"{side}_tool", position_cost=1.0, orientation_cost=0.0) for side in ("left", "right")]
    ik = DifferentialIK(model, [*tasks, PostureTask(cost=1e-3)], barriers=[barrier])
    ik._tasks[2].set_target_from_configuration(configuration)
    nearest, unhindered = [], []
    for step in range(600):
        angle = 0.01 * step
        for task, sign in zip(tasks, (1.0, -1.0), strict=True):
            point = np.array([0.45, -0.3 * sign * np.sin(angle), 0.9 + 0.1 * sign * np.cos(angle)])
            task.set_target(kin.SE3(np.eye(3), point))
        velocity = ik.step(configuration, 0.005)
        assert np.isfinite(velocity).all()
        nearest.append(barrier.compute_barrier(configuration)[0])
        unhindered.append(np.linalg.norm(tasks[0].compute_error(configuration)))
    # A step of a few hundredths of a radian at half a metre bends off a line by less than a millimetre.
    assert min(nearest) > -1.5e-3
    assert min(nearest) < 1e-3, "the arms meet"
    assert max(unhindered[300:]) > 0.05, "and stay short of their targets"


def test_earlier_witnesses_are_bounds_that_no_distance_contradicts(arms):
    random = np.random.default_rng(0)
    configuration = placed(arms)
    barrier = SelfCollisionBarrier(8, d_min=0.0, n_witnesses=4)
    told = 0
    for _ in range(60):
        configuration.integrate_inplace(random.normal(size=configuration.model.nv), 0.05)
        h, J = barrier.compute_barrier(configuration), barrier.compute_jacobian(configuration)
        distance, earlier, rows = h[:8], h[8:].reshape(8, 3), J[8:].reshape(8, 3, -1)
        assert (earlier >= distance[:, None] - 2e-6).all(), "as exactly as depths are measured"
        told += np.count_nonzero(rows.any(axis=-1))
        assert (earlier[~rows.any(axis=-1)] == 1e3).all()
    assert told > 60


def test_edges_that_face_each_other_keep_their_distance_at_both_ends():
    # a bar that hangs in its middle above a floor and is asked to go down and to tilt to and fro
    model, shapes = kin.Model(), kin.GeometryModel()
    rail = model.add_joint(0, kin.JointModelPZ(), kin.SE3.Identity(), "rail", [9.0], [1.0], [-2.0], [2.0])
    tilt = model.add_joint(rail, kin.JointModelRY(), kin.SE3.Identity(), "tilt", [9.0], [1.0], [-1.0], [1.0])
    floor = kin.SE3(np.eye(3), np.array([0.0, 0.0, -0.5]))
    shapes.add_geometry_object(kin.GeometryObject("floor", 0, floor, "box", [9.0, 9.0, 1.0]))
    shapes.add_geometry_object(kin.GeometryObject("bar", tilt, kin.SE3.Identity(), "box", [1.0, 0.1, 0.1]))
    shapes.add_collision_pair((0, 1))
    lowest = {}
    for witnesses in (1, 4):
        configuration = Configuration(model, model.create_data(), [0.3, 0.0], collision_model=shapes)
        barrier = SelfCollisionBarrier(1, 10.0, 0.0, d_min=0.02, n_witnesses=witnesses)
        down = PostureTask(cost=1.0, gain=0.2)
        ik = DifferentialIK(model, [down], barriers=[barrier])
        distances = []
        for step in range(500):
            down.set_target([-1.0, 0.5 * np.sin(0.3 * step)])
            ik.step(configuration, 0.01)
            distances.append(barrier.compute_barrier(configuration)[0])
        lowest[witnesses] = min(distances)
    assert lowest[1] < -2e-3, "one end alone is held"
    assert lowest[4] > -1e-4, "half a bar of 0.5 m that turns by 0.01 rad bends off a line by 25 um"


def test_pairs_beyond_reach_have_rows_of_zeros(arms):
    configuration = placed(arms)
    near = SelfCollisionBarrier(40, d_min=0.01, d_max=0.1)
    distance = near.nearest(configuration).distance
    assert 0 < len(distance) < 40
    assert (distance < 0.1).all()
    h, J = near.compute_barrier(configuration), near.compute_jacobian(configuration)
    np.testing.assert_allclose(h[len(distance) :], 0.09)
    assert not J[len(distance) :].any()
    every = SelfCollisionBarrier(len(distance), d_min=0.01)
    np.testing.assert_array_equal(J[: len(distance)], every.compute_jacobian(configuration))


def test_shapes_and_pairs_may_change_between_steps(arms):
    model, shapes = two_hands()
    configuration = Configuration(model, model.create_data(), [0.5, 0.0], collision_model=shapes)
    barrier = SelfCollisionBarrier(1)
    assert barrier.nearest(configuration).distance == pytest.approx([0.6])
    wall = kin.GeometryObject("wall", 0, kin.SE3(np.eye(3), np.array([1.0, 0.0, 0.0])), "box", [0.1, 1.0, 1.0])
    shapes.add_geometry_object(wall)
    shapes.add_collision_pair((0, 2))
    assert barrier.nearest(configuration).distance == pytest.approx([0.05])


def test_collision_data_may_be_brought_along(arms):
    model, shapes = arms
    data = GeometryData(shapes, hull=False)
    configuration = placed(arms, collision_data=data)
    assert configuration.collision_data is data
    assert configuration.copy().collision_data is not data
    assert not configuration.copy().collision_data.hull
    assert Configuration(model, model.create_data(), configuration.q).collision_data is None


def test_a_barrier_is_copied_and_sent_without_what_it_measured(arms):
    configuration = placed(arms)
    barrier = SelfCollisionBarrier(3, gain=(1.0, 2.0, 3.0), d_min=0.01, n_witnesses=2)
    values = barrier.compute_barrier(configuration)
    np.testing.assert_array_equal(barrier.gain, [1, 2, 3, 1, 2, 3])
    for other in (copy.copy(barrier), copy.deepcopy(barrier), pickle.loads(pickle.dumps(barrier))):
        np.testing.assert_array_equal(other.compute_barrier(configuration), values)


def test_a_gain_function_bends_the_rates(arms):
    configuration = placed(arms)
    barrier = SelfCollisionBarrier(3, gain=2.0, d_min=0.01)
    barrier.gain_function = saturating
    h = barrier.compute_barrier(configuration)
    np.testing.assert_allclose(barrier.compute_qp_inequalities(configuration, 0.01)[1], 2.0 * h / (1.0 + np.abs(h)))
    with pytest.raises(InvalidArgument, match="dt"):
        barrier.compute_qp_inequalities(configuration, 0.0)
    barrier.gain_function = identity
    for dt in (0.0, -1.0, np.nan, np.inf):
        with pytest.raises(InvalidArgument, match="dt"):
            barrier.compute_qp_inequalities(configuration, dt)
    barrier.gain[0] = -1.0
    with pytest.raises(InvalidArgument, match="gain"):
        barrier.compute_qp_inequalities(configuration, 0.01)


def test_wrong_questions_are_told(arms):
    model, shapes = arms
    bare = Configuration(model, model.create_data(), np.zeros(model.nq))
    with pytest.raises(InvalidCollisionPairs, match=r"no shapes to keep apart.*collision_model="):
        SelfCollisionBarrier(1).compute_barrier(bare)
    many = len(shapes.collision_pairs) + 1
    with pytest.raises(InvalidCollisionPairs, match=f"{many} pairs shall count, and there are {many - 1}"):
        SelfCollisionBarrier(many).compute_barrier(placed(arms))
    for number in (-1, 0, 1.5, "x"):
        with pytest.raises(InvalidCollisionPairs, match="n_collision_pairs: expected"):
            SelfCollisionBarrier(number)
    with pytest.raises(NegativeMinimumDistance, match=r"d_min: expected a distance from 0 on, got -0\.1"):
        SelfCollisionBarrier(1, d_min=-0.1)
    for name, value in (("d_min", np.nan), ("gain", -1.0), ("safe_displacement_gain", np.inf), ("d_max", 0.02)):
        with pytest.raises(InvalidArgument, match=name):
            SelfCollisionBarrier(1, **{name: value})


def test_without_coal_the_extra_is_named(arms, monkeypatch):
    monkeypatch.setitem(sys.modules, "coal", None)
    with pytest.raises(MissingExtra, match=r"pantin\[collision\]"):
        SelfCollisionBarrier(1).compute_barrier(placed(arms))
