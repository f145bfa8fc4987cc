"""retrieval.span_precision"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, DoesNotArise, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_SPANS, PLACED
from ragproof.metrics.ranks import check_k
from ragproof.metrics.spans import characters, check_budget


@dataclass(frozen=True)
class SpanPrecision(PureMetric[CaseRun]):
    """Share of the characters of the first k retrieved chunks that the expected spans hold.

    Question: How much of what is handed on is what was asked for, and how much is padding?
    Formula: |characters of expected spans ∩ characters of the first k chunks| / |characters of the
        first k chunks|; with `budget: B` over as many chunks as fit into B tokens instead of k
    Range: 0, all of it is something else, to 1, nothing is.
    Edge cases: As `retrieval.span_recall`. Chunks that overlap count what they share once. Where
        nothing was retrieved there is nothing to be precise about: not applicable; the recall is 0.
    Not to be confused with: `retrieval.precision_at_k`, to which a long chunk and a short one are
        the same.
    References: Smith and Troynikov 2024, "Evaluating Chunking Strategies for Retrieval" (Chroma).

    Example:
        >>> from ragproof.core import CaseRun, Chunk, Observation, QuestionCase, SourceSpan
        >>> span = SourceSpan(document_id="d", start=10, end=15)
        >>> case = QuestionCase(id="q1", question="?", expected_spans=(span,))
        >>> place = {"document_id": "d", "start": 0, "end": 20}
        >>> found = (Chunk(id="c", metadata=place),)
        >>> run = CaseRun(case, Observation(case_id="q1", retrieved=found))
        >>> SpanPrecision().score(run).value
        0.25
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
        if not counted.retrieved:
            raise DoesNotArise("no text was retrieved", counted.evidence)
        return Scored(counted.both / counted.retrieved, counted.evidence)
