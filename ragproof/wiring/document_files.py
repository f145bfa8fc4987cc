"""The file of a document case: where it lies, and its text where the file itself is the text."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ragproof.core import Case, Document, DocumentCase, Metric, UsageError
from ragproof.core.needs import CUT_TEXT, DOCUMENT_TEXT, LABELLED_TEXT
from ragproof.datasets.documents import PLAIN, plain_text

_TEXTS = (CUT_TEXT, DOCUMENT_TEXT, LABELLED_TEXT)


def text_is_read(metrics: Iterable[Metric[Any]]) -> bool:
    """Whether some metric looks at the text of documents."""
    return any(metric.spec.reads(need) for metric in metrics for need in _TEXTS)


def placed(case: Case, folder: Path, *, with_text: bool) -> Case:
    """The case, its document's path made absolute; with the text of a file of plain text.

    Only such a file has one text, into which offsets can point: what a page or a PDF says depends
    on who reads it. A case that has another text already, `expected_text`, keeps to that.
    """
    if not isinstance(case, DocumentCase) or case.document.path is None:
        return case
    path = folder / case.document.path
    text = _text(path) if with_text and case.expected_text is None else None
    return dataclasses.replace(case, document=Document(path=str(path), text=text))


def _text(path: Path) -> str | None:
    if path.suffix.lower() not in PLAIN:
        return None
    try:
        return plain_text(path)
    except UsageError:  # not UTF-8: the adapter may well know how to read it
        return None
