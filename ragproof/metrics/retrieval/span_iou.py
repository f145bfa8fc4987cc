"""retrieval.span_iou"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_SPANS, PLACED
from ragproof.metrics.ranks import check_k
from ragproof.metrics.spans import characters, check_budget


@dataclass(frozen=True)
class SpanIou(PureMetric[CaseRun]):
    """Characters that expected spans and the first k retrieved chunks share, over those of either.

    Question: Is the evidence found, and nothing else with it?
    Formula: |characters of both the expected spans and the first k chunks| / |characters of
        either|; with `budget: B` over as many chunks as fit into B tokens instead of k
    Range: 0, they share nothing, to 1, they are the same.
    Edge cases: As `retrieval.span_recall`. Spans are often much shorter than k chunks, and then
        small values are the rule: compare ways of cutting with one another, at one k or one budget.
        Where nothing was retrieved it is 0.
    Not to be confused with: `retrieval.span_recall`, which longer chunks can only raise.
    References: Smith and Troynikov 2024, "Evaluating Chunking Strategies for Retrieval" (Chroma),
        who count what overlapping chunks share as often as it is retrieved; here it counts once.

    Example:
        >>> from ragproof.core import CaseRun, Chunk, Observation, QuestionCase, SourceSpan
        >>> span = SourceSpan(document_id="d", start=10, end=30)
        >>> case = QuestionCase(id="q1", question="?", expected_spans=(span,))
        >>> place = {"document_id": "d", "start": 0, "end": 20}
        >>> found = (Chunk(id="c", metadata=place),)
        >>> run = CaseRun(case, Observation(case_id="q1", retrieved=found))
        >>> round(SpanIou().score(run).value, 3)  # 10 of 30
        0.333
    """

    k: int = 5
    budget: int = 0
    tokens: str = "characters"

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(PLACED, EXPECTED_SPANS),
        blames=False,
        version=2,
    )

    def __post_init__(self) -> None:
        check_k(self.k)
        check_budget(self.budget, self.tokens)

    def score(self, run: CaseRun, /) -> Scored:
        """Compare characters."""
        counted = characters(run, self.k, self.budget, self.tokens)
        either = counted.expected + counted.retrieved - counted.both
        return Scored(counted.both / either, counted.evidence)
