"""A page about a fit: how far off it is, what the joints do, and what poses look like beside what was observed."""

from pantin.fitting.plot.page import plot_fit

__all__ = ["plot_fit"]
