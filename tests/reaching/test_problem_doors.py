"""What a problem is given: refusals that name what is wrong, and nothing that is asked wrongly changes it."""

import gc
import signal
import threading
import time
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from problems import anywhere, every_aim, nearby, pose
from questions import arm

import models
import pantin
from pantin.errors import InvalidArgument, InvalidModel, PantinError, UnknownFrame, UnknownJoint
from pantin.kinematics import SE3, JointModelFreeFlyer, Model, matrix_to_quaternion, neutral
from pantin.reaching import Problem, ReachOptions

NAN = float("nan")


@pytest.fixture
def panda():
    model, frame = arm("panda")
    return model, frame, Problem(model)


def test_nothing_asked_is_refused(panda):
    _, _, problem = panda
    with pytest.raises(InvalidArgument, match="add a residual first"):
        problem.solve()
    with pytest.raises(InvalidArgument, match="targets"):
        problem.solve_batch({})


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda p, f: p.add_frame(f, [NAN, 0.0, 0.0], mode="position"), "target"),
        (lambda p, f: p.add_frame(f, [0.0, 0.0], mode="position"), "target"),
        (lambda p, f: p.add_frame(f, 2.0 * np.eye(4)), "target"),
        (lambda p, f: p.add_frame(f, "here"), "target"),
        (lambda p, f: p.add_frame(f, [0.0, 0.0, 0.0], mode="direction"), "direction"),
        (lambda p, f: p.add_frame(f, np.eye(4), mode="pointing"), "mode"),
        (lambda p, f: p.add_frame(f, np.eye(4), mode=["pose"]), "mode"),
        (lambda p, f: p.add_frame(f, np.eye(4), weights=[1.0, 2.0]), "weights"),
        (lambda p, f: p.add_frame(f, np.eye(4), weights=np.zeros(6)), "weights"),
        (lambda p, f: p.add_frame(f, np.eye(4), weights=-1.0), "weights"),
        (lambda p, f: p.add_frame(f, np.eye(4), mode="axis", weights=[1.0, 1.0, 1.0, 0.0]), "weights"),
        (lambda p, f: p.add_frame(f, np.eye(4), mode="axis", tool_axis="w"), "tool_axis"),
        (lambda p, f: p.add_frame(f, np.eye(4), position_tolerance=0.0), "position_tolerance"),
        (lambda p, f: p.add_frame(f, np.eye(4), root=f), "no joint moves"),
        (lambda p, _: p.add_frame("panda_link0", np.eye(4)), "no joint moves"),
        (lambda p, f: p.add_look_at(f, [0.0, 0.0]), "target"),
        (lambda p, f: p.add_look_at(f, [1.0, 0.0, 0.0], weight=0.0), "weights"),
        (lambda p, f: p.add_pivot(f, [1.0, 0.0, NAN]), "target"),
        (lambda p, f: p.add_pivot(f, [1.0, 0.0, 0.0], tool_axis=[0.0, 0.0, 0.0]), "tool_axis"),
        (lambda p, _: p.add_com([None, None, None]), "target"),
        (lambda p, _: p.add_com([0.0, 0.0]), "target"),
        (lambda p, _: p.add_posture(np.zeros(3)), "target"),
        (lambda p, _: p.add_posture(np.full(7, NAN)), "target"),
        (lambda p, _: p.add_posture(np.zeros(7), weights=np.zeros(7)), "weights"),
        (lambda p, _: p.remove("left hand"), "residual"),
    ],
)
def test_a_wrong_residual_is_refused_and_leaves_no_trace(panda, ask, words):
    _, frame, problem = panda
    with pytest.raises(InvalidArgument, match=words):
        ask(problem, frame)
    assert problem.residuals == ()
    assert problem.posture is None


def test_unknown_names_are_told_with_the_nearest():
    model, frame = arm("panda")
    with pytest.raises(UnknownFrame, match="panda_hand"):
        Problem(model).add_frame("panda_hant", np.eye(4))
    with pytest.raises(UnknownFrame):
        Problem(model).add_frame(frame, np.eye(4), root="nowhere")
    with pytest.raises(UnknownJoint, match="panda_joint2"):
        Problem(model, lock=["panda_joint22"])
    with pytest.raises(InvalidArgument, match=r"\['panda_joint2'\]"):
        Problem(model, lock="panda_joint2")
    with pytest.raises(TypeError, match="model"):
        Problem("panda")
    with pytest.raises(InvalidArgument, match="options"):
        Problem(model, options={"max_starts": 3})


