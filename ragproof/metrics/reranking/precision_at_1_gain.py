"""reranking.precision_at_1_gain"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import CANDIDATES, EXPECTED_SOURCES, RERANKED
from ragproof.metrics.reranked import gain
from ragproof.metrics.retrieval.precision_at_k import PrecisionAtK


@dataclass(frozen=True)
class PrecisionAt1Gain(PureMetric[CaseRun]):
    """Whether the first place is relevant after reranking, less whether it was before.

    Question: Does the reranker put a useful source first more often than it takes one away?
    Formula: P@1(`trace.reranked`) - P@1(`trace.candidates`), as `retrieval.precision_at_k` with
        k = 1
    Range: -1, the first place was spoilt, 0, it is as good as before, or 1, it was mended.
    Edge cases: Pools must be the same, as for `reranking.ndcg_gain`. Candidates without a relevant
        source score 0: no order helps.
    Not to be confused with: `reranking.ndcg_gain`, which also sees what happens below.
    References: The reference on evaluating RAG systems that ragproof follows, part 4.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Chunk, Observation, QuestionCase, Trace
        >>> case = QuestionCase(id="q1", question="?", expected_source_ids=("a",))
        >>> x, a = Chunk(id="x"), Chunk(id="a")
        >>> answer = Answer(answer_text="?", trace=Trace(candidates=(x, a), reranked=(a, x)))
        >>> PrecisionAt1Gain().score(CaseRun(case, Observation(case_id="q1", answer=answer))).value
        1.0
    """

    spec = Spec(
        unit=Unit.DIFFERENCE,
        better=Better.HIGHER,
        needs=(CANDIDATES, RERANKED, EXPECTED_SOURCES),
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Score both orders."""
        return gain(run, PrecisionAtK(k=1))
