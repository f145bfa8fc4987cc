"""Spans to import, written as an exporter would."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ragproof.datasets.traffic import otlp
from ragproof.datasets.traffic.draft import Draft, Wanted, drafted
from ragproof.datasets.traffic.turns import turns

START = 1_772_000_000
CHAIN: dict[str, Any] = {"openinference__span__kind": "CHAIN"}


def value(told: Any) -> dict[str, Any]:
    match told:
        case bool():
            return {"boolValue": told}
        case int():
            return {"intValue": str(told)}
        case float():
            return {"doubleValue": told}
        case list():
            return {"arrayValue": {"values": [value(one) for one in told]}}
        case dict():
            pairs = [{"key": name, "value": value(one)} for name, one in told.items()]
            return {"kvlistValue": {"values": pairs}}
        case _:
            return {"stringValue": told}


def attributes(told: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"key": name, "value": value(one)} for name, one in told.items()]


def span(
    number: int,
    name: str = "step",
    *,
    trace: int = 1,
    parent: int | None = None,
    at: float = 0.0,
    seconds: float = 1.0,
    status: dict[str, Any] | None = None,
    events: list[tuple[str, float, dict[str, Any]]] | None = None,
    **told: Any,
) -> dict[str, Any]:
    """One OTLP span; `__` in the name of an attribute is a dot."""
    begin = START + at
    made = {
        "traceId": f"{trace:032x}",
        "spanId": f"{number:016x}",
        "name": name,
        "startTimeUnixNano": str(round(begin * 1e9)),
        "endTimeUnixNano": str(round((begin + seconds) * 1e9)),
        "attributes": attributes({key.replace("__", "."): one for key, one in told.items()}),
        "status": status or {},
        "events": [
            {"name": what, "timeUnixNano": str(round((begin + after) * 1e9)),
             "attributes": attributes(has)}
            for what, after, has in events or []
        ],
    }  # fmt: skip
    return made if parent is None else {**made, "parentSpanId": f"{parent:016x}"}


def batch(*spans: dict[str, Any], **about: Any) -> dict[str, Any]:
    """One line of a collector's file."""
    told = {key.replace("__", "."): one for key, one in about.items()}
    scope = {"scope": {"name": "test"}, "spans": list(spans)}
    resource = {"attributes": attributes(told)}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [scope]}]}


def written(path: Path, *lines: Any) -> Path:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


def drafts(*spans: dict[str, Any], **wanted: Any) -> list[Draft | str]:
    """What becomes of the spans of one trace."""
    found = list(otlp.read(batch(*spans), "f:1"))
    named = Wanted(**wanted)
    return [drafted(turn, named) for turn in turns(found, named.turn)]


def draft(*spans: dict[str, Any], **wanted: Any) -> Draft:
    [one] = drafts(*spans, **wanted)
    assert isinstance(one, Draft), one
    return one
