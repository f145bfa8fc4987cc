"""Questions, answers, messages and documents, however a convention writes them down."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from ragproof.datasets.traffic.spans import Attributes, number
from ragproof.text.strict_json import parse

ASKED = ("question", "query", "input", "user_input", "prompt", "message", "text", "value")
ANSWERED = ("answer", "output", "response", "result", "completion", "text", "content", "value")
"""Keys under which a step of a chain keeps a question, or an answer."""
_DOCUMENTS = ("document_id", "doc_id", "ref_doc_id", "source")
"""Keys of a document's metadata that name the whole that it is from."""
_ROLES = {"human": "user", "ai": "assistant", "model": "assistant", "developer": "system"}


@dataclass(frozen=True, slots=True)
class Message:
    """What was said, and by whom."""

    role: str
    text: str


def parsed(value: object) -> Any:  # noqa: ANN401  any JSON
    """What a text of JSON holds; anything else as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return parse(value)
        except ValueError:
            return value
    return value


def listed(attributes: Attributes, lead: str) -> list[dict[str, Any]]:
    """The objects of a list that was flattened: `lead.0.name`, `lead.1.name`.

    >>> listed({"docs.0.id": "a", "docs.1.id": "b", "docs.1.score": 2}, "docs")
    [{'id': 'a'}, {'id': 'b', 'score': 2}]
    """
    whole = parsed(attributes.get(lead))
    if isinstance(whole, list):
        return [_flat(one) for one in whole if isinstance(one, Mapping)]
    found: dict[int, dict[str, Any]] = {}
    start = len(lead) + 1
    for name, value in attributes.items():
        if name.startswith(lead) and name[len(lead) : start] == ".":
            at, _, rest = name[start:].partition(".")
            if at.isdecimal():
                found.setdefault(int(at), {})[rest] = value
    return [found[at] for at in sorted(found)]


def _flat(one: Mapping[str, Any]) -> dict[str, Any]:
    """Nested objects under dotted names; lists stay what they are."""
    found: dict[str, Any] = {}
    for name, value in one.items():
        if isinstance(value, Mapping):
            found |= {f"{name}.{inner}": told for inner, told in _flat(value).items()}
        else:
            found[name] = value
    return found


def messages(value: object) -> list[Message]:
    """The messages of a list, or of an object that holds one."""
    told = parsed(value)
    if isinstance(told, Mapping):
        told = told.get("messages")
        if isinstance(told, list) and len(told) == 1 and isinstance(told[0], list):
            told = told[0]  # LangChain sends batches
    if not isinstance(told, list):
        return []
    return [found for one in told if (found := _message(one)) is not None]


def _message(one: object) -> Message | None:
    if not isinstance(one, Mapping):
        return None
    inner = one.get("kwargs")
    one = inner if isinstance(inner, Mapping) else one  # LangChain, serialised
    role = str(one.get("role") or one.get("type") or one.get("message.role") or "user").lower()
    text = _said(one.get("content", one.get("message.content", one.get("parts"))))
    return None if text is None else Message(_ROLES.get(role, role), text)


def _said(content: object) -> str | None:
    """The text of a message's content: as it is, or of the parts that are text."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return None
    parts = [_part(one) for one in content]
    texts = [one for one in parts if one]
    return "\n".join(texts) if texts else None


def _part(one: object) -> str:
    if isinstance(one, str):
        return one
    if not isinstance(one, Mapping) or one.get("type", "text") not in ("text", "input_text"):
        return ""
    return next((one[n] for n in ("text", "content") if isinstance(one.get(n), str)), "")


def flattened_messages(attributes: Attributes, lead: str) -> list[Message]:
    """OpenInference's `llm.input_messages.0.message.role`, and older `gen_ai.prompt.0.role`."""
    found: list[Message] = []
    for one in listed(attributes, lead):
        role = str(one.get("message.role") or one.get("role") or "user").lower()
        text = one.get("message.content", one.get("content"))
        if text is None:
            inner = listed(one, "message.contents") or listed(one, "contents")
            parts = [part.get("message_content.text", part.get("text")) for part in inner]
            text = "\n".join(part for part in parts if isinstance(part, str)) or None
        if isinstance(text, str):
            found.append(Message(_ROLES.get(role, role), text))
    return found


def text_of(value: object, keys: tuple[str, ...]) -> str | None:
    """The text of an input or output: as it is, under a usual key, or the only one there."""
    told = parsed(value)
    if isinstance(told, str):
        return told if told.strip() else None
    if not isinstance(told, Mapping):
        return None
    for key in keys:
        inner = told.get(key)
        if isinstance(inner, str) and inner.strip():
            return inner
        if isinstance(inner, Mapping) and (found := text_of(inner, keys)) is not None:
            return found
    texts = [one for one in told.values() if isinstance(one, str) and one.strip()]
    return texts[0] if len(texts) == 1 and len(told) == 1 else None


def documents(items: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Chunks of documents; one without an id has a name made of its text."""
    for one in items:
        text = _first(one, "document.content", "content", "page_content", "text")
        text = text if isinstance(text, str) else None
        name = _first(one, "document.id", "id", "chunk_id")
        if name is None:
            if text is None:
                continue
            name = f"sha256:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
        chunk: dict[str, Any] = {"id": str(name)}
        if text is not None:
            chunk["text"] = text
        if (score := number(_first(one, "document.score", "score"))) is not None:
            chunk["score"] = score
        if metadata := _metadata(one):
            chunk["metadata"] = metadata
        yield chunk


def _first(one: Mapping[str, Any], *names: str) -> Any:  # noqa: ANN401  any JSON
    return next((one[name] for name in names if one.get(name) is not None), None)


def _metadata(one: Mapping[str, Any]) -> dict[str, Any]:
    told = parsed(_first(one, "document.metadata", "metadata"))
    found = dict(told) if isinstance(told, Mapping) else {}
    for lead in ("document.metadata.", "metadata."):
        found |= {name.removeprefix(lead): v for name, v in one.items() if name.startswith(lead)}
    named = next((found[name] for name in _DOCUMENTS if found.get(name) is not None), None)
    if isinstance(named, str | int) and not isinstance(named, bool):
        found["document_id"] = str(named)
    else:
        found.pop("document_id", None)
    return found


_BLANK = re.compile(r"\s+")


def one_line(text: str) -> str:
    """A text for a label: what cannot be printed in a line becomes a blank."""
    return _BLANK.sub(" ", "".join(c if c.isprintable() else " " for c in text)).strip()
