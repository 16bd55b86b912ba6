"""Histograms in letters: nothing is lost, and lengths are the counts'."""

import numpy as np
import pytest

from pantin.cli._histogram import bar, counts


@pytest.mark.parametrize("values", [np.arange(1000.0), np.full(20, 3.0), np.geomspace(1, 1e6, 500), np.array([1.0])])
def test_every_value_is_counted_in_its_interval(values):
    edges, numbers = counts(values, 10)
    assert len(edges) == len(numbers) == 10
    assert numbers.sum() == len(values)
    for i, edge in enumerate(edges):
        above = np.inf if i == 9 else edges[i + 1]
        if edge < above:
            assert numbers[i] == np.sum((values >= edge) & (values < above))


def test_the_last_interval_holds_the_slowest_hundredth():
    edges, numbers = counts(np.arange(1000.0), 10)
    assert edges[-1] == 990
    assert numbers[-1] == 10


def test_bars_have_lengths_in_eighths():
    assert bar(0.0, 40, ascii_only=False) == ""
    assert bar(1.0, 40, ascii_only=False) == "█" * 40
    assert bar(0.5, 1, ascii_only=False) == "▌"
    assert bar(1.0 / 8 + 2.0 / 5, 5, ascii_only=False) == "██▋"
    assert bar(0.5, 40, ascii_only=True) == "#" * 20
