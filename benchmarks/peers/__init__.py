"""Libraries that reach is compared with: one adapter each, run by a worker in whatever Python has the library."""

from __future__ import annotations

#: Module of the adapter and the module it imports, by the name in the tables; a file of `peers` each.
ADAPTERS = {
    "pantin": ("ours", "pantin"),
    "cartan": ("cartan", "cartan"),
    "roboticstoolbox": ("roboticstoolbox", "roboticstoolbox"),
    "dynibo": ("dynibo", "dynibo"),
    "placo": ("placo", "placo"),
    "roboplan": ("roboplan", "roboplan"),
    "optik": ("optik", "optik"),
    "trac-ik": ("tracik", "pytracik"),
    "ssik": ("ssik", "ssik"),
    "eaik": ("eaik", "eaik"),
    "pinocchio": ("pinocchio", "pinocchio"),
    "pink": ("pink", "pink"),
    "pinker": ("pinker", "pinker"),
    "mink": ("mink", "mink"),
}
