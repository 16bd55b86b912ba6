"""The committed stub of the core is the one that its generator writes."""

import difflib
from pathlib import Path

import pytest

import pantin._core as core

stubgen = pytest.importorskip("nanobind.stubgen", reason="nanobind is not installed")
ROOT = Path(__file__).parents[1]


def test_committed_stub_is_up_to_date():
    committed = (ROOT / "src" / "pantin" / "_core.pyi").read_text(encoding="utf-8")
    patterns = stubgen.load_pattern_file(str(ROOT / "cpp" / "bindings" / "stub_patterns.txt"))
    generator = stubgen.StubGen(core, include_private=True, patterns=patterns, quiet=True)
    generator.put(core)
    fresh = generator.get()
    changes = difflib.unified_diff(committed.splitlines(), fresh.splitlines(), "committed", "fresh", lineterm="", n=1)
    assert fresh == committed, "\n".join(changes)
