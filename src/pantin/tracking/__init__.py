"""Scenarios that run headless: what a robot is asked for over time, and what it did.

>>> from pantin.tracking import Scenario
>>> trajectory = Scenario.load("arm_circle").run()
>>> trajectory.success
True

From low to high: `document` reads TOML and knows its lines, `motions` move targets, `parts` makes what a section
names, `spaces` are what targets can be, `targets` puts these together for a task, `trajectory` keeps what came of it,
with `parquet` and `plot`, `rollout` takes the steps, `assembly` has all that takes part in a run, and `scenario` is
the door.
"""

from pantin.tracking.document import ScenarioError
from pantin.tracking.scenario import Scenario
from pantin.tracking.trajectory import Measure, Trajectory

__all__ = ["Measure", "Scenario", "ScenarioError", "Trajectory"]
