"""All answers to one target: each is one, none is missing where that is promised, and samples are spread."""

import itertools
import threading

import numpy as np
import pytest
from questions import arm, as_asked, configurations, reachable, within_limits
from witness import Witness, wrapped

import models
import pantin
from pantin.errors import InvalidArgument
from pantin.kinematics import SE3, Frame, FrameType, JointModelRZ, Model
from pantin.kinematics.batch import difference, frame_jacobians, frame_placements
from pantin.reaching import ReachOptions, ReachSolver, closed_form

TOLERANCE = 1e-6
#: What the closed form promises.
EXACT = 1e-9


def distances(model, q, seed):
    """Largest motion of one joint from the seed."""
    return np.abs(difference(model, seed, q)).max(axis=-1)


def middle(model):
    return 0.5 * (model.lower_position_limit + model.upper_position_limit)


@pytest.mark.parametrize("name", ["ur5e", "panda", "arctos"])
def test_pinocchio_agrees_that_all_solutions_reach_within_limits_the_nearest_first(name):
    model, frame = arm(name)
    witness, solver = Witness(name, frame), ReachSolver(model, frame)
    for target, seed in zip(reachable(model, frame, 10, seed=1), configurations(model, 10, seed=2), strict=True):
        found = solver.all(target, seed)
        assert len(found) >= 1
        tolerance = EXACT if found.complete else TOLERANCE
        assert max(max(witness.errors(q, target)) for q in found) < tolerance
        assert all(within_limits(model, q) for q in found)
        assert np.allclose(found.distances, distances(model, found.q, seed), rtol=0.0, atol=1e-12)
        assert (np.diff(found.distances) > -1e-9).all()


def test_branches_of_the_ur5e_are_those_that_a_search_by_pinocchio_finds():
    model, frame = arm("ur5e")
    witness, solver = Witness("ur5e", frame), ReachSolver(model, frame)
    for k, target in enumerate(reachable(model, frame, 3, seed=3)):
        found = solver.all(target)
        assert found.complete
        assert found.method == "closed form: axes 2 to 4 are parallel"
        searched = witness.search(target, np.random.default_rng(k).uniform(-np.pi, np.pi, (80, 6)))
        assert len(searched) > 20
        gaps = wrapped(searched[:, None] - found.q[None]).max(axis=2)
        assert gaps.min(axis=1).max() < 1e-6  # none that was searched is missing
        assert gaps.min(axis=0).max() < 1e-6  # and each was found


def test_isolated_solutions_of_an_arm_without_closed_form_are_found_once_each():
    model, frame = arm("arctos")
    witness, solver = Witness("arctos", frame), ReachSolver(model, frame)
    for k, target in enumerate(reachable(model, frame, 5, seed=4)):
        found = solver.all(target)
        assert not found.complete
        searched = witness.search(target, np.random.default_rng(k).uniform(-np.pi, np.pi, (80, 6)))
        turned = searched + 2.0 * np.pi * np.round((middle(model) - searched) / (2.0 * np.pi))
        inside = [q for q in turned if within_limits(model, q)]
        assert inside
        assert max(np.abs(found.q - q).max(axis=1).min() for q in inside) < 1e-6
        assert all(np.abs(a - b).max() > 1e-4 for a, b in itertools.combinations(found.q, 2))


def test_a_sample_of_a_redundant_arm_is_as_large_as_asked_and_well_spread():
    model, frame = arm("panda")
    solver = ReachSolver(model, frame)
    target = reachable(model, frame, 1, seed=5)[0]
    many, few = solver.all(target, count=200), solver.all(target, count=20)
    assert (len(many), len(few)) == (200, 20)
    assert not few.complete
    assert "7 move it" in few.method

    def least_gap(q):
        gaps = np.linalg.norm(q[:, None] - q[None], axis=2)
        return gaps[~np.eye(len(q), dtype=bool)].min()

    random = np.random.default_rng(0)
    others = [least_gap(random.permutation(many.q)[:20]) for _ in range(50)]
    assert least_gap(few.q) > max(others)


