"""chunking.size"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from ragproof.core import (
    DOCUMENTS,
    Better,
    DoesNotArise,
    Interval,
    PureMetric,
    Scored,
    SetRun,
    Spec,
    Unit,
)
from ragproof.core.needs import CHUNKS
from ragproof.metrics.cuts import NO_CHUNKS
from ragproof.text.token_count import counting


@dataclass(frozen=True)
class Size(PureMetric[SetRun]):
    """How many tokens the chunks of all documents have.

    Question: How long are chunks, and how uneven?
    Formula: least, mean, p50, p95 and greatest number of tokens of a chunk; percentiles are
        interpolated linearly between the nearest two
    Range: 0 upwards, a figure for each of `min`, `mean`, `p50`, `p95`, `max`.
    Edge cases: Every chunk weighs the same, whatever its document. Tokens are estimated at 4
        characters each, or counted as words with `tokens: words`. An empty chunk has 0. Without
        any chunk it is not applicable.
    Not to be confused with: `chunking.over_limit`, the share that does not fit; or
        `system.tokens`, the tokens that models took.
    References: Hyndman and Fan 1996, type 7, for the percentiles.

    Example:
        >>> percentile([10, 20, 30, 40], 0.5), percentile([7], 0.95)
        (25.0, 7.0)
    """

    tokens: str = "characters"

    spec = Spec(
        unit=Unit.COUNT,
        better=Better.NEITHER,
        needs=(CHUNKS,),
        kinds=DOCUMENTS,
        interval=Interval.NONE,
        each="statistic",
    )

    def __post_init__(self) -> None:
        counting(self.tokens)

    def score(self, subject: SetRun, /) -> Mapping[str, Scored]:
        """Sort the sizes."""
        count = counting(self.tokens)
        sizes = sorted(count(one.text) for chunks in subject[CHUNKS] for one in chunks)
        if not sizes:
            raise DoesNotArise(NO_CHUNKS)
        found = {
            "min": float(sizes[0]),
            "mean": fmean(sizes),
            "p50": percentile(sizes, 0.5),
            "p95": percentile(sizes, 0.95),
            "max": float(sizes[-1]),
        }
        evidence = {"chunks": len(sizes), "documents": len(subject[CHUNKS])}
        return {name: Scored(value, evidence) for name, value in found.items()}


def percentile(ordered: Sequence[int], share: float) -> float:
    """Interpolate between the two values nearest to the share of the way."""
    at = (len(ordered) - 1) * share
    below = int(at)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (at - below)
