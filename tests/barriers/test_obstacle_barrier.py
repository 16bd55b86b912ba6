"""A robot that stays clear of obstacles that rest, move, are held, and come from anywhere."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from pantin import kinematics as kin
from pantin import samples
from pantin.barriers import ObstacleBarrier
from pantin.collision import Obstacle
from pantin.configuration import Configuration
from pantin.differential import DifferentialIK
from pantin.errors import InvalidArgument, UnknownFrame
from pantin.exceptions import InvalidCollisionPairs
from pantin.kinematics.geometry import UnknownGeometry
from pantin.load import load
from pantin.tasks import FrameTask, PostureTask

pytest.importorskip("coal", reason="the package coal measures distances")

POSE = (0.3, 0.4, 0.1, -1.0, 0.0, 0.3, 0.0) * 2


@pytest.fixture(scope="module")
def arms():
    model = load("dual_arm")
    return model, kin.build_geom_from_urdf(model, samples.path("dual_arm"))


def placed(arms, q=POSE):
    model, shapes = arms
    return Configuration(model, model.create_data(), q, collision_model=shapes)


def at(x, y, z):
    return kin.SE3(np.eye(3), np.array([x, y, z], dtype=float))


def slider():
    """A ball of 0.1 m on a rail along x, from the world's origin."""
    model, shapes = kin.Model(), kin.GeometryModel()
    joint = model.add_joint(0, kin.JointModelPX(), kin.SE3.Identity(), "rail", [9.0], [5.0], [-9.0], [9.0])
    model.add_frame(kin.Frame("ball", joint, 0, kin.SE3.Identity(), kin.FrameType.OP_FRAME))
    shapes.add_geometry_object(kin.GeometryObject("ball", joint, kin.SE3.Identity(), "sphere", [0.1], link="ball"))
    return Configuration(model, model.create_data(), [0.0], collision_model=shapes)


def test_the_row_is_the_distance_and_its_derivative(arms):
    configuration = placed(arms)
    obstacles = [Obstacle("sphere", 0.1, at(0.4, 0.2, 0.8)), Obstacle("capsule", (0.05, 0.4), at(0.3, -0.3, 0.6))]
    barrier = ObstacleBarrier(6, obstacles, d_min=0.01, n_witnesses=1)
    J = barrier.compute_jacobian(configuration)
    assert J.shape == (6, configuration.model.nv)
    assert J.any(axis=1).all()
    step = 1e-5
    for axis in np.eye(configuration.model.nv):
        ahead, behind = (barrier.compute_barrier(configuration.integrate(s * axis, step)) for s in (1.0, -1.0))
        # distances are measured to 1e-9
        np.testing.assert_allclose(J @ axis, (ahead - behind) / (2.0 * step), atol=3e-4)


def test_placements_are_live():
    configuration = slider()
    obstacle = Obstacle("box", (0.2, 1.0, 1.0), at(1.0, 0.0, 0.0))
    barrier = ObstacleBarrier(1, obstacle, d_min=0.0, n_witnesses=1)
    assert barrier.compute_barrier(configuration) == pytest.approx([0.8])
    obstacle.placement = at(0.5, 0.0, 0.0)
    assert barrier.compute_barrier(configuration) == pytest.approx([0.3])
    obstacle.placement.translation[0] = -0.4
    assert barrier.compute_barrier(configuration) == pytest.approx([0.2])
    assert barrier.compute_jacobian(configuration) == pytest.approx(np.array([[1.0]]))
    obstacle.placement.translation[0] = np.nan
    with pytest.raises(InvalidArgument, match="placement: the pose of an obstacle"):
        barrier.compute_barrier(configuration)
    obstacle.placement = at(0.5, 0.0, 0.0)
    assert barrier.compute_barrier(configuration) == pytest.approx([0.3])
    barrier.obstacles.append(Obstacle("sphere", 0.1, at(0.25, 0.0, 0.0)))
    assert barrier.compute_barrier(configuration) == pytest.approx([0.05])


