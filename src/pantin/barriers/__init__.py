"""What must stay above zero along a motion: control barrier functions, one class a file.

Names, arguments and numbers are those of `pinker.barriers`.
"""

from pantin.barriers.barrier import Barrier
from pantin.barriers.body_spherical_barrier import BodySphericalBarrier
from pantin.barriers.position_barrier import PositionBarrier

__all__ = ["Barrier", "BodySphericalBarrier", "PositionBarrier"]
