"""What the pipeline did with one case.

The names are those of a recorded observation: what an adapter returns, what a file of recorded
answers holds and what a store keeps have one form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar

from ragproof.core.case import Element, Mention, TypedSpan
from ragproof.core.outcome import Cause, Failed

LENIENT: dict[str, Any] = {"coerce_numbers_to_str": True, "allow_inf_nan": False}
"""Pipelines number their chunks; but a score that is not a number is a fault."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Chunk:
    """A piece of text; its rank is its position in the list that holds it."""

    __pydantic_config__: ClassVar[dict[str, Any]] = LENIENT

    id: str
    text: str = ""
    score: float | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """JSON values. `document_id` maps to the document, `start` and `end` to the place in it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Citation:
    """A chunk that the answer names as its source."""

    __pydantic_config__: ClassVar[dict[str, Any]] = LENIENT

    chunk_id: str
    claim: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Stage:
    """One step of the pipeline."""

    __pydantic_config__: ClassVar[dict[str, Any]] = LENIENT

    name: str
    seconds: float
    input_tokens: int | None = None
    output_tokens: int | None = None
    usd: float | None = None
    cache: str | None = None
    """`hit` or `miss`."""
    queue_seconds: float | None = None
    device: str | None = None
    batch: int | None = None
    model: str | None = None
    """The model that it called, by the name under which its price is known."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One search of several, and what it brought."""

    __pydantic_config__: ClassVar[dict[str, Any]] = LENIENT

    query: str
    seen: tuple[str, ...] = ()
    seconds: float | None = None
    tokens: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Trace:
    """What the pipeline tells about its inner life. `None` means "not exposed"."""

    __pydantic_config__: ClassVar[dict[str, Any]] = LENIENT

    rewrites: tuple[str, ...] | None = None
    lanes: Mapping[str, tuple[Chunk, ...]] | None = None
    """Results per rewrite or retriever."""
    filter: Mapping[str, Any] | None = None
    survivors: tuple[str, ...] | None = None
    """Documents that the filter let through."""
    candidates: tuple[Chunk, ...] | None = None
    """Before reranking."""
    reranked: tuple[Chunk, ...] | None = None
    context: tuple[Chunk, ...] | None = None
    """What the model was given."""
    context_tokens_in: int | None = None
    context_tokens_out: int | None = None
    stages: tuple[Stage, ...] | None = None
    first_token_seconds: float | None = None
    confidence: float | None = None
    """How sure the answer says it is, in [0, 1]."""
    intent: str | None = None
    route: str | None = None
    entities: tuple[Mention, ...] | None = None
    output: Any = None
    """Structured output."""
    samples: tuple[str, ...] | None = None
    model: str | None = None
    steps: tuple[Step, ...] | None = None
    stop_reason: str | None = None
    index_version: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What the pipeline replied, and on what grounds. `None` means "not exposed"."""

    __pydantic_config__: ClassVar[dict[str, Any]] = LENIENT

    answer_text: str
    citations: tuple[Citation, ...] | None = None
    retrieved_chunks: tuple[Chunk, ...] | None = None
    trace: Trace | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Parsed:
    """What the parser made of a document."""

    __pydantic_config__: ClassVar[dict[str, Any]] = LENIENT

    text: str
    elements: tuple[Element, ...] | None = None
    tables: tuple[str, ...] | None = None
    title: str | None = None
    language: str | None = None
    removed: tuple[tuple[int, int], ...] | None = None
    """Stretches of the input text that cleaning took out."""
    pii: tuple[TypedSpan, ...] | None = None
    named_entities: tuple[TypedSpan, ...] | None = None
    relations: tuple[tuple[str, str, str], ...] | None = None
    duplicate_of: str | None = None


LATEST = 253_402_300_800.0
"""The year 10000 in seconds since 1970. What is beyond was counted in other units."""


def is_moment(seconds: float) -> bool:
    """Whether this is a time in seconds since 1970.

    >>> is_moment(1772442000), is_moment(1772442000_000)
    (True, False)
    """
    return 0 <= seconds < LATEST


class EventKind(StrEnum):
    """What a user did with an answer."""

    REGENERATE = "regenerate"
    """Asked the system to do it again."""
    OPEN = "open"
    """Opened a cited source; `chunk_id` says which."""
    DWELL = "dwell"
    """Stayed on the answer for `seconds`."""
    COPY = "copy"
    SHARE = "share"
    EXPORT = "export"
    FOLLOW_UP = "follow_up"
    """The user's next message of the session, as `text`."""
    THUMBS_UP = "thumbs_up"
    THUMBS_DOWN = "thumbs_down"
    """With a `reason`, where one was given."""
    EDIT = "edit"
    """What the user made of the answer, as `text`."""


SAID_BY = {EventKind.DWELL: "seconds", EventKind.FOLLOW_UP: "text", EventKind.EDIT: "text"}
"""The field without which an event of the kind says nothing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Event:
    """One thing that a user did with the answer. Its texts are data, never instructions."""

    __pydantic_config__: ClassVar[dict[str, Any]] = LENIENT

    kind: EventKind
    at: float | None = None
    """Seconds since 1970."""
    chunk_id: str | None = None
    reason: str | None = None
    seconds: float | None = None
    text: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Feedback:
    """What the user did with the answer, as far as the interface records it."""

    exposed: tuple[EventKind, ...] = ()
    """Kinds that the interface offers and records; of any other nothing is known."""
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Observation:
    """Everything that was seen of one case. `None` means "not exposed"."""

    __pydantic_config__: ClassVar[dict[str, Any]] = LENIENT

    case_id: str
    retrieved: tuple[Chunk, ...] | None = None
    answer: Answer | None = None
    parsed: Parsed | None = None
    chunks: tuple[Chunk, ...] | None = None
    """What the chunker made of a document."""
    seconds: float | None = None
    """Latency: that of `answer`, else of `retrieve`, else of `parse`."""
    asked_at: float | None = field(default=None, compare=False)
    """When that began, in seconds since 1970; not known of what is replayed without it."""
    feedback: Feedback | None = None
    """What the user did with the answer; None where no user events were recorded."""
    failure: Failed | None = None
    """Set when the pipeline failed; every metric on this case then fails, none is skipped."""

    @classmethod
    def failed(cls, case_id: str, cause: Cause, message: str) -> Observation:
        """The observation of a case that gave nothing to see."""
        return cls(case_id=case_id, failure=Failed(cause, message))
