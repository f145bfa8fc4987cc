"""Answerability against refusal: a two-way table of a run. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ragproof.analysis.summary import Line

SITUATIONS = ("answerable", "retrieval_miss", "out_of_scope")
KEY = "robustness.refused[situation="


@dataclass(frozen=True, slots=True)
class RefusalRow:
    """The cases of one situation, and how many of their answers declined."""

    situation: str
    answered: int
    refused: int
    errors: int
    """Trials of which nothing is known: they are in neither column."""

    @property
    def wrong(self) -> int:
        """Refusals of what could be answered, or answers to what could not."""
        return self.refused if self.situation == "answerable" else self.answered


def refusal_table(lines: Iterable[Line]) -> tuple[RefusalRow, ...]:
    """A row for each situation that occurs; empty where `robustness.refused` was not asked for."""
    by_key = {line.key: line for line in lines}
    rows = []
    for situation in SITUATIONS:
        line = by_key.get(f"{KEY}{situation}]")
        if line is None or not line.scored:
            continue
        values = line.column.values[line.column.status == 0]
        refused = int((values == 1).sum())
        rows.append(RefusalRow(situation, line.scored - refused, refused, line.errors))
    return tuple(rows)
