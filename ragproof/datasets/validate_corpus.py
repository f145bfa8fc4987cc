"""Hold a dataset to the corpus that its labels name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from ragproof.core import Case, QuestionCase
from ragproof.core.case import SourceSpan
from ragproof.core.corpus import Corpus
from ragproof.datasets.findings import Finding, Severity
from ragproof.datasets.validate import relevant
from ragproof.text.answer_tokens import answer_tokens
from ragproof.text.faults import shown

RUN = 4
"""Words in a row that are looked for in the source."""
LONG = 8
"""Shorter questions share their words with a source by chance."""
COPIED = 0.8
"""Of a question's runs of words, so many stand in the source."""
_LABELS = (
    *("expected_source_ids", "planted_source_ids", "distractor_source_ids"),
    *("superseded_source_ids", "eligible_source_ids"),
)


def against_corpus(cases: Sequence[Case], corpus: Corpus) -> Iterator[Finding]:
    """Find labels that name nothing, spans outside, and questions copied from their source."""
    asked = [case for case in cases if isinstance(case, QuestionCase)]
    known = frozenset(corpus)
    yield from _unknown(asked, known)
    needed: defaultdict[str, list[tuple[QuestionCase, SourceSpan | None]]] = defaultdict(list)
    for case in asked:
        for span in case.expected_spans or ():
            needed[span.document_id].append((case, span))
        for source in relevant(case):
            needed[source].append((case, None))
    for document, uses in needed.items():
        if document not in known:
            continue
        text = corpus.text(document) or ""
        yield from _outside(document, text, uses)
        yield from _copied(document, text, uses)


def _unknown(asked: Sequence[QuestionCase], known: frozenset[str]) -> Iterator[Finding]:
    """A label that names nothing; where none names anything, one finding says so."""
    named = 0
    findings = []
    for case in asked:
        labels = [(name, getattr(case, name) or ()) for name in _LABELS]
        labels.append(("expected_spans", [one.document_id for one in case.expected_spans or ()]))
        for name, ids in labels:
            named += len(ids)
            lost = [one for one in ids if one not in known]
            if lost:
                told = f"{name}: {shown(lost[0])}"
                told += f" and {len(lost) - 1} more are" if len(lost) > 1 else " is"
                findings.append((len(lost), case.id, f"{told} not in the corpus"))
    if findings and sum(lost for lost, _, _ in findings) == named:
        yield Finding(
            check="unknown-source",
            severity=Severity.ERROR,
            message=f"none of the {named} labels is in the corpus: do they name chunks where the "
            "corpus has documents, or the reverse?",
            cases=tuple(case for _, case, _ in findings),
        )
        return
    for _, case_id, message in findings:
        yield Finding(
            check="unknown-source", severity=Severity.ERROR, message=message, cases=(case_id,)
        )


def _outside(
    document: str, text: str, uses: Sequence[tuple[QuestionCase, SourceSpan | None]]
) -> Iterator[Finding]:
    for case, span in uses:
        if span is None:
            continue
        wrong = ""
        if span.end > len(text):
            wrong = f"ends at {span.end}, but {shown(document)} has {len(text)} characters"
        elif not text[span.start : span.end].strip():
            wrong = f"holds no text of {shown(document)}"
        if wrong:
            yield Finding(
                check="span-outside",
                severity=Severity.ERROR,
                message=f"the span {span.start} to {span.end} {wrong}",
                cases=(case.id,),
            )


def _copied(
    document: str, text: str, uses: Sequence[tuple[QuestionCase, SourceSpan | None]]
) -> Iterator[Finding]:
    words: list[str] | None = None
    runs: set[tuple[str, ...]] = set()
    for case_id, case in {case.id: case for case, _ in uses}.items():
        asked = answer_tokens(case.question)
        if len(asked) < LONG:
            continue
        if words is None:
            words = answer_tokens(text)
            runs = set(zip(*(words[at:] for at in range(RUN)), strict=False))
        mine = list(zip(*(asked[at:] for at in range(RUN)), strict=False))
        share = sum(run in runs for run in mine) / len(mine)
        if share >= COPIED:
            yield Finding(
                check="question-copied",
                severity=Severity.WARNING,
                message=f"{share:.0%} of the question's wording stands in {shown(document)}: any "
                "search by words finds it",
                cases=(case_id,),
            )
