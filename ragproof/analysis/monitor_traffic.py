"""Runs of traffic as one stretch of time, in columns. Pure.

A case is an answer given to a user and counts once. What it is, the newest run tells; each metric
of it, the newest run that has it by the yardstick of the newest with a score. What is in no window
is counted with its reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property

import numpy as np

from ragproof.analysis.comparable import (
    Obstacle,
    judge_readings,
    measured_otherwise,
    obstacles,
    why_apart,
)
from ragproof.analysis.intervals import Indices
from ragproof.analysis.monitor_signals import Reviewed
from ragproof.core.header import Declared, RunHeader
from ragproof.core.outcome import Status
from ragproof.core.record import CaseRow, Codes, Column, Flags, Floats, RunRecord
from ragproof.core.spec import Pool

STRATUM, RANDOM = "stratum", "random"
"""A case of another stratum was chosen for what it is, so that it stands for itself alone."""
UNDATED = "no time is known at which they were asked"
REPEATED = "repeats of a case in one run"
SUPERSEDED = "also in a newer run; of each metric the newest that measured it is taken"
EARLY = "asked before the year 2000, which is a clock that was not set"
FUTURE = "asked after their run was made, which is a clock that goes wrong"
OUTSIDE = "outside --since and --until"
ABSENT = "its run did not measure it"
EARLIEST = datetime(2000, 1, 1, tzinfo=UTC).timestamp()
ASKING = 86_400.0
"""Seconds that a run may take to ask, and clocks may differ."""


@dataclass(frozen=True)
class Measure:
    """One metric over the traffic, a row a case in the order of time; shapes are (n,)."""

    key: str
    declared: Declared
    status: Codes
    values: Floats
    weights: Floats
    """1 for a plain mean, the denominator where the metric pools as a ratio of sums."""
    lost: Flags
    parts: tuple[tuple[Column | None, Indices, str], ...]
    """For each run its column, the places that are taken from it, and why it has none."""
    sources: Indices
    """Row in that run of each case."""

    def ends(self, statistic: str) -> tuple[float, float]:
        """Least and greatest value that a statistic of it can have."""
        return (0.0, 1.0) if statistic == "completion" else self.declared.unit.range

    def reasons(self, rows: Indices) -> Counter[str]:
        """Why the metric gave no figure at these places, each reason counted."""
        found: Counter[str] = Counter()
        wanted = np.zeros(self.status.size, np.bool_)
        wanted[rows] = self.status[rows] != Status.SCORED
        for column, places, why in self.parts:
            here = places[wanted[places]]
            if column is None:
                found[why] += here.size
            else:
                told = column.reasons
                found.update(told[at] or "no reason given" for at in self.sources[here].tolist())
        return +found


@dataclass(frozen=True)
class Traffic:
    """Cases of several runs in the order in which they were asked."""

    records: tuple[RunRecord, ...]
    """The newest run first."""
    source: Indices
    """Shape (n,), like the next: which of the runs is the newest, and which row of it."""
    row: Indices
    asked_at: Floats
    """Ascending, in seconds since 1970."""
    held: tuple[tuple[Indices, Indices], ...]
    """For each run the places of its cases, and their rows in it."""
    left_out: Mapping[str, int]
    """Reason to the number of cases that are in no window."""
    until: float
    """Up to when the traffic is known: what ends later is unfinished."""
    warnings: tuple[str, ...] = ()
    """What whoever joined the runs knows against them."""
    reviewed: Reviewed = field(default_factory=Reviewed)
    """What reviews say of its signals."""
    _measures: dict[str, Measure] = field(default_factory=dict[str, Measure], repr=False)
    _codes: dict[str, tuple[tuple[str, ...], Indices]] = field(
        default_factory=dict[str, "tuple[tuple[str, ...], Indices]"], repr=False
    )

    @property
    def size(self) -> int:
        """The number of cases."""
        return self.asked_at.size

    def case(self, place: int) -> CaseRow:
        """A case by its place in time."""
        return self.records[int(self.source[place])].cases[int(self.row[place])]

    def rows(self, start: float, end: float) -> slice:
        """The places of the cases that were asked from a moment on and before another."""
        low, high = np.searchsorted(self.asked_at, (start, end))
        return slice(int(low), int(high))

    @cached_property
    def failed(self) -> Flags:
        """Where the pipeline failed."""
        return np.array([one.failure is not None for one in self._cases()], np.bool_)

    @cached_property
    def unit(self) -> Indices:
        """The independent unit of each case: its group, or itself."""
        numbers: dict[tuple[str, str], int] = {}
        names = (("group", one.group) if one.group else ("", one.id) for one in self._cases())
        found = [numbers.setdefault(name, len(numbers)) for name in names]
        return np.array(found, np.intp)

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """Names of the tags that any case has."""
        held = {id(one.tags): one.tags for one in self._cases()}  # many cases share a mapping
        return tuple(sorted({name for tags in held.values() for name in tags} - {STRATUM}))

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Of the metrics of cases that any run has."""
        found = {
            key: None
            for record in self.records
            for key, column in sorted(record.columns.items())
            if column.subjects is None
        }
        return tuple(sorted(found))

    def codes(self, tag: str) -> tuple[tuple[str, ...], Indices]:
        """The values of a tag, and which of them each case has; -1 for none."""
        if tag not in self._codes:
            numbers: dict[str | None, int] = {}
            found = [numbers.setdefault(one.tags.get(tag), len(numbers)) for one in self._cases()]
            names = sorted(one for one in numbers if one is not None)
            place = {name: at for at, name in enumerate(names)}
            order = np.array([place.get(name or "", -1) for name in numbers] or [-1], np.intp)
            code = order[np.array(found, np.intp)] if found else np.empty(0, np.intp)
            self._codes[tag] = tuple(names), code
        return self._codes[tag]

    def measure(self, key: str) -> Measure | None:
        """One metric; None where no run has it."""
        if key not in self._measures:
            made = self._measured(key)
            if made is None:
                return None
            self._measures[key] = made
        return self._measures[key]

    def notes(self, keys: Sequence[str]) -> Iterator[str]:
        """Say what makes figures of one run another yardstick than those of the newest."""
        yield from self.warnings
        newest = self.records[0].header
        found: dict[str, list[str]] = {}
        for record in self.records[1:]:
            for text in _other_readings(record.header, newest):
                found.setdefault(text, []).append(record.header.id)
        for text, runs in found.items():
            told = f"run {runs[0]}" if len(runs) == 1 else f"{len(runs):,} runs"
            yield f"{told}: {text}"
        yield from self.reviewed.untaken
        for key in keys:
            measure = self.measure(key)
            for _, places, why in () if measure is None else measure.parts:
                if why and why != ABSENT and places.size:
                    yield f"{key}: {why}"

    def _cases(self) -> Iterator[CaseRow]:
        held = [record.cases for record in self.records]
        return (
            held[of][at] for of, at in zip(self.source.tolist(), self.row.tolist(), strict=True)
        )

    def _measured(self, key: str) -> Measure | None:
        columns = [record.columns.get(key) for record in self.records]
        newest = _newest(columns)
        if newest is None:
            return None
        n, model = self.size, columns[newest]
        assert model is not None
        status = np.full(n, Status.SKIPPED, np.int8)
        values, weights = np.full(n, np.nan), np.zeros(n)
        lost, left = np.zeros(n, np.bool_), np.ones(n, np.bool_)
        sources = np.zeros(n, np.intp)
        fit = [self._why_not(number, newest, key) for number in range(len(columns))]
        parts: list[tuple[Column | None, Indices, str]] = []
        for (places, rows), column, why in zip(self.held, columns, fit, strict=True):
            if column is None or why:
                continue
            at, row = places[left[places]], rows[left[places]]
            if at.size:
                status[at], values[at], lost[at] = (
                    one[row] for one in (column.status, column.values, column.lost)
                )
                weights[at] = column.weights[row] if model.declared.pool is Pool.RATIO else 1.0
                left[at], sources[at] = False, row
                parts.append((column, at, ""))
        for (places, _), why in zip(self.held, fit, strict=True):
            here = places[left[places]]
            left[here] = False
            parts.append((None, here, why))
        weights[status != Status.SCORED] = 0.0
        return Measure(key, model.declared, status, values, weights, lost, tuple(parts), sources)

    def _why_not(self, number: int, newest: int, key: str) -> str:
        """Why a run's figures are not those of the newest that has any; empty where they are."""
        mine, other = (self.records[at] for at in (number, newest))
        if key not in mine.columns:
            return ABSENT
        why = why_apart(mine.columns[key], other.columns[key])
        declared = other.columns[key].declared
        why = why or measured_otherwise(mine.header, other.header, declared)
        return "" if why is None else f"run {mine.header.id} measured another one, {why}; left out"


