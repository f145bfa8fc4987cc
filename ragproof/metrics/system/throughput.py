"""system.throughput"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ragproof.core import (
    Better,
    CaseKind,
    DoesNotArise,
    Interval,
    PureMetric,
    Scored,
    SetRun,
    Spec,
    Unit,
)
from ragproof.core.needs import ASKED_AT, SECONDS


@dataclass(frozen=True)
class Throughput(PureMetric[SetRun]):
    """Cases a second that the pipeline got through, with as many at once as the run put to it.

    Question: How fast did the pipeline get through the dataset, as it was asked?
    Formula: cases / seconds during which at least one of them was under way, each from its start
        for as long as it took
    Range: 0 upwards. Higher is better.
    Edge cases: It is no capacity: more at once may give more, or less. `at_once` in the evidence
        is how many were under way on the average, the sum of their seconds / the same seconds;
        two runs compare at the same `run.concurrency`. Pauses, as between an interrupted run and
        its resumption, do not count, nor do failed cases and their time: read it beside the
        completion. Where `retrieve` and `answer` are both called it is about `answer`. Recorded
        cases count where they tell `asked_at` and `seconds`.
    Not to be confused with: `system.latency_seconds`, how long one case takes.
    References: Little, Operations Research 1961: under way = throughput x latency.

    Example:
        >>> columns = {ASKED_AT: (100.0, 100.0, 101.0), SECONDS: (1.0, 2.0, 1.0)}
        >>> Throughput().score(SetRun(columns)).value
        1.5
    """

    spec = Spec(
        unit=Unit.RATIO,
        better=Better.HIGHER,
        needs=(ASKED_AT, SECONDS),
        kinds=frozenset(CaseKind),
        interval=Interval.NONE,
    )

    def score(self, runs: SetRun, /) -> Scored:
        """Divide the cases by the time in which any was under way."""
        starts, seconds = runs[ASKED_AT], runs[SECONDS]
        busy = _covered(zip(starts, seconds, strict=True))
        if busy <= 0:
            raise DoesNotArise("the cases took no measurable time")
        at_once = sum(seconds) / busy
        return Scored(len(starts) / busy, {"busy_seconds": busy, "at_once": at_once})


def _covered(stretches: Iterable[tuple[float, float]]) -> float:
    """Seconds that stretches, each a start and a length, cover together."""
    covered, until = 0.0, float("-inf")
    for start, length in sorted(stretches):
        end = start + length
        if end > until:
            covered += length if start >= until else end - until
            until = end
    return covered
