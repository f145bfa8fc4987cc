"""What a comparison could have seen, and how many cases it would have taken to see more.

All for 80 % power and a two-sided test at 5 %, by the normal approximation; Student's t takes the
place of the normal quantile below 50 units.
"""

from __future__ import annotations

import math

from ragproof.analysis.intervals import FEW, T_QUANTILES, Z, wilson
from ragproof.analysis.paired import Change

SIGNIFICANT = 0.05
ALIKE = 6
"""Units that are all alike before the randomisation test can tell: 2 / 2^5 is above 5 %."""
POWER = 0.8416212335729143
"""The normal quantile of 80 %."""
MOST = 10_000_000
"""More cases than this settle nothing in practice."""


def detectable(change: Change) -> float | None:
    """The smallest true change that as many units of this spread show in 4 runs of 5."""
    if not change.error:
        return None
    quantile = T_QUANTILES[change.units - 2] if change.units < FEW else Z
    return (quantile + POWER) * change.error


def cases_needed(change: Change, difference: float) -> int | None:
    """So many cases show a true change of this size in 4 runs of 5, their spread being the same.

    None when nothing is known of the spread, or when no practical number would do.
    """
    if not change.reach or difference == 0:
        return None
    needed = change.pairs * ((Z + POWER) * change.reach / difference) ** 2
    return math.ceil(round(needed, 6)) if needed <= MOST else None


def settled(
    change: Change, widest: float, p: float | None, alike: int = ALIKE
) -> tuple[float, float] | None:
    """The interval of a change; None where the pairs tell nothing of its size.

    Units that all changed alike show no spread, and have an interval all the same. Where none of
    them changed it reaches as far as `left_open` says; where the figure has no greatest value
    nothing bounds that, and it is the change itself from `alike` units on. Where all changed by
    the same it is that change, once the test finds one: `p` is its p-value, adjusted or not.
    """
    if change.bounds.ends is not None or change.delta is None or change.units < 2:
        return change.bounds.ends
    if not change.is_none:
        found = not change.error and p is not None and p <= SIGNIFICANT
        return (change.delta, change.delta) if found else None
    room = left_open(change, widest)
    if room is None:
        return (0.0, 0.0) if change.units >= alike else None
    return (-room, room)


def left_open(change: Change, widest: float) -> float | None:
    """How much the figure may move after all, though no pair of the sample changed.

    Of n units of which none changed the true share that does may still be Wilson's upper end of
    none in n, and no pair of a bounded score changes by more than its range.
    """
    if not change.is_none or change.units < 2 or math.isinf(widest):
        return None
    return widest * wilson(0.0, change.units)[1]


def unchanged_needed(change: Change, widest: float, most: float) -> int | None:
    """So many cases, none of them changed, leave no more than `most` open."""
    if left_open(change, widest) is None or most <= 0:
        return None
    needed = change.pairs / change.units * Z**2 * (widest / most - 1)
    return math.ceil(round(needed, 6)) if needed <= MOST else None
