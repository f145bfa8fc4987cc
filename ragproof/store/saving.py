"""The statements that write. All run in the writer's thread, inside its transaction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from sqlalchemy import Connection, Select, delete, false, func, insert, select, update

from ragproof.core import (
    Cause,
    Finished,
    Json,
    Level,
    RunHeader,
    RunState,
)
from ragproof.store import codec
from ragproof.store.schema import metric_keys, results, runs, subjects, summaries
from ragproof.store.sheet import OpenRun, Sheet

MANY = 500
"""Names that one statement asks for."""


def begin(connection: Connection, header: RunHeader) -> OpenRun:
    """Write the header of a new run, or take up one that is there.

    The latter keeps its header, but for what a judge left open; its figures are void.
    """
    asked = select(runs.c.key, runs.c.header).where(runs.c.id == header.id)
    if (found := connection.execute(asked).first()) is not None:
        kept = replace(codec.HEADER.read(found.header), left_open=header.left_open)
        return _taken_up(connection, found.key, kept)
    row = {
        "id": header.id,
        "project": header.project,
        "label": header.label,
        "started_at": header.started_at,
        "state": RunState.RUNNING,
        "header": codec.HEADER.write(header),
    }
    (key,) = connection.execute(insert(runs), row).inserted_primary_key or (None,)
    assert key is not None
    return OpenRun(key)


def _taken_up(connection: Connection, run: int, header: RunHeader) -> OpenRun:
    void = dict.fromkeys(("finished_at", "total", "errors", "timeouts"))
    told = codec.HEADER.write(header)
    _update_run(connection, run, state=RunState.RUNNING, header=told, **void)
    connection.execute(delete(summaries).where(summaries.c.run == run))
    of = subjects.c
    there = connection.execute(
        select(of.number, of.level, of.name, of.repeat).where(of.run == run)
    ).all()
    last = max((row.number for row in there), default=-1)
    saved = {hash((row.level, row.name, row.repeat)) for row in there}
    known = connection.execute(select(metric_keys).where(metric_keys.c.run == run))
    keys = {(row.key, row.metric): row.number for row in known}
    return OpenRun(run, last + 1, keys, saved)


def write_nothing(connection: Connection) -> None:
    """Do what only who may write may do."""
    connection.execute(delete(runs).where(false()))


def save(connection: Connection, batches: Iterable[tuple[OpenRun, Sequence[Finished]]]) -> None:
    """Save subjects, each in the place of what was saved of it before."""
    by_level: dict[tuple[int, Level], dict[tuple[str, int], Finished]] = defaultdict(dict)
    opened: dict[int, OpenRun] = {}
    for run, finished in batches:
        opened[run.key] = run
        for one in finished:
            repeat = one.run.repeat if one.run else 0
            by_level[run.key, one.level][one.subject, repeat] = one
    sheets = {key: Sheet(run) for key, run in opened.items()}
    for (key, level), latest in by_level.items():
        run = opened[key]
        if level is Level.CASE:  # what was set aside of it is taken up
            run.saved -= _replace(connection, run, Level.ASIDE, latest)
        _replace(connection, run, level, latest)
        run.saved |= _marks(level, latest)
        for (_, repeat), one in latest.items():
            sheets[key].add(one, repeat)
    for sheet in sheets.values():
        sheet.insert(connection)


def _replace(
    connection: Connection, run: OpenRun, level: Level, named: Iterable[tuple[str, int]]
) -> set[int]:
    """Remove what is saved of these subjects; return its marks."""
    gone = run.saved & _marks(level, named)
    if gone:
        where = level.value
        again = [one for one in named if hash((where, *one)) in gone]
        _delete(connection, run.key, level, again)
    return gone


def _marks(level: Level, named: Iterable[tuple[str, int]]) -> set[int]:
    """By which `OpenRun.saved` knows subjects."""
    where = level.value
    return {hash((where, *one)) for one in named}


def finish(
    connection: Connection,
    run: int,
    state: RunState,
    figures: Mapping[str, Mapping[str, Json]],
) -> None:
    """Write how the run ended, its counts, and one row of figures a metric."""
    total, errors, timeouts = connection.execute(counting(run)).one()
    now = datetime.now(UTC).isoformat(timespec="microseconds")
    _update_run(
        connection,
        run,
        state=state,
        finished_at=now,
        total=total,
        errors=errors,
        timeouts=timeouts,
    )
    connection.execute(delete(summaries).where(summaries.c.run == run))
    rows = [
        {"run": run, "metric": metric, "figures": codec.write_json(one)}
        for metric, one in figures.items()
    ]
    if rows:
        connection.execute(insert(summaries), rows)


def counting(run: int) -> Select[int, int, int]:
    """Ask how many trials are saved, failed of an error, and timed out."""
    cause = subjects.c.cause
    return select(
        func.count(),
        func.count().filter(cause.is_not(None), cause != Cause.TIMEOUT),
        func.count().filter(cause == Cause.TIMEOUT),
    ).where(subjects.c.run == run, subjects.c.level == Level.CASE)


def _delete(
    connection: Connection, run: int, level: Level, named: Iterable[tuple[str, int]]
) -> None:
    """Remove what is saved of these subjects."""
    of = subjects.c
    asked = select(of.name, of.repeat, of.number).where(of.run == run, of.level == level)
    wanted = set(named)
    names = list({name for name, _ in wanted})
    for start in range(0, len(names), MANY):
        some = connection.execute(asked.where(of.name.in_(names[start : start + MANY])))
        gone = [number for name, repeat, number in some.all() if (name, repeat) in wanted]
        if gone:
            where = results.c.run == run, results.c.subject.in_(gone)
            connection.execute(delete(results).where(*where))
            connection.execute(delete(subjects).where(of.run == run, of.number.in_(gone)))


def _update_run(connection: Connection, run: int, **changed: object) -> None:
    connection.execute(update(runs).where(runs.c.key == run).values(changed))