def _newest(columns: Sequence[Column | None]) -> int | None:
    """Index of the newest column of cases that has a score, else of the newest."""
    there = [at for at, one in enumerate(columns) if one is not None and one.subjects is None]
    scored = (at for at in there if (columns[at].status == Status.SCORED).any())  # type: ignore[union-attr]
    return next(scored, next(iter(there), None))


def _other_readings(older: RunHeader, newest: RunHeader) -> Iterator[str]:
    """Say where figures that rest on what the judge read are not alike."""
    names = judge_readings(older) | judge_readings(newest)
    if not names:
        return
    told = ", ".join(sorted(names))
    alike = [
        replace(
            one,
            metrics={},
            local_models={},
            prompt_hashes={name: one.prompt_hashes[name] for name in judge_readings(one)},
        )
        for one in (older, newest)
    ]
    for one in obstacles(*alike):
        if one.obstacle is Obstacle.JUDGE:
            yield f"{one.text} in run {newest.id}: figures that rest on {told} are not alike"


def joined(
    records: Sequence[RunRecord],
    since: float | None = None,
    until: float | None = None,
) -> Traffic:
    """Join runs of traffic in time.

    `until` is up to when the traffic is known; by default the newest run tells: the time at which
    it began, or later if it was asked later.
    """
    newest_first = sorted(records, key=lambda one: (one.header.started_at, one.header.id))[::-1]
    left: Counter[str] = Counter()
    numbers: dict[str, int] = {}
    times: list[float] = []
    held: list[tuple[list[int], list[int]]] = []
    for record in newest_first:
        here: dict[int, int] = {}
        latest = _moment(record.header.started_at) + ASKING
        for at, case in enumerate(record.cases):
            if (why := _why_out(case, latest, since, until)) is not None:
                left[why] += 1
                continue
            assert case.asked_at is not None
            number = numbers.setdefault(case.id, len(times))
            if number in here:
                left[REPEATED] += 1
                continue
            here[number] = at
            if number < len(times):
                left[SUPERSEDED] += 1
            else:
                times.append(case.asked_at)
        held.append(([*here], [*here.values()]))
    return _ordered(newest_first, times, held, dict(left.most_common()), until)


