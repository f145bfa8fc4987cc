"""retrieval.mrr"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_SOURCES, RETRIEVAL
from ragproof.metrics.ranks import relevant_ranks


@dataclass(frozen=True)
class Mrr(PureMetric[CaseRun]):
    """Reciprocal of the rank of the first relevant source; its mean is the MRR.

    Question: How far down is the first useful source?
    Formula: 1 / rank of the first relevant source, 0 where there is none
    Range: 0, none was retrieved, to 1, the first is relevant.
    Edge cases: The whole ranked list counts, as deep as `run.depth` asked, not the first k.
        Ranks count distinct sources: a repeated irrelevant chunk pushes nothing down. Empty
        retrieval scores 0.
    Not to be confused with: `retrieval.average_precision`, which counts every relevant source.
    References: Voorhees, TREC-8 1999; trec_eval `recip_rank`.

    Example:
        >>> from ragproof.core import CaseRun, Chunk, Observation, QuestionCase
        >>> case = QuestionCase(id="q1", question="?", expected_source_ids=("a", "b"))
        >>> found = tuple(Chunk(id=source) for source in ("x", "x", "b", "a"))
        >>> run = CaseRun(case, Observation(case_id="q1", retrieved=found))
        >>> Mrr().score(run).value
        0.5
    """

    spec = Spec(unit=Unit.FRACTION, better=Better.HIGHER, needs=(RETRIEVAL, EXPECTED_SOURCES))

    def score(self, run: CaseRun, /) -> Scored:
        """Take the best rank of a relevant source."""
        for source, rank in relevant_ranks(run).items():
            return Scored(1 / rank, {"first": source, "rank": rank})
        return Scored(0.0, {"first": None, "rank": None})
