"""The core's raw calls read their arguments as Python does, refuse what is wrong, and cannot be made to crash.

They have no binding layer in between, so each is tried with every kind of argument, at every place.
"""

from __future__ import annotations

import contextlib
import inspect
import itertools
import re
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pantin.kinematics as pt
from models import arm, configuration, every_kind, velocity
from pantin import _core
from pantin.errors import InvalidArgument, PantinError
from pantin.kinematics import SE3, Model, Motion

HOT = {
    name: call
    for name, call in vars(_core).items()
    if inspect.isbuiltin(call) and type(call) is type(len) and not name.startswith("_")
}

#: What each parameter is given.
VALUES = {
    "model": lambda m, d: m,
    "data": lambda m, d: d,
    "q": lambda m, d: configuration(m, 0),
    "q0": lambda m, d: configuration(m, 0),
    "q1": lambda m, d: configuration(m, 1),
    "v": lambda m, d: velocity(m, 0),
    "a": lambda m, d: velocity(m, 1),
    "tau": lambda m, d: velocity(m, 2),
    "fext": lambda m, d: np.random.default_rng(0).normal(size=(m.njoints, 6)),
    "frame_id": lambda m, d: 3,
    "joint_id": lambda m, d: 3,
    "reference_frame": lambda m, d: pt.ReferenceFrame.WORLD,
    "out": lambda m, d: None,
}


def parameters(call):
    return list(inspect.signature(call).parameters.values())


def required(call):
    return [p.name for p in parameters(call) if p.default is inspect.Parameter.empty]


def arguments(call, model, data):
    return {p.name: VALUES[p.name](model, data) for p in parameters(call)}


def numbers(result):
    return None if result is None else np.array(result)


@pytest.fixture(params=HOT)
def name(request):
    return request.param


@pytest.fixture
def call(name):
    return HOT[name]


@pytest.fixture(scope="module")
def model():
    return arm()


@pytest.fixture
def world(model):
    data = model.create_data()
    pt.compute_joint_jacobians(model, data, configuration(model, 0))
    pt.update_frame_placements(model, data)
    return model, data


def test_the_raw_calls_are_known():
    assert {"forward_kinematics", "compute_frame_jacobian", "integrate", "difference"} <= set(HOT)
    assert {p.name for call in HOT.values() for p in parameters(call)} <= set(VALUES)


def test_raw_calls_are_the_public_ones(name, call):
    public = getattr(pt, name, None) or getattr(pt.dynamics, name)
    assert public is call
    assert call.__doc__
    assert not call.__doc__.startswith(name)


# -- how arguments are given -------------------------------------------------------------------------------------


def test_positions_and_keywords_mean_the_same(call, world):
    given = arguments(call, *world)
    expected = numbers(call(*given.values()))
    buffer = world[1]._buffer().copy()
    for positions in range(len(given)):
        first = list(given.values())[:positions]
        rest = dict(list(given.items())[positions:])
        for keywords in (rest, dict(reversed(rest.items()))):
            result = numbers(call(*first, **keywords))
            np.testing.assert_array_equal(result, expected)
            np.testing.assert_array_equal(world[1]._buffer(), buffer)


def test_optional_arguments_may_be_left_out(call, world):
    given = arguments(call, *world)
    call(*[given[name] for name in required(call)])
    call(**{name: given[name] for name in required(call)})


def test_defaults_are_those_of_the_signature(call, world):
    given = arguments(call, *world)
    needed = {name: given[name] for name in required(call)}
    defaults = {p.name: p.default for p in parameters(call) if p.default is not inspect.Parameter.empty}
    np.testing.assert_array_equal(numbers(call(**needed)), numbers(call(**needed, **defaults)))


def test_missing_arguments_are_named(name, call, world):
    given = arguments(call, *world)
    for missing in required(call):
        rest = {key: value for key, value in given.items() if key != missing}
        with pytest.raises(TypeError, match=rf"{name}\(\) misses its argument '{missing}'"):
            call(**rest)
    with pytest.raises(TypeError, match="misses its argument 'model'"):
        call()


def test_arguments_too_many_are_counted(name, call, world):
    given = arguments(call, *world)
    with pytest.raises(TypeError, match=rf"{name}\(\) takes at most {len(given)} arguments, got {len(given) + 1}"):
        call(*given.values(), None)
    with pytest.raises(TypeError, match=rf"got {len(given) + 50}"):
        call(*given.values(), *[None] * 50)


