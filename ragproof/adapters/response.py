"""Read responses by JSONPath."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import jsonpath

from ragproof.adapters.endpoint import HttpEndpoint
from ragproof.adapters.plain import shown
from ragproof.adapters.shapes import ANSWER, CHUNKS
from ragproof.core import AdapterError, Answer, Chunk, UsageError

_MANY = re.compile(r"\[\*\]|\.\*|\[\?")
"""Where a path begins to speak of all the items of a list."""
_KEYS_SHOWN = 10


class JsonPath:
    """A path, and the setting that it comes from."""

    def __init__(self, text: str, setting: str) -> None:
        """Raises UsageError for what is no JSONPath."""
        self._said = f"{setting} {text!r}"
        self._is_root = text.strip() == "$"
        self._path = _compiled(text, setting)
        many = _MANY.search(text)
        self._list = _compiled(text[: many.start()], setting) if many else None
        self._filters = many is not None and many[0] == "[?"

    def one(self, document: object) -> Any:  # noqa: ANN401  any JSON
        """The one value that there must be."""
        found = self._all(document)
        if len(found) != 1:
            many = f"{len(found)} values; it must find one" if found else "nothing"
            raise AdapterError(f"{self._said} finds {many} in the response, {_outline(document)}")
        return found[0]

    def items(self, document: object) -> Any:  # noqa: ANN401  any JSON
        """A list that it finds, or the list of all that it finds; raises where that is nothing.

        An empty list is something, also for a path that speaks of its items.
        """
        found = self._all(document)
        if len(found) == 1 and (self._list is None or isinstance(found[0], list)):
            return found[0]
        if not found and not self._finds_an_empty_list(document):
            raise AdapterError(f"{self._said} finds nothing in the response, {_outline(document)}")
        return found

    def any(self, document: object) -> list[Any]:
        """The value, or none: a list of at most one."""
        return self._all(document)[:1]

    def _all(self, document: object) -> list[Any]:
        if self._is_root:
            return [document]
        if not isinstance(document, dict | list):
            return []
        found: list[Any] = self._path.findall(document)
        return found

    def _finds_an_empty_list(self, document: object) -> bool:
        if self._list is None or not isinstance(document, dict | list):
            return False
        lists = [one for one in self._list.findall(document) if isinstance(one, list)]
        return bool(lists) and (self._filters or not any(lists))


class ChunkReader:
    """Reads the chunks of a response."""

    def __init__(self, endpoint: HttpEndpoint, setting: str) -> None:
        """Compile the paths; raises UsageError for what is no JSONPath."""
        self._path = JsonPath(endpoint.chunks_path or "$", f"{setting}.chunks_path")
        fields, inner = endpoint.chunk_fields, f"{setting}.chunk_fields"
        self._fields = _paths(
            ((name, path) for name, path in fields.items() if isinstance(path, str)), inner
        )
        parts = fields.get("metadata")
        self._metadata = (
            _paths(parts.items(), f"{inner}.metadata") if isinstance(parts, Mapping) else {}
        )

    def found(self, document: object) -> Any:  # noqa: ANN401  any JSON
        """What is to be read as chunks."""
        found = self._path.items(document)
        if not (self._fields or self._metadata) or not isinstance(found, list):
            return found
        return [self._chunk(item) for item in found]

    def _chunk(self, item: object) -> dict[str, Any]:
        names = ("id", "text", "score", "metadata")
        chunk = {name: item[name] for name in names if isinstance(item, dict) and name in item}
        chunk.update({name: path.one(item) for name, path in self._fields.items()})
        if self._metadata:
            named = {name: path.any(item) for name, path in self._metadata.items()}
            chunk["metadata"] = {name: values[0] for name, values in named.items() if values}
        return chunk


class RetrievalReader:
    """Reads what was retrieved."""

    def __init__(self, endpoint: HttpEndpoint, setting: str) -> None:
        """Compile the paths; raises UsageError for a path that says nothing of chunks."""
        for name in ("answer_path", "citations_path", "trace_path"):
            if getattr(endpoint, name) is not None:
                raise UsageError(f"{setting}.{name}: only an answer has this; it has chunks_path")
        self._setting = setting
        self._chunks = ChunkReader(endpoint, setting)

    def read(self, document: object) -> tuple[Chunk, ...]:
        """The chunks, or AdapterError that names the path."""
        return CHUNKS.read(self._chunks.found(document), self._setting)


class AnswerReader:
    """Reads what was answered."""

    def __init__(self, endpoint: HttpEndpoint, setting: str) -> None:
        """Compile the paths."""
        self._setting = setting
        self._paths = _paths(
            [
                ("answer_path", endpoint.answer_path),
                ("citations_path", endpoint.citations_path),
                ("trace_path", endpoint.trace_path),
            ],
            setting,
        )
        self._chunks = ChunkReader(endpoint, setting) if endpoint.chunks_path is not None else None

    def read(self, document: object) -> Answer:
        """The answer, or AdapterError that names the path."""
        answer: Any = document
        if path := self._paths.get("answer_path"):
            answer = {"answer_text": path.one(document)}
        more: dict[str, Any] = {}
        if path := self._paths.get("citations_path"):
            more["citations"] = path.items(document)
        if path := self._paths.get("trace_path"):
            more |= {"trace": told[0]} if (told := path.any(document)) else {}
        if self._chunks:
            more["retrieved_chunks"] = self._chunks.found(document)
        if more:
            own = answer if isinstance(answer, dict) else {"answer_text": answer}
            answer = {**own, **more}
        return ANSWER.read(answer, self._setting)


def _paths(named: Iterable[tuple[str, str | None]], setting: str) -> dict[str, JsonPath]:
    return {name: JsonPath(path, f"{setting}.{name}") for name, path in named if path is not None}


def _compiled(text: str, setting: str) -> Any:  # noqa: ANN401  the library has two such types
    try:
        return jsonpath.compile(text)
    except jsonpath.JSONPathError as error:
        why = str(error).partition("\n")[0]
        raise UsageError(f"{setting} is {text!r}, which is no JSONPath: {why}") from None


def _outline(document: object) -> str:
    if isinstance(document, Mapping) and document:
        keys = ", ".join(shown(key) for key in list(document)[:_KEYS_SHOWN])
        return f"which has the keys {keys}" + (", ..." if len(document) > _KEYS_SHOWN else "")
    if isinstance(document, list) and document:
        return f"which is a list of {len(document)}"
    return f"which is {shown(document)}"
