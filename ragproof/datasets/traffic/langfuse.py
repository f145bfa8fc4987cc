"""Traces of Langfuse, as its API gives them with their observations, or its export writes them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ragproof.datasets.traffic.spans import (
    Span,
    SpanFault,
    bare_id,
    ended,
    kept,
    moment,
    name_of,
    number,
    time_of,
)

MARKS = frozenset({"observations", "timestamp"})
"""Keys by which such a trace is told."""


def read(trace: Mapping[str, Any], place: str) -> Iterator[Span]:
    """Yield a span for the trace and one for each observation; raises SpanFault."""
    own = bare_id(name_of(trace.get("id"), place, "id"))
    start = time_of(trace.get("timestamp"), place, "timestamp")
    seconds = number(trace.get("latency"))
    more = {
        "session.id": trace.get("sessionId"),
        "user.id": trace.get("userId"),
        "release": trace.get("release"),
        "version": trace.get("version"),
        "tags": trace.get("tags"),
        "metadata": trace.get("metadata"),
    }
    release = trace.get("release")
    about = {"service.version": release} if isinstance(release, str) else {}
    held = trace.get("observations")
    if not isinstance(held, list):
        raise SpanFault(place, "observations", held, "a list of objects, as the API gives it")
    parts = [_span(one, own, about, f"{place}: observations.{at}") for at, one in enumerate(held)]
    ends = [one.end for one in parts if one.end is not None]
    end = start + seconds if seconds is not None else max(ends, default=None)
    yield Span(
        trace=own,
        id=f"{own}-trace",
        parent=None,
        name=str(trace.get("name") or "trace"),
        start=start,
        end=ended(start, end),
        attributes=_attributes(trace, more),
        resource=about,
    )
    yield from parts


def _span(one: object, trace: str, about: dict[str, Any], place: str) -> Span:
    if not isinstance(one, Mapping):
        raise SpanFault(place, "the observation", one, "an object, as the API gives it")
    start = time_of(one.get("startTime"), place, "startTime")
    usage = one.get("usageDetails") or one.get("usage")
    counts: Mapping[str, Any] = usage if isinstance(usage, Mapping) else {}
    more = {
        "langfuse.observation.type": str(one.get("type", "")).lower(),
        "gen_ai.response.model": one.get("model"),
        "gen_ai.usage.input_tokens": counts.get("input", counts.get("promptTokens")),
        "gen_ai.usage.output_tokens": counts.get("output", counts.get("completionTokens")),
        "gen_ai.usage.cost": one.get("calculatedTotalCost", one.get("totalCost")),
        "metadata": one.get("metadata"),
    }
    failed = one.get("level") == "ERROR"
    first = number(one.get("timeToFirstToken"))
    if first is not None:
        more["ai.response.msToFirstChunk"] = first * 1000
    return Span(
        trace=trace,
        id=name_of(one.get("id"), place, "id"),
        parent=one.get("parentObservationId") or f"{trace}-trace",
        name=str(one.get("name") or one.get("type") or "observation"),
        start=start,
        end=ended(start, moment(one.get("endTime"))),
        attributes=_attributes(one, more),
        resource=about,
        error=str(one.get("statusMessage") or "") if failed else None,
    )


def _attributes(holder: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Input and output as other conventions have them; a retriever's output is its documents."""
    found = {name: value for name, value in more.items() if value is not None}
    for name in ("input", "output"):
        if (value := holder.get(name)) is not None:
            told = value if isinstance(value, str) else json.dumps(value)
            found[f"langfuse.observation.{name}"] = told
            if isinstance(value, list | dict):
                found["gen_ai.input.messages" if name == "input" else "gen_ai.output.messages"] = (
                    told
                )
    if found.get("langfuse.observation.type") == "retriever":
        output = holder.get("output")
        held = output.get("documents") if isinstance(output, Mapping) else output
        if isinstance(held, list):
            found["retrieval.documents"] = held
    return kept(found)
