"""Observations as lines that `ragproof run --recorded` replays."""

from __future__ import annotations

import json

from ragproof.core import Cause, Observation
from ragproof.store.codec import OBSERVATION


def recorded_line(seen: Observation) -> str:
    """Write one observation as a line of JSON, ASCII only."""
    told = json.loads(OBSERVATION.write(seen))
    told.pop("failure", None)
    if seen.failure is not None:
        told["error"] = seen.failure.message
        told["timeout"] = seen.failure.cause is Cause.TIMEOUT
    return json.dumps(told)
