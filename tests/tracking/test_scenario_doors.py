"""A scenario is read whole or refused, with the line and the key that are wrong and the nearest right one."""

import copy
import re
import tomllib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenarios import CIRCLE

import pantin
from pantin.errors import ModelFileNotFound, PantinError
from pantin.tracking import Scenario, ScenarioError, shipped

LINES = CIRCLE.splitlines()


def with_line(number: int, *lines: str) -> str:
    """The circle with other lines in the place of one."""
    return "\n".join([*LINES[: number - 1], *lines, *LINES[number:]])


@pytest.fixture(scope="module")
def panda():
    return pantin.load("panda")


@pytest.mark.parametrize(
    ("number", "lines", "words"),
    [
        (1, ["[scenari]"], "line 1: scenari: there is no such key; did you mean 'scenario'?"),
        (2, ["nam = 'circle'"], "line 2: scenario: nam: there is no such key; did you mean 'name'?"),
        (2, ["name = 3"], "line 2: scenario: name: expected words in quotes, got 3"),
        (4, ["dt = 0"], "line 4: scenario: dt: expected a number in [1e-09, 1000], got 0"),
        (4, ["dt = nan"], "line 4: scenario: dt: expected finite numbers, got nan"),
        (4, ["dt = '1'"], "line 4: scenario: dt: expected real numbers, got"),
        (4, ["dtt = 0.01"], "line 4: scenario: dtt: 'dt' is missing; is it meant here?"),
        (5, ["duration = 0.001"], "line 5: scenario: duration: expected a number in [0.01, 10000], got 0.001"),
        (5, ["duration = 1e9"], "line 5: scenario: duration: expected a number in [0.01, 10000], got 1e+09"),
        (7, ["panda_joint22 = 1"], "line 7: start: panda_joint22: no joint 'panda_joint22'; did you mean 'panda_joint"),
        (7, ["panda_joint2 = inf"], "line 7: start: panda_joint2: expected finite numbers, got inf"),
        (11, ["kind = 'frames'"], "line 11: task 1: kind: there is no 'frames'; did you mean 'frame'?"),
        (11, [], "line 10: task 1: 'kind' is missing"),
        (13, ["frame = 'panda_hnd'"], "line 13: task 'hand': frame: no frame 'panda_hnd'; did you mean 'panda_hand'?"),
        (13, ["frame = 3"], "line 13: task 'hand': frame: "),
        (
            14,
            ["postion_cost = 1.0"],
            "line 14: task 'hand': postion_cost: 'position_cost' is missing; is it meant here?",
        ),
        (14, ["position_cost = -1.0"], "line 14: task 'hand': position_cost: "),
        (14, ["position_cost = [1.0, 2.0]"], "line 14: task 'hand': position_cost: "),
        (14, [LINES[13], "gian = 0.5"], "line 15: task 'hand': gian: there is no such key; did you mean 'gain'?"),
        (14, [LINES[13], "gain = -0.5"], "line 15: task 'hand': gain: "),
        (14, [LINES[13], "priority = 0.5"], "line 15: task 'hand': priority: "),
        (14, [LINES[13], "constraint = 1"], "line 15: task 'hand': constraint: expected true or false, got 1"),
        (
            16,
            ["tolerance = [1, 2, 3]"],
            "line 16: task 'hand': tolerance: this task has hand position, hand rotation, got 3",
        ),
        (16, ["tolerance = -1"], "line 16: task 'hand': tolerance: expected a number in [0, inf], got -1"),
        (18, ["kind = 'circel'"], "line 18: target: kind: there is no 'circel'; did you mean 'circle'?"),
        (19, ["radus = 0.05"], "line 19: target: radus: 'radius' is missing; is it meant here?"),
        (19, ["radius = -1"], "line 19: target: radius: expected a number in [0, inf], got -1"),
        (21, ["after = -1"], "line 21: target: after: expected a number in [0, inf], got -1"),
        (21, ["about = 3"], "line 21: target: about: expected a pose of position, quaternion, rpy, got 3"),
        (21, ["about = {rpy = 3}"], "line 21: target: about: rpy: expected 3 numbers"),
        (
            23,
            ["kind = 'damping'", "target = 'start'"],
            "line 24: task 'damping': target: this kind of task has no target",
        ),
        (24, ["cost = 1", "target = 'end'"], "line 25: task 'posture': target: expected joints by name"),
        (24, ["cost = 1", "target = {elbow = 1}"], "line 25: target: elbow: no joint 'elbow'"),
        (24, ["cost = {elbow = 1}"], "line 24: task 'posture': cost: no joint 'elbow'"),
        (24, ["cost = 1", "name = 'hand'"], "line 25: task 'hand': name: two tasks are called so"),
        (26, ["kind = 'velocit'"], "line 26: limit 1: kind: there is no 'velocit'; did you mean 'velocity'?"),
        (26, ["kind = 'velocity'", "velocity_limit = -1"], "line 27: limit 1: velocity_limit: "),
        (
            28,
            ["kind = 'velocity'"],
            "line 29: limit 2: acceleration_limit: there is no such key; there is 'velocity_limit'",
        ),
        (29, [], "line 27: limit 2: 'acceleration_limit' is missing"),
        (
            29,
            [LINES[28], "[solver]", "dampin = 1"],
            "line 31: solver: dampin: there is no such key; did you mean 'damping'?",
        ),
        (
            29,
            [LINES[28], "[solver]", "damping = -1"],
            "line 31: solver: damping: expected a number in [0, inf], got -1",
        ),
        (29, [LINES[28], "[barrier]"], "line 30: barrier: expected tables under [[barrier]]"),
        (29, [LINES[28], "x"], "this is not TOML"),
    ],
)
def test_faults_are_told_with_their_line_and_key(number, lines, words):
    with pytest.raises(ScenarioError, match=f"^here.toml(, |: )({re.escape(words)})") as caught:
        Scenario(with_line(number, *lines), "here.toml")
    assert "\n" not in str(caught.value)


