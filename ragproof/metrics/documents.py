"""What a document is called, and what its chunks say of where they come from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from ragproof.core import Case, DocumentCase

PATH_KEYS = ("section_path", "headings", "heading_path", "header_path", "path")
"""Where pipelines keep the headings above a chunk, as a list or as one text."""
_LEVEL = re.compile(r"(?:header|heading|h)[ _]?([1-6])", re.IGNORECASE)
_BETWEEN = (" > ", " \u203a ", " :: ", "/")
_SIGNS = re.compile(r"^[#\s]+|[#\s]+$")


def names_of(case: Case) -> frozenset[str]:
    """The ids by which a chunk may name the document: the case's, its file's path, name, stem.

    Chunkers are given the case's id as the document's.
    """
    names = {case.id}
    if isinstance(case, DocumentCase) and case.document.path is not None:
        path = PurePath(case.document.path)
        names |= {case.document.path, path.name, path.stem}
    return frozenset(names)


def heading_path(metadata: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The headings that a chunk says are above it, the outermost first; None where it says none.

    A list, one text with `>`, `/` or `::` between headings, or a key a level (`Header 1`, `h2`).

    >>> heading_path({"headings": ["A", "B"]}), heading_path({"header_path": "/A/B/"})
    (('A', 'B'), ('A', 'B'))
    >>> heading_path({"Header 2": "B", "Header 1": "A"}), heading_path({"page": 1})
    (('A', 'B'), None)
    """
    for key in PATH_KEYS:
        told = metadata.get(key)
        if isinstance(told, str) and key != "path":  # alone that is where a file lies
            between = next((sign for sign in _BETWEEN if sign in told), "\0")
            return tuple(plain(part) for part in told.split(between) if part.strip())
        if isinstance(told, list | tuple):
            return tuple(plain(str(part)) for part in told)
    levels = {
        int(level[1]): plain(str(told))
        for key, told in metadata.items()
        if (level := _LEVEL.fullmatch(key)) and told
    }
    return tuple(levels[level] for level in sorted(levels)) or None


def plain(heading: str) -> str:
    """A heading without signs of markup and doubled white space."""
    return " ".join(_SIGNS.sub("", heading).split())


def same(heading: str) -> str:
    """What two headings have in common that are the same to a reader."""
    return plain(heading).casefold()
