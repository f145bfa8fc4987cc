"""retrieval.evidence_in_token_budget"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Chunk, Json, PureMetric, Scored, Spec, Unit
from ragproof.core.needs import EXPECTED_SOURCES, FOUND
from ragproof.metrics.ranks import as_retrieved, relevant_ranks
from ragproof.metrics.spans import check_budget, fitting


@dataclass(frozen=True)
class EvidenceInTokenBudget(PureMetric[CaseRun]):
    """Share of the relevant sources among the retrieved chunks that fit into a budget of tokens.

    Question: In a context of this size, how much of the evidence is there?
    Formula: |relevant ∩ sources of the first chunks whose tokens add up to at most `budget`| /
        |relevant|
    Range: 0, none fits, to 1, all do.
    Edge cases: Chunks are taken in ranked order, each once; the first that does not fit ends the
        list, as a context that is cut off would. Tokens are estimated at 4 characters each, rounded
        up, or counted as words between white space with `tokens: words`: compare figures of one
        count only. A chunk without text, as far down as is looked, is not applicable: its size is
        not known. Matched by document, one chunk that fits stands for its document; where labels
        are spans, `retrieval.span_recall` with `budget` looks closer.
    Not to be confused with: `retrieval.recall_at_k`, to which five long chunks and five short ones
        are the same.
    References: The reference on evaluating RAG systems that ragproof follows, part 4.

    Example:
        >>> from ragproof.core import CaseRun, Chunk, Observation, QuestionCase
        >>> case = QuestionCase(id="q1", question="?", expected_source_ids=("a", "b"))
        >>> found = (Chunk(id="a", text="x" * 400), Chunk(id="b", text="x" * 400))
        >>> run = CaseRun(case, Observation(case_id="q1", retrieved=found))
        >>> EvidenceInTokenBudget(budget=150).score(run).value
        0.5
    """

    budget: int = 1000
    tokens: str = "characters"

    spec = Spec(unit=Unit.FRACTION, better=Better.HIGHER, needs=(FOUND, EXPECTED_SOURCES))

    def __post_init__(self) -> None:
        check_budget(self.budget, self.tokens)

    def score(self, run: CaseRun, /) -> Scored:
        """Fill the budget and look what is in it."""
        chunks, relevant = run[FOUND], run[EXPECTED_SOURCES]
        by_id: dict[str, Chunk] = {}
        for chunk in chunks:
            by_id.setdefault(chunk.id, chunk)
        distinct = list(by_id.values())
        taken = fitting([chunk.text for chunk in distinct], self.budget, self.tokens)
        found = relevant_ranks(as_retrieved(run, distinct[:taken]))
        missed = sorted(relevant.difference(found))
        evidence: dict[str, Json] = {"chunks": taken, "found": found, "missed": missed}
        return Scored(len(found) / len(relevant), evidence)
