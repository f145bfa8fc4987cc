"""Two rankings of the same queries compared, as two runs are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ragproof.analysis.comparison import Compared
from ragproof.analysis.holm import holm
from ragproof.analysis.joining import Join
from ragproof.analysis.paired import changes
from ragproof.core.header import Declared
from ragproof.core.spec import Interval, Layer, Unit
from ragproof.core.spec import Pool as Pooled
from ragproof.core.subject import Level
from ragproof.rankings.catalog import Measure, Pool
from ragproof.rankings.evaluation import Evaluated

RESAMPLES = 10_000


def compared(
    measures: Sequence[Measure], baseline: Evaluated, candidate: Evaluated
) -> tuple[Compared, ...]:
    """Find what changed in each measure that is a mean over the queries.

    A query that a run lacks counts with its 0, as it does in the mean.
    """
    wanted = [one for one in measures if one.family.pool is Pool.MEAN]
    join = Join.of_names(baseline.queries, candidate.queries)
    rows, ones = np.arange(len(join.names)), np.ones(len(join.names))
    pairs = [
        join.pairs((rows, baseline.values[name], ones), (rows, candidate.values[name], ones))
        for name in (one.name for one in wanted)
    ]
    found = changes(pairs, [1.0] * len(pairs), RESAMPLES)
    p_values = {at: p for at, one in enumerate(found) if (p := one.p_value) is not None}
    adjusted = holm(p_values)
    return tuple(
        Compared(
            key=one.name, declared=_declared(one), change=found[at], p_adjusted=adjusted.get(at)
        )
        for at, one in enumerate(wanted)
    )


def _declared(measure: Measure) -> Declared:
    """A measure in the words of metrics, which reports of changes are written in."""
    return Declared(
        id=measure.name,
        params={},
        version=1,
        unit=Unit.FRACTION,
        better=measure.family.better,
        pool=Pooled.MEAN,
        interval=Interval.AUTO,
        level=Level.CASE,
        kinds=(),
        each=None,
        layer=Layer.QUERY,
        headline=False,
    )
