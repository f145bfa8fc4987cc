"""Values of the core to JSON text and back.

JSON escapes NUL, and here lone surrogates too, so any text survives. What is `None` in an
observation is left out; `None` inside metadata stays.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable, Iterable, Mapping, Set
from datetime import date
from functools import cached_property
from typing import Any, Generic, TypeVar, cast

from pydantic import TypeAdapter
from pydantic_core import to_json

from ragproof.core import (
    Case,
    CaseKind,
    Cause,
    DocumentCase,
    Failed,
    Json,
    NotApplicable,
    Observation,
    Outcome,
    QuestionCase,
    Readings,
    Reply,
    RunHeader,
    Scored,
    Skipped,
    Status,
)

T = TypeVar("T")
TOO_DEEP = 100
"""No value that JSON readers of other make would still accept nests deeper."""


class Codec(Generic[T]):
    """Writes and reads one dataclass."""

    def __init__(self, shape: type[T], *, in_full: bool = False) -> None:
        self._shape = shape
        self._sparse = not in_full

    @cached_property
    def _adapter(self) -> TypeAdapter[T]:
        """Made when it is first needed: it costs some milliseconds."""
        return TypeAdapter(self._shape)

    @cached_property
    def _write(self) -> Callable[..., bytes]:
        """What `TypeAdapter.dump_json` calls, found once: every case comes by here thrice."""
        return self._adapter.serializer.to_json

    def write(self, value: T) -> str:
        """Give the JSON text of a value."""
        try:
            return self._write(value, exclude_none=self._sparse, warnings=False).decode()
        except ValueError:
            return _odd(value)

    def read(self, text: str) -> T:
        """Give the value that was written."""
        try:
            return self._adapter.validate_json(text)
        except ValueError:  # the fast reader refuses lone surrogates
            return self._adapter.validate_python(json.loads(text))


HEADER = Codec(RunHeader, in_full=True)
OBSERVATION = Codec(Observation)
READINGS = Codec(Readings)
REPLY = Codec(Reply)
_REPLIES: Codec[tuple[Reply, ...]] = Codec(tuple[Reply, ...])
_QUESTION = Codec(QuestionCase)
_DOCUMENT = Codec(DocumentCase)


def write_case(case: Case) -> str:
    """Give the JSON text of a case of any kind."""
    if isinstance(case, DocumentCase):
        return _DOCUMENT.write(case)
    return _QUESTION.write(cast("QuestionCase", case))


def read_case(text: str, kind: str) -> Case:
    """Give the case of that kind."""
    return _DOCUMENT.read(text) if kind == CaseKind.DOCUMENT else _QUESTION.read(text)


def write_json(value: Json) -> str:
    """Give the JSON text of free data: evidence, tags, figures, replies."""
    try:
        return to_json(value, inf_nan_mode="null").decode()
    except ValueError:
        return _odd(value)


def write_replies(replies: Iterable[Reply]) -> str | None:
    """Give the judge's replies word for word, None when there are none."""
    told = [dataclasses.asdict(reply) for reply in replies]
    return write_json(told) if told else None


def read_replies(text: str | None) -> tuple[Reply, ...]:
    """Give the replies that were written."""
    return _REPLIES.read(text) if text else ()


def read_outcome(
    status: int, value: float, weight: float, cause: str, reason: str, evidence: str | None
) -> Outcome:
    """Give the outcome that a result row stands for."""
    shown: dict[str, Json] = json.loads(evidence) if evidence else {}
    match status:
        case Status.SCORED:
            return Scored(value, shown, weight)
        case Status.SKIPPED:
            return Skipped(reason)
        case Status.NOT_APPLICABLE:
            return NotApplicable(reason, shown)
        case _:
            return Failed(Cause(cause), reason)


def _odd(value: object) -> str:
    """The text of what the fast way cannot write: lone surrogates, and what is not JSON at all."""
    return json.dumps(_plain(value), separators=(",", ":"))


def _plain(value: object, depth: int = 0) -> object:
    """What JSON can say of a value."""
    if depth > TOO_DEEP:
        return "nested too deeply to be kept"
    match value:
        case str() | int() | None:
            return value
        case float():
            return value if math.isfinite(value) else None
        case date():
            return value.isoformat()
        case Mapping():
            return {str(name): _plain(one, depth + 1) for name, one in value.items()}
        case list() | tuple():
            return [_plain(one, depth + 1) for one in value]
        case Set():
            return sorted(map(str, value))
        case _ if dataclasses.is_dataclass(value):
            fields = ((one.name, getattr(value, one.name)) for one in dataclasses.fields(value))
            return {name: _plain(one, depth + 1) for name, one in fields}
        case _ if callable(getattr(value, "tolist", None)):  # a number or an array of numpy's
            return _plain(cast("Any", value).tolist(), depth + 1)
        case _:
            return str(value)
