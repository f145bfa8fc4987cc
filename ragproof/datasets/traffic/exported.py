"""Spans as SDKs print them and as Phoenix exports them: one object a span.

JavaScript's SDK has `spanContext` and times as [seconds, nanoseconds]; Python's has `context` and
times as ISO 8601; Phoenix has `context.trace_id` and attributes under their dotted names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ragproof.datasets.traffic.spans import (
    Happening,
    Span,
    SpanFault,
    bare_id,
    ended,
    kept,
    moment,
    name_of,
    number,
)

MARKS = ("spanContext", "context", "context.trace_id")
"""Keys by which such an object is told."""
_LEAD = "attributes."


def read(span: Mapping[str, Any], place: str) -> Span:
    """Read one span; raises SpanFault with place and field."""
    start = _time(_first(span, "startTime", "start_time"))
    if start is None:
        raise SpanFault(
            place, "start_time", _first(span, "startTime", "start_time"), "ISO 8601, or seconds"
        )
    trace = _of_context(span, "traceId", "trace_id")
    own = _of_context(span, "spanId", "span_id")
    parent = _first(span, "parentSpanId", "parentId", "parent_id")
    if parent is None and isinstance(above := span.get("parentSpanContext"), Mapping):
        parent = above.get("spanId")
    noted = span.get("events")
    resource = span.get("resource")
    about = resource.get("attributes") if isinstance(resource, Mapping) else None
    return Span(
        trace=bare_id(name_of(trace, place, "context.trace_id")),
        id=bare_id(name_of(own, place, "context.span_id")),
        parent=bare_id(parent) if isinstance(parent, str) and parent else None,
        name=name_of(span.get("name"), place, "name"),
        start=start,
        end=ended(start, _time(_first(span, "endTime", "end_time"))),
        attributes=kept(_attributes(span)),
        resource=dict(about) if isinstance(about, Mapping) else {},
        happenings=tuple(map(_happening, noted)) if isinstance(noted, list) else (),
        error=_error(span),
    )


def _first(span: Mapping[str, Any], *names: str) -> Any:  # noqa: ANN401  any JSON
    return next((span[name] for name in names if span.get(name) is not None), None)


def _of_context(span: Mapping[str, Any], *names: str) -> object:
    for holder in ("spanContext", "context"):
        if isinstance(context := span.get(holder), Mapping):
            return _first(context, *names)
    return _first(span, *(f"context.{name}" for name in names))


def _attributes(span: Mapping[str, Any]) -> dict[str, Any]:
    """Those under `attributes`, and those whose names say so."""
    held = span.get("attributes")
    found = dict(held) if isinstance(held, Mapping) else {}
    found |= {
        name.removeprefix(_LEAD): value
        for name, value in span.items()
        if name.startswith(_LEAD) and value is not None
    }
    if isinstance(kind := span.get("span_kind"), str):  # Phoenix has it beside the attributes
        found.setdefault("openinference.span.kind", kind)
    return found


def _happening(event: object) -> Happening:
    told: Mapping[str, Any] = event if isinstance(event, Mapping) else {}
    has = told.get("attributes")
    return Happening(
        name=str(told.get("name", "")),
        at=_time(_first(told, "time", "timestamp")),
        attributes=kept(has) if isinstance(has, Mapping) else {},
    )


def _error(span: Mapping[str, Any]) -> str | None:
    status = span.get("status")
    held: Mapping[str, Any] = status if isinstance(status, Mapping) else {}
    code = _first(held, "code", "status_code") or span.get("status_code")
    message = _first(held, "message", "description") or span.get("status_message")
    return str(message or "") if code in (2, "ERROR", "StatusCode.ERROR") else None


def _time(value: object) -> float | None:
    """Seconds since 1970, of [seconds, nanoseconds], of ISO 8601 or of a number of seconds."""
    if isinstance(value, list) and len(value) == 2:
        seconds, nanos = number(value[0]), number(value[1])
        return None if seconds is None or nanos is None else seconds + nanos / 1e9
    return moment(value)
