"""retrieval.span_recall"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_SPANS, PLACED
from ragproof.metrics.ranks import check_k
from ragproof.metrics.spans import characters, check_budget


@dataclass(frozen=True)
class SpanRecall(PureMetric[CaseRun]):
    """Share of the characters of the expected spans that the first k retrieved chunks cover.

    Question: How much of the very text that answers was found, however documents are cut?
    Formula: |characters of expected spans ∩ characters of the first k chunks| / |characters of
        expected spans|; with `budget: B` over as many chunks as fit into B tokens instead of k
    Range: 0, none is covered, to 1, all are.
    Edge cases: A character counts once, whatever spans or chunks overlap. Chunks tell their place
        in `metadata.document_id`, `start` and `end` (exclusive); one of the first k without it
        leaves the question open, and the case is skipped; one further down does not matter. k
        counts chunks here, whatever `source_match` says; a chunk that comes twice is one. Tokens
        are estimated at 4 characters each, or counted as words with `tokens: words`; the first
        chunk that does not fit ends the list. Spans without a character are not applicable.
    Not to be confused with: `retrieval.recall_at_k`, which takes a document for found when one
        chunk of it is, the answer in it or not.
    References: Smith and Troynikov 2024, "Evaluating Chunking Strategies for Retrieval" (Chroma).

    Example:
        >>> from ragproof.core import CaseRun, Chunk, Observation, QuestionCase, SourceSpan
        >>> span = SourceSpan(document_id="d", start=10, end=30)
        >>> case = QuestionCase(id="q1", question="?", expected_spans=(span,))
        >>> place = {"document_id": "d", "start": 0, "end": 20}
        >>> found = (Chunk(id="c", metadata=place),)
        >>> run = CaseRun(case, Observation(case_id="q1", retrieved=found))
        >>> SpanRecall().score(run).value
        0.5
    """

    k: int = 5
    budget: int = 0
    tokens: str = "characters"

    spec = Spec(unit=Unit.FRACTION, better=Better.HIGHER, needs=(PLACED, EXPECTED_SPANS), version=2)

    def __post_init__(self) -> None:
        check_k(self.k)
        check_budget(self.budget, self.tokens)

    def score(self, run: CaseRun, /) -> Scored:
        """Compare characters."""
        counted = characters(run, self.k, self.budget, self.tokens)
        return Scored(counted.both / counted.expected, counted.evidence)
