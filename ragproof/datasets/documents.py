"""The text of a document's file, by its kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ragproof.core import UsageError
from ragproof.datasets.rich_documents import docx_text, html_text, pdf_text
from ragproof.text.files import as_utf8, opened, without_bom


def plain_text(path: Path) -> str:
    """The text of a UTF-8 file, its lines ended by line feeds."""
    with opened(path) as file:
        raw = without_bom(file.read(), path)
    return as_utf8(raw, path).replace("\r\n", "\n").replace("\r", "\n")


PLAIN = frozenset({".txt", ".text", ".md", ".markdown", ".rst"})
"""Kinds whose text is the file itself."""
READERS: Mapping[str, Callable[[Path], str]] = {
    **dict.fromkeys(sorted(PLAIN), plain_text),
    ".html": html_text,
    ".htm": html_text,
    ".pdf": pdf_text,
    ".docx": docx_text,
}
SUFFIXES = frozenset(READERS)
"""Kinds of files that are read."""


def text_of(path: Path) -> str:
    """Read a document's file; raises UsageError for a kind that is not read."""
    if (reader := READERS.get(path.suffix.lower())) is None:
        kinds = ", ".join(sorted(SUFFIXES))
        raise UsageError(f"{path}: {path.suffix or 'no suffix'} is not read. Read are: {kinds}")
    return reader(path)
