"""Tables of a sweep by the values of a tag: a metric each, a row a point."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ragproof.analysis.by_value import PartFigure
from ragproof.analysis.sweep import Study
from ragproof.core.spec import Unit
from ragproof.reports.sweep_wording import number
from ragproof.reports.wording import figure

NOTE = "In brackets the trials that were scored, and of how many where some failed."


@dataclass(frozen=True, slots=True)
class PartTable:
    """One metric, ready to be shown."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def part_tables(study: Study) -> Iterator[PartTable]:
    """A table for each metric that some point has by the tag."""
    keys = dict.fromkeys(key for one in study.points for key in one.parts)
    for key in keys:
        found = [one.parts.get(key) for one in study.points]
        names = dict.fromkeys(name for one in found if one is not None for name in one.figures)
        rows = tuple(
            (
                f"{number(at)} {study.points[at].name}",
                *(
                    "-" if one is None else part_cell(one.figures.get(name), one.unit)
                    for name in names
                ),
            )
            for at, one in enumerate(found)
        )
        yield PartTable(f"{key} by {study.axes.by}", ("point", *names), rows)


def part_cell(part: PartFigure | None, unit: Unit) -> str:
    """A figure and what it rests on."""
    if part is None or not part.scored + part.failed:
        return "-"
    tried = (
        f"{part.scored:,} of {part.scored + part.failed:,}" if part.failed else f"{part.scored:,}"
    )
    return f"{figure(part.value, unit)} ({tried})"
