"""Scripts that were written for Pinker run by a change of their imports, along the same trajectories."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from pantin import samples

pytest.importorskip("pinker")

SCRIPTS = sorted((Path(__file__).parent / "pinker_scripts").glob("*.py"))

#: Differences of rounding in a step grow along a trajectory of some hundred steps.
TOLERANCE = 1e-8


def run(text, name):
    """The trajectory that a script leaves behind."""
    names = {"ROBOTS": samples.path("panda").parent, "__name__": "script"}
    exec(compile(text, name, "exec"), names)
    return np.array(names["trajectory"])


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_takes_the_same_way(path):
    text = path.read_text(encoding="utf-8")
    theirs = run(text, path.name)
    ours = run(re.sub(r"\bpinker\b", "pantin", text), path.name)
    np.testing.assert_allclose(ours, theirs, atol=TOLERANCE)
    assert np.abs(theirs[-1] - theirs[0]).max() > 0.05, "nothing moved: the test says nothing"


def test_what_the_page_shows_ends_at_the_same_place():
    text = (Path(__file__).parents[2] / "docs" / "moving-from-pinker.md").read_text(encoding="utf-8")
    (old, *_), (new, *_) = (
        re.findall(rf"^```{kind}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE) for kind in ("py", "python")
    )
    ends = []
    for code in (old, new):
        names = {"urdf_path": str(samples.path("ur5e"))}
        exec(compile(code, "page", "exec"), names)
        ends.append(names["configuration"].q)
    np.testing.assert_allclose(*ends, atol=TOLERANCE)


def test_there_are_scripts():
    assert len(SCRIPTS) >= 5