def test_whole_turns_are_all_those_within_limits():
    model, frame = arm("ur5e")
    low, high = model.lower_position_limit, model.upper_position_limit
    target = reachable(model, frame, 1, seed=6)[0]
    solver = ReachSolver(model, frame)
    plain, every = solver.all(target), solver.all(target, whole_turns=True)
    turned = plain.q[:, None] + 2.0 * np.pi * np.arange(-3, 4)[:, None]
    expected = np.prod(((turned >= low) & (turned <= high)).sum(axis=1), axis=1).sum()
    assert len(every) == expected > len(plain)
    assert max(every.position_error.max(), every.rotation_error.max()) < EXACT
    assert all(within_limits(model, q) for q in every)


def test_whole_turns_of_a_sample_are_all_those_within_limits():
    model, frame = arm("arctos")
    model.lower_position_limit[5], model.upper_position_limit[5] = -10.0, 10.0
    target = reachable(model, frame, 1, seed=7)[0]
    solver = ReachSolver(model, frame)
    plain, every = solver.all(target), solver.all(target, whole_turns=True)
    turns = plain.q[:, 5, None] + 2.0 * np.pi * np.arange(-4, 5)
    assert len(every) == (np.abs(turns) <= 10.0).sum() >= 3 * len(plain)
    assert max(every.check()[0].max(), every.check()[1].max()) < TOLERANCE


def test_solutions_are_in_the_turn_next_to_the_seed():
    model, frame = arm("arctos")
    model.lower_position_limit[:], model.upper_position_limit[:] = -np.inf, np.inf
    target = reachable(arm("arctos")[0], frame, 1, seed=8)[0]
    seed = np.array([20.0, -7.0, 3.0, 50.0, 0.0, -13.0])
    found = ReachSolver(model, frame).all(target, seed)
    assert len(found) >= 2
    assert found.distances.max() <= np.pi + 1e-9


@pytest.mark.parametrize("mode", ["position", "orientation"])
def test_modes_are_sampled(mode):
    model, frame = arm("ur5e")
    target = as_asked(mode, reachable(model, frame, 1, seed=9))[0]
    found = ReachSolver(model, frame, mode=mode).all(target, count=30)
    assert len(found) == 30
    assert (found.complete, found.method) == (False, f"no closed form: the mode is '{mode}'")
    poses = frame_placements(model, frame, found.q)
    gap = as_asked(mode, poses) - target
    assert np.abs(gap).max() < 2.0 * TOLERANCE


@pytest.mark.parametrize(
    ("mode", "question"),
    [
        ("axis", {}),
        ("direction", {"tool_axis": "x"}),
        ("pointing", {}),
        ("pose", {"mask": [True, True, True, True, True, False], "mask_frame": "tool"}),
        ("rcm", {"pivot": (0.3, 0.1, 0.8)}),
    ],
)
def test_other_questions_are_sampled_and_checked(mode, question):
    model, frame = arm("panda")
    target = {"direction": [0.0, 0.6, -0.8], "pointing": [1.5, 0.3, 0.2], "rcm": [0.4, 0.1, 0.6]}.get(
        mode, reachable(model, frame, 1, seed=10)[0]
    )
    found = ReachSolver(model, frame, mode=mode, **question).all(target, count=40)
    assert len(found) == 40
    position, rotation = found.check()
    assert max(position.max(), rotation.max()) < 1e-5  # a shaft's angle counts by the depth of its pivot
    assert not found.complete


def test_locked_joints_stay_as_the_seed_has_them():
    model, frame = arm("panda")
    seed = configurations(model, 1, seed=11)[0]
    target = frame_placements(model, frame, seed)
    found = ReachSolver(model, frame, lock=["panda_joint3"]).all(target, seed)
    assert found.method == "no closed form: lock was given"
    assert len(found) >= 1
    assert (found.q[:, 2] == seed[2]).all()
    assert found.distances[0] < 1e-9


def test_the_largest_change_of_a_joint_counts():
    model, frame = arm("ur5e")
    target = reachable(model, frame, 1, seed=3)[0]
    everything = ReachSolver(model, frame).all(target)
    most = 0.5 * (everything.distances[2] + everything.distances[3])
    near = ReachSolver(model, frame, max_joint_change=most).all(target)
    assert np.array_equal(near.q, everything.q[everything.distances <= most])


