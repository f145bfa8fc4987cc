"""citation.gold_recall"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, PureMetric, Scored, SourceMatch, Spec, Unit
from ragproof.core.needs import ANSWER, CITED, CONTEXT, EXPECTED_SOURCES


@dataclass(frozen=True)
class GoldRecall(PureMetric[CaseRun]):
    """Share of the relevant sources that the answer cites.

    Question: Does the answer point the reader to the sources that it should rest on?
    Formula: |relevant ∩ cited sources| / |relevant|
    Range: 0, none is cited, to 1, all are.
    Edge cases: An answer that cites nothing scores 0; one that does not expose citations is
        skipped. With `source_match: document` a cited chunk stands for its document, which is
        looked up in the answer's own `retrieved_chunks`, else in those of `retrieve`; an id
        that is not among them is taken as a document's. Citing more lowers nothing.
    Not to be confused with: `generation.citation_validity`, which asks of the cited what was
        retrieved; or `retrieval.recall_at_k`, which asks what was found, cited or not.
    References: Gao et al., EMNLP 2023 (ALCE), for citations measured against evidence.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Citation, Observation, QuestionCase
        >>> case = QuestionCase(id="q1", question="?", expected_source_ids=("a", "b"))
        >>> cited = (Citation(chunk_id="a"), Citation(chunk_id="x"))
        >>> seen = Observation(case_id="q1", answer=Answer(answer_text="?", citations=cited))
        >>> GoldRecall().score(CaseRun(case, seen)).value
        0.5
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(ANSWER, CITED, EXPECTED_SOURCES),
        uses=(CONTEXT,),
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Look each relevant source up among the cited ones."""
        run[ANSWER]  # that there is no answer says more than that nothing is cited
        cited, relevant = {one.chunk_id for one in run[CITED]}, run[EXPECTED_SOURCES]
        if run.source_match is SourceMatch.DOCUMENT:
            source = {one.id: run.source_match.source(one) for one in run.get(CONTEXT) or ()}
            cited = {source.get(one, one) for one in cited}
        found, missed = sorted(relevant & cited), sorted(relevant - cited)
        return Scored(len(found) / len(relevant), {"found": found, "missed": missed})