def _ordered(
    records: Sequence[RunRecord],
    times: Sequence[float],
    held: Sequence[tuple[Sequence[int], Sequence[int]]],
    left: Mapping[str, int],
    until: float | None,
) -> Traffic:
    """Put cases in the order of time; `held` has number and row of each case of each run."""
    asked_at = np.array(times, np.float64)
    order = np.argsort(asked_at, kind="stable")
    place = np.empty(order.size, np.intp)
    place[order] = np.arange(order.size)
    source, row = np.full(order.size, -1, np.intp), np.zeros(order.size, np.intp)
    found: list[tuple[Indices, Indices]] = []
    for number, (cases, rows) in enumerate(held):
        places, those = place[np.array(cases, np.intp)], np.array(rows, np.intp)
        new = source[places] < 0
        source[places[new]], row[places[new]] = number, those[new]
        found.append((places, those))
    begun = max((_moment(one.header.started_at) for one in records), default=0.0)
    last = float(asked_at.max()) if asked_at.size else begun
    known = max(begun, last) if until is None else until
    return Traffic(tuple(records), source, row, asked_at[order], tuple(found), left, known)


def _why_out(case: CaseRow, latest: float, since: float | None, until: float | None) -> str | None:
    """Why a case is in no window."""
    if case.repeat:
        return REPEATED
    if case.tags and case.tags.get(STRATUM, RANDOM) != RANDOM:
        return f"chosen for their {STRATUM} {case.tags[STRATUM]}, not at random"
    if case.asked_at is None:
        return UNDATED
    if not EARLIEST <= case.asked_at <= latest:
        return FUTURE if case.asked_at > latest else EARLY
    if (since is not None and case.asked_at < since) or (
        until is not None and case.asked_at >= until
    ):
        return OUTSIDE
    return None


def _moment(started_at: str) -> float:
    return datetime.fromisoformat(started_at).timestamp()
