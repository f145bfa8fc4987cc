"""The documents of frameworks as chunks: what they are called, and where they come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ragproof.adapters.plain import shown
from ragproof.core import AdapterError

KEYS: Mapping[str, type] = {"id_key": str, "document_id_key": str}
"""Parameters that say where ids are, and their types."""
_IDS = ("chunk_id", "id")
_SOURCES = ("doc_id", "source", "file_path", "file_name", "source_id")
_SCORES = ("score", "relevance_score")
_STARTS = ("start_index", "split_idx_start")
"""Where text splitters write a chunk's place in its document."""


@dataclass(frozen=True)
class Passages:
    """Reads documents; the keys of their metadata that hold ids are the user's or the usual."""

    id_key: str | None = None
    document_id_key: str | None = None

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Passages:
        """Take the keys from the parameters."""
        return cls(**{name: settings[name] for name in KEYS if name in settings})

    def chunk(
        self,
        text: str | None,
        metadata: Mapping[str, Any],
        *,
        own_id: object,
        parent_id: object = None,
        score: object = None,
        start: object = None,
    ) -> dict[str, Any]:
        """Give a document the form of a chunk.

        Its id is that under `id_key`, else its own, else one in the metadata, and at last the id
        of the document that it is from. Raises AdapterError where there is none: what has no id
        can neither be expected nor cited.
        """
        document = _given(
            metadata.get(self.document_id_key or "document_id"),
            metadata.get("document_id"),
            parent_id,
            _first(metadata, _SOURCES),
        )
        named = (metadata.get(self.id_key),) if self.id_key else (own_id, _first(metadata, _IDS))
        chunk_id = _given(*named, None if self.id_key else document)
        if chunk_id is None:
            raise AdapterError(self._nameless(metadata))
        return {
            "id": chunk_id,
            "text": text or "",
            "score": _number(_given(score, _first(metadata, _SCORES))),
            "metadata": {**metadata, **_placed(metadata, document, start, text or "")},
        }

    def _nameless(self, metadata: Mapping[str, Any]) -> str:
        keys = ", ".join(shown(key) for key in metadata) or "(none)"
        if self.id_key:
            return f"a document has no {self.id_key!r} in its metadata; given are the keys {keys}"
        return (
            "a document has no id, and its metadata no source; given are the keys "
            f"{keys}. Index documents with ids, or name the key in adapter.params.id_key"
        )


def _placed(
    metadata: Mapping[str, Any], document: object, start: object, text: str
) -> dict[str, object]:
    """The keys by which a chunk is found in its document."""
    known: dict[str, object] = {} if document is None else {"document_id": document}
    start = _given(start, _first(metadata, _STARTS))
    if isinstance(start, int) and start >= 0 and not {"start", "end"} & metadata.keys():
        known |= {"start": start, "end": start + len(text)}
    return known


def _given(*values: object) -> object:
    """The first that says something."""
    return next((one for one in values if one is not None and one != ""), None)


def _first(metadata: Mapping[str, Any], keys: tuple[str, ...]) -> object:
    return _given(*(metadata.get(key) for key in keys))


def _number(score: Any) -> float | None:  # noqa: ANN401  any number, numpy's included
    """The score, where it is a number; one that is not finite is complained of later."""
    try:
        return float(score)
    except (TypeError, ValueError):
        return None
