"""citation.completeness"""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.core import (
    Better,
    CaseRun,
    DoesNotArise,
    Json,
    Pool,
    PureMetric,
    Scored,
    SourceMatch,
    Spec,
    Unit,
)
from ragproof.core.needs import ANSWER, CITED, CONTEXT, REFUSAL
from ragproof.metrics.statements import stated


@dataclass(frozen=True)
class Completeness(PureMetric[CaseRun]):
    """Share of the answer's statements that carry a citation which can be followed.

    Question: For how much of what is said is a reader told where to check it?
    Formula: statements with at least one citation whose text is there / statements
    Range: 0, nothing is cited, to 1, every statement is.
    Edge cases: A statement is a sentence of the answer, or an item of its list; headings, questions
        and lines that lead to a list are none. No judge is asked, so a greeting counts as one too.
        A citation belongs to the sentence that its `claim` is in, or that is in the claim, or that
        has its mark: `[id]`, `(source: id)`, a footnote, or `[n]` for the n-th of `citations`, all
        read as for `citation.marker_validity`; a mark after a full stop belongs to the sentence
        before it, and notes and lists of sources state nothing. It can be followed if its id is
        that of a chunk of the context that has text, or of such a chunk's document. An answer
        with statements and no citation scores 0; citations none of which tells its place, and
        answers that decline, are not applicable. Over a set it is the ratio of the sums.
    Not to be confused with: `generation.citation_support`, whether what is cited bears it out; or
        `generation.citation_validity`, which asks of citations, not of statements.
    References: Liu, Zhang and Liang, EMNLP Findings 2023; Gao et al., EMNLP 2023 (ALCE), for
        sentences as the unit.

    Example:
        >>> from ragproof.core import Answer, CaseRun, Chunk, Citation, Observation, QuestionCase
        >>> answer = Answer(
        ...     answer_text="Cats purr [a]. Dogs bark.",
        ...     citations=(Citation(chunk_id="a"),),
        ...     retrieved_chunks=(Chunk(id="a", text="A cat purrs."),),
        ... )
        >>> run = CaseRun(
        ...     QuestionCase(id="q", question="?"), Observation(case_id="q", answer=answer)
        ... )
        >>> Completeness().score(run).value
        0.5
    """

    spec = Spec(
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        needs=(ANSWER, CITED, CONTEXT),
        uses=(REFUSAL,),
        pool=Pool.RATIO,
    )

    def score(self, run: CaseRun, /) -> Scored:
        """Look for a citation of each statement."""
        text, cited = run[ANSWER].answer_text, run[CITED]
        there, told = _with_text(run), stated(run, text, cited, [one.chunk_id for one in cited])
        if told.cited and not told.used:
            raise DoesNotArise("no citation tells what in the answer it is for")
        said, used = told.statements, told.used
        open_ones = [one.text for one in said if not there.intersection(one.ids)]
        evidence: dict[str, Json] = {
            "statements": len(said),
            "uncited": open_ones,
            "not_there": sorted(used - there),
            "without_place": sorted({one.chunk_id for one in told.cited} - used),
        }
        return Scored(1 - len(open_ones) / len(said), evidence, weight=len(said))


def _with_text(run: CaseRun) -> frozenset[str]:
    """Ids of chunks that have text, and of their documents."""
    chunks = [one for one in run[CONTEXT] if one.text.strip()]
    documents = (SourceMatch.DOCUMENT.source(one) for one in chunks)
    return frozenset([*(one.id for one in chunks), *documents])
