"""The sample walker: its files, and the script that makes them, which knows the truth."""

from __future__ import annotations

import functools
import importlib.util
from pathlib import Path
from types import ModuleType


def load_script() -> ModuleType:
    """The module `tools/make_walker.py`."""
    spec = importlib.util.spec_from_file_location("make_walker", Path(__file__).parents[2] / "tools" / "make_walker.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


make_walker = load_script()

#: The walk as it truly is, made once.
walk = functools.cache(make_walker.truth)
