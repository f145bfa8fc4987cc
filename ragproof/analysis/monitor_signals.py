"""Which candidate signals of traffic have been given a direction by reviews of it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ragproof.core.header import Declared
from ragproof.core.spec import Better


@dataclass(frozen=True, slots=True)
class Validated:
    """What a signal was seen to go with, and on which sample."""

    points_to: tuple[str, ...]
    """`bad answers`, `distrust`, ...: more frequent where the signal is there, or higher."""
    measured: int
    """Reviewed answers that have the signal."""
    runs: tuple[str, ...]
    """That the answers were drawn from."""
    drawn_at: str
    """ISO 8601, like the next."""
    decided_at: str


@dataclass(frozen=True)
class Reviewed:
    """All that reviews say of the signals."""

    signals: Mapping[str, Validated] = field(default_factory=dict[str, Validated])
    """By metric key."""
    untaken: tuple[str, ...] = ()
    """Why some that were validated do not hold here."""


def is_candidate_signal(declared: Declared) -> bool:
    """Whether a metric is no figure of quality until reviews have shown it to be one."""
    return declared.better is Better.NEITHER