def test_arguments_given_twice_are_named(name, call, world):
    given = arguments(call, *world)
    for position, twice in enumerate(given):
        with pytest.raises(TypeError, match=f"'{twice}' twice"):
            call(*list(given.values())[: position + 1], **dict(list(given.items())[position + 1 :]), **{twice: 0})


@pytest.mark.parametrize("unknown", ["qq", "Q", "é", "", "modell", "q ", "\ud800", "x" * 1000])
def test_unknown_keywords_are_named(call, world, unknown):
    given = arguments(call, *world)
    before = world[1]._buffer().copy()
    with pytest.raises(TypeError, match=re.escape(f"has no argument {unknown!r}")):
        call(*given.values(), **{unknown: 1})
    np.testing.assert_array_equal(world[1]._buffer(), before)


# -- what is given ----------------------------------------------------------------------------------------------

STRANGE = {
    "None": None,
    "int": 7,
    "huge": 10**40,
    "negative": -5,
    "bool": True,
    "float": 0.5,
    "nan": float("nan"),
    "text": "abc",
    "bytes": b"abc",
    "empty list": [],
    "list": [0.1] * 7,
    "ragged": [[1.0], [1.0, 2.0]],
    "dictionary": {"a": 1},
    "type": float,
    "object": object(),
    "zeros": np.zeros(7),
    "short": np.zeros(6),
    "nothing": np.zeros(0),
    "scalar": np.float64(0.5),
    "0-d": np.array(0.5),
    "row": np.zeros((1, 7)),
    "square": np.zeros((7, 7)),
    "matrix": np.zeros((6, 7)),
    "forces": np.zeros((8, 6)),
    "with nan": np.full(7, np.nan),
    "with infinity": np.full(7, np.inf),
    "float32": np.full(7, 0.5, dtype=np.float32),
    "integers": np.ones(7, dtype=int),
    "booleans": np.ones(7, dtype=bool),
    "complex": np.ones(7, dtype=complex),
    "objects": np.array([0.5] * 7, dtype=object),
    "texts": np.array(["0.5"] * 7),
    "records": np.zeros(7, dtype=[("x", float)]),
    "read-only": np.frombuffer(np.zeros(42).tobytes()).reshape(6, 7),
    "strided": np.zeros((6, 14))[:, ::2],
    "Fortran": np.zeros((6, 7), order="F"),
    "big-endian": np.zeros(7, dtype=">f8"),
    "pose": SE3.Identity(),
    "motion": Motion.Zero(),
    "another model": every_kind(),
    "another data": every_kind().create_data(),
    "generator": (x for x in [0.1]),
}


def attempt(call, given):
    """Result, or the refusal; any other error is a fault."""
    try:
        return call(**given), None
    except (PantinError, TypeError) as refusal:
        return None, refusal


def test_strange_arguments_are_taken_or_refused_in_good_order(call, world):
    given = arguments(call, *world)
    for place, strange in itertools.product(given, STRANGE):
        if place == "model" and strange == "another model":
            continue  # which is one, for the calls without data
        changed = given | {place: STRANGE[strange]}
        result, refusal = attempt(call, changed)
        if isinstance(refusal, InvalidArgument):
            assert str(refusal).startswith((f"{place}: ", "a: accelerations need velocities")), (place, strange)
        elif refusal is None and result is not None:
            assert np.isfinite(result).all()
        # the next call is as good as ever: no error was left set
        call(*given.values())


@given(st.data())
def test_any_mixture_of_arguments_is_taken_or_refused(data):
    call = HOT[data.draw(st.sampled_from(sorted(HOT)))]
    model = arm()
    given = arguments(call, model, model.create_data())
    pool = [*STRANGE.values(), *given.values()]
    positions = data.draw(st.lists(st.sampled_from(range(len(pool))), max_size=len(given) + 2))
    names = st.sampled_from([*given, "other"])
    keywords = data.draw(st.dictionaries(names, st.sampled_from(range(len(pool))), max_size=4))
    with contextlib.suppress(PantinError, TypeError):
        call(*[pool[i] for i in positions], **{key: pool[i] for key, i in keywords.items()})
    call(*given.values())


