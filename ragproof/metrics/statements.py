"""The statements of an answer, sentence by sentence, and what each is cited for; no judge."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ragproof.core import CaseRun, Citation, DoesNotArise
from ragproof.core.needs import ANSWER, CITED, CONTEXT, REFUSAL
from ragproof.text.citation_markers import bracketed
from ragproof.text.citation_markers import cited as cited_in
from ragproof.text.sentence_spans import sentence_spans
from ragproof.text.whereabouts import bare

NONE = "the answer makes no statement"
_MARK = re.compile(r"[\[\u3010]\^?([^\[\]\u3010\u3011\n]{1,200})[\]\u3011](?!\()")
_MARKED = re.compile(rf"\s*{_MARK.pattern}")
_LEADING = re.compile(rf"(?:\s*{_MARK.pattern})+[\s.,;]*")
_LEAD_IN = re.compile(r"\s*#|.*[:\uff1a?\u061f\uff1f]\s*\Z", re.DOTALL)
"""A heading, a line that leads to a list, a question."""

_SIGN = re.compile(r"\A\s*(?:[-*+\u2022\u00b7\u25aa\u2013]|\(?\d{1,3}[.)])\s+")
_EMPHASIS = re.compile(r"(\*\*|__|`)(?=\S)(.+?)(?<=\S)\1")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of the answer, or an item of its list."""

    text: str
    """Without marks."""
    ids: tuple[str, ...] = ()
    """What is cited for it, each once."""

    @property
    def plain(self) -> str:
        """Its words, without the sign of a list and the marks of emphasis.

        >>> Statement("- **Cats** purr at 3 * 4 Hz.").plain
        'Cats purr at 3 * 4 Hz.'
        """
        return _EMPHASIS.sub(r"\2", _SIGN.sub("", self.text)).strip()


@dataclass(frozen=True, slots=True)
class Stated:
    """All that an answer states."""

    statements: tuple[Statement, ...]
    cited: tuple[Citation, ...]
    """The adapter's citations, else what the markers name."""

    @property
    def used(self) -> frozenset[str]:
        """Ids that are cited for a statement."""
        return frozenset(one for said in self.statements for one in said.ids)


def stated(
    run: CaseRun,
    text: str,
    cited: Sequence[Citation],
    names: Sequence[str],
    *,
    numbered: bool = True,
) -> Stated:
    """Take an answer apart; a citation goes to the sentence that it is told to be for.

    That is the sentence which its `claim` is in, or that is in the claim, or that has its mark: one
    of the `names`, or with `numbered` a number in the list of what is cited, read as for
    `citation.marker_validity`. A mark after a full stop belongs to the sentence before it.
    Headings, questions, lines that lead to a list, notes and lists of sources state nothing.
    Raises DoesNotArise for an answer that declines, or states nothing.
    """
    refusal = run.get(REFUSAL)
    if refusal is not None and refusal.refused:
        raise DoesNotArise("the answer declines", refusal.evidence)
    found = tuple(
        Statement(
            said,
            tuple(
                dict.fromkeys([*_marked(marks, cited, numbered=numbered), *_claimed(said, cited)])
            ),
        )
        for said, marks in _sentences_with_marks(bracketed(text, names))
    )
    if not found:
        raise DoesNotArise(NONE)
    return Stated(found, tuple(cited))


def stated_by_markers(run: CaseRun) -> Stated:
    """The same by the adapter's citations or, where it reports none, by the answer's markers."""
    text, reported = run[ANSWER].answer_text, run.get(CITED)
    ids = [one.id for one in run[CONTEXT]]
    if reported:
        return stated(run, text, reported, [one.chunk_id for one in reported])
    marked = [Citation(chunk_id=one) for one in cited_in(text, ids)]
    return stated(run, text, marked, ids, numbered=False)  # markers are read as ids already


def _sentences_with_marks(text: str) -> Iterator[tuple[str, list[str]]]:
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


def _marked(marks: Sequence[str], cited: Sequence[Citation], *, numbered: bool) -> Iterator[str]:
    """Ids that marks name, by the id or by the number in the list."""
    ids = {one.chunk_id for one in cited}
    for mark in marks:
        names = [mark.strip()] if mark.strip() in ids else [one.strip() for one in mark.split(",")]
        for name in names:
            number = name.removeprefix("^")
            if name in ids:
                yield name
            elif numbered and number.isdecimal() and 1 <= int(number) <= len(cited):
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