def test_a_placement_is_copied():
    pose = at(1.0, 0.0, 0.0)
    obstacle = Obstacle("sphere", 0.1, pose)
    pose.translation[0] = 2.0
    assert obstacle.placement.translation[0] == 1.0


@pytest.mark.parametrize("tells", [True, False], ids=["velocity told", "velocity unknown"])
def test_a_ball_gives_way_to_a_wall_that_comes(tells):
    configuration = slider()
    wall = Obstacle("box", (0.2, 1.0, 1.0), at(0.5, 0.0, 0.0))
    barrier = ObstacleBarrier(1, wall, gain=20.0, d_min=0.05)
    rest = PostureTask(cost=1.0)
    rest.set_target(configuration.q)
    ik = DifferentialIK(configuration.model, [rest], barriers=[barrier])
    speed, dt, kept = -0.5, 0.01, []
    for _ in range(200):
        if tells:
            wall.velocity = (speed, 0, 0, 0, 0, 0)
        ik.step(configuration, dt)
        wall.placement.translation[0] += speed * dt
        kept.append(barrier.compute_barrier(configuration)[0])
    assert configuration.q[0] == pytest.approx(wall.placement.translation[0] - 0.25, abs=0.03)
    if tells:
        assert min(kept) > -1e-9
    else:  # it lags by what the wall comes nearer while the distance recovers: speed / gain
        assert min(kept) == pytest.approx(speed / 20.0, rel=1e-3)


def test_the_velocity_of_an_obstacle_adds_the_rate_of_its_distance(arms):
    configuration = placed(arms)
    frame = configuration.model.frames[configuration.model.get_frame_id("column")]
    pose = kin.SE3(kin.rpy_to_matrix(0.3, 0.4, 0.5), np.array([0.4, 0.2, 0.8]))
    twist = np.array([0.3, -0.2, 0.4, 1.0, 2.0, -1.0])
    obstacle = Obstacle("box", (0.1, 0.2, 0.3), pose, frame=frame.name, velocity=twist)
    barrier = ObstacleBarrier(5, [obstacle], gain=0.0, n_witnesses=1)
    rates = barrier.compute_qp_inequalities(configuration, 0.01)[1]
    step, distances = 1e-5, []
    for sign in (1.0, -1.0):
        turned = pose.rotation @ kin.exp3(pose.rotation.T @ (sign * step * twist[3:]))
        obstacle.placement = kin.SE3(turned, pose.translation + sign * step * twist[:3])
        distances.append(barrier.compute_barrier(configuration))
    # distances are measured to 1e-9
    np.testing.assert_allclose(rates, (distances[0] - distances[1]) / (2.0 * step), atol=1e-3)


def test_what_is_held_stays_clear_of_the_rest_and_may_touch_its_holder(arms):
    configuration = placed(arms)
    held = Obstacle("box", (0.1, 0.1, 0.3), at(0.0, 0.0, 0.0), frame="left_tool")
    barrier = ObstacleBarrier(5, held, d_min=0.0, n_witnesses=1)
    shapes = arms[1].geometry_objects
    holder = configuration.model.frames[configuration.model.get_frame_id("left_tool")].parent_joint
    around = {holder, configuration.model.parents[holder]}
    scene = barrier._scene_of(configuration)
    assert not {shapes[first].parent_joint for first, _ in scene.proximity.pairs} & around
    assert len(scene.proximity.pairs) == sum(shape.parent_joint not in around for shape in shapes)
    before = barrier.compute_jacobian(configuration)
    assert before[:, :7].any(), "the arm that holds it moves it"
    held.placement = at(0.0, 0.0, -0.2)
    assert np.abs(barrier.compute_jacobian(configuration) - before).max() > 1e-6


