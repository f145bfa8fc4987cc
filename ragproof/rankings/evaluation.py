"""A qrels file and a run in, figures out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, fsum

import numpy as np

from ragproof.core import UsageError
from ragproof.core.arrays import Floats
from ragproof.rankings.catalog import Measure, Pool
from ragproof.rankings.judgments import Judgments
from ragproof.rankings.match import Matched, match
from ragproof.rankings.origin import Origin
from ragproof.rankings.rows import Ints, Rows
from ragproof.rankings.whole import Scattered, sorted_together, together

LEAST_OF_A_MEAN = 1e-5
"""What a geometric mean takes for 0, as trec_eval does."""
GREATEST_EXPONENT = 1000


@dataclass(frozen=True, eq=False)
class Evaluated:
    """What a run is worth."""

    queries: tuple[str, ...]
    """Those that have judgments, in order of the qrels file."""
    returned: Ints
    """Shape (queries,): documents that the run has for each."""
    values: Mapping[str, Floats]
    """Name of a measure to its value for each query; 0 where the run lacks the query."""
    figures: Mapping[str, float]
    """Name of a measure to what became of the values: their mean, or sum."""
    unjudged_queries: int
    """Queries of the run that count nowhere, because nothing is judged for them."""
    judged_returned: int | None = None
    """Judged documents that the run has, for all queries; None where nobody counted them."""

    @property
    def missing(self) -> int:
        """Queries for which the run has nothing."""
        return int(np.count_nonzero(self.returned == 0))


def evaluate(
    judged: Judgments,
    run: Callable[[], Iterable[Rows]],
    origin: Origin,
    measures: Sequence[Measure],
    *,
    float32: bool = False,
) -> Evaluated:
    """Score a run; `run` gives its rows, and gives them again if they must be sorted first."""
    _check_gains(judged, measures)
    found = _matched(judged, run, origin, float32=float32)
    values = {one.name: one(found.found) for one in measures}
    return Evaluated(
        tuple(name.decode(errors="backslashreplace") for name in judged.code),
        found.found.returned,
        values,
        {one.name: pooled(values[one.name], one.family.pool) for one in measures},
        found.unjudged_queries,
        int(found.found.query.size),
    )


def _matched(
    judged: Judgments, run: Callable[[], Iterable[Rows]], origin: Origin, *, float32: bool
) -> Matched:
    try:
        return match(together(run()), judged, origin, float32=float32)
    except Scattered:
        pass
    try:
        return match(sorted_together(run()), judged, origin, float32=float32)
    except Scattered:
        raise UsageError(origin.cannot_be_sorted) from None


def pooled(values: Floats, pool: Pool) -> float:
    """Make one figure of the queries' values."""
    match pool:
        case Pool.SUM:
            return fsum(values)
        case Pool.GEOMETRIC:
            return exp(fsum(np.log(np.maximum(values, LEAST_OF_A_MEAN))) / values.size)
        case _:
            return fsum(values) / values.size


def _check_gains(judged: Judgments, measures: Iterable[Measure]) -> None:
    greatest = int(judged.grade.max())
    if greatest > GREATEST_EXPONENT and any(one.asked.exponential for one in measures):
        raise UsageError(
            f"a relevance of {greatest} gains 2^{greatest}, more than any number holds; "
            "use linear gain"
        )
