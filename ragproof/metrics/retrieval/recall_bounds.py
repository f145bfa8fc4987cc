"""retrieval.recall_bounds"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.core import Better, CaseRun, DoesNotArise, Json, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_SOURCES, JUDGED, RETRIEVAL
from ragproof.metrics.ranks import check_k


@dataclass(frozen=True)
class RecallBounds(PureMetric[CaseRun]):
    """The lowest and the highest recall at k that the retrieved, unjudged sources leave open.

    Question: Could judging what was found and never looked at change the figure?
    Formula: high = (|hits| + |unjudged in the first k|) / (|relevant| + |unjudged in the first k|);
        low = |hits| / (|relevant| + |unjudged below the first k|), where hits are the relevant
        sources in the first k, and unjudged is what was retrieved without a grade of 0 or above
    Range: 0 to 1; low <= `retrieval.recall_at_k` <= high.
    Edge cases: Highest, if every unjudged source in the first k is relevant and no other; lowest,
        if every one below is and none in the first k. Sources that were not retrieved are not
        bounded. Both are recall where all that was retrieved is judged. The evidence lists what to
        judge, in ranked order. A list of expected sources does not tell what else was judged and is
        skipped; grades without a relevant source are not applicable.
    Not to be confused with: `retrieval.unjudged_at_k`, how much is unjudged; the interval, which
        tells how far other questions might differ.
    References: Buckley and Voorhees, SIGIR 2004, for what unjudged sources do to a score; Moffat
        and Zobel, ACM TOIS 2008, for bounds in place of a guess.

    Example:
        >>> from ragproof.core import CaseRun, Chunk, Observation, QuestionCase
        >>> case = QuestionCase(id="q1", question="?", expected_source_ids={"a": 1, "b": 1})
        >>> found = tuple(Chunk(id=source) for source in ("a", "new", "other"))
        >>> run = CaseRun(case, Observation(case_id="q1", retrieved=found))
        >>> {bound: round(one.value, 3) for bound, one in RecallBounds(k=2).score(run).items()}
        {'low': 0.333, 'high': 0.667}
    """

    k: int = 5

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(RETRIEVAL, JUDGED),
        uses=(EXPECTED_SOURCES,),
        each="bound",
    )

    def __post_init__(self) -> None:
        check_k(self.k)

    def score(self, run: CaseRun, /) -> Mapping[str, Scored]:
        """Take every unjudged source for the worst and for the best."""
        ranked, judged = run[RETRIEVAL], run[JUDGED]
        relevant = run.get(EXPECTED_SOURCES)
        if relevant is None:
            raise DoesNotArise("no judged source is relevant")
        hits = relevant.intersection(ranked[: self.k])
        above, below = (
            [source for source in part if source not in judged]
            for part in (ranked[: self.k], ranked[self.k :])
        )
        evidence: dict[str, Json] = {"unjudged": above, "unjudged_below": below}
        high = (len(hits) + len(above)) / (len(relevant) + len(above))
        return {
            "low": Scored(len(hits) / (len(relevant) + len(below)), evidence),
            "high": Scored(high, evidence),
        }
