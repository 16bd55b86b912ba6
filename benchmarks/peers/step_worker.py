"""Runs one adapter of the control step in a Python of its own; told and asked as `peers.worker`."""

from __future__ import annotations

import gc
import importlib
from time import perf_counter_ns

import numpy as np

from peers.base import Skip
from peers.step_base import Controller
from peers.step_scene import Array, Mode, Scene
from peers.worker import facts, interruptions, serve

#: File of `peers` with the adapter, and the module it imports, by the name in the tables.
ADAPTERS = {
    "pantin": ("step_ours", "pantin"),
    "pantin solve_ik": ("step_solve_ik", "pantin"),
    "placo": ("step_placo", "placo"),
    "mink": ("step_mink", "mink"),
    "pink": ("step_pink", "pink"),
    "pinker": ("step_pinker", "pinker"),
}


def unroll(controller: Controller, mode: Mode) -> tuple[Array, Array]:
    """Configurations from start to end, shape (steps + 1, nq), and the time of each step, us.

    The time is NaN where the system gave the core to another process during a step.
    """
    schedule = controller.scene.schedule(mode)
    times = np.empty(len(schedule))
    controller.reset()
    path = [controller.q()]
    gc.collect()
    gc.disable()
    for k, row in enumerate(schedule):
        controller.aim(row)
        before = interruptions()
        begin = perf_counter_ns()
        controller.step()
        spent = perf_counter_ns() - begin
        times[k] = 1e-3 * spent if interruptions() == before else np.nan
        path.append(controller.q())
    gc.enable()
    return np.array(path), times


class Server:
    """One adapter, and what it made of the scenes that it was given."""

    def __init__(self, name: str) -> None:
        adapter, self._module = ADAPTERS[name]
        self._adapter = importlib.import_module(f"peers.{adapter}").Adapter
        self._controllers: dict[str, Controller] = {}

    def facts(self) -> dict[str, str]:
        """Version and settings."""
        return facts(self._adapter, self._module)

    def prepare(self, scene: Scene) -> str | None:
        """Makes ready for a scene; tells why where it cannot."""
        try:
            self._controllers[scene.name] = self._adapter(scene)
        except Skip as reason:
            return str(reason)
        return None

    def unroll(self, scene: str, mode: Mode) -> tuple[Array, Array] | str:
        """Configurations and times of the steps, or what went wrong."""
        try:
            return unroll(self._controllers[scene], mode)
        except Exception as error:  # each library has its own
            return f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    serve(ADAPTERS, Server)
