"""What is allowed of a motion: inequalities on a displacement, one class a file.

A limit gives a pair (G, h), and a displacement dq of a configuration is allowed where G dq <= h. Names, arguments and
numbers are those of `pinker.limits`; `FloatingBaseConfigurationLimit` and discrete braking are beyond it.
"""

from pantin.limits.acceleration_limit import AccelerationLimit
from pantin.limits.configuration_limit import ConfigurationLimit
from pantin.limits.floating_base_configuration_limit import FloatingBaseConfigurationLimit
from pantin.limits.floating_base_velocity_limit import FloatingBaseVelocityLimit
from pantin.limits.limit import Limit
from pantin.limits.velocity_limit import VelocityLimit

__all__ = [
    "AccelerationLimit",
    "ConfigurationLimit",
    "FloatingBaseConfigurationLimit",
    "FloatingBaseVelocityLimit",
    "Limit",
    "VelocityLimit",
]
