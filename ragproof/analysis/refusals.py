"""Answerability against refusal: a two-way table of a run. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ragproof.core.case import CaseKind
from ragproof.core.outcome import Status
from ragproof.core.record import Column, Flags, RunRecord

KEY = "robustness.refused"
ANSWERABLE, OUT_OF_SCOPE = "answerable", "out_of_scope"
SITUATIONS = (ANSWERABLE, "retrieval_miss", OUT_OF_SCOPE)
UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class RefusalRow:
    """The trials of one situation, and how many of their answers declined."""

    situation: str
    """One of `SITUATIONS`; `unknown` of what failed before it told."""
    answered: int
    refused: int
    errors: int
    """Trials of which nothing is known: they are in neither column, and in one row only."""

    @property
    def wrong(self) -> int:
        """Refusals of what could be answered, or answers to what could not."""
        return self.refused if self.situation == ANSWERABLE else self.answered


def refusal_table(record: RunRecord) -> tuple[RefusalRow, ...]:
    """A row for each situation that occurs; empty where nothing was read by `robustness.refused`.

    What failed counts where it belongs. Of runs whose failures are entered under every figure, a
    question's situation is not known, so that it is in a row of its own; but one of kind
    `unanswerable` is out of scope whatever befell it.
    """
    columns = {
        situation: column
        for situation in SITUATIONS
        if (column := record.columns.get(f"{KEY}[situation={situation}]")) is not None
    }
    if not any(_scored(column).any() for column in columns.values()):
        return ()
    errors = _errors(record, columns)
    rows = (_row(one, columns.get(one), errors[one]) for one in (*SITUATIONS, UNKNOWN))
    return tuple(row for row in rows if row.answered or row.refused or row.errors)


def _errors(record: RunRecord, columns: Mapping[str, Column]) -> Counter[str]:
    """Failed trials, each once."""
    times = np.sum([column.lost for column in columns.values()], axis=0)
    beyond = np.array([case.kind is CaseKind.UNANSWERABLE for case in record.cases])
    told = (times == 1) & ~beyond
    found = Counter({one: int((column.lost & told).sum()) for one, column in columns.items()})
    found[OUT_OF_SCOPE] += int(((times > 0) & beyond).sum())
    found[UNKNOWN] += int(((times > 1) & ~beyond).sum())
    return found


def _row(situation: str, column: Column | None, errors: int) -> RefusalRow:
    if column is None:
        return RefusalRow(situation, 0, 0, errors)
    values = column.values[_scored(column)]
    refused = int((values == 1).sum())
    return RefusalRow(situation, values.size - refused, refused, errors)


def _scored(column: Column) -> Flags:
    scored: Flags = column.status == Status.SCORED
    return scored