@pytest.mark.parametrize("seed", range(3))
def test_numbers_in_any_dress_give_the_same_bits(call, world, seed):
    given = arguments(call, *world)
    vectors = [key for key in given if key in ("q", "q0", "q1", "v", "a", "tau")]
    for key in vectors:
        given[key] = np.random.default_rng(seed).integers(-3, 4, size=7).astype(float) / 4.0
    expected = numbers(call(*given.values()))
    dresses = [
        lambda x: x.tolist(),
        tuple,
        lambda x: x.astype(np.float32),
        lambda x: x.astype(">f8"),
        lambda x: np.repeat(x, 2)[::2],
        lambda x: x[::-1].copy()[::-1],
        lambda x: x[None, :],
        lambda x: x[:, None],
        lambda x: np.asfortranarray(np.column_stack([x, x]))[:, 0],
        lambda x: np.frombuffer(x.tobytes()),
        lambda x: np.frombuffer(b"x" + x.tobytes(), np.uint8)[1:].view(float),
        lambda x: x.view(type("Mine", (np.ndarray,), {})),
        np.ma.masked_array,
        memoryview,
    ]
    for dress in dresses:
        dressed = given | {key: dress(given[key]) for key in vectors}
        np.testing.assert_array_equal(numbers(call(*dressed.values())), expected)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e200])
def test_numbers_that_are_not_finite_are_refused_and_nothing_is_computed(call, world, bad):
    given = arguments(call, *world)
    before = world[1]._buffer().copy()
    for key in given:
        if key not in ("q", "q0", "q1", "v", "a", "tau", "fext"):
            continue
        changed = given[key].copy()
        changed.flat[-1] = bad
        with pytest.raises(InvalidArgument, match=f"^{key}: "):
            call(**(given | {key: changed}))
    np.testing.assert_array_equal(world[1]._buffer(), before)


# -- results in arrays that are given --------------------------------------------------------------------------


class Mine(np.ndarray):
    """A subclass of arrays."""


FILLING = [name for name, call in HOT.items() if any(p.name == "out" for p in parameters(call))]


@pytest.mark.parametrize("name", FILLING)
def test_results_go_into_the_given_array(name, world, tmp_path):
    given = arguments(HOT[name], *world)
    expected = HOT[name](*given.values())
    shape = expected.shape
    memory = np.empty(expected.size + 1)
    for out in (
        np.full(shape, np.nan),
        np.full(shape, np.nan).view(Mine),
        np.memmap(tmp_path / "out", float, "w+", shape=shape),
        memory[1:].reshape(shape),
    ):
        assert HOT[name](**(given | {"out": out})) is out
        np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("name", FILLING)
def test_arrays_that_cannot_be_filled_are_refused_and_left_alone(name, world):
    given = arguments(HOT[name], *world)
    shape = HOT[name](*given.values()).shape
    size = int(np.prod(shape))
    misaligned = np.frombuffer(bytearray(8 * size + 1), dtype=np.uint8)[1:].view(float).reshape(shape)
    for out in (
        np.zeros(shape[::-1] if shape[0] != shape[1] else (shape[0], shape[1] + 1)),
        np.zeros(size),
        np.zeros(shape, dtype=np.float32),
        np.zeros(shape, dtype=">f8"),
        np.zeros(shape, order="F") if shape[0] > 1 else 0,
        np.zeros((shape[0], 2 * shape[1]))[:, ::2],
        np.broadcast_to(0.0, shape),
        misaligned,
        np.zeros(shape).tolist(),
        "out",
        0,
    ):
        with pytest.raises(InvalidArgument, match=r"^out: "):
            HOT[name](**(given | {"out": out}))
        if isinstance(out, np.ndarray):
            assert not out.any()


# -- references ---------------------------------------------------------------------------------------------------


def test_references_are_given_back(call, world):
    given = arguments(call, *world)
    objects = [value for value in given.values() if value is not None and not isinstance(value, int)]
    nonsense = [object() for _ in given]
    unknown = object()

    def everything():
        call(*given.values())
        call(**given)
        for place, thing in zip(given, nonsense, strict=True):
            with pytest.raises((PantinError, TypeError)):
                call(**(given | {place: thing}))
        with pytest.raises(TypeError):
            call(*given.values(), other=unknown)

    everything()
    before = [sys.getrefcount(thing) for thing in (*objects, *nonsense, unknown)]
    for _ in range(20):
        everything()
    assert [sys.getrefcount(thing) for thing in (*objects, *nonsense, unknown)] == before


