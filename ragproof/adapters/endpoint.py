"""What the config says of one endpoint of a pipeline behind HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class HttpEndpoint:
    """A request, and JSONPaths into its response.

    URL, header values and body are templates with `{question}`, `{k}`, `{history}`, `{caller}`,
    the names of parameters, and `env:NAME`. Without a path the response has the form of an
    adapter's answer, or list of chunks, itself.
    """

    url: str
    method: str | None = None
    """By default POST where there is a body, else GET."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: Any = None
    """JSON, where a string that is only a placeholder becomes the value itself; or raw text."""
    answer_path: str | None = None
    citations_path: str | None = None
    """To a list of chunk ids or of citations; null there means that citations are not exposed."""
    chunks_path: str | None = None
    trace_path: str | None = None
    """To what the pipeline tells of its inner life; nothing there, or null, is no trace."""
    chunk_fields: Mapping[str, str | Mapping[str, str]] = field(
        default_factory=dict[str, str | Mapping[str, str]]
    )
    """Paths into one chunk to its `id`, `text`, `score` and `metadata`; what is not given is read
    under its own name. For metadata a path to a mapping, or name to path: a name whose path finds
    nothing is left out."""

    def asks_the_same(self, other: HttpEndpoint) -> bool:
        """Whether both send the same request."""
        return (self.url, self.method, self.headers, self.body) == (
            other.url,
            other.method,
            other.headers,
            other.body,
        )
