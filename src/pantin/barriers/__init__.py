"""What must stay above zero along a motion: control barrier functions, one class a file.

Names, arguments and numbers are those of `pinker.barriers`, and of Pink's barrier against self-collision.
"""

from pantin.barriers.barrier import Barrier
from pantin.barriers.body_spherical_barrier import BodySphericalBarrier
from pantin.barriers.obstacle_barrier import ObstacleBarrier
from pantin.barriers.position_barrier import PositionBarrier
from pantin.barriers.self_collision_barrier import SelfCollisionBarrier

__all__ = ["Barrier", "BodySphericalBarrier", "ObstacleBarrier", "PositionBarrier", "SelfCollisionBarrier"]
