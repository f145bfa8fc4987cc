"""Which runs there are, and which one is meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, Select, select

from ragproof.core import RunHeader, RunState, UsageError
from ragproof.store import codec
from ragproof.store.locks import RunLocks
from ragproof.store.saving import counting
from ragproof.store.schema import runs
from ragproof.text.nearest import nearest

LATEST = re.compile(r"latest(?:~(\d+))?")
FEW = 5
"""Runs that a message names."""


@dataclass(frozen=True, slots=True)
class CaseCounts:
    """Trials that are saved, and how their observation went."""

    total: int
    ok: int
    errors: int
    timeouts: int


@dataclass(frozen=True, slots=True)
class RunInfo:
    """A run in a list of runs."""

    header: RunHeader
    state: RunState
    """INTERRUPTED also for a run that says it is running, but that nobody writes any more."""
    finished_at: str | None
    """ISO 8601, UTC; None when it was not finished."""
    counts: CaseCounts


def listed(connection: Connection, locks: RunLocks, project: str | None) -> list[RunInfo]:
    """The runs of a project, or all; the newest start first."""
    return _infos(connection, locks, _newest_first(select(runs), project))


def found(connection: Connection, locks: RunLocks, reference: str, project: str | None) -> RunInfo:
    """The run that is meant by an id, a label, `latest`, `latest~N` or the beginning of an id.

    What matches whole goes before what matches in part. A label names the newest run with it. An
    id is found in every project.
    """
    asked = _newest_first(select(runs.c.key, runs.c.id, runs.c.label), project)
    there = connection.execute(asked).all()
    if latest := LATEST.fullmatch(reference):
        back = int(latest[1] or 0)
        meant = [row.key for row in there[back : back + 1]]
    else:
        anywhere = connection.scalars(select(runs.c.key).where(runs.c.id == reference)).all()
        meant = (
            list(anywhere)
            or [row.key for row in there if row.label == reference][:1]
            or [row.key for row in there if reference and row.id.startswith(reference)]
        )
    if len(meant) == 1:
        return _infos(connection, locks, select(runs).where(runs.c.key == meant[0]))[0]
    known = [f"{row.id} ({row.label})" if row.label else row.id for row in there]
    if meant:
        several = [name for row, name in zip(there, known, strict=True) if row.key in meant]
        raise UsageError(f"{reference!r} is the beginning of several run ids: {_few(several)}")
    names = ["latest", *(name for row in there for name in (row.id, row.label) if name)]
    elsewhere = () if known else connection.scalars(select(runs.c.project).distinct()).all()
    raise UsageError(_nothing(reference, project, known, names, sorted(elsewhere)))


def counts(connection: Connection, run: int) -> CaseCounts:
    """Count what is there."""
    return _counts(*connection.execute(counting(run)).one())


def _counts(total: int, errors: int, timeouts: int) -> CaseCounts:
    return CaseCounts(total, total - errors - timeouts, errors, timeouts)


def _newest_first(asked: Select[Any], project: str | None) -> Select[Any]:
    asked = asked.order_by(runs.c.started_at.desc(), runs.c.key.desc())
    return asked if project is None else asked.where(runs.c.project == project)


def _infos(connection: Connection, locks: RunLocks, asked: Select[Any]) -> list[RunInfo]:
    rows = connection.execute(asked).all()
    running = [row.id for row in rows if row.state == RunState.RUNNING]
    written = locks.taken(connection, running) if running else set()
    return [_info(connection, row, is_written=row.id in written) for row in rows]


def _info(connection: Connection, row: Row[Any], *, is_written: bool) -> RunInfo:
    state = RunState(row.state)
    if state is RunState.RUNNING and not is_written:
        state = RunState.INTERRUPTED
    if row.total is None:  # it is not finished
        told = counts(connection, row.key)
    else:
        told = _counts(row.total, row.errors, row.timeouts)
    return RunInfo(codec.HEADER.read(row.header), state, row.finished_at, told)


def _nothing(
    reference: str,
    project: str | None,
    known: Sequence[str],
    names: Iterable[str],
    elsewhere: Sequence[str],
) -> str:
    where = "the store" if project is None else f"project {project!r}"
    if elsewhere:
        told = f"There is no run in {where}; the store has runs of other projects"
        return f"{told}: {_few(elsewhere)}. The key `project` of the config says which is meant"
    if not known:
        return f"There is no run in {where}; `ragproof run` makes one"
    if LATEST.fullmatch(reference):
        return f"There is no run {reference!r}: {where} has {len(known)} of them"
    close = nearest(reference, names)
    return f"There is no run {reference!r} in {where}.{close} The newest are: {_few(known)}"


def _few(names: Sequence[str]) -> str:
    rest = len(names) - FEW
    return ", ".join(names[:FEW]) + (f" and {rest} more" if rest > 0 else "")
