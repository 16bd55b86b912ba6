"""Robots in a browser, by viser.

The names are those of Pinker's visualizer. viser and trimesh come with the extra `view` and are imported when a viewer
is opened.
"""

from pantin.visualizer.viser_visualizer import ViserVisualizer, start_viser_visualizer

__all__ = ["ViserVisualizer", "start_viser_visualizer"]