def test_followers_are_not_locked_but_their_masters():
    model = models.mimic_tree()
    followers = [name for name, joint in zip(model.names, model.joints, strict=True) if joint.mimic is not None]
    with pytest.raises(InvalidArgument, match="follows"):
        Problem(model, lock=followers[:1])


def test_what_locked_joints_alone_move_is_refused():
    model, frame = arm("panda")
    problem = Problem(model, lock=range(1, model.njoints))
    with pytest.raises(InvalidArgument, match="locked"):
        problem.add_frame(frame, np.eye(4))
    with pytest.raises(InvalidArgument, match="locked"):
        problem.add_com([0.0, 0.0, 0.5])


def test_a_model_without_mass_has_no_centre_of_mass():
    model = Model()
    model.add_joint(0, JointModelFreeFlyer(), SE3.Identity(), "body")
    with pytest.raises(InvalidArgument, match="no mass"):
        Problem(model).add_com([0.0, 0.0, 0.0])


def test_there_is_one_posture(panda):
    model, frame, problem = panda
    problem.add_frame(frame, [0.4, 0.1, 0.5], mode="position")
    posture = problem.add_posture(neutral(model))
    with pytest.raises(InvalidArgument, match="posture already"):
        problem.add_posture(neutral(model))
    first = problem.solve().q
    posture.target = anywhere(model, 3)
    assert not np.array_equal(problem.solve().q, first)
    problem.remove(posture)
    assert problem.posture is None
    with pytest.raises(InvalidArgument, match="removed"):
        posture.target = neutral(model)
    assert problem.solve().success


def test_targets_may_be_given_in_every_form_and_read_back(panda):
    model, frame, problem = panda
    target = pose(model, frame, anywhere(model, 1))
    hand = problem.add_frame(frame, SE3(target))
    expected = problem.solve().q
    for form in (target, target.tolist(), (target[:3, 3], matrix_to_quaternion(target[:3, :3]))):
        hand.target = form
        assert np.allclose(hand.target.homogeneous, target, rtol=0.0, atol=1e-12)
        assert np.allclose(problem.solve().q, expected, rtol=0.0, atol=1e-5)
    for mode, part in (("position", target[:3, 3]), ("orientation", target[:3, :3]), ("direction", target[:3, 2])):
        assert np.allclose(problem.add_frame(frame, part, mode=mode).target, part, rtol=0.0, atol=1e-15)
    aimed = problem.add_frame(frame, target, mode="axis", tool_axis="-x").target
    assert np.allclose(aimed.rotation[:, 0], target[:3, 0], rtol=0.0, atol=1e-12)
    assert np.allclose(problem.add_look_at(frame, [1.0, 2.0, 3.0]).target, [1.0, 2.0, 3.0])


def test_a_wrong_target_leaves_the_old_one(panda):
    _, frame, problem = panda
    hand = problem.add_frame(frame, [0.4, 0.1, 0.5], mode="position")
    for wrong in ([NAN, 0.0, 0.0], [1.0], "there", None):
        with pytest.raises(InvalidArgument, match="target"):
            hand.target = wrong
        assert np.array_equal(hand.target, [0.4, 0.1, 0.5])
    problem.remove(hand)
    with pytest.raises(InvalidArgument, match="removed"):
        hand.target = [0.4, 0.1, 0.5]
    with pytest.raises(InvalidArgument, match="expected one of this problem's"):
        problem.remove(hand)


def test_results_keep_what_they_were_asked(panda):
    model, frame, problem = panda
    hand = problem.add_frame(frame, [0.4, 0.1, 0.5], mode="position")
    result = problem.solve()
    hand.target = [0.5, -0.1, 0.4]
    problem.add_posture(neutral(model))
    problem.remove(hand)
    check = result.check()
    assert check.success
    assert [error.residual for error in check.errors] == [hand]
    assert result.error(hand).position <= 1e-6
    with pytest.raises(InvalidArgument, match="residual"):
        result.error(Problem(model).add_frame(frame, np.eye(4)))
    with pytest.raises(TypeError, match="success"):
        bool(result)


