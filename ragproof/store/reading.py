"""What is read of one run."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sqlalchemy import (
    BigInteger,
    Connection,
    Integer,
    Row,
    Select,
    bindparam,
    cast,
    func,
    select,
    tuple_,
)

from ragproof.core import (
    CaseKind,
    CaseRun,
    Cause,
    Failed,
    Finished,
    Json,
    Level,
    RunHeader,
    RunState,
    SourceMatch,
    Status,
    UsageError,
)
from ragproof.core import Row as ResultRow
from ragproof.core.case import Split
from ragproof.core.garbage import uncollected
from ragproof.core.record import CaseRow, RunRecord
from ragproof.store import codec
from ragproof.store.columns import Heap, packed
from ragproof.store.schema import metric_keys, results, runs, subjects, summaries, unescaped

AT_ONCE = 300
"""Subjects whose result rows are in memory as such."""
PAGE = 200
"""Whole observations in memory."""


def run_key(connection: Connection, run_id: str) -> int:
    """The number of a run."""
    key: int | None = connection.scalar(select(runs.c.key).where(runs.c.id == run_id))
    if key is None:
        raise UsageError(f"There is no run {run_id!r} in the store; `ragproof runs` lists them")
    return key


def trials(
    connection: Connection, run: int, *, failed: bool = False, level: Level = Level.CASE
) -> set[tuple[str, int]]:
    """Case id and repeat of the trials that are saved, or of those that failed in any way."""
    asked = select(subjects.c.name, subjects.c.repeat).where(
        subjects.c.run == run, subjects.c.level == level
    )
    if failed:
        asked = asked.where(subjects.c.failed)
    return {(name, repeat) for name, repeat in connection.execute(asked)}


def unjudged(connection: Connection, run: int) -> set[tuple[str, int]]:
    """Case id and repeat of the trials on which the judge failed a metric."""
    asked = (
        select(subjects.c.name, subjects.c.repeat)
        .join(results, (results.c.run == subjects.c.run) & (results.c.subject == subjects.c.number))
        .where(subjects.c.run == run, subjects.c.level == Level.CASE)
        .where(results.c.status == Status.JUDGE_ERROR)
        .distinct()
    )
    return {(name, repeat) for name, repeat in connection.execute(asked)}


def observed(connection: Connection, run: int, trial: tuple[str, int]) -> CaseRun | None:
    """What was seen of a trial, set aside or saved; None if nothing was, or a failure."""
    of = subjects.c
    asked = select(subjects).where(
        of.run == run,
        of.level.in_((Level.ASIDE, Level.CASE)),
        of.name == trial[0],
        of.repeat == trial[1],
        of.cause.is_(None),
    )
    row = connection.execute(asked.limit(1)).first()
    return None if row is None else _case_run(row, _header(connection, run).settings.source_match)


def page(
    connection: Connection, run: int, after: tuple[str, int]
) -> list[tuple[tuple[str, int], CaseRun]]:
    """The next case runs in order of case id and repeat, each with its place in that order."""
    match = _header(connection, run).settings.source_match
    asked = (
        select(subjects)
        .where(
            subjects.c.run == run,
            subjects.c.level == Level.CASE,
            tuple_(subjects.c.name, subjects.c.repeat) > after,
        )
        .order_by(subjects.c.name, subjects.c.repeat)
        .limit(PAGE)
    )
    return [((row.name, row.repeat), _case_run(row, match)) for row in connection.execute(asked)]


def saved_page(
    connection: Connection, run: int, after: tuple[str, str, int]
) -> list[tuple[tuple[str, str, int], Finished]]:
    """The next subjects in order of level, name and repeat, each with its place in that order."""
    of = subjects.c
    asked = (
        select(subjects)
        .where(of.run == run, of.level != Level.ASIDE)
        .where(tuple_(of.level, of.name, of.repeat) > after)
        .order_by(of.level, of.name, of.repeat)
        .limit(PAGE)
    )
    return [
        ((one.level, one.subject, row.repeat), one)
        for row, one in _finished(connection, run, connection.execute(asked).all())
    ]


def detail(
    connection: Connection, run: int, subject: str, repeat: int, level: Level
) -> Finished | None:
    """One subject as it was saved."""
    asked = select(subjects).where(
        subjects.c.run == run,
        subjects.c.level == level,
        subjects.c.name == subject,
        subjects.c.repeat == repeat,
    )
    found = _finished(connection, run, connection.execute(asked).all())
    return found[0][1] if found else None


def _finished(
    connection: Connection, run: int, rows: Sequence[Row[Any]]
) -> list[tuple[Row[Any], Finished]]:
    """Subjects with their result rows."""
    asked = (
        select(results, metric_keys.c.key, metric_keys.c.metric.label("of"))
        .join(
            metric_keys,
            (metric_keys.c.run == results.c.run) & (metric_keys.c.number == results.c.metric),
        )
        .where(results.c.run == run, results.c.subject.in_([row.number for row in rows]))
        .order_by(results.c.metric)
    )
    scores: dict[int, list[ResultRow]] = defaultdict(list)
    for one in connection.execute(asked) if rows else ():
        scores[one.subject].append(_result_row(one))
    match = _header(connection, run).settings.source_match
    return [
        (
            row,
            Finished(
                row.name,
                tuple(scores[row.number]),
                Level(row.level),
                _case_run(row, match) if row.observation is not None else None,
                codec.read_replies(row.judge_raw_json),
            ),
        )
        for row in rows
    ]


def is_of_traffic(connection: Connection, run: int) -> bool:
    """Whether any case is of the split `monitoring` and says when it was asked."""
    of = subjects.c
    asked = select(of.number).where(
        of.run == run, of.level == Level.CASE, of.asked_at.is_not(None), of.case.contains(_TRAFFIC)
    )
    return connection.execute(asked.limit(1)).first() is not None


def figures(connection: Connection, run: int) -> Mapping[str, Mapping[str, Json]]:
    """The summary rows, in the order of their metric keys."""
    asked = select(summaries.c.metric, summaries.c.figures).where(summaries.c.run == run)
    found = connection.execute(asked.order_by(summaries.c.metric))
    return {metric: json.loads(told) for metric, told in found}


def record(connection: Connection, run: int, state: RunState) -> RunRecord:
    """The whole run in columns."""
    with uncollected():
        return _record(connection, run, state)


def _record(connection: Connection, run: int, state: RunState) -> RunRecord:
    cases, case_numbers = _cases(connection, run)
    names, other_numbers = _others(connection, run)
    place = np.full(max([*case_numbers, *other_numbers], default=-1) + 1, -1, np.int32)
    place[case_numbers] = np.arange(len(case_numbers))
    place[other_numbers] = np.arange(len(other_numbers))
    keys = connection.execute(
        select(metric_keys.c.key, metric_keys.c.metric)
        .where(metric_keys.c.run == run)
        .order_by(metric_keys.c.number)
    )
    heap = _results(connection, run, place.size)
    header = _header(connection, run)
    pairs = [(key, metric) for key, metric in keys]
    columns = heap.columns(header.metrics, pairs, place, len(cases), names)
    return RunRecord(header, state, cases, columns)


def _cases(connection: Connection, run: int) -> tuple[tuple[CaseRow, ...], list[int]]:
    """The case table, and the numbers of its rows."""
    of = subjects.c
    asked = select(of.name, of.repeat, of.number, of.kind, of.tags, of.group, of.asked_at)
    asked = asked.add_columns(of.cause, of.message).where(of.run == run, of.level == Level.CASE)
    tags: dict[str | None, Mapping[str, str]] = {None: {}}
    rows, numbers = [], []
    found = _raw(connection, asked.order_by(of.name, of.repeat))
    for name, repeat, number, kind, tagged, group, at, cause, message in found:
        if tagged not in tags:
            tags[tagged] = json.loads(tagged)
        failure = Failed(Cause(cause), unescaped(message)) if cause else None
        about = (_KINDS[kind], tags[tagged], group and unescaped(group), failure, at)
        rows.append(CaseRow(unescaped(name), repeat, *about))
        numbers.append(number)
    return tuple(rows), numbers


def _others(connection: Connection, run: int) -> tuple[list[str], list[int]]:
    """Names of the groups and sets, and their numbers."""
    of = subjects.c
    single = (Level.CASE, Level.ASIDE)
    asked = select(of.name, of.number).where(of.run == run, of.level.not_in(single))
    found = connection.execute(asked.order_by(of.name)).all()
    return [name for name, _ in found], [number for _, number in found]


def _results(connection: Connection, run: int, subjects: int) -> Heap:
    """All result rows, some subjects at a time."""
    of = results.c
    reason = func.coalesce(of.cause + ": ", "") + of.reason
    first = bindparam("first", type_=Integer)
    code = packed(cast(of.subject, BigInteger), of.metric, of.status, of.applies)
    asked = select(code, of.value, of.weight, reason)
    asked = asked.where(of.run == run, of.subject >= first, of.subject < first + AT_ONCE)
    heap = Heap(unescaped)
    for start in range(0, subjects, AT_ONCE):
        heap.add(_raw(connection, asked, first=start))
    return heap


def _raw(connection: Connection, asked: Select[Any], **named: object) -> Sequence[Any]:
    """Rows as the driver gives them: a tenth of the time, and each distinct text decoded once."""
    cursor = connection.execute(asked, named).cursor
    assert cursor is not None
    return cursor.fetchall()


def _header(connection: Connection, run: int) -> RunHeader:
    found = connection.execute(select(runs.c.header).where(runs.c.key == run))
    return codec.HEADER.read(found.scalar_one())


def _case_run(row: Row[Any], match: SourceMatch) -> CaseRun:
    return CaseRun(
        codec.read_case(row.case, row.kind),
        codec.OBSERVATION.read(row.observation),
        codec.READINGS.read(row.readings),
        row.repeat,
        match,
    )


def _result_row(row: Row[Any]) -> ResultRow:
    outcome = codec.read_outcome(
        row.status, row.value, row.weight, row.cause, row.reason, row.evidence
    )
    replies = codec.read_replies(row.judge_raw_json)
    return ResultRow(row.key, row.of, outcome, replies, bool(row.applies))


_TRAFFIC = f'"split":"{Split.MONITORING}"'
"""In the JSON of a case; in a text of it the quotes would be escaped."""
_KINDS = {str(kind): kind for kind in CaseKind}
