"""generation.as_of"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import Better, CaseRun, Chunk, Json, PureMetric, Scored, SourceMatch, Spec, Unit
from ragproof.core.needs import ANSWER, CITED, CONTEXT, SUPERSEDED
from ragproof.metrics.parameters import one_of
from ragproof.text.citation_markers import cited


@dataclass(frozen=True)
class AsOf(PureMetric[CaseRun]):
    """Whether the answer cites no source that has been superseded.

    Question: Does the answer rest on what holds now, not on what has been replaced?
    Formula: 0 where any of `superseded_source_ids` is among the sources cited, or with
        `use: context` among those of the context, else 1. Cited is what the adapter reports;
        where it reports nothing, what the markers in the answer's text name
    Range: 0, it rests on a superseded source, to 1, it does not.
    Edge cases: A chunk is superseded by its own id or by its document's. An answer that cites
        nothing scores 1 here: it named no superseded source. What stood in the context, cited or
        not, is in the evidence.
    Not to be confused with: whether the answer says what was true on `as_of`, which
        `generation.correctness` sees; or `generation.groundedness`, whose `stale_fact` is a
        judge's finding.
    References: Kasai et al., NeurIPS 2023 (RealTime QA), for answers out of date.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Citation, Observation, QuestionCase
        >>> case = QuestionCase(id="q1", question="?", superseded_source_ids=("v1",))
        >>> old = (Citation(chunk_id="v1"),)
        >>> said = Answer(answer_text="?", citations=old, retrieved_chunks=())
        >>> AsOf().score(CaseRun(case, Observation(case_id="q1", answer=said))).value
        0.0
    """

    use: str = "citations"

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(ANSWER, CONTEXT, SUPERSEDED),
        uses=(CITED,),
    )

    def __post_init__(self) -> None:
        one_of("use", self.use, ("citations", "context"))

    def score(self, run: CaseRun, /) -> Scored:
        """Look for superseded sources among those cited and those given."""
        answer, chunks, old = run[ANSWER], run[CONTEXT], run[SUPERSEDED]
        given = {one.id: _names(one) for one in chunks}
        told = run.get(CITED)
        named = (
            tuple(dict.fromkeys(one.chunk_id for one in told))
            if told
            else cited(answer.answer_text, tuple(given), sorted(old))
        )
        stale_cited = [one for one in named if old & {one, *given.get(one, ())}]
        stale_given = [one for one, names in given.items() if old & names]
        evidence: dict[str, Json] = {
            "superseded_cited": stale_cited,
            "superseded_in_context": stale_given,
            "cited_by": "adapter" if told else "markers",
        }
        stale = stale_cited if self.use == "citations" else stale_given
        return Scored(float(not stale), evidence)


def _names(chunk: Chunk) -> set[str]:
    """The ids by which it may have been superseded."""
    return {chunk.id, SourceMatch.DOCUMENT.source(chunk)}
