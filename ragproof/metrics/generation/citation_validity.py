"""generation.citation_validity"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, PureMetric, Scored, SourceMatch, Spec, Unit
from ragproof.core.needs import ANSWER, CITATIONS, CONTEXT


@dataclass(frozen=True)
class CitationValidity(PureMetric[CaseRun]):
    """Share of the cited ids that name something that was retrieved.

    Question: Do the citations point at anything?
    Formula: |cited ids ∩ retrieved ids| / |cited ids|
    Range: 0, every citation points at nothing, to 1, none does.
    Edge cases: An id cited twice counts once. The retrieved set is the answer's own
        `retrieved_chunks`, else that of `retrieve`; when it is empty the score is 0. With
        `source_match: document` the id of a retrieved chunk's document is valid too. An answer
        that cites nothing is skipped, not 1.
    Not to be confused with: whether what is cited supports the claim, which only a reader of
        the text can tell.
    References: Liu, Zhang and Liang, EMNLP Findings 2023, for what valid ids leave open.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Chunk, Citation, Observation, QuestionCase
        >>> cited = (Citation(chunk_id="a"), Citation(chunk_id="b"), Citation(chunk_id="a"))
        >>> answer = Answer(answer_text="?", citations=cited, retrieved_chunks=(Chunk(id="a"),))
        >>> case = QuestionCase(id="q1", question="?")
        >>> run = CaseRun(case, Observation(case_id="q1", answer=answer))
        >>> CitationValidity().score(run).value
        0.5
    """

    spec = Spec(unit=Unit.FRACTION, better=Better.HIGHER, needs=(ANSWER, CITATIONS, CONTEXT))

    def score(self, run: CaseRun, /) -> Scored:
        """Look each cited id up among the retrieved ones."""
        run[ANSWER]  # that there is no answer says more than that nothing is cited
        cited = dict.fromkeys(citation.chunk_id for citation in run[CITATIONS])
        retrieved = {chunk.id for chunk in run[CONTEXT]}
        if run.source_match is SourceMatch.DOCUMENT:
            retrieved |= {SourceMatch.DOCUMENT.source(chunk) for chunk in run[CONTEXT]}
        valid = [one for one in cited if one in retrieved]
        invalid = [one for one in cited if one not in retrieved]
        return Scored(len(valid) / len(cited), {"valid": valid, "invalid": invalid})
