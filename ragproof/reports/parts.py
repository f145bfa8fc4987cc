"""Figures by the values of a tag, as reports of runs and of sweeps show them."""

from __future__ import annotations

from typing import Any

from ragproof.analysis.by_value import ByMetric, PartFigure
from ragproof.core.spec import Unit
from ragproof.reports.wording import figure

NOTE = "In brackets the trials that were scored, and of how many where some failed."


def part_cell(part: PartFigure | None, unit: Unit) -> str:
    """A figure and what it rests on."""
    if part is None or not part.scored + part.failed:
        return "-"
    tried = f" of {part.scored + part.failed:,}" if part.failed else ""
    return f"{figure(part.value, unit)} ({part.scored:,}{tried})"


def parts_json(by_metric: ByMetric) -> dict[str, Any]:
    """Metric to value of the tag to its figure, and how many trials that rests on."""
    return {
        key: {
            name: {"mean": part.value, "scored": part.scored, "errors": part.failed}
            for name, part in parts.figures.items()
        }
        for key, parts in by_metric.items()
    }
