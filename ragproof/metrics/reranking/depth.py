"""reranking.depth"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import CANDIDATES, RERANKED
from ragproof.metrics.reranked import depth


@dataclass(frozen=True)
class Depth(PureMetric[CaseRun]):
    """How many candidates the reranker was given.

    Question: How deep does the reranker look?
    Formula: |distinct chunks in `trace.candidates`|
    Range: 0 upwards. Neither way is better: deeper finds more and takes longer.
    Edge cases: Chunks are counted, whatever `source_match` says: each is read by the reranker. An
        empty list is 0.
    Not to be confused with: `run.depth`, how many chunks retrieval is asked for.
    References: Nogueira and Cho 2019, "Passage Re-ranking with BERT", for gains that depend on
        the depth.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Chunk, Observation, QuestionCase, Trace
        >>> case = QuestionCase(id="q1", question="?")
        >>> answer = Answer(answer_text="?", trace=Trace(candidates=(Chunk(id="a"),), reranked=()))
        >>> Depth().score(CaseRun(case, Observation(case_id="q1", answer=answer))).value
        1.0
    """

    spec = Spec(unit=Unit.COUNT, better=Better.NEITHER, needs=(CANDIDATES, RERANKED))

    def score(self, run: CaseRun, /) -> Scored:
        """Count the candidates."""
        candidates, _ = depth(run), run[RERANKED]
        return Scored(float(candidates))
