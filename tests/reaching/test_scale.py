"""A model in other units, with tolerances in these, takes the same steps."""

import numpy as np
import pytest
from questions import arm, as_asked, configurations, reachable

import models
import pantin
from pantin.kinematics import SE3, Frame, FrameType, Model
from pantin.reaching import ReachOptions, ReachSolver

MODES = ("pose", "position", "orientation", "axis", "direction", "pointing")

#: A power of two only moves exponents, so that not one bit of an angle may change.
EXACT = 1024.0


def in_other_units(model, frame, scale):
    """The model with its joints and one frame where they are in another unit of length, and what that does to q."""
    other, factors = Model(), np.ones(model.nq)
    for i in range(1, model.njoints):
        joint, placement = model.joints[i], model.joint_placements[i]
        part = slice(joint.idx_q, joint.idx_q + joint.nq)
        if joint.shortname().startswith("JointModelP"):  # a slide
            factors[part] = scale
        limits = [factors[part] * ends[part] for ends in (model.lower_position_limit, model.upper_position_limit)]
        place = SE3(placement.rotation, scale * placement.translation)
        other.add_joint(
            model.parents[i], joint.copy(), place, model.names[i], min_config=limits[0], max_config=limits[1]
        )
    tip = model.frames[model.get_frame_id(frame)]
    place = SE3(tip.placement.rotation, scale * tip.placement.translation)
    other.add_frame(Frame("tip", tip.parent_joint, 0, place, FrameType.OP_FRAME))
    return other, factors


def both(model, frame, mode, scale, targets, seeds=None, **options):
    """Answers to the same questions in metres and in other units, and the factors between their numbers."""
    other, factors = in_other_units(model, frame, scale)
    poses = targets.copy()
    poses[:, :3, 3] *= scale
    larger = ReachOptions(position_tolerance=1e-6 * scale, **options)
    here = ReachSolver(model, frame, mode=mode, options=ReachOptions(**options))
    there = ReachSolver(other, "tip", mode=mode, options=larger)
    moved = None if seeds is None else seeds * factors
    return (
        here.solve_batch(as_asked(mode, targets), seeds),
        there.solve_batch(as_asked(mode, poses, scale), moved),
        factors,
    )


def assert_same_steps(here, there):
    assert np.array_equal(here.status, there.status)
    assert np.array_equal(here.iterations, there.iterations)
    assert np.array_equal(here.starts, there.starts)


@pytest.mark.parametrize("name", ["panda", "ur5e", "arctos"])
@pytest.mark.parametrize("mode", MODES)
def test_another_unit_changes_no_bit_of_the_angles(name, mode):
    model, frame = arm(name)
    here, there, _ = both(model, frame, mode, EXACT, reachable(model, frame, 200))
    assert here.success.all()
    assert_same_steps(here, there)
    assert np.array_equal(here.q, there.q)
    assert np.array_equal(EXACT * here.position_error, there.position_error)
    assert np.array_equal(here.rotation_error, there.rotation_error)


@pytest.mark.parametrize("mode", MODES)
def test_slides_are_as_much_longer(mode):
    model = models.random_tree(["RZ", "RY", "PX", "RX", "P", "R", "RY"], 8, chain=True)
    frame = model.frames[-1].name
    here, there, factors = both(model, frame, mode, EXACT, reachable(model, frame, 100), configurations(model, 100, 1))
    assert here.success.all()
    assert_same_steps(here, there)
    assert np.array_equal(factors * here.q, there.q)


@pytest.mark.parametrize("name", ["panda", "ur5e", "arctos"])
def test_a_model_in_millimetres_takes_the_same_steps(name):
    model, frame = arm(name)
    here, there, _ = both(model, frame, "pose", 1000.0, reachable(model, frame, 300))
    assert_same_steps(here, there)
    assert np.allclose(here.q, there.q, rtol=0.0, atol=1e-9)  # a rounding, grown by some ten steps


def test_what_cannot_be_reached_ends_at_the_same_place():
    model, frame = arm("panda")
    targets = reachable(model, frame, 20)
    targets[:, :3, 3] *= 3.0
    here, there, _ = both(model, frame, "pose", EXACT, targets, max_starts=16)
    assert not here.success.all()
    assert_same_steps(here, there)
    assert np.array_equal(here.q, there.q)


def test_the_unit_alone_is_not_enough():
    """Tolerances of the other unit are what makes the questions the same."""
    model, frame = arm("panda")
    other, _ = in_other_units(model, frame, EXACT)
    targets = reachable(model, frame, 20)
    poses = targets.copy()
    poses[:, :3, 3] *= EXACT
    strict = ReachSolver(other, "tip").solve_batch(poses)
    assert strict.position_error.max() <= 1e-6  # of a millimetre, say
    loose = pantin.ReachSolver(model, frame).solve_batch(targets)
    assert not np.array_equal(strict.iterations, loose.iterations)