def test_scenarios_say_who_they_are_about(panda):
    scenario = Scenario(CIRCLE, "somewhere/my.toml")
    assert (scenario.name, scenario.dt, scenario.steps, scenario.duration) == ("circle", 0.01, 100, 1.0)
    assert scenario.model.name == "panda"
    assert Scenario(CIRCLE, model=panda).model is panda
    nameless = CIRCLE.replace('name = "circle"\n', "").replace('model = "panda"\n', "")
    assert Scenario(nameless, "somewhere/my.toml", "panda").name == "my"
    with pytest.raises(ScenarioError, match="line 1: scenario: it names no model; give one, or write one there"):
        Scenario(nameless)
    with pytest.raises(ScenarioError, match="no joint 'elbow_joint'"):
        Scenario(CIRCLE.replace("panda_joint2 =", "elbow_joint =").replace("panda_joint", "wrist_1_j"), "", "panda")


def test_robots_are_found_beside_the_scenario(tmp_path):
    (tmp_path / "mine.urdf").write_bytes(pantin.samples.path("biped").read_bytes())
    text = "[scenario]\nmodel = 'mine.urdf'\ndt = 1\nduration = 1\n"
    (tmp_path / "free.toml").write_text(f"{text}root_joint = 'free_flyer'\n")
    assert Scenario.load(tmp_path / "free.toml").model.nq == 19
    (tmp_path / "fixed.toml").write_text(text)
    assert Scenario.load(tmp_path / "fixed.toml").model.nq == 12
    (tmp_path / "wrong.toml").write_text(f"{text}root_joint = 'free_flier'\n")
    with pytest.raises(ScenarioError, match=r"line 5: scenario: root_joint: .*'free_flyer'"):
        Scenario.load(tmp_path / "wrong.toml")
    with pytest.raises(ModelFileNotFound, match="did you mean the sample 'panda'"):
        Scenario(text.replace("mine.urdf", "pandas"))


