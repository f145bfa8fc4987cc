"""reranking.mrr_gain"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import CANDIDATES, EXPECTED_SOURCES, RERANKED
from ragproof.metrics.reranked import gain
from ragproof.metrics.retrieval.mrr import Mrr


@dataclass(frozen=True)
class MrrGain(PureMetric[CaseRun]):
    """Reciprocal rank of the first relevant source after reranking, less that before.

    Question: Does the reranker bring the first useful source forward?
    Formula: RR(`trace.reranked`) - RR(`trace.candidates`), as `retrieval.mrr`
    Range: Above -1 to below 1; 0, no difference.
    Edge cases: The whole list counts. Pools must be the same, as for `reranking.ndcg_gain`.
        Candidates without a relevant source score 0: no order helps.
    Not to be confused with: `reranking.precision_at_1_gain`, which looks at the first place alone.
    References: Voorhees, TREC-8 1999, for the reciprocal rank.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Chunk, Observation, QuestionCase, Trace
        >>> case = QuestionCase(id="q1", question="?", expected_source_ids=("a",))
        >>> x, a = Chunk(id="x"), Chunk(id="a")
        >>> answer = Answer(answer_text="?", trace=Trace(candidates=(x, a), reranked=(a, x)))
        >>> MrrGain().score(CaseRun(case, Observation(case_id="q1", answer=answer))).value
        0.5
    """

    spec = Spec(
        unit=Unit.DIFFERENCE,
        better=Better.HIGHER,
        needs=(CANDIDATES, RERANKED, EXPECTED_SOURCES),
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Score both orders."""
        return gain(run, Mrr())