def test_a_seed_is_checked_and_clipped(panda):
    model, frame, problem = panda
    problem.add_frame(frame, [0.4, 0.1, 0.5], mode="position")
    for wrong in ([0.0], np.full(model.nq, NAN), "home"):
        with pytest.raises(InvalidArgument, match="seed"):
            problem.solve(wrong)
    result = problem.solve(np.full(model.nq, 30.0))
    assert result.success
    assert result.notes == ("the seed was outside the limits and was clipped",)
    with pytest.raises(TypeError, match="argument"):
        problem.solve(seeds=np.zeros(model.nq))


def test_edits_of_the_model_and_its_limits_are_followed(panda):
    model, frame, problem = panda
    problem.add_frame(frame, [0.4, 0.1, 0.5], mode="position")
    before = problem.solve().q
    model.upper_position_limit[0] = before[0] - 0.1
    narrow = problem.solve(before)
    assert narrow.success
    assert narrow.q[0] <= before[0] - 0.1
    model.append_body_to_joint(1, models.random_inertia(np.random.default_rng(0)))
    assert problem.solve(narrow.q).success
    model.lower_position_limit[0] = 9.0
    with pytest.raises(InvalidModel, match="panda_joint1"):
        problem.solve()


def test_equal_questions_have_equal_answers_in_any_company():
    model = models.random_tree(["free", "RZ", "ball", "RUBX", "RX", "HY", "PX", "RZ"], 6, chain=True)
    goals = np.array([nearby(model, k, 0.4) for k in range(70)])
    tip, inner = model.frames[-1].name, model.frames[3].name
    problem = Problem(model)
    one = problem.add_frame(tip, pose(model, tip, goals[0]))
    other = problem.add_frame(inner, pose(model, inner, goals[0])[:3, 3], mode="position")
    many = {
        one: np.array([pose(model, tip, q) for q in goals]),
        other: np.array([pose(model, inner, q)[:3, 3] for q in goals]),
    }
    many[other][::9] += 7.0  # some that nothing reaches
    batch, threaded = problem.solve_batch(many), problem.solve_batch(many, threads=3)
    order = np.random.default_rng(0).permutation(len(goals))
    shuffled = problem.solve_batch({residual: targets[order] for residual, targets in many.items()})
    assert np.array_equal(batch.q, threaded.q)
    assert np.array_equal(batch.q[order], shuffled.q)
    assert 0 < batch.success.sum() < len(goals)
    for k in range(len(goals)):
        one.target, other.target = many[one][k], many[other][k]
        result = problem.solve()
        assert np.array_equal(result.q, batch.q[k])
        assert result.status == batch.status[k]
        assert [e.position for e in result.errors] == list(batch.position_errors[k])
        assert (result.iterations, result.starts) == (batch.iterations[k], batch.starts[k])


def test_a_batch_varies_some_targets_and_takes_seeds(panda):
    model, frame, problem = panda
    problem.add_frame("panda_link4", pose(model, "panda_link4", neutral(model))[:3, 2], mode="direction")
    hand = problem.add_frame(frame, [0.4, 0.1, 0.5], mode="position")
    q = np.array([[nearby(model, 10 * i + k, 0.1) for k in range(3)] for i in range(2)])
    points = np.array([[pose(model, frame, x)[:3, 3] for x in row] for row in q])
    batch = problem.solve_batch({hand: points}, q)
    assert batch.q.shape == (2, 3, model.nq)
    assert batch.position_errors.shape == (2, 3, 2)
    assert "of 6" in repr(batch)
    single = problem.solve_batch({hand: points[0, 0]}, q[0, 0])
    assert np.array_equal(single.q, batch.q[0, 0])
    with pytest.raises(InvalidArgument, match="seeds"):
        problem.solve_batch({hand: points}, q[:1])
    with pytest.raises(InvalidArgument, match="targets"):
        problem.solve_batch({hand: points, problem.residuals[0]: points[0]})
    with pytest.raises(InvalidArgument, match="targets"):
        problem.solve_batch({"hand": points})
    with pytest.raises(InvalidArgument, match="threads"):
        problem.solve_batch({hand: points}, threads=0)


