"""citation.marker_validity"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, DoesNotArise, PureMetric, Scored, SourceMatch, Spec, Unit
from ragproof.core.needs import ANSWER, CONTEXT
from ragproof.metrics.supplied import distinct
from ragproof.text.citation_markers import cited


@dataclass(frozen=True)
class MarkerValidity(PureMetric[CaseRun]):
    """Share of the citation markers in the answer's text that name something in the context.

    Question: Do the `[1]` and `(source: x)` that a reader sees point at anything?
    Formula: |distinct ids in markers that are in the context| / |distinct ids in markers|
    Range: 0, every marker points at nothing, to 1, none does.
    Edge cases: A number is the id of a chunk where there is one of that name, else the place of
        a chunk in the context, counted from 1; a footnote or a list of sources at the end says
        what its numbers stand for. Words in brackets (`[sic]`), links, code, years, `[0, 1]` are
        no markers. An answer without a marker is not applicable. With `source_match: document`
        the id of a chunk's document is valid too. Against an empty context the score is 0.
    Not to be confused with: `generation.citation_validity`, which looks at the citations that
        the adapter reports and at no text; or `citation.precision`, which asks for support.
    References: Gao et al., EMNLP 2023 (ALCE), for answers that cite by numbers in brackets.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Chunk, Observation, QuestionCase
        >>> said = Answer(answer_text="Red [1], old [3] [sic].", retrieved_chunks=(Chunk(id="a"),))
        >>> run = CaseRun(QuestionCase(id="q", question="?"), Observation(case_id="q", answer=said))
        >>> MarkerValidity().score(run).value
        0.5
    """

    spec = Spec(unit=Unit.FRACTION, better=Better.HIGHER, needs=(ANSWER, CONTEXT), version=2)

    def score(self, run: CaseRun, /) -> Scored:
        """Look each named id up in the context."""
        answer, context = run[ANSWER], run[CONTEXT]
        chunks = distinct(context)
        places, there = [one.id for one in chunks], {one.id for one in chunks}
        documents: list[str] = []
        if run.source_match is SourceMatch.DOCUMENT:
            documents = [SourceMatch.DOCUMENT.source(one) for one in chunks]
            there.update(documents)
        named = cited(answer.answer_text, places, documents)
        if not named:
            raise DoesNotArise("the answer has no citation marker")
        valid = [one for one in named if one in there]
        invalid = [one for one in named if one not in there]
        return Scored(len(valid) / len(named), {"valid": valid, "invalid": invalid})
