"""What a Runnable gives: a text, a message, or a mapping or model that holds an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ragproof.adapters.plain import shown
from ragproof.core import AdapterError

_ANSWERS = ("answer", "output", "output_text", "result", "response", "text")
_DOCUMENTS = ("context", "source_documents", "documents", "docs")
_CITED = ("chunk_id", "source_id", "document_id", "id")


@dataclass(frozen=True)
class Reply:
    """What an output says."""

    text: str
    documents: Sequence[Any] | None = None
    citations: Sequence[object] | None = None
    output: object = None
    """The answer itself, where it is structured."""


@dataclass(frozen=True)
class Replies:
    """Reads outputs; the key of the answer is the user's or the usual."""

    output_key: str | None = None

    def read(self, output: object) -> Reply:
        """Find the answer, and whatever stands beside it; raises AdapterError for no answer."""
        if (text := _text(output)) is not None:
            return Reply(text)
        keys = (self.output_key,) if self.output_key else _ANSWERS
        answer = _part(output, keys)
        if answer is None and (messages := _part(output, ("messages",))):
            answer = messages[-1]
        text = _text(answer)
        structured = None if text is not None else answer
        if text is None:
            text = _text(_part(answer, _ANSWERS))
        if text is None:
            raise AdapterError(self._nothing(output))
        cited = _part(answer, ("citations",)) or _part(output, ("citations",))
        return Reply(text, _documents(_part(output, _DOCUMENTS)), _cited(cited), structured)

    def _nothing(self, output: object) -> str:
        if not isinstance(output, Mapping):
            return f"the Runnable gave {shown(output)}; it must give a text, a message or a mapping"
        allowed = self.output_key or f"any of {', '.join(_ANSWERS)}"
        return (
            f"the Runnable gave a mapping without a text under {allowed}; given are the keys "
            f"{', '.join(map(str, output))}. Name the right one in adapter.params.output_key"
        )


def _text(value: object) -> str | None:
    """The text of a string or message; a message of several parts has its texts joined."""
    if isinstance(value, str):
        return value
    content = getattr(value, "content", None)
    if isinstance(content, list):
        parts = [one if isinstance(one, str) else _part(one, ("text",)) for one in content]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else None


def _part(value: object, names: Sequence[str]) -> Any:  # noqa: ANN401  foreign
    """The first that is there, as key or attribute."""
    if isinstance(value, Mapping):
        return next((value[name] for name in names if value.get(name) is not None), None)
    if type(value).__module__ == "builtins":
        return None
    found = (getattr(value, name, None) for name in names)
    return next((one for one in found if one is not None and not callable(one)), None)


def _documents(value: object) -> Sequence[Any] | None:
    """The documents, where the chain kept them as such and not as a text."""
    if isinstance(value, list | tuple) and all(hasattr(one, "page_content") for one in value):
        return value
    return None


def _cited(value: object) -> Sequence[object] | None:
    """Citations by whatever they call the chunk; anything else is complained of later."""
    if not isinstance(value, list | tuple):
        return None
    return [
        one if isinstance(one, str | int) else {"chunk_id": _part(one, _CITED)} for one in value
    ]
