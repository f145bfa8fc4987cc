"""What must hold of a case beyond the types of its fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from ragproof.core import Case, DocumentCase, QuestionCase
from ragproof.text.clean import unclean
from ragproof.text.faults import Fault, shown

HIGHEST_GRADE = 100
"""Gain grows with two to the power of the grade."""


def check(case: Case, folder: Path) -> Iterator[Fault]:
    """Yield what is wrong with a case whose fields have the right types.

    `folder` is the dataset's: paths of documents are relative to it.
    """
    if not _plain(case.id):
        yield from _label(("id",), case.id)
    if case.group is not None and not _plain(case.group):
        yield from _label(("group",), case.group)
    for name, value in case.tags.items():
        if not (_plain(name) and _plain(value)):
            yield from _label(("tags", name), name, "tag name")
            yield from _label(("tags", name), value)
    if isinstance(case, QuestionCase):
        yield from _question(case)
    elif isinstance(case, DocumentCase):
        yield from _document(case, folder)


def _plain(text: str) -> bool:
    """Whether nothing can be wrong with a label; it is asked of every case, so it asks little."""
    return text.isprintable() and not (text.isspace() or not text)


def _label(path: tuple[str, ...], text: str, what: str = "text") -> Iterator[Fault]:
    if not text or text.isspace():
        yield Fault(path, f"got {shown(text)}; allowed: a {what} that is not empty")
    elif found := unclean(text):
        yield Fault(path, f"got {shown(text)}; allowed: a {what} without {found}")


def _question(case: QuestionCase) -> Iterator[Fault]:
    if not case.question or case.question.isspace():
        yield Fault(("question",), f"got {shown(case.question)}; allowed: a text that is not empty")
    for index, span in enumerate(case.expected_spans or ()):
        yield from _span(("expected_spans", index), span.start, span.end)
    for index, mention in enumerate(case.expected_entities or ()):
        yield from _span(("expected_entities", index), mention.start, mention.end)
    if isinstance(case.expected_source_ids, Mapping):
        for source, grade in case.expected_source_ids.items():
            if abs(grade) > HIGHEST_GRADE:
                got = f"got {grade}; allowed: -{HIGHEST_GRADE} to {HIGHEST_GRADE}"
                yield Fault(("expected_source_ids", source), got)
    if case.adversarial_payload is not None:
        yield from _payload(case.adversarial_payload)
    if case.variant_of is not None and case.variant_of == case.id:
        yield Fault(("variant_of",), "a case cannot vary itself; allowed: the id of another case")


def _payload(payload: str) -> Iterator[Fault]:
    from ragproof.text.payloads import misfit  # noqa: PLC0415  most datasets attack nothing

    if allowed := misfit(payload):
        yield Fault(("adversarial_payload",), f"got {shown(payload)}; allowed: {allowed}")


def _document(case: DocumentCase, folder: Path) -> Iterator[Fault]:
    path, text = case.document.path, case.document.text
    if (path is None) == (text is None):
        got = "neither path nor text" if path is None else "both path and text"
        yield Fault(("document",), f"got {got}; allowed: one of the two")
    elif path is not None and ("\0" in path or not (folder / path).is_file()):
        yield Fault(("document", "path"), f"there is no file {shown(path)} beside the dataset")
    if case.document_class is not None:
        yield from _label(("document_class",), case.document_class)
    for name in ("expected_pii", "expected_named_entities", "expected_sections"):
        for index, span in enumerate(getattr(case, name) or ()):
            yield from _span((name, index), span.start, span.end)
    for index, cut in enumerate(case.expected_boundaries or ()):
        if cut.at < 0:
            yield Fault(("expected_boundaries", index, "at"), f"got {cut.at}; allowed: 0 and above")
    for index, (start, end) in enumerate(case.expected_boilerplate or ()):
        yield from _span(("expected_boilerplate", index), start, end)


def _span(path: tuple[str | int, ...], start: int, end: int) -> Iterator[Fault]:
    if not 0 <= start <= end:
        yield Fault(path, f"got start {start}, end {end}; allowed: 0 <= start <= end")
