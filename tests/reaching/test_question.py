"""Keywords of reach: every refusal names its argument, and what is let in gives finite answers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from questions import arm, reachable

import models
from pantin.errors import InvalidArgument, PantinError, UnknownJoint
from pantin.kinematics import SE3, JointModelRZ
from pantin.reaching import ReachOptions, ReachSolver, reach
from pantin.reaching.question import MODES, Question

NAN, INF = float("nan"), float("inf")
KEYWORDS = tuple(Question.__annotations__)
MODEL, FRAME = arm("panda")
POSE = reachable(MODEL, FRAME, 1, seed=9)[0]
FEW = ReachOptions(max_starts=4)

TARGETS = {
    "pose": POSE,
    "axis": POSE,
    "position": POSE[:3, 3],
    "pointing": POSE[:3, 3] + POSE[:3, 2],
    "rcm": POSE[:3, 3],
    "orientation": POSE[:3, :3],
    "direction": POSE[:3, 2],
}
#: What a mode cannot do without.
NEEDED = {"rcm": {"pivot": POSE[:3, 3] - 0.05 * POSE[:3, 2]}}


def ask(mode, **words):
    """The answer of a fresh solver."""
    target = POSE if isinstance(words.get("roll"), str) else TARGETS[mode]
    return ReachSolver(MODEL, FRAME, mode=mode, options=FEW, **NEEDED.get(mode, {}) | words).solve(target)


def answer_or_refusal(mode, words):
    """The answer, and how the question was refused; None for the other of them."""
    try:
        return ask(mode, **words), None
    except PantinError as refusal:
        return None, refusal


@pytest.mark.parametrize(
    ("mode", "name", "value", "says"),
    [
        ("axis", "tool_axis", "w", "'x', 'y', 'z'"),
        ("axis", "tool_axis", "--x", "'x', 'y', 'z'"),
        ("axis", "tool_axis", "", "'x', 'y', 'z'"),
        ("axis", "tool_axis", (0.0, 0.0, 0.0), "zero"),
        ("axis", "tool_axis", (0.0, 1.0), "3 numbers"),
        ("axis", "tool_axis", (0.0, NAN, 0.0), "finite"),
        ("pose", "tool_axis", "x", "means nothing in the mode 'pose'"),
        ("pose", "mask", (1, 1, 1), "6 booleans"),
        ("pose", "mask", (1, 1, 1, 1, 1, 2), "6 booleans"),
        ("pose", "mask", "111111", "6 booleans"),
        ("pose", "mask", [[1], [1, 2], 3, 4, 5, 6], "6 booleans"),
        ("pose", "mask", 6 * [False], "nothing that counts"),
        ("position", "mask", 6 * [True], "3 booleans"),
        ("axis", "mask", 6 * [True], "means nothing in the mode 'axis'"),
        ("rcm", "weights", 6 * [1.0], "means nothing in the mode 'rcm'"),
        ("pose", "weights", 6 * [0.0], "nothing that counts"),
        ("pose", "weights", (1, 1, 1, 1, 1, -1), "[0, 1e+06]"),
        ("pose", "weights", (1, 1, 1, 1, 1, 1e-7), "from 1e-06 up"),
        ("pose", "weights", (1, 1, 1, 1, 1, 1e7), "[0, 1e+06]"),
        ("pose", "weights", (1, 1, 1, 1, 1, NAN), "finite"),
        ("pose", "weights", [[1], [1, 2]], "ragged"),
        ("pose", "tolerances", 6 * [0.0], "[1e-12, 1e+06]"),
        ("orientation", "tolerances", 6 * [1e-3], "3 numbers"),
        ("pose", "mask_frame", "world", "'tool' or 'root'"),
        ("pose", "mask_frame", np.ones(6), "'tool' or 'root'"),
        ("direction", "mask_frame", "tool", "means nothing"),
        ("rcm", "pivot", (0.0, 0.0), "3 numbers"),
        ("rcm", "pivot", (0.0, INF, 0.0), "finite"),
        ("axis", "pivot", (0.0, 0.0, 0.0), "belongs to the mode 'rcm'"),
        ("rcm", "roll", "free", "'target' or None"),
        ("pose", "roll", "target", "belongs to the mode 'rcm'"),
        ("rcm", "shaft", 0.0, "positive"),
        ("rcm", "shaft", -0.1, "in [0"),
        ("rcm", "shaft", 0.001, "more than the shaft's"),
        ("rcm", "min_depth", 0.0, "positive"),
        ("pose", "min_depth", 0.01, "belongs to the mode 'rcm'"),
        ("pose", "lock", 5, "names of joints"),
        ("pose", "lock", [2.5], "no joint 2.5"),
        ("pose", "joint_weights", {"panda_joint1": -1.0}, "[0, 1e+06]"),
        ("pose", "joint_weights", {"panda_joint1": NAN}, "finite"),
        ("pose", "joint_weights", {"panda_joint1": "much"}, "real numbers"),
        ("pose", "joint_weights", np.ones(6), "7 numbers"),
        ("pose", "max_joint_change", 0.0, "positive"),
        ("pose", "max_joint_change", -1.0, "in [0"),
        ("pose", "max_joint_change", NAN, "finite"),
        ("pose", "max_joint_change", "far", "real numbers"),
        ("pose", "posture", np.ones(6), "7 numbers"),
        ("pose", "posture", np.full(7, NAN), "finite"),
        ("pose", "posture_weight", NAN, "finite"),
        ("pose", "posture_weight", (1.0, 2.0), "one number"),
    ],
)
def test_what_is_wrong_is_refused_by_name_and_told_how_to_mend(mode, name, value, says):
    words = {"min_depth": 0.002} if name == "shaft" else {}
    with pytest.raises(PantinError) as refusal:
        ask(mode, **words | {name: value})
    assert says in str(refusal.value)
    named = "min_depth" if "more than the shaft's" in says else name
    assert getattr(refusal.value, "argument", named) == named
    with pytest.raises(type(refusal.value)) as again:
        reach(MODEL, FRAME, TARGETS[mode], mode=mode, **NEEDED.get(mode, {}) | words | {name: value})
    assert str(again.value) == str(refusal.value)


def test_unknown_keywords_and_joints_are_refused_with_the_nearest():
    with pytest.raises(InvalidArgument, match="joint_weight: reach has no such argument; did you mean 'joint_weights'"):
        ask("pose", joint_weight=[1.0])
    with pytest.raises(InvalidArgument, match=r"zzz: reach has no such argument$"):
        reach(MODEL, FRAME, POSE, zzz=None)
    for words in ({"lock": ["panda_joint_1"]}, {"lock": "panda_joint_1"}, {"joint_weights": {"panda_joint_1": 2.0}}):
        with pytest.raises(UnknownJoint, match="did you mean 'panda_joint1'"):
            ask("pose", **words)


def test_a_pivot_is_asked_for():
    with pytest.raises(InvalidArgument, match=r"pivot: the mode 'rcm' takes the point .* pivot=\(x, y, z\)"):
        reach(MODEL, FRAME, POSE[:3, 3], mode="rcm")


def test_followers_are_neither_locked_nor_weighted():
    model = models.mimic_tree(2)
    follower = next(i for i in range(1, model.njoints) if model.joints[i].mimic is not None)
    master = model.names[int(model.joints[follower].mimic.master)]
    frame = f"tool_{model.names[follower]}"
    for words in ({"lock": [model.names[follower]]}, {"joint_weights": {model.names[follower]: 2.0}}):
        with pytest.raises(InvalidArgument, match=f"follows '{master}'; name that"):
            ReachSolver(model, frame, **words)


def test_a_ball_is_locked_as_a_whole():
    model = models.random_tree(["RZ", "ball", "RY"], 1, chain=True)
    with pytest.raises(InvalidArgument, match="joint 'ball_1' is locked in part"):
        ReachSolver(model, "tool_RY_2", joint_weights=[1.0, 1.0, 0.0, 1.0, 1.0])
    with pytest.raises(InvalidArgument, match="joint_weights: expected 3 numbers"):
        ReachSolver(model, "tool_RY_2", joint_weights={"ball_1": [1.0, 2.0]})
    ReachSolver(model, "tool_RY_2", joint_weights={"ball_1": [1.0, 2.0, 3.0], "RZ_0": 2.0})
    ReachSolver(model, "tool_RY_2", joint_weights={"ball_1": 0.5})


@pytest.mark.parametrize("mode", MODES)
def test_none_stands_for_the_default(mode):
    words = {name: None for name in KEYWORDS if name not in NEEDED.get(mode, {})}
    assert np.array_equal(ask(mode, **words).q, ask(mode).q)


@pytest.mark.parametrize(
    ("mode", "one", "other"),
    [
        ("axis", {"tool_axis": "-x"}, {"tool_axis": np.array([-2, 0, 0])}),
        ("axis", {"tool_axis": (1.0, 1.0, 0.0)}, {"tool_axis": (5e-324, 5e-324, 0.0)}),
        ("pose", {"mask": (True, False, True, True, True, True)}, {"mask": np.array([1.0, 0.0, 1.0, 1.0, 1.0, 1.0])}),
        ("pose", {"weights": (1, 2, 3, 4, 5, 6)}, {"weights": np.arange(1.0, 7.0)[None]}),
        ("pose", {"lock": "panda_joint1"}, {"lock": {"panda_joint1"}}),
        ("pose", {"lock": "panda_joint1"}, {"lock": (name for name in ["panda_joint1"])}),
        ("pose", {"joint_weights": {"panda_joint1": 2.0}}, {"joint_weights": [2, 1, 1, 1, 1, 1, 1]}),
        ("rcm", {"pivot": tuple(NEEDED["rcm"]["pivot"])}, {"pivot": np.repeat(NEEDED["rcm"]["pivot"], 2)[::2]}),
        ("pose", {"posture": [0.1] * 7, "posture_weight": 1}, {"posture": np.full((1, 7), 0.1), "posture_weight": 1.0}),
        ("pose", {"max_joint_change": 10}, {"max_joint_change": np.float32(10.0)}),
    ],
)
def test_keywords_may_be_given_in_every_form(mode, one, other):
    expected = ask(mode, **one)
    assert np.array_equal(ask(mode, **other).q, expected.q)


@pytest.mark.parametrize("mode", MODES)
def test_reach_answers_as_a_solver_does_whether_or_not_it_can_keep_it(mode):
    hashable = {"lock": ("panda_joint1",), "max_joint_change": 2.5, "posture_weight": 0.5}
    unhashable = {"lock": ["panda_joint1"], "joint_weights": {"panda_joint2": 3.0}, "posture": np.zeros(7)}
    for words in (hashable, unhashable):
        question = NEEDED.get(mode, {}) | words
        expected = ReachSolver(MODEL, FRAME, mode=mode, **question).solve(TARGETS[mode])
        for _ in range(2):
            result = reach(MODEL, FRAME, TARGETS[mode], mode=mode, **question)
            assert np.array_equal(result.q, expected.q)
            assert result.status == expected.status


def test_what_the_caller_does_to_arrays_later_does_not_reach_a_solver():
    words = {"posture": np.full(7, 0.2), "joint_weights": np.ones(7), "posture_weight": 1.0}
    solver = ReachSolver(MODEL, FRAME, mode="position", **words)
    expected = solver.solve(POSE[:3, 3])
    words["posture"][:], words["joint_weights"][:] = 9.0, 0.0
    assert np.array_equal(solver.solve(POSE[:3, 3]).q, expected.q)
    weights = np.array([1.0, 1.0, 0.0])
    solver = ReachSolver(MODEL, FRAME, mode="position", weights=weights)
    result = solver.solve(POSE[:3, 3])
    weights[:] = 1.0
    assert result.check().success


@pytest.mark.parametrize("words", [{"posture": np.zeros(7)}, {"lock": ["panda_joint1"]}, {"joint_weights": np.ones(7)}])
def test_a_solver_refuses_a_model_that_has_outgrown_what_it_was_given(words):
    model = MODEL.copy()
    solver = ReachSolver(model, FRAME, **words)
    model.add_joint(7, JointModelRZ(), SE3.Identity(), "another")
    with pytest.raises(InvalidArgument, match=r"model: its posture, locks or joint_weights .* make a new ReachSolver"):
        solver.solve(POSE)
    with pytest.raises(InvalidArgument, match="model: its posture"):
        solver.solve_batch(POSE)
    assert ReachSolver(model, FRAME).solve(POSE).success


#: Numbers, and what only looks like them.
numbers = st.one_of(
    st.floats(),
    st.integers(-3, 3),
    st.sampled_from(
        [0.0, 1.0, -1.0, 1e-320, 1e-160, 1e150, 1e200, NAN, INF, True, None, 1j, "1", b"1", np.float32(0.5)]
    ),
)
names = st.sampled_from([*MODEL.names, "nobody", "", "panda_joint_1"])
anything = st.one_of(
    numbers,
    st.lists(numbers, max_size=8),
    st.lists(st.lists(numbers, max_size=3), max_size=3),
    st.sampled_from([6 * [1.0], 3 * [1.0], 7 * [0.5], np.ones(6), np.eye(3), np.zeros(0), SE3.Identity(), object, ...]),
    st.sampled_from(["x", "-z", "tool", "root", "target", "free", "pose", ""]),
    st.lists(names, max_size=3),
    st.dictionaries(names, numbers, max_size=3),
    st.lists(st.floats(1e-3, 1e3), min_size=3, max_size=7),
    st.lists(st.booleans(), min_size=3, max_size=6),
)
vectors = st.lists(st.floats(-1e150, 1e150), min_size=3, max_size=3)


@given(mode=st.sampled_from(MODES), words=st.dictionaries(st.sampled_from(KEYWORDS), anything, max_size=3))
@settings(max_examples=400)
def test_whatever_comes_is_refused_by_name_or_answered(mode, words):
    result, refusal = answer_or_refusal(mode, words)
    if isinstance(refusal, UnknownJoint):
        assert {"lock", "joint_weights"} & words.keys()
    elif refusal is not None:
        # an argument that was not given may be what is missing, or what another one is too small for
        assert refusal.argument in {*words, *({"pivot", "min_depth"} if mode == "rcm" else ())}
    else:
        assert np.isfinite(result.q).all()
        assert np.isfinite([result.position_error, result.rotation_error, result.seed_distance]).all()
        assert result.status in {"reached", "not_found", "out_of_workspace", "limits", "joint_jump", "rcm_depth"}
        assert not result.success or result.check().success


@given(
    mode=st.sampled_from(["axis", "direction", "pointing", "position", "rcm"]),
    target=vectors,
    pivot=vectors,
    axis=vectors,
)
@settings(max_examples=200)
def test_targets_and_pivots_anywhere_have_finite_answers(mode, target, pivot, axis):
    words = {"pivot": pivot} if mode == "rcm" else {}
    if mode != "position" and any(axis):
        words["tool_axis"] = axis
    if mode == "direction" and not any(target):
        return
    goal = SE3(np.eye(3), np.array(target)) if mode == "axis" else target
    result = reach(MODEL, FRAME, goal, mode=mode, options=FEW, **words)
    assert np.isfinite(result.q).all()
    assert np.isfinite([result.position_error, result.rotation_error]).all()
    assert not result.success or result.check().success
