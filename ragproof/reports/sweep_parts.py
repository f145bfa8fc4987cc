"""Tables of a sweep by the values of a tag: a metric each, a row a point."""

from __future__ import annotations

from dataclasses import dataclass

from ragproof.analysis.sweep import Study
from ragproof.reports.parts import NOTE, part_cell
from ragproof.reports.sweep_wording import number
from ragproof.text.counting import counted

SHOWN = 12
"""So many metrics have a table; JSON has all."""


@dataclass(frozen=True, slots=True)
class PartTable:
    """One metric, ready to be shown."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def part_tables(study: Study) -> list[PartTable]:
    """Tables of the first metrics that some point has by the tag."""
    return [_table(study, key) for key in _metrics(study)[:SHOWN]]


def parts_note(study: Study) -> str:
    """How to read a cell, and which metrics have no table."""
    hidden = len(_metrics(study)) - SHOWN
    return f"{NOTE} {counted(hidden, 'more metric')}: --json." if hidden > 0 else NOTE


def _metrics(study: Study) -> list[str]:
    """Keys: the quality, what a rule asks for, then the others."""
    first = (study.axes.quality, *(key for one in study.points for key in one.further))
    known = dict.fromkeys(key for one in study.points for key in one.parts)
    return list(dict.fromkeys([*(key for key in first if key in known), *known]))


def _table(study: Study, key: str) -> PartTable:
    found = [one.parts.get(key) for one in study.points]
    names = dict.fromkeys(name for one in found if one is not None for name in one.figures)
    rows = tuple(
        (
            f"{number(at)} {study.points[at].name}",
            *("-" if one is None else part_cell(one.figures.get(name), one.unit) for name in names),
        )
        for at, one in enumerate(found)
    )
    return PartTable(f"{key} by {study.axes.by}", ("point", *names), rows)
