"""OTLP as JSON: what the OpenTelemetry collector's file exporter writes, and SDKs send.

A document has `resourceSpans`, each with `scopeSpans`, each with `spans`; names may be written in
snake case, too. Ids are hex, times are nanoseconds since 1970, written as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ragproof.datasets.traffic.spans import (
    Happening,
    Span,
    SpanFault,
    bare_id,
    ended,
    kept,
    name_of,
    nanoseconds,
    number,
)

KEYS = ("resourceSpans", "resource_spans")
_HEX = re.compile(r"[0-9a-fA-F]+\Z")
_FAILED = (2, "2", "STATUS_CODE_ERROR", "ERROR")
_VALUES = {
    "stringValue": str,
    "boolValue": bool,
    "intValue": int,
    "doubleValue": float,
    "bytesValue": str,
}


def read(document: Mapping[str, Any], place: str) -> Iterator[Span]:
    """Yield the spans of one document; raises SpanFault with place and field."""
    for one, resource_spans in _each(document, KEYS, place, ""):
        resource = resource_spans.get("resource")
        about = _attributes(resource if isinstance(resource, Mapping) else {}, place, one)
        for two, scope in _each(resource_spans, ("scopeSpans", "scope_spans"), place, one):
            for three, span in _each(scope, ("spans",), place, two):
                yield _span(span, about, place, three)


def _span(span: Mapping[str, Any], about: dict[str, Any], place: str, at: str) -> Span:
    def get(name: str) -> Any:  # noqa: ANN401  any JSON
        value = span.get(name)
        return (
            span.get(re.sub("([A-Z])", lambda up: f"_{up[1].lower()}", name))
            if (value is None)
            else value
        )

    start, end = get("startTimeUnixNano"), get("endTimeUnixNano")
    begin = nanoseconds(start, place, f"{at}.startTimeUnixNano")
    is_open = end in (None, "", "0", 0)
    status = get("status") if isinstance(get("status"), Mapping) else {}
    failed = status.get("code") in _FAILED
    return Span(
        trace=_id(get("traceId"), place, f"{at}.traceId"),
        id=_id(get("spanId"), place, f"{at}.spanId"),
        parent=_id(get("parentSpanId"), place, f"{at}.parentSpanId")
        if get("parentSpanId")
        else None,
        name=name_of(get("name"), place, f"{at}.name"),
        start=begin,
        end=None if is_open else ended(begin, nanoseconds(end, place, f"{at}.endTimeUnixNano")),
        attributes=kept(_attributes(span, place, at)),
        resource=about,
        happenings=tuple(_happening(*one, place) for one in _each(span, ("events",), place, at)),
        error=str(status.get("message") or "") if failed else None,
    )


def _happening(at: str, event: Mapping[str, Any], place: str) -> Happening:
    time = number(event.get("timeUnixNano", event.get("time_unix_nano")))
    return Happening(
        name=str(event.get("name", "")),
        at=None if time is None else time / 1e9,
        attributes=kept(_attributes(event, place, at)),
    )


def _each(
    holder: Mapping[str, Any], names: tuple[str, ...], place: str, at: str
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The objects of a list, each with where it stands."""
    name = next((one for one in names if holder.get(one) is not None), None)
    if name is None:
        return
    where = f"{at}.{name}" if at else name
    if not isinstance(holder[name], list):
        raise SpanFault(place, where, holder[name], "a list")
    for number_, one in enumerate(holder[name]):
        if not isinstance(one, Mapping):
            raise SpanFault(place, f"{where}.{number_}", one, "an object")
        yield f"{where}.{number_}", one


def _id(value: object, place: str, at: str) -> str:
    if not isinstance(value, str) or not _HEX.match(value):
        raise SpanFault(place, at, value, "hex digits, as b3e700af9eab81e19f72f964d62a35af")
    return bare_id(value)


def _attributes(holder: Mapping[str, Any], place: str, at: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for where, pair in _each(holder, ("attributes",), place, at):
        key = name_of(pair.get("key"), place, f"{where}.key")
        found[key] = _value(pair.get("value"), place, f"{where}.value")
    return found


def _value(value: object, place: str, at: str) -> Any:  # noqa: ANN401  any JSON
    if value is None or value == {}:
        return None
    if not isinstance(value, Mapping):
        raise SpanFault(place, at, value, "an object such as {stringValue: text}")
    [(raw_kind, told), *_] = value.items()
    kind = re.sub("_([a-z])", lambda low: low[1].upper(), raw_kind)
    if kind == "arrayValue":
        return [_value(one, place, at) for one in _list(told, place, at)]
    if kind == "kvlistValue":
        pairs = [one for one in _list(told, place, at) if isinstance(one, Mapping)]
        return {str(one.get("key")): _value(one.get("value"), place, at) for one in pairs}
    if kind not in _VALUES:
        raise SpanFault(place, at, raw_kind, f"{', '.join(_VALUES)}, arrayValue, kvlistValue")
    try:
        return told if kind == "boolValue" else _VALUES[kind](told)
    except (TypeError, ValueError, OverflowError):
        raise SpanFault(place, f"{at}.{raw_kind}", told, "a value of this type") from None


def _list(told: object, place: str, at: str) -> list[Any]:
    values = told.get("values", []) if isinstance(told, Mapping) else told
    if not isinstance(values, list):
        raise SpanFault(place, at, told, "an object with a list of values")
    return values