def test_results_are_fresh(call, world):
    given = arguments(call, *world)
    one, other = call(*given.values()), call(*given.values())
    if one is not None and not np.isscalar(one):
        numbers = np.asarray(one)
        assert not np.shares_memory(numbers, np.asarray(other))
        for view in (world[1].J, world[1].M, world[1].tau, world[1].Jcom, world[1].com[0], world[1].Ag):
            assert not np.shares_memory(numbers, view)
        assert numbers.flags.writeable
        assert isinstance(one, Motion) or one.flags.owndata or one.base is None


# -- models of derived classes, and arguments that act --------------------------------------------------------


class Derived(Model):
    """A model of a derived class."""


def test_derived_models_are_models(call):
    plain, derived = arm(), Derived()
    for i in range(1, plain.njoints):
        joint = plain.joints[i].copy()
        derived.add_joint(plain.parents[i], joint, plain.joint_placements[i], plain.names[i])
        derived.inertias[i] = plain.inertias[i]
    for frame in list(plain.frames)[1:]:
        derived.add_frame(frame)
    for model in (plain, derived):
        data = model.create_data()
        pt.compute_joint_jacobians(model, data, configuration(plain, 0))
        pt.update_frame_placements(model, data)
        given = arguments(call, plain, data) | {"model": model}
        result = numbers(call(**{p.name: given[p.name] for p in parameters(call)}))
        if model is plain:
            expected = result
    np.testing.assert_array_equal(result, expected)


ACTING = """
    import gc, itertools
    import numpy as np
    import pantin.kinematics as pt
    from pantin import _core
    from pantin.errors import PantinError
    from models import arm, configuration, velocity
    from test_hot_calls import HOT, arguments

    class Acting:
        '''Does something to the model while it is being read.'''

        def __init__(self, values, act):
            self.values, self.act = values, act

        def __array__(self, dtype=None, copy=None):
            self.act()
            return np.array(self.values)

    def grow(model, data):
        for i in range(5):
            model.add_joint(0, pt.JointModelRX(), pt.SE3.Identity(), f"new_{model.njoints}")
        model.create_data()

    def forget(model, data):
        model._tree = None
        [bytearray(2000) for _ in range(100)]

    def recompute(model, data):
        pt.jacobian_center_of_mass(model, data, configuration(arm(), 5))

    def fail(model, data):
        raise KeyError("from inside")

    def collect(model, data):
        gc.collect()

    for name, act in itertools.product(HOT, (grow, forget, recompute, fail, collect)):
        for place in ("q", "q0", "q1", "v", "a", "tau", "fext"):
            model = arm()
            data = model.create_data()
            given = arguments(HOT[name], model, data)
            if place not in given:
                continue
            given[place] = Acting(given[place], lambda: act(model, data))
            try:
                HOT[name](**given)
            except PantinError:
                assert act in (grow, forget), (name, act)
            except KeyError:
                assert act is fail, (name, act)
            else:
                assert act is not fail, (name, act)
    print("alive")
"""


def test_arguments_that_act_on_the_model_do_no_harm():
    # in a process of its own: what goes wrong here would crash
    folders = [path for path in sys.path if path]
    script = f"import sys; sys.path[:0] = {folders!r}\n" + textwrap.dedent(ACTING)
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert result.stdout.strip() == "alive", result.stderr


def test_names_that_act_on_the_model_do_no_harm():
    class Name(str):
        def __hash__(self):
            if model.njoints < 12:
                model.add_joint(0, pt.JointModelRX(), SE3.Identity(), f"new_{model.njoints}")
                model.add_body_frame(f"late_{model.njoints}", model.njoints - 1)
            return str.__hash__(self)

        __eq__ = str.__eq__

    for text, call in itertools.product(("tool_RX_3", "late_9"), (pt.get_frame_jacobian, pt.get_joint_jacobian)):
        model = arm()
        data = model.create_data()
        attempt(call, {"model": model, "data": data, parameters(call)[2].name: Name(text)})
        assert model.njoints > 8
        with pytest.raises(PantinError):
            call(model, data, 1)
