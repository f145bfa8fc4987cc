"""Import production traffic: a dataset of cases without truth, and what was recorded of each.

Beside them lies `import.json`: what was read, with its sha256, how attributes became fields, and
what made no case and why.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from ragproof.adapters.recorded import read_line
from ragproof.core import AdapterError, EventKind, Feedback, UsageError
from ragproof.core.garbage import uncollected
from ragproof.datasets.checks import check
from ragproof.datasets.imports.records import records
from ragproof.datasets.parse import Malformed, read_fields
from ragproof.datasets.traffic import events as event_files
from ragproof.datasets.traffic.collect import Collected, Followed
from ragproof.datasets.traffic.draft import WITHOUT_ANSWER, Wanted
from ragproof.datasets.traffic.events import Events
from ragproof.datasets.traffic.feedback import FOLLOW_UP, feedback
from ragproof.datasets.traffic.observed import TRACED
from ragproof.datasets.traffic.reading import FORMATS
from ragproof.text.counting import counted
from ragproof.text.faults import raise_all, shown
from ragproof.text.files import is_any_of, make_folder, opened, whole
from ragproof.text.nearest import nearest

CASES, OBSERVATIONS, SIDECAR = "cases.jsonl", "observations.jsonl", "import.json"
FIELDS = ("question", "answer", "citations", "session", *TRACED)
GAP = 1800.0
"""Seconds after which a question of the same session follows up on nothing."""
OUTSIDE = "asked at another time than --since and --until say, or at none that is known"
CENSORED = "with no knowledge of a follow-up (the traffic ends before the session's gap does)"


@dataclass(frozen=True, kw_only=True)
class TrafficRequest:
    """What is imported, and where it goes."""

    sources: Sequence[Path]
    out: Path
    form: str = "auto"
    events: Sequence[Path] = ()
    exposes: Sequence[str] = ()
    mapping: Mapping[str, str] = field(default_factory=dict[str, str])
    tags: Mapping[str, str] = field(default_factory=dict[str, str])
    turn: str | None = None
    gap: float = GAP
    since: float | None = None
    """Seconds since 1970, as the next."""
    until: float | None = None
    """Not in it."""

    @property
    def wanted(self) -> Wanted:
        """What was said of attributes."""
        return Wanted(mapping=self.mapping, tags=self.tags, turn=self.turn)

    def chooses(self, at: float | None) -> bool:
        """Whether a case that was asked then is wanted."""
        if self.since is None and self.until is None:
            return True
        is_since = self.since is None or (at is not None and at >= self.since)
        return at is not None and is_since and (self.until is None or at < self.until)


@dataclass(kw_only=True)
class Imported:
    """What came of it."""

    cases: int = 0
    failed: int = 0
    """Cases whose pipeline failed."""
    spans: int = 0
    traces: int = 0
    sessions: int = 0
    """Whose cases they are."""
    told: dict[str, int] = field(default_factory=dict[str, int])
    """`--tag NAME=ATTRIBUTE` and `--map` to the number of cases read that it told something."""
    warnings: list[str] = field(default_factory=list[str])
    """Of options that told nothing at all."""
    period: tuple[float, float] | None = None
    """When the first was asked and the last, in seconds since 1970."""
    left_out: Counter[str] = field(default_factory=Counter[str])
    lacking: Counter[str] = field(default_factory=Counter[str])
    exposed: tuple[str, ...] = ()
    events: Counter[str] = field(default_factory=Counter[str])
    """Kind to events that belong to a case; follow-ups seen in the traffic itself among them."""
    events_unknown: int = 0
    """Events of traces that are not there."""
    events_unplaced: int = 0
    """Events of a trace of several turns that do not say of which."""
    events_twice: int = 0
    """Deliveries of an event that was there already."""

    @property
    def read(self) -> int:
        """Cases, those of another time among them."""
        return self.cases + self.left_out[OUTSIDE]


@uncollected()
def imported(request: TrafficRequest) -> Imported:
    """Read, check and write; raises UsageError with up to 20 faults, each with its place."""
    _refuse(request)
    events = Events()
    for path in request.events:
        event_files.read(path, events)
    exposed = _exposed(request, events)
    with Collected() as collected:
        collected.take(request.sources, request.form, request.wanted)
        _refuse_empty(request, collected)
        found = Imported(
            spans=collected.counts.spans,
            traces=collected.counts.traces,
            told={one: collected.counts.told[one] for one in request.wanted.options()},
            warnings=[*_unmatched(request.wanted, collected)],
            left_out=collected.counts.left_out,
            exposed=exposed,
            events_twice=events.twice,
        )
        _write(request, collected, events, found)
    return found


def _refuse(request: TrafficRequest) -> None:
    if request.form not in FORMATS:
        raise UsageError(
            f"--format: got {request.form!r}; allowed: {', '.join(FORMATS)}."
            + nearest(request.form, FORMATS)
        )
    for name in request.mapping:
        if name not in FIELDS:
            raise UsageError(
                f"--map: got {name!r}; allowed: {', '.join(FIELDS)}.{nearest(name, FIELDS)}"
            )
    if request.out.exists() and not request.out.is_dir():
        raise UsageError(f"--out: {request.out} is a file; name a folder")
    for name in (CASES, OBSERVATIONS, SIDECAR):
        if is_any_of(request.out / name, (*request.sources, *request.events)):
            raise UsageError(f"--out: {request.out / name} is what is read; give another folder")
    if not (request.out / SIDECAR).exists():
        for name in (CASES, OBSERVATIONS):
            if (request.out / name).exists():
                raise UsageError(
                    f"--out: {request.out / name} is there and from no import; give another folder"
                )


def _exposed(request: TrafficRequest, events: Events) -> tuple[str, ...]:
    """The kinds that the interface records: as said, else those that are in the files."""
    known = [kind.value for kind in EventKind]
    for kind in request.exposes:
        if kind not in known:
            raise UsageError(
                f"--exposes: got {kind!r}; allowed: {', '.join(known)}.{nearest(kind, known)}"
            )
    if request.exposes and (others := events.kinds.keys() - set(request.exposes)):
        raise UsageError(
            f"--exposes does not name {', '.join(sorted(others))}, of which there are events; "
            "name all that the interface records, or leave it out"
        )
    return tuple(kind for kind in known if kind in (request.exposes or events.kinds))


def _refuse_empty(request: TrafficRequest, collected: Collected) -> None:
    """Raise UsageError where there is no case, or where cases that are there would be lost."""
    if not len(collected):
        hints = "".join(f". {one}" for one in _unmatched(request.wanted, collected))
        raise UsageError(_nothing(request.sources, collected.counts.left_out) + hints)
    chosen = {name for name, at in collected.times() if request.chooses(at)}
    if not chosen:
        when = "no time is known" if collected.period is None else period(collected.period)
        raise UsageError(
            f"--since, --until: got a time in which none of {counted(len(collected), 'case')} was "
            f"asked; allowed: {when}"
        )
    there = request.out / CASES
    old = [row.get("id") for _, row in records(there)] if there.exists() else []
    if old and chosen.isdisjoint(old):
        raise UsageError(
            f"--out: {there} has {counted(len(old), 'case')} of an earlier import, none of them "
            f"among the {len(chosen):,} of this one, and all would be lost; give another folder"
        )


def _unmatched(wanted: Wanted, collected: Collected) -> Iterator[str]:
    """Say of each option that told nothing at all why that may be."""
    counts, total = collected.counts, counted(len(collected), "case")
    for option, (_, name) in wanted.options().items():
        if counts.told[option]:
            continue
        if not counts.spans:
            yield f"{option}: on 0 of {total}; plain lines name fields and tags themselves"
        elif name not in counts.attributes:
            hint = nearest(name, counts.attributes)
            yield f"{option}: on 0 of {total}; no span has {shown(name)}.{hint}"
        elif len(collected):
            yield f"{option}: on 0 of {total}; {shown(name)} has no value in the spans of a case"


def _nothing(sources: Sequence[Path], left_out: Mapping[str, int]) -> str:
    names = ", ".join(map(str, sources))
    why = "; ".join(f"{number:,} {reason}" for reason, number in left_out.items())
    return f"{names}: no case can be made of it: {why or 'there is nothing in it'}"


def _write(request: TrafficRequest, collected: Collected, events: Events, found: Imported) -> None:
    make_folder(request.out)
    traces: set[str] = set()
    sessions: set[str | None] = set()
    with ExitStack() as files:
        cases = files.enter_context(whole(request.out / CASES))
        lines = files.enter_context(whole(request.out / OBSERVATIONS))
        sidecar = files.enter_context(whole(request.out / SIDECAR))  # there first: it says whose
        for one in collected.followed(request.gap):
            traces.add(one.draft.trace)
            said = feedback(one, events, found.exposed)
            if request.chooses(one.draft.asked_at):
                sessions.add(one.draft.group)
                _put(one, said, cases, lines, found)
            else:
                found.left_out[OUTSIDE] += 1
        found.sessions = len(sessions - {None})
        if not request.gap:
            del found.lacking[CENSORED]  # none was looked for
        elif found.sessions and FOLLOW_UP not in found.exposed:
            found.exposed += (FOLLOW_UP,)
        unknown = {name: len(of) for name, of in events.by_trace.items() if name not in traces}
        found.events_unknown = sum(unknown.values())
        found.events_unplaced = events.total - found.events_unknown - events.taken
        if found.events_unknown == events.total > 0 and not request.exposes:
            raise UsageError(
                f"--events: none of {counted(events.total, 'event')} is of a trace that was read: "
                f"got trace_id {shown(next(iter(unknown)))}; allowed: as {shown(min(traces))}. "
                "Where users did nothing yet, say what is recorded: --exposes copy,thumbs_down"
            )
        sidecar.write(f"{json.dumps(_pinned(request, found), indent=2)}\n".encode())


def _put(
    one: Followed, said: dict[str, Any] | None, cases: BinaryIO, lines: BinaryIO, found: Imported
) -> None:
    """Write a case and its recorded line, each as it will be read."""
    draft = one.draft
    case = draft.case()
    line = {"case_id": draft.id, **draft.observation} | ({"feedback": said} if said else {})
    try:
        faults = [*check(read_fields(case), Path())]
    except Malformed as malformed:
        faults = [*malformed.faults]
    raise_all([f"{draft.place}: {fault}" for fault in faults])
    raw = json.dumps(line).encode()
    try:
        seen = read_line(raw)
    except AdapterError as fault:
        raise UsageError(f"{draft.place}: {fault}") from None
    found.cases += 1
    if (at := draft.asked_at) is not None:  # they come in this order
        found.period = (found.period[0] if found.period else at, at)
    found.lacking[WITHOUT_ANSWER] += not draft.is_answered
    found.failed += seen.error is not None or seen.timeout
    found.events.update(event.kind.value for event in (seen.feedback or Feedback()).events)
    found.lacking[CENSORED] += draft.group is not None and not one.is_known
    cases.write(json.dumps(case).encode() + b"\n")
    lines.write(raw + b"\n")


def _pinned(request: TrafficRequest, found: Imported) -> Mapping[str, Any]:
    return {
        "format": request.form,
        "files": {str(path): _digest(path) for path in (*request.sources, *request.events)},
        "mapping": dict(request.mapping),
        "tags": dict(request.tags),
        "turn": request.turn,
        "session_gap_seconds": request.gap,
        "since": request.since,
        "until": request.until,
        **told(found),
    }


def told(found: Imported) -> dict[str, Any]:
    """What came of it, as JSON."""
    return {
        "cases": found.cases,
        "failed": found.failed,
        "spans": found.spans,
        "traces": found.traces,
        "sessions": found.sessions,
        "period": found.period,
        "attributes": found.told,
        "warnings": found.warnings,
        "left_out": dict(sorted(found.left_out.items())),
        "lacking": {name: n for name, n in sorted(found.lacking.items()) if n},
        "exposed": list(found.exposed),
        "events": dict(sorted(found.events.items())),
        "events_unknown": found.events_unknown,
        "events_unplaced": found.events_unplaced,
        "events_twice": found.events_twice,
    }


def period(told_of: tuple[float, float]) -> str:
    """From when to when, in UTC, in words."""
    first, last = (
        datetime.fromtimestamp(at, tz=UTC).isoformat(sep=" ", timespec="minutes").split("+")[0]
        for at in told_of
    )
    return f"{first} to {last} UTC"


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with opened(path) as file:
        for line in file:
            digest.update(line)
    return digest.hexdigest()
