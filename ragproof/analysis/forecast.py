"""What judge calls that are still to be made will take, from calls that were made. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

Z = 1.96
"""Half-width of a 95 % interval in standard errors."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What one call took."""

    input_tokens: float
    output_tokens: float
    usd: float | None


@dataclass(frozen=True, slots=True)
class Range:
    """Where a sum will lie, with 95 % confidence."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Forecast:
    """The sums over all calls; None where not every prompt has calls to go by."""

    calls: int
    input_tokens: Range | None
    output_tokens: Range | None
    usd: Range | None
    """None also where a price is unknown."""
    seen: int
    """Calls it rests on."""


def forecast(parts: Iterable[tuple[int, Sequence[Spent]]]) -> Forecast:
    """Foretell the sums for so many calls of each prompt, given calls of that prompt.

    The interval of a sum of n further draws, with mean and spread known from m: n times the mean,
    plus or minus 1.96 standard deviations times the root of n + n² / m. One call tells no spread:
    a prompt with fewer than two is not foretold.
    """
    parts = [(n, seen) for n, seen in parts if n]
    told = all(len(seen) > 1 for _, seen in parts)
    priced = told and all(one.usd is not None for _, seen in parts for one in seen)
    return Forecast(
        calls=sum(n for n, _ in parts),
        input_tokens=_range((n, [s.input_tokens for s in seen]) for n, seen in parts)
        if told
        else None,
        output_tokens=_range((n, [s.output_tokens for s in seen]) for n, seen in parts)
        if told
        else None,
        usd=_range((n, [s.usd or 0.0 for s in seen]) for n, seen in parts) if priced else None,
        seen=sum(len(seen) for _, seen in parts),
    )


def _range(parts: Iterable[tuple[int, Sequence[float]]]) -> Range:
    middle, variance = 0.0, 0.0
    for n, values in parts:
        middle += n * float(np.mean(values))
        variance += float(np.var(values, ddof=1)) * (n + n * n / len(values))
    half = Z * math.sqrt(variance)
    return Range(max(0.0, middle - half), middle + half)
