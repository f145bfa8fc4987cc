"""What users did, from a file of its own: one event a line, each of a trace."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ragproof.core import EventKind
from ragproof.core.observation import SAID_BY
from ragproof.datasets.imports.records import json_lines
from ragproof.datasets.traffic.spans import SpanFault, bare_id, name_of, number, time_of
from ragproof.text.faults import SHOWN, raise_all
from ragproof.text.nearest import nearest
from ragproof.text.untrusted import encodable

KEYS = ("trace_id", "span_id", "id", "kind", "at", "chunk_id", "reason", "seconds", "text")
_KINDS = tuple(kind.value for kind in EventKind)


@dataclass
class Events:
    """All events by trace, and what became of them."""

    by_trace: dict[str, list[dict[str, Any]]] = field(
        default_factory=dict[str, list[dict[str, Any]]]
    )
    kinds: Counter[str] = field(default_factory=Counter[str])
    twice: int = 0
    """Deliveries of an event that was there already."""
    taken: int = 0
    seen: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    """Trace, and what an event is the same by."""

    @property
    def total(self) -> int:
        """Events, each once."""
        return sum(self.kinds.values())

    def of(self, trace: str, span: str | None) -> list[dict[str, Any]]:
        """Events of a trace, or of one turn of it; those that name no turn are of none of many."""
        found = [
            one
            for one in self.by_trace.get(trace, ())
            if span is None or one.get("span_id") == span
        ]
        self.taken += len(found)
        return [{k: v for k, v in one.items() if k in _KEPT} for one in found]


_KEPT = ("kind", "at", "chunk_id", "reason", "seconds", "text")


def read(path: Path, events: Events) -> None:
    """Add the events of a file; raises UsageError with up to 20 faults, each with its line.

    Delivered twice is there once: an event is the same where its `id` is, or else all of it.
    """
    faults: list[str] = []
    for place, value in json_lines(path):
        try:
            trace, event = _event(value, place)
        except SpanFault as fault:
            faults.append(str(fault))
            if len(faults) > SHOWN:
                break
            continue
        own = event.get("id")
        mark = (trace, str(own) if own is not None else json.dumps(event, sort_keys=True))
        if mark in events.seen:
            events.twice += 1
            continue
        events.seen.add(mark)
        events.kinds[event["kind"]] += 1
        events.by_trace.setdefault(trace, []).append(event)
    raise_all(faults)


def _event(value: object, place: str) -> tuple[str, dict[str, Any]]:
    if not isinstance(value, Mapping):
        raise SpanFault(place, "the line", value, f"an object with {', '.join(KEYS)}")
    for key in value.keys() - set(KEYS):
        hint = nearest(key, KEYS) or f" Allowed: {', '.join(KEYS)}"
        raise SpanFault(place, key, value[key], f"no such key.{hint}")
    event = {
        key: encodable(told) if isinstance(told, str) else told
        for key, told in value.items()
        if told is not None
    }
    if event.get("kind") not in _KINDS:
        got = event.get("kind")
        hint = nearest(got, _KINDS) if isinstance(got, str) else ""
        raise SpanFault(place, "kind", got, f"{', '.join(_KINDS)}.{hint}")
    if "at" in event:
        event["at"] = time_of(event["at"], place, "at")
    if "seconds" in event and ((lasted := number(event["seconds"])) is None or lasted < 0):
        raise SpanFault(place, "seconds", event["seconds"], "0 and above")
    if (field_ := SAID_BY.get(EventKind(event["kind"]))) and field_ not in event:
        raise SpanFault(place, field_, None, f"a value; {event['kind']} says nothing without it")
    trace = name_of(event.pop("trace_id", None), place, "trace_id")
    if isinstance(event.get("span_id"), str):
        event["span_id"] = bare_id(event["span_id"])
    return bare_id(trace), event