def test_a_root_that_rests_has_the_closed_form_and_one_within_the_arm_is_sampled():
    model, frame = arm("ur5e")
    base = model.add_frame(
        Frame("table", 0, 0, SE3(pantin.kinematics.exp3([0.3, 0.2, -0.5]), [0.1, -0.4, 0.7]), FrameType.OP_FRAME)
    )
    target = reachable(model, frame, 1, seed=12)[0]
    seen = np.linalg.inv(model.frames[base].placement.homogeneous) @ target
    world, table = ReachSolver(model, frame).all(target), ReachSolver(model, frame, root="table").all(seen)
    assert table.complete
    assert np.abs(world.q - table.q).max() < 1e-9
    moving = ReachSolver(model, frame, root="shoulder_link")
    q = configurations(model, 1, seed=13)[0]
    poses = [frame_placements(model, name, q) for name in ("shoulder_link", frame)]
    found = moving.all(np.linalg.inv(poses[0]) @ poses[1], q)
    assert (found.complete, found.method) == (False, "no closed form: it takes six joints, and 5 move it")
    assert len(found) >= 2
    assert found.check()[0].max() < TOLERANCE
    assert (found.q[:, 0] == q[0]).all()  # the joint below the root moves neither


def test_all_steps_of_a_leg_that_its_torso_sees_are_branches():
    model = pantin.load("biped")
    solver = ReachSolver(model, "left_sole", root="torso")
    for q in configurations(model, 5, seed=21):
        poses = [frame_placements(model, name, q) for name in ("torso", "left_sole")]
        found = solver.all(np.linalg.inv(poses[0]) @ poses[1], q)
        assert found.complete
        assert found.distances[0] < 1e-8
        assert max(map(np.max, found.check())) < EXACT
        assert (found.q[:, :7] == q[:7]).all()  # where the torso floats does not matter


def test_an_almost_aligned_wrist_hides_nothing_that_a_search_finds():
    model, frame = arm("ur5e")
    solver = ReachSolver(model, frame)
    probe = ReachSolver(model, frame, options=ReachOptions(max_starts=1))
    searched = 0
    for k, q in enumerate(configurations(model, 8, seed=14)):
        q[4] = (1e-8, 1e-7, 1e-6, 1e-9)[k % 4]
        target = frame_placements(model, frame, q)
        found = solver.all(target)
        batch = probe.solve_batch(np.tile(target, (100, 1, 1)), configurations(model, 100, seed=15))
        ends = batch.q[batch.success]
        regular = np.linalg.svd(frame_jacobians(model, frame, ends), compute_uv=False)[:, 5] > 1e-3
        searched += regular.sum()
        gaps = wrapped(ends[regular][:, None] - found.q[None]).max(axis=2).min(axis=1)
        assert gaps.max(initial=0.0) < 1e-2  # the search stops at 1e-6, over a singular value of 1e-3
        assert wrapped(found.q - q).max(axis=1).min() < max(1e-9 / q[4], 1e-8)
    assert searched > 50


@pytest.mark.parametrize("kind", ["PX", "RUBY", "H", "ball", "planar", "free"])
def test_joints_of_every_kind_take_part(kind):
    model = models.random_tree(["RZ", kind, "RY", "RX", "RZ"], 5, chain=True)
    frame = model.frames[-1].name
    solver = ReachSolver(model, frame, mode="position")
    target = reachable(model, frame, 1, seed=16)[0][:3, 3]
    found = solver.all(target, count=20)
    assert 1 < len(found) <= 20
    assert np.abs(frame_placements(model, frame, found.q)[:, :3, 3] - target).max() < TOLERANCE
    assert all(within_limits(model, q) for q in found)


def test_followers_follow():
    model = models.mimic_tree(2)
    frame = next(f.name for f in model.frames if f.name.startswith("tool_RUBZ_after"))
    target = reachable(model, frame, 1, seed=17)[0]
    found = ReachSolver(model, frame).all(target, count=20)
    assert len(found) >= 1
    assert found.check()[0].max() < TOLERANCE


