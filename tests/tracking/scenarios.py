"""Scenarios that tests share."""

#: A Panda whose hand draws a circle; keys stand on lines of their own.
CIRCLE = """\
[scenario]
name = "circle"
model = "panda"
dt = 0.01
duration = 1.0
[scenario.start]
panda_joint2 = -0.3
panda_joint4 = -2.2
panda_joint6 = 1.9
[[task]]
kind = "frame"
name = "hand"
frame = "panda_hand"
position_cost = 1.0
orientation_cost = 0.5
tolerance = [1e-3, 1e-2]
[task.target]
kind = "circle"
radius = 0.05
period = 2.0
ease = 0.2
[[task]]
kind = "posture"
cost = 1e-3
[[limit]]
kind = "velocity"
[[limit]]
kind = "acceleration"
acceleration_limit = 100.0
"""
