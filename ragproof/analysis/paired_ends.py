"""Both ends of a difference, found in ways that know which side of it is the riskier one.

Where falls are rarer than they are deep, or the other way round, a sample that happens to miss the
rare ones has a better mean and a smaller spread at once. Student's t and the percentile bootstrap
are then too short on that side: of true drops exactly at a bound they let through several times
the 2.5 % that they should. `docs/decisions.md` has what was measured.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import TypeAlias

import numpy as np

from ragproof.analysis.intervals import Z
from ragproof.analysis.tails import TAIL, t_quantile
from ragproof.core.record import Floats

Ends: TypeAlias = tuple[float, float]
NORMAL = NormalDist()
HALVINGS = 60
"""Each halves where an end may lie; so many leave nothing of it."""


def student(figure: float, error: float, units: int) -> Ends:
    """Student's t about a figure with this standard error."""
    margin = t_quantile(TAIL, units - 1) * error
    return figure - margin, figure + margin


def score(rises: int, falls: int, pairs: int) -> Ends:
    """The score interval of the change in a share of yes and no, from the pairs that changed.

    Where none did it reaches as far as Wilson's interval of none in so many. Tango 1998, Statistics
    in Medicine 17:891.

    >>> low, high = score(rises=1, falls=7, pairs=21)
    >>> round(low, 3), round(high, 3)
    (-0.517, -0.026)
    """

    def far(delta: float) -> float:
        """How far the sample is from a true change, in standard errors under it."""
        linear = (2 * pairs - rises + falls) * delta - rises - falls
        root = math.sqrt(linear * linear + 8 * pairs * falls * delta * (1 - delta))
        share = (root - linear) / (4 * pairs)  # of pairs that fall, the likeliest under it
        variance = pairs * (2 * share + delta * (1 - delta))
        gap = rises - falls - pairs * delta
        return gap / math.sqrt(variance) if variance > 0 else math.copysign(math.inf, gap)

    middle = (rises - falls) / pairs
    return _crossing(far, Z, -1.0, middle), _crossing(far, -Z, middle, 1.0)


def _crossing(far: Callable[[float], float], wanted: float, low: float, high: float) -> float:
    """Where a falling function comes down to what is wanted."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if far(middle) > wanted else (low, middle)
    return (low + high) / 2


def bca(drawn: Floats, figure: float, influence: Floats) -> Ends:
    """The bootstrap's percentiles, corrected for bias and skewness, and for few units.

    Efron 1987, JASA 82:171; the levels are widened as Student's t is, Hesterberg 2015, American
    Statistician 69:371.

    Args:
        drawn: The figure of each resample.
        figure: That of the sample.
        influence: What each unit adds to the figure, less the average; shape (units,), not all 0.
    """
    near = np.abs(drawn - figure) <= 1e-9 * np.ptp(drawn)
    below = float(((drawn < figure) & ~near).sum() + near.sum() / 2) / drawn.size
    bias = NORMAL.inv_cdf(min(max(below, 0.5 / drawn.size), 1 - 0.5 / drawn.size))
    units = influence.size
    bend = float((influence**3).sum()) / (6 * float(influence @ influence) ** 1.5)
    far = t_quantile(TAIL, units - 1) * math.sqrt(units / (units - 1))
    levels = [NORMAL.cdf(bias + (bias + one) / (1 - bend * (bias + one))) for one in (-far, far)]
    low, high = np.quantile(drawn, levels)
    return float(low), float(high)


def farther(one: Ends, other: Ends) -> Ends:
    """At each side the end that lies farther out."""
    return min(one[0], other[0]), max(one[1], other[1])