def test_poses_out_of_reach_have_none():
    for name in ("ur5e", "panda"):
        model, frame = arm(name)
        found = ReachSolver(model, frame).all(SE3(np.eye(3), [5.0, 0.0, 0.0]))
        assert (len(found), found.q.shape) == (0, (0, model.nq))
        assert found.check()[0].shape == (0,)
        assert list(found) == []


def test_a_target_may_be_asked_in_every_form():
    model, frame = arm("ur5e")
    solver = ReachSolver(model, frame)
    target = reachable(model, frame, 1, seed=18)[0]
    expected = solver.all(target)
    quaternion = pantin.kinematics.matrix_to_quaternion(target[:3, :3])
    for form in (SE3(target), target.tolist(), (target[:3, 3], quaternion)):
        assert np.abs(solver.all(form).q - expected.q).max() < 1e-9


@pytest.mark.parametrize("name", ["ur5e", "panda"])
def test_equal_questions_have_equal_answers(name):
    model, frame = arm(name)
    targets = reachable(model, frame, 3, seed=19)
    solver, other = ReachSolver(model, frame), ReachSolver(model, frame)
    first = [solver.all(target) for target in targets]
    again = [other.all(target) for target in reversed(targets)][::-1]
    for one, two in zip(first, again, strict=True):
        assert np.array_equal(one.q, two.q)
        assert np.array_equal(one.position_error, two.position_error)


def test_threads_that_share_a_solver_get_the_same_bits():
    model, frame = arm("panda")
    targets = reachable(model, frame, 4, seed=22)
    expected = [ReachSolver(model, frame).all(target, count=10).q for target in targets]
    solver, answers = ReachSolver(model, frame), {}

    def work(k):
        answers[k] = [solver.all(target, count=10).q for target in targets]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 4
    assert all(np.array_equal(a, b) for mine in answers.values() for a, b in zip(mine, expected, strict=True))


def test_edits_of_the_model_are_followed():
    model, frame = arm("ur5e")
    solver = ReachSolver(model, frame)
    target = reachable(model, frame, 1, seed=20)[0]
    everything = solver.all(target)
    model.upper_position_limit[2] = np.sort(everything.q[:, 2])[2] + 1e-6
    fewer = solver.all(target, middle(arm("ur5e")[0]))
    assert 0 < len(fewer) < len(everything)
    model.joint_placements[5] = SE3(np.eye(3), [0.1, 0.02, 0.03]) * model.joint_placements[5]
    assert closed_form(model, frame) is None or not np.array_equal(solver.all(target).q, fewer.q)
    assert solver.all(target).check()[0].max(initial=0.0) < TOLERANCE


def test_a_set_of_solutions_tells_what_it_is():
    model, frame = arm("ur5e")
    target = reachable(model, frame, 1, seed=3)[0]
    found = ReachSolver(model, frame).all(target)
    assert repr(found) == f"ReachSolutions({len(found)}, complete; closed form: axes 2 to 4 are parallel)"
    assert np.array_equal(found[1], found.q[1])
    assert np.array_equal(list(found), found.q)


def hinge():
    model = Model()
    model.add_joint(0, JointModelRZ(), SE3.Identity(), "hinge", min_config=[-1e6], max_config=[1e6])
    model.add_frame(Frame("tip", 1, 0, SE3(np.eye(3), [1.0, 0.0, 0.0]), FrameType.OP_FRAME))
    return model


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"target": np.full((4, 4), np.nan)}, "target"),
        ({"target": np.eye(3)}, "target"),
        ({"seed": np.zeros(3)}, "seed"),
        ({"seed": np.full(6, np.nan)}, "seed"),
        ({"count": 0}, "count"),
        ({"count": 1.5}, "count"),
    ],
)
def test_wrong_questions_name_what_is_wrong(arguments, named):
    model, frame = arm("ur5e")
    question = {"target": np.eye(4), **arguments}
    with pytest.raises(InvalidArgument, match=f"^{named}: "):
        ReachSolver(model, frame).all(question.pop("target"), **question)


def test_too_many_whole_turns_are_refused():
    with pytest.raises(InvalidArgument, match=r"^whole_turns: "):
        ReachSolver(hinge(), "tip", mode="position").all((1.0, 0.0, 0.0), whole_turns=True)
