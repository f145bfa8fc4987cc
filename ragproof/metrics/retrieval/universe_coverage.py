"""retrieval.universe_coverage"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, Interval, Json, PureMetric, Scored, SetRun, Spec, Unit
from ragproof.core.needs import EXPECTED_SOURCES, RETRIEVAL

SHOWN = 50
"""So many of the sources that were never found are named."""


@dataclass(frozen=True)
class UniverseCoverage(PureMetric[SetRun]):
    """Share of all sources that any question expects which some question that expects them found.

    Question: Are there documents that nobody can reach?
    Formula: |union over questions of relevant ∩ retrieved| / |union over questions of relevant|
    Range: 0, nothing that is expected was ever found, to 1, each source was at least once.
    Edge cases: All that was retrieved counts, as deep as `run.depth` asked. A source counts once,
        however many questions expect it, and as found only by a question that expects it. Failed
        questions and those without retrieval or expected sources are left out, above and below. The
        evidence names the sources that were never found, up to 50. It is one figure of the whole
        set and has no interval.
    Not to be confused with: `retrieval.recall_at_k`, in which a source that ten questions expect
        weighs ten times.
    References: The companion of the reference on evaluating RAG systems that ragproof follows.

    Example:
        >>> from ragproof.core import SetRun
        >>> expected = (frozenset({"a", "b"}), frozenset({"b", "c"}))
        >>> found = (("b", "x"), ("c",))
        >>> run = SetRun({EXPECTED_SOURCES: expected, RETRIEVAL: found})
        >>> round(UniverseCoverage().score(run).value, 3)  # b and c of a, b and c
        0.667
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(RETRIEVAL, EXPECTED_SOURCES),
        interval=Interval.NONE,
    )

    def score(self, run: SetRun, /) -> Scored:
        """Gather what is expected and what was found of it."""
        found: set[str] = set()
        universe: set[str] = set()
        for ranked, relevant in zip(run[RETRIEVAL], run[EXPECTED_SOURCES], strict=True):
            universe |= relevant
            found |= relevant.intersection(ranked)
        never = sorted(universe - found)
        evidence: dict[str, Json] = {"sources": len(universe), "never_found": never[:SHOWN]}
        return Scored(len(found) / len(universe), evidence)
