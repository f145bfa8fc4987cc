"""Timestamps that a system wrote down: arrivals, queries, versions. JSONL, one object a line."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ragproof.core import UsageError
from ragproof.index.freshness import Arrival
from ragproof.index.lines import objects
from ragproof.index.staleness import Release, Served
from ragproof.text.faults import shown

GREATEST = 1e15
"""Seconds, 30 million years: beyond, a double tells no two of them apart."""
TIME = "seconds, or a date and time as 2026-01-31T09:30:00Z"


def read_arrivals(path: Path) -> list[Arrival]:
    """Read lines of `{"document_id", "committed_at", "retrievable_at": time or null}`."""
    found = []
    for number, line in objects(path):
        place = f"{path}:{number}"
        if "retrievable_at" not in line:
            raise UsageError(f"{place}: retrievable_at is missing; write null for never")
        committed = _time(line, "committed_at", place)
        seen = line["retrievable_at"]
        arrival = Arrival(
            document_id=_text(line, "document_id", place),
            committed=committed,
            retrievable=None if seen is None else _time(line, "retrievable_at", place),
        )
        if arrival.lag < 0:
            raise UsageError(f"{place}: retrievable_at is before committed_at; check the clocks")
        found.append(arrival)
    if not found:
        raise UsageError(f"{path}: the file has no documents")
    return found


def read_served(path: Path) -> list[Served]:
    """Read lines of `{"at", "index_version"}`; the version may be within `trace` or `answer`."""
    found = [
        Served(_time(line, "at", f"{path}:{number}"), _version(line, f"{path}:{number}"))
        for number, line in objects(path)
    ]
    if not found:
        raise UsageError(f"{path}: the file has no queries")
    return found


def read_releases(path: Path) -> list[Release]:
    """Read lines of `{"index_version", "since"}`: from when on a version was the current one."""
    found = []
    for number, line in objects(path):
        place = f"{path}:{number}"
        found.append(Release(_text(line, "index_version", place), _time(line, "since", place)))
    if not found:
        raise UsageError(f"{path}: the file has no versions")
    return found


def _version(line: Mapping[str, Any], place: str) -> str | None:
    answer = line.get("answer")
    inner = answer if isinstance(answer, dict) else line
    trace = inner.get("trace")
    holder = trace if isinstance(trace, dict) else inner
    if holder.get("index_version") is None:
        return None
    return _text(holder, "index_version", place)


def _text(line: Mapping[str, Any], key: str, place: str) -> str:
    value = line.get(key)
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise UsageError(f"{place}: {key}: got {shown(value)}; allowed: a text or a whole number")
    return str(value)


def _time(line: Mapping[str, Any], key: str, place: str) -> float:
    value = line.get(key)
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= GREATEST:
        return float(value)
    if isinstance(value, str):
        try:
            when = datetime.fromisoformat(value)
        except ValueError:
            pass
        else:
            return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    raise UsageError(f"{place}: {key}: got {shown(value)}; allowed: {TIME}")
