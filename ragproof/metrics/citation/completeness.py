"""citation.completeness"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ragproof.core import (
    Better,
    CaseRun,
    Citation,
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
from ragproof.text.citation_markers import bracketed
from ragproof.text.sentence_spans import sentence_spans
from ragproof.text.whereabouts import bare

_MARK = re.compile(r"[\[\u3010]\^?([^\[\]\u3010\u3011\n]{1,200})[\]\u3011](?!\()")
_MARKED = re.compile(rf"\s*{_MARK.pattern}")
_LEADING = re.compile(rf"(?:\s*{_MARK.pattern})+[\s.,;]*")
_LEAD_IN = re.compile(r"\s*#|.*[:\uff1a?\u061f\uff1f]\s*\Z", re.DOTALL)
"""A heading, a line that leads to a list, a question."""


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
        answer, cited, there = run[ANSWER], run[CITED], _with_text(run)
        names = [one.chunk_id for one in cited]
        refusal = run.get(REFUSAL)
        if refusal is not None and refusal.refused:
            raise DoesNotArise("the answer declines", refusal.evidence)
        said = [
            (text, [*_marked(marks, cited), *_claimed(text, cited)])
            for text, marks in _statements(bracketed(answer.answer_text, names))
        ]
        if not said:
            raise DoesNotArise("the answer makes no statement")
        used = {one for _, ids in said for one in ids}
        if cited and not used:
            raise DoesNotArise("no citation tells what in the answer it is for")
        open_ones = [text for text, ids in said if not there.intersection(ids)]
        evidence: dict[str, Json] = {
            "statements": len(said),
            "uncited": open_ones,
            "not_there": sorted(used - there),
            "without_place": sorted({one.chunk_id for one in cited} - used),
        }
        return Scored(1 - len(open_ones) / len(said), evidence, weight=len(said))


def _with_text(run: CaseRun) -> frozenset[str]:
    """Ids of chunks that have text, and of their documents."""
    chunks = [one for one in run[CONTEXT] if one.text.strip()]
    documents = (SourceMatch.DOCUMENT.source(one) for one in chunks)
    return frozenset([*(one.id for one in chunks), *documents])


def _statements(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each statement without marks, and the marks that it carries."""
    waiting: tuple[str, list[str]] | None = None
    for sentence in _sentences(text):
        leading = _LEADING.match(sentence)
        if leading and waiting:  # `... purr. [a] Dogs ...`
            waiting[1].extend(_MARK.findall(leading[0]))
            sentence = sentence[leading.end() :]
        bare_text = " ".join(_MARKED.sub("", sentence).split())
        if not any(map(str.isalnum, bare_text)):
            continue
        if waiting:
            yield waiting
        waiting = (bare_text, _MARK.findall(sentence))
        if _LEAD_IN.match(bare_text):
            waiting = None
    if waiting:
        yield waiting


def _sentences(text: str) -> Iterator[str]:
    """Sentences, none of which goes on in the next line."""
    for line in text.splitlines():
        for start, end in sentence_spans(line):
            yield line[start:end]


def _marked(marks: Sequence[str], cited: Sequence[Citation]) -> Iterator[str]:
    """Ids that marks name, by the id or by the number in the list."""
    ids = {one.chunk_id for one in cited}
    for mark in marks:
        names = [mark.strip()] if mark.strip() in ids else [one.strip() for one in mark.split(",")]
        for name in names:
            number = name.removeprefix("^")
            if name in ids:
                yield name
            elif number.isdecimal() and 1 <= int(number) <= len(cited):
                yield cited[int(number) - 1].chunk_id


def _claimed(text: str, cited: Sequence[Citation]) -> Iterator[str]:
    """Ids that are cited for a claim in this statement, or around it."""
    mine = _letters(text)
    for one in cited:
        claim = _letters(_MARK.sub("", one.claim or ""))
        if claim and (claim in mine or mine in claim):
            yield one.chunk_id


def _letters(text: str) -> str:
    return bare("".join(one if one.isalnum() else " " for one in text.casefold()))