def test_postures_have_names(tmp_path, panda):
    (tmp_path / "poses.srdf").write_text(
        "<robot name='panda'><group_state name='ready' group='arm'><joint name='panda_joint4' value='-2.0'/>"
        "</group_state></robot>"
    )
    text = "[scenario]\ndt = 1\nduration = 1\n"

    def start(*lines):
        (tmp_path / "named.toml").write_text("\n".join([text, *lines]))
        return Scenario.load(tmp_path / "named.toml", panda).run().q[0]

    low, high = panda.lower_position_limit, panda.upper_position_limit
    np.testing.assert_allclose(start("start = 'middle'"), (low + high) / 2, atol=1e-15)
    np.testing.assert_array_equal(start(), np.clip(np.zeros(7), low, high))
    assert start("srdf = 'poses.srdf'", "start = 'ready'")[3] == -2.0
    with pytest.raises(ScenarioError, match=r"line 6: scenario: start: there is no 'reddy'; did you mean 'ready'\?"):
        start("srdf = 'poses.srdf'", "start = 'reddy'")
    with pytest.raises(PantinError, match=r"nowhere\.srdf"):
        start("srdf = 'nowhere.srdf'")


def test_files_that_are_not_there_or_not_text_are_refused(tmp_path):
    with pytest.raises(ScenarioError, match=r"arm_circel: there is no such file; did you mean 'arm_circle'\?"):
        Scenario.load("arm_circel")
    with pytest.raises(ScenarioError, match="cannot be read"):
        Scenario.load(tmp_path)
    (tmp_path / "robot.urdf").write_text("<robot/>")
    (tmp_path / "wave.toml").write_text("")
    with pytest.raises(ScenarioError, match=r"no such file; there is 'wave.toml', 'arm_circle', 'closed_loop', "):
        Scenario.load(tmp_path / "q")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ScenarioError, match="not text in UTF-8"):
        Scenario.load(tmp_path / "binary.toml")


def test_a_scenario_needs_no_tasks(panda):
    trajectory = Scenario("[scenario]\ndt = 0.1\nduration = 0.5\nstart = 'middle'", model=panda).run()
    assert trajectory.success
    assert not trajectory.v.any()
    assert trajectory.errors.shape == (6, 0)


@pytest.mark.parametrize("name", ["arm_circle", "wheeled_biped"])
def test_no_misspelt_key_goes_unnoticed(name):
    text = shipped.find(name).read_text()
    keys = re.findall(r"^([a-z_0-9]+) = ", text, flags=re.MULTILINE)
    for key in dict.fromkeys(keys):
        with pytest.raises(PantinError):
            Scenario(re.sub(rf"^{key} = ", f"{key}_x = ", text, count=1, flags=re.MULTILINE))


SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=4), st.sampled_from(["start", "x", "frame"])
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
)


def toml(value: object) -> str:
    """A value as TOML writes it; None leaves it out of lists and tables."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + "".join(f"\\U{ord(letter):08x}" for letter in value) + '"'
    if isinstance(value, list):
        return f"[{', '.join(toml(one) for one in value if one is not None)}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{toml(key)} = {toml(one)}' for key, one in value.items() if one is not None)}}}"
    return repr(value)


def places(value: object, at: tuple = ()) -> list[tuple]:
    """Where something stands in a document."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [at, *(place for key, one in inside for place in places(one, (*at, key)))]


DOCUMENT = tomllib.loads(CIRCLE.replace("duration = 1.0", "duration = 0.02"))
PLACES = [place for place in places(DOCUMENT) if place]


@given(st.lists(st.tuples(st.sampled_from(PLACES), VALUES), min_size=1, max_size=2))
def test_anything_in_any_place_is_run_or_refused_in_one_sentence(changes):
    document = copy.deepcopy(DOCUMENT)
    for place, value in changes:
        holder = document
        try:
            for key in place[:-1]:
                holder = holder[key]
            holder[place[-1]] = value
        except (KeyError, IndexError, TypeError):
            continue
    text = "\n".join(f"{toml(key)} = {toml(value)}" for key, value in document.items() if value is not None)
    refused = ""
    try:
        scenario = Scenario(text)
        if scenario.steps < 1000:
            scenario.run()
    except PantinError as error:
        refused = str(error)
    assert "\n" not in refused