def test_threads_that_share_a_problem_get_the_same_bits(panda):
    model, frame, problem = panda
    problem.add_frame(frame, [0.4, 0.1, 0.5], mode="position")
    seeds = [anywhere(model, [9, k]) for k in range(50)]
    expected = [problem.solve(seed).q for seed in seeds]
    answers = [None] * 4

    def work(k):
        answers[k] = [problem.solve(seed).q for seed in seeds]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(expected, answer) for answer in answers)


def test_a_time_limit_ends_a_hopeless_question():
    model, frame = arm("panda")
    problem = Problem(model, options=ReachOptions(time_limit_ms=2.0, max_starts=1_000_000))
    problem.add_frame(frame, [3.0, 0.0, 0.0], mode="position")
    problem.add_frame("panda_link5", [-3.0, 0.0, 0.0], mode="position")
    result = problem.solve()
    assert result.status is pantin.Status.DEADLINE
    assert result.errors[0].position > 1.0


def test_a_hopeless_question_can_be_interrupted():
    model, frame = arm("panda")
    problem = Problem(model, options=ReachOptions(max_starts=1_000_000))
    problem.add_frame(frame, [3.0, 0.0, 0.0], mode="position")
    problem.add_frame("panda_link5", [-3.0, 0.0, 0.0], mode="position")
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    many = {problem.residuals[0]: np.full((100, 3), 3.0)}
    try:
        for solve in (problem.solve, lambda: problem.solve_batch(many), lambda: problem.solve_batch(many, threads=2)):
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            start = time.perf_counter()
            with pytest.raises(KeyboardInterrupt):
                solve()
            assert time.perf_counter() - start < 5.0  # it would take minutes
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, previous)
    assert problem.solve_batch({problem.residuals[0]: np.zeros((0, 3))}).q.shape == (0, model.nq)


def test_a_handler_may_change_and_solve_the_problem_that_it_interrupts():
    model, frame = arm("panda")
    problem = Problem(model, options=ReachOptions(max_starts=20_000))
    problem.add_frame(frame, [1.0, 0.0, 0.0], mode="position")
    far = problem.add_frame("panda_link5", [-1.0, 0.0, 0.0], mode="position")
    expected = problem.solve().q
    calls = []

    def handler(*_):
        problem.remove(far)
        calls.append(problem.solve())
        problem.add_posture(neutral(model))
        problem.add_frame("panda_link3", [0.0, 0.0, 1.0], mode="direction")
        calls.append(problem.solve())

    previous = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.02)
    try:
        result = problem.solve()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, previous)
    assert len(calls) == 2
    assert np.array_equal(result.q, expected)
    assert len(result.errors) == 2


def test_a_problem_and_its_model_are_collected():
    model, frame = arm("panda")
    problem = Problem(model)
    problem.add_frame(frame, np.eye(4))
    model.kept = problem
    gone = weakref.ref(model)
    del model, problem
    gc.collect()
    assert gone() is None


numbers = st.floats(allow_nan=True, allow_infinity=True, width=64)


@given(
    st.sampled_from(["pose", "position", "orientation", "axis", "direction", "look_at", "pivot", "com", "posture"]),
    st.one_of(
        hnp.arrays(np.float64, hnp.array_shapes(min_dims=0, max_dims=3, max_side=4), elements=numbers),
        st.none(),
        st.text(max_size=3),
        st.lists(st.one_of(st.none(), numbers), max_size=4),
    ),
)
def test_any_target_is_solved_for_or_refused(kind, target):
    model, frame = arm("arctos")
    problem = Problem(model, options=ReachOptions(max_starts=5))
    try:
        if kind in ("look_at", "pivot"):
            getattr(problem, f"add_{kind}")(frame, target)
        elif kind in ("com", "posture"):
            problem.add_frame(frame, [0.3, 0.0, 0.4], mode="position")
            getattr(problem, f"add_{kind}")(target)
        else:
            problem.add_frame(frame, target, mode=kind)
    except PantinError:
        return
    result = problem.solve()
    assert np.isfinite(result.q).all()
    assert result.success == result.check().success


def test_every_aim_says_what_it_is():
    model = models.every_kind(3)
    problem = every_aim(model, anywhere(model, 0), np.random.default_rng(0))
    text = repr(problem)
    for word in ("pose", "position", "orientation", "axis", "direction", "look_at", "pivot", "CentreOfMass"):
        assert word in text
    assert "reached" in repr(problem.solve(anywhere(model, 0)))
