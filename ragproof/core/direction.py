"""Which way a figure gets better."""

from __future__ import annotations

from enum import StrEnum


class Better(StrEnum):
    """Which way is improvement."""

    HIGHER = "higher"
    LOWER = "lower"
    NEITHER = "neither"
