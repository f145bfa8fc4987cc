"""The documents that are searched, as far as metrics and traces need to know them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol


class Corpus(Protocol):
    """Documents by id."""

    def __contains__(self, document_id: object, /) -> bool:
        """Whether there is a document with this id."""
        ...

    def __iter__(self) -> Iterator[str]:
        """The ids, in order."""
        ...

    def __len__(self) -> int:
        """How many documents there are."""
        ...

    def text(self, document_id: str, /) -> str | None:
        """The document's text; None where there is no such document."""
        ...
