"""Distances between shapes that move with a robot, and what gets in its way (extra `collision`)."""

from pantin.collision.geometry_data import DistanceResult, GeometryData
from pantin.collision.obstacle import Obstacle
from pantin.collision.pairs import collision_pairs
from pantin.collision.proximity import Nearest

__all__ = ["DistanceResult", "GeometryData", "Nearest", "Obstacle", "collision_pairs"]