def test_an_arm_that_is_led_through_a_board_stays_before_it(arms):
    configuration = placed(arms)
    board = Obstacle("box", (0.02, 2.0, 2.0), at(0.45, 0.0, 0.8))
    barrier = ObstacleBarrier(6, board, gain=20.0, d_min=0.02)
    hand = FrameTask("left_tool", position_cost=1.0, orientation_cost=0.1, gain=0.05)
    hand.set_target_from_configuration(configuration)
    hand.transform_target_to_world.translation[:] = (0.8, 0.3, 0.9)
    posture = PostureTask(cost=1e-3)
    posture.set_target(configuration.q)
    ik = DifferentialIK(configuration.model, [hand, posture], barriers=[barrier])
    kept = []
    for _ in range(400):
        assert np.isfinite(ik.step(configuration, 0.005)).all()
        kept.append(barrier.compute_barrier(configuration).min())
    # A side that turns to the board is known by one corner first, and turns about it by some 0.02 rad in a step.
    assert min(kept) > -4e-3
    assert kept[-1] == pytest.approx(0.0, abs=1e-3), "as far as it may"


def test_links_are_chosen_by_name(arms):
    configuration = placed(arms)
    obstacle = Obstacle("sphere", 0.1, at(0.4, 0.2, 0.8))
    barrier = ObstacleBarrier(2, obstacle, links=["left_*"], d_max=100.0, n_witnesses=1)
    shapes = arms[1].geometry_objects
    pairs = barrier._scene_of(configuration).proximity.pairs
    assert {shapes[first].link.split("_")[0] for first, _ in pairs} == {"left"}
    with pytest.raises(UnknownGeometry, match="no geometry object 'middle"):
        ObstacleBarrier(1, obstacle, links="middle*").compute_barrier(configuration)


def test_no_obstacles_are_no_rows_that_count(arms):
    configuration = placed(arms)
    barrier = ObstacleBarrier(2, [], d_max=1.0)
    assert (barrier.compute_barrier(configuration) > 0).all()
    assert not barrier.compute_jacobian(configuration).any()


def test_wrong_questions_are_told(arms):
    configuration = placed(arms)
    with pytest.raises(InvalidArgument, match=r"obstacles\[1\]: expected an Obstacle, got a str"):
        ObstacleBarrier(1, [Obstacle("sphere", 0.1), "wall"])
    with pytest.raises(UnknownFrame, match="no frame 'left_tol'; did you mean 'left_tool'"):
        ObstacleBarrier(1, Obstacle("sphere", 0.1, frame="left_tol")).compute_barrier(configuration)
    bare = Configuration(arms[0], arms[0].create_data(), POSE)
    with pytest.raises(InvalidCollisionPairs, match="no shapes to keep clear of obstacles"):
        ObstacleBarrier(1, Obstacle("sphere", 0.1)).compute_barrier(bare)
    for arguments in ({"size": (1, 2)}, {"size": -1}, {"velocity": (1, 2)}, {"placement": np.eye(3)}):
        with pytest.raises(InvalidArgument, match=next(iter(arguments))):
            Obstacle(**{"shape": "sphere", "size": 0.1, **arguments})
    with pytest.raises(InvalidArgument, match="shape: expected one of"):
        Obstacle("cone", (1, 2))


def test_a_barrier_is_copied_and_sent_without_what_it_measured(arms):
    configuration = placed(arms)
    barrier = ObstacleBarrier(3, [Obstacle("sphere", 0.1, at(0.4, 0.2, 0.8))], d_min=0.01, links="left_*")
    values = barrier.compute_barrier(configuration)
    for other in (copy.copy(barrier), copy.deepcopy(barrier), pickle.loads(pickle.dumps(barrier))):
        np.testing.assert_array_equal(other.compute_barrier(configuration), values)
        np.testing.assert_array_equal(other.compute_jacobian(configuration), barrier.compute_jacobian(configuration))


def test_obstacles_are_copied_and_sent():
    obstacle = Obstacle("box", (1, 2, 3), at(1, 2, 3), frame="hand", velocity=(1, 2, 3, 4, 5, 6), name="crate")
    for other in (copy.copy(obstacle), copy.deepcopy(obstacle), pickle.loads(pickle.dumps(obstacle))):
        assert (other.name, other.frame, other.shape) == ("crate", "hand", "box")
        np.testing.assert_array_equal(other.velocity, obstacle.velocity)
        np.testing.assert_array_equal(other.placement.translation, [1, 2, 3])
