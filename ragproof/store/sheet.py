"""Finished subjects as rows to be inserted.

Here speed counts: a row is a tuple in the order of its table's columns, put to the driver as it
is. So text passes through `escaped` by hand.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias

from sqlalchemy import Connection, Table, insert
from sqlalchemy.dialects import registry

from ragproof.core import CaseRun, Failed, Finished, NotApplicable, Outcome, Row, Scored, Status
from ragproof.store import codec
from ragproof.store.schema import escaped, metric_keys, results, subjects

Values: TypeAlias = tuple[Any, ...]


@dataclass
class OpenRun:
    """What the writer of a run remembers of it."""

    key: int
    next_number: int = 0
    """Of its subjects."""
    metric_keys: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    """Key with label, key without; to the number in result rows."""
    saved: set[int] = field(default_factory=set[int])
    """Hashes of level, name and repeat: what is not among them need not be looked for."""


class Sheet:
    """Rows for the three tables that a subject is written to."""

    def __init__(self) -> None:
        self._keys: list[Values] = []
        self._subjects: list[Values] = []
        self._results: list[Values] = []

    def add(self, run: OpenRun, finished: Finished, repeat: int) -> None:
        """Note a subject and its results."""
        number = run.next_number
        run.next_number += 1
        failed = bool(finished.run and finished.run.observation.failure)
        for row in finished.rows:
            status = Status.of(row.outcome)
            failed = failed or status >= Status.JUDGE_ERROR
            metric = self._metric_number(run, row)
            self._results.append(
                (
                    *(run.key, number, metric, int(status)),
                    *_outcome(row.outcome, applies=int(row.applies)),
                    codec.write_replies(row.replies) if row.replies else None,
                )
            )
        name = (run.key, number, finished.level.value, escaped(finished.subject), repeat, failed)
        replies = codec.write_replies(finished.replies) if finished.replies else None
        self._subjects.append((*name, replies, *(_trial(finished.run) or _NO_TRIAL)))

    def insert(self, connection: Connection) -> None:
        """Write all rows."""
        dialect = f"{connection.dialect.name}.{connection.dialect.driver}"
        for table, rows in (
            (metric_keys, self._keys),
            (subjects, self._subjects),
            (results, self._results),
        ):
            if rows:
                connection.exec_driver_sql(_inserting(table, dialect), rows)

    def _metric_number(self, run: OpenRun, row: Row) -> int:
        known = (row.key, row.metric)
        if (number := run.metric_keys.get(known)) is None:
            number = run.metric_keys[known] = len(run.metric_keys)
            self._keys.append((run.key, number, escaped(row.key), escaped(row.metric)))
        return number


def _outcome(outcome: Outcome, *, applies: int) -> Values:
    """Value, weight, applies, cause, reason, evidence."""
    match outcome:
        case Scored():
            evidence = codec.write_json(outcome.evidence) if outcome.evidence else None
            return outcome.value, outcome.weight, applies, None, None, evidence
        case Failed():
            return None, None, applies, outcome.cause.value, escaped(outcome.message), None
        case NotApplicable():
            evidence = codec.write_json(outcome.evidence) if outcome.evidence else None
            return None, None, applies, None, escaped(outcome.reason), evidence
        case _:
            return None, None, applies, None, escaped(outcome.reason), None


def _trial(run: CaseRun | None) -> Values | None:
    """The columns of `subjects` from `kind` on."""
    if run is None:
        return None
    case, seen = run.case, run.observation
    return (
        case.kind.value,
        codec.write_json(case.slices) if case.slices else None,
        None if case.group is None else escaped(case.group),
        seen.seconds,
        seen.failure.cause.value if seen.failure else None,
        escaped(seen.failure.message) if seen.failure else None,
        codec.READINGS.write(run.readings),
        codec.write_case(case),
        codec.OBSERVATION.write(seen),
    )


_NO_TRIAL: Values = (None,) * 9


@cache
def _inserting(table: Table, dialect: str) -> str:
    """The statement, with a mark for each column in the order of the table."""
    style = "qmark" if dialect.startswith("sqlite") else "format"
    known: Any = registry.load(dialect)
    return str(insert(table).compile(dialect=known(paramstyle=style)))
