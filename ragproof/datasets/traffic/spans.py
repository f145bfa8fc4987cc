"""A span as any exporter writes it, and what is wrong with one that cannot be read."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeAlias

from ragproof.core import UsageError
from ragproof.core.observation import LATEST, is_moment
from ragproof.text.faults import shown

Attributes: TypeAlias = Mapping[str, Any]
"""By their dotted names."""
SKIPPED = ("embedding.vector", "ai.embedding", "ai.embeddings")
"""Attributes that are large and that nothing here reads."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Happening:
    """What a span notes on its way."""

    name: str
    at: float | None
    attributes: Attributes


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """One step of a trace. Times are seconds since 1970."""

    trace: str
    id: str
    parent: str | None
    name: str
    start: float
    end: float | None
    """None where it was never ended, or before it began."""
    attributes: Attributes
    resource: Attributes = field(default_factory=dict[str, Any])
    happenings: tuple[Happening, ...] = ()
    error: str | None = None
    """What it failed with, possibly nothing said; None where it did not."""

    @property
    def seconds(self) -> float | None:
        """How long it took."""
        return None if self.end is None else self.end - self.start


class SpanFault(UsageError):
    """A span that cannot be read, and the field that is at fault."""

    def __init__(self, place: str, field_: str, got: object, allowed: str) -> None:
        super().__init__(f"{place}: {field_}: got {shown(got)}; allowed: {allowed}")


def name_of(value: object, place: str, field_: str) -> str:
    """A text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise SpanFault(place, field_, value, "a text that is not empty")
    return value


def ended(start: float, end: float | None) -> float | None:
    """The end of a span that has one after its start."""
    return end if end is not None and end >= start else None


def kept(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes without vectors."""
    return {
        name: value
        for name, value in attributes.items()
        if not name.endswith(SKIPPED) and not _is_vector(value)
    }


def _is_vector(value: object) -> bool:
    return isinstance(value, list) and len(value) > 64 and isinstance(value[0], float)


def number(value: object) -> float | None:
    """A finite number, also one that was written as a text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None


def moment(value: object) -> float | None:
    """Seconds since 1970, given so or as ISO 8601, which is UTC without a zone.

    None for what is no time, and for one before 1970 or after the year 9999.
    """
    found = number(value)
    if found is None and isinstance(value, str):
        try:
            day = datetime.fromisoformat(value)
        except ValueError:
            return None
        found = (day if day.tzinfo else day.replace(tzinfo=UTC)).timestamp()
    return found if found is not None and is_moment(found) else None


def time_of(value: object, place: str, field_: str) -> float:
    """The same, or SpanFault."""
    found = moment(value)
    if found is None:
        allowed = "seconds since 1970, or ISO 8601, up to the year 9999"
        raise SpanFault(place, field_, value, allowed + _in_other_units(value))
    return found


def _in_other_units(value: object) -> str:
    """What a number that is too large for seconds may be counted in."""
    found = number(value)
    if found is None or found <= 0:
        return ""
    fits = [name for name, many in _UNITS.items() if OLDEST <= found / many < LATEST]
    return f" (these look like {fits[0]})" if fits else ""


_UNITS = {"milliseconds": 1e3, "microseconds": 1e6, "nanoseconds": 1e9}
OLDEST = 1e9
"""The year 2001 in seconds since 1970: older than any trace; in nanoseconds, above whatever else
today is counted in."""


def nanoseconds(value: object, place: str, field_: str) -> float:
    """Seconds since 1970 of a time in nanoseconds; SpanFault for one that is in other units."""
    found = number(value)
    if found is None or not OLDEST <= found / 1e9 < LATEST:
        raise SpanFault(place, field_, value, "nanoseconds since 1970, of the years 2001 to 9999")
    return found / 1e9


def bare_id(name: str) -> str:
    """An id as all write it who mean the same: hex in lower case, without `0x`.

    >>> bare_id("0xB3E7"), bare_id("Chat-7")
    ('b3e7', 'Chat-7')
    """
    hexed = name.removeprefix("0x")
    return hexed.lower() if _HEX.fullmatch(hexed) else name


_HEX = re.compile(r"[0-9a-fA-F]+")


def packed(span: Span) -> str:
    """The span in one line, to be put away and read again."""
    told = (
        span.trace, span.id, span.parent, span.name, span.start, span.end, span.attributes,
        span.resource, [(one.name, one.at, one.attributes) for one in span.happenings], span.error,
    )  # fmt: skip
    return json.dumps(told)


def unpacked(line: bytes) -> Span:
    """The span that was put away."""
    trace, id_, parent, name, start, end, attributes, resource, noted, error = json.loads(line)
    return Span(
        trace=trace,
        id=id_,
        parent=parent,
        name=name,
        start=start,
        end=end,
        attributes=attributes,
        resource=resource,
        happenings=tuple(Happening(name=n, at=at, attributes=has) for n, at, has in noted),
        error=error,
    )
