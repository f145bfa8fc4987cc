"""Finished subjects as rows to be inserted.

Here speed counts: a row is a tuple put to the driver as it is. So text passes through `escaped`
by hand, and result rows, of which there are most, are written in the shortest form that holds
them: what is the same in all rows of a form stands in its statement, and what is NULL nowhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

from sqlalchemy import Connection, Table, insert, literal_column
from sqlalchemy.dialects import registry

from ragproof.core import (
    CaseKind,
    CaseRun,
    Failed,
    Finished,
    NotApplicable,
    Outcome,
    Row,
    Scored,
    Skipped,
    Status,
)
from ragproof.core.subject import UNREAD
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


@dataclass(frozen=True, eq=False)
class _Form:
    """How rows of a table are written. The run's number stands in the statement, too."""

    table: Table
    columns: tuple[str, ...]
    """What a row gives, in the order of the table."""
    same: Mapping[str, int] = field(default_factory=dict[str, int])
    """What is the same in all rows. Columns in neither are NULL."""

    @classmethod
    def whole(cls, table: Table) -> _Form:
        """The form that gives every column but the run."""
        return cls(table, tuple(one.name for one in table.columns if one.name != "run"))


_KEYS, _SUBJECTS, _WHOLE = (_Form.whole(one) for one in (metric_keys, subjects, results))
_SCORES = _Form(
    results,
    ("subject", "metric", "value", "weight", "evidence"),
    {"status": Status.SCORED.value, "applies": 1},
)
"""Scores, no model having been asked."""
_SKIPS = _Form(
    results,
    ("subject", "metric", "reason"),
    {"status": Status.SKIPPED.value, "applies": 1},
)
"""Skips, likewise."""


class Sheet:
    """Rows for the three tables that a subject of a run is written to."""

    def __init__(self, run: OpenRun) -> None:
        self._run = run
        self._keys: list[Values] = []
        self._subjects: list[Values] = []
        self._scores: list[Values] = []
        self._skips: list[Values] = []
        self._others: list[Values] = []

    def add(self, finished: Finished, repeat: int) -> None:
        """Note a subject and its results."""
        number = self._run.next_number
        self._run.next_number += 1
        failed = finished.run is not None and finished.run.observation.failure is not None
        known = self._run.metric_keys
        for row in finished.rows:
            if (metric := known.get((row.key, row.metric))) is None:
                metric = self._new_metric(row)
            outcome, is_short = row.outcome, row.applies and not row.replies
            if is_short and type(outcome) is Scored:
                told = codec.write_json(outcome.evidence) if outcome.evidence else None
                self._scores.append((number, metric, outcome.value, outcome.weight, told))
            elif is_short and type(outcome) is Skipped:
                self._skips.append((number, metric, escaped(outcome.reason)))
            else:
                failed = self._whole(number, metric, row) or failed
        name = (number, finished.level.value, escaped(finished.subject), repeat, failed)
        replies = codec.write_replies(finished.replies) if finished.replies else None
        self._subjects.append((*name, replies, *(_trial(finished.run) or _NO_TRIAL)))

    def insert(self, connection: Connection) -> None:
        """Write all rows."""
        dialect = f"{connection.dialect.name}.{connection.dialect.driver}"
        for form, rows in (
            (_KEYS, self._keys),
            (_SUBJECTS, self._subjects),
            (_SCORES, self._scores),
            (_SKIPS, self._skips),
            (_WHOLE, self._others),
        ):
            if rows:
                statement = _inserting(form, self._run.key, dialect)
                connection.exec_driver_sql(statement, rows)

    def _whole(self, number: int, metric: int, row: Row) -> bool:
        """Note a result in full; return whether it is a failure."""
        status = Status.of(row.outcome)
        replies = codec.write_replies(row.replies) if row.replies else None
        told = _outcome(row.outcome, applies=int(row.applies))
        self._others.append((number, metric, int(status), *told, replies))
        return status >= Status.JUDGE_ERROR

    def _new_metric(self, row: Row) -> int:
        known = self._run.metric_keys
        number = known[row.key, row.metric] = len(known)
        self._keys.append((number, escaped(row.key), escaped(row.metric)))
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
        _KINDS[case.kind],
        codec.write_json(case.slices) if case.slices else None,
        None if case.group is None else escaped(case.group),
        seen.seconds,
        seen.asked_at,
        seen.failure.cause.value if seen.failure else None,
        escaped(seen.failure.message) if seen.failure else None,
        _NOTHING if run.readings is UNREAD else codec.READINGS.write(run.readings),
        codec.write_case(case),
        codec.OBSERVATION.write(seen),
    )


_NO_TRIAL: Values = (None,) * 10
_NOTHING = "{}"
"""What `codec` writes where nothing was read."""
_KINDS = {kind: kind.value for kind in CaseKind}


@lru_cache(64)
def _inserting(form: _Form, run: int, dialect: str) -> str:
    """The statement, with a mark for each column of the form."""
    style = "qmark" if dialect.startswith("sqlite") else "format"
    known: Any = registry.load(dialect)
    values = {**form.same, "run": run}
    same: dict[str, Any] = {name: literal_column(str(one)) for name, one in values.items()}
    statement = insert(form.table).inline().values(same)
    return str(statement.compile(dialect=known(paramstyle=style), column_keys=[*form.columns]))
