"""What each stage of the pipeline took: time, waiting, tokens and money, each on its own scale."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from ragproof.analysis.summary import Line
from ragproof.core.spec import Layer, Unit


@dataclass(frozen=True)
class StageRow:
    """One stage, or the whole pipeline."""

    name: str
    line: Line


@dataclass(frozen=True)
class StageChart:
    """One metric by stage; all bars have one scale."""

    metric: str
    """Its id."""
    unit: Unit
    rows: tuple[StageRow, ...]
    """In order of the names."""
    longest: float
    """The greatest p95: the right end of the scale."""


def stage_charts(lines: Sequence[Line]) -> list[StageChart]:
    """One chart a metric of the system layer, those of several figures and those of one."""
    found: dict[str, list[StageRow]] = defaultdict(list)
    for line in lines:
        declared = line.column.declared
        if declared.layer is Layer.SYSTEM and line.scored and declared.unit is not Unit.FRACTION:
            found[declared.id].append(StageRow(label(line), line))
    return [
        StageChart(
            metric,
            rows[0].line.column.declared.unit,
            tuple(sorted(rows, key=lambda one: one.name)),
            max(one.line.p95 or 0.0 for one in rows),
        )
        for metric, rows in sorted(found.items())
    ]


def label(line: Line) -> str:
    """What one of several figures is of, `retrieve` of `system.stage_seconds[stage=retrieve]`."""
    each = line.column.declared.each
    inside = f",{line.key.partition('[')[2].removesuffix(']')}"
    _, found, name = inside.partition(f",{each}=")
    if each is not None and found:
        return name or "(no name)"
    return inside[1:] or "whole"
