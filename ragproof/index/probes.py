"""Documents that are put into an index to see when they are found."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragproof.core import Chunk, UsageError
from ragproof.core.places import document_of
from ragproof.index.lines import objects
from ragproof.text.faults import shown

QUESTION = 300
"""Characters of a document that are asked for, where no question is given."""


@dataclass(frozen=True, kw_only=True)
class Probe:
    """A document, and the question that finds it."""

    document: dict[str, Any]
    question: str
    mark: str | None = None
    """Words that no other text has."""

    @property
    def id(self) -> str:
        """The id of the document."""
        return str(self.document["id"])

    def is_in(self, chunks: tuple[Chunk, ...]) -> bool:
        """Whether one of the chunks is the document, or of it: by an id, else by its words."""
        return any(self.id in (one.id, document_of(one)) or self._says(one.text) for one in chunks)

    def _says(self, text: str) -> bool:
        if self.mark is not None:
            return self.mark in text
        words = " ".join(text.split())
        return words != "" and words in " ".join(str(self.document["text"]).split())


def made(number: int, session: str) -> list[Probe]:
    """Write so many harmless documents; `session` makes them different from all others."""
    found = []
    for at in range(1, number + 1):
        mark = f"ragproof-probe-{session}-{at}"
        text = (
            f"Freshness probe {mark}. This text is a test of how soon a new document can be "
            "found. It says nothing else and may be deleted."
        )
        found.append(Probe(document={"id": mark, "text": text}, question=text, mark=mark))
    return found


def read_probes(path: Path) -> list[Probe]:
    """Read documents of the user's own: lines of `{"id", "text", "question"?, ...}`."""
    found: dict[str, Probe] = {}
    for number, line in objects(path):
        place, question = f"{path}:{number}", line.pop("question", None)
        for key in ("id", "text"):
            if not isinstance(line.get(key), str) or not line[key].strip():
                raise UsageError(
                    f"{place}: {key}: got {shown(line.get(key))}; allowed: a text that is not empty"
                )
        if question is not None and not isinstance(question, str):
            raise UsageError(f"{place}: question: got {shown(question)}; allowed: a text")
        if line["id"] in found:
            raise UsageError(f"{place}: id: {shown(line['id'])} is there twice")
        found[line["id"]] = Probe(document=line, question=question or line["text"][:QUESTION])
    if not found:
        raise UsageError(f"{path}: the file has no documents")
    return list(found.values())
