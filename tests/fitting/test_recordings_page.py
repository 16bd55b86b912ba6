"""The page about recordings tells of every format."""

from __future__ import annotations

import re
from pathlib import Path

from pantin.fitting.recordings import FORMATS

PAGE = (Path(__file__).parents[2] / "docs" / "recordings.md").read_text(encoding="utf-8")


def test_its_table_has_every_format():
    named = re.findall(r"^\| `(\w+)` \|", PAGE, flags=re.MULTILINE)
    assert sorted(named) == sorted(["format", *FORMATS])
