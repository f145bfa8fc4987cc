"""What holds for all tests."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as `ragproof` does: short sums, busy machines

CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""A busy machine must not fail a test."""
settings.register_profile("steady", CALM, derandomize=True)
settings.register_profile("explore", CALM, max_examples=1000)
# The same examples each time, so that what passes once passes again; `HYPOTHESIS_PROFILE=explore`
# looks for new ones.
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
