"""reranking.ndcg_gain"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import CANDIDATES, EXPECTED_SOURCES, RERANKED
from ragproof.metrics.ranks import check_k
from ragproof.metrics.reranked import gain
from ragproof.metrics.retrieval.graded_ndcg_at_k import GradedNdcgAtK
from ragproof.metrics.retrieval.ndcg_at_k import NdcgAtK


@dataclass(frozen=True)
class NdcgGain(PureMetric[CaseRun]):
    """nDCG at k of the reranked list, less that of the candidates as they came.

    Question: Does the reranker bring the relevant sources forward?
    Formula: nDCG@k(`trace.reranked`) - nDCG@k(`trace.candidates`), as `retrieval.ndcg_at_k`; with
        `graded: true` as `retrieval.graded_ndcg_at_k`
    Range: -1, a perfect order was ruined, to 1, it was made; 0, no difference.
    Edge cases: Both lists must hold the same chunks, else the figure would measure what was added
        or cut, and it is not applicable; the evidence lists what is missing or was added. So expose
        the reranked list before it is cut to what the model is given, and set k to the depth that
        your application uses. Candidates without a relevant source score 0: no order helps.
    Not to be confused with: a change of `retrieval.ndcg_at_k` between two runs, whose candidates
        may differ.
    References: Nogueira and Cho 2019, "Passage Re-ranking with BERT", for reranking measured on
        one pool of candidates.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Chunk, Observation, QuestionCase, Trace
        >>> case = QuestionCase(id="q1", question="?", expected_source_ids=("a",))
        >>> x, y, a = Chunk(id="x"), Chunk(id="y"), Chunk(id="a")
        >>> trace = Trace(candidates=(x, y, a), reranked=(a, x, y))
        >>> answer = Answer(answer_text="?", trace=trace)
        >>> NdcgGain().score(CaseRun(case, Observation(case_id="q1", answer=answer))).value
        0.5
    """

    k: int = 5
    graded: bool = False

    spec = Spec(
        unit=Unit.DIFFERENCE,
        better=Better.HIGHER,
        needs=(CANDIDATES, RERANKED, EXPECTED_SOURCES),
    )

    def __post_init__(self) -> None:
        check_k(self.k)

    def score(self, run: CaseRun, /) -> Scored:
        """Score both orders."""
        return gain(run, GradedNdcgAtK(k=self.k) if self.graded else NdcgAtK(k=self.k))
