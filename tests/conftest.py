"""Settings that all tests share."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# Few examples by default, the same ones each time; HYPOTHESIS_PROFILE=long looks harder.
settings.register_profile(
    "short", max_examples=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("long", max_examples=2000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "short"))
