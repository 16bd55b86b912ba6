"""The page about scenarios knows all that they can say, and what it shows can be run."""

import re
from pathlib import Path

import pytest

from pantin.tracking import Scenario, shipped
from pantin.tracking.assembly import BARRIERS, LIMITS, TASK_KEYS, TASKS
from pantin.tracking.parquet import columns
from pantin.tracking.scenario import SCENARIO_KEYS
from pantin.tracking.targets import MOTIONS

PAGE = (Path(__file__).parents[2] / "docs" / "scenarios.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("known", [BARRIERS, LIMITS, MOTIONS, SCENARIO_KEYS, TASK_KEYS, TASKS, shipped.names()])
def test_page_names_all_words(known):
    assert [word for word in known if f"`{word}`" not in PAGE] == []


def test_scenario_shown_is_run():
    (text,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, flags=re.DOTALL | re.MULTILINE)
    trajectory = Scenario(text).run()
    assert trajectory.success
    kinds = {name.split(".")[0] for name in columns(trajectory)}
    assert [kind for kind in kinds if not re.search(rf"^\| `{kind}\b", PAGE, flags=re.MULTILINE)] == []


def test_shipped_scenarios_say_what_one_sees():
    for name in shipped.names():
        head = shipped.find(name).read_text(encoding="utf-8")
        assert head.startswith("# ")
        assert Scenario.load(name).name == name
