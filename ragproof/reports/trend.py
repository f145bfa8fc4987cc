"""One metric over the runs of a project: where it went, and where the yardstick changed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from ragproof.core.spec import Unit
from ragproof.reports.page import Page
from ragproof.reports.wording import figure, one_line

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True, kw_only=True)
class Point:
    """The metric in one run."""

    run_id: str
    label: str | None
    started_at: str
    status: str
    mean: float | None
    why: str | None
    """Why there is no mean, where there is none."""
    ci95: tuple[float, float] | None
    scored: int
    completion: float | None
    breaks: tuple[str, ...]
    """Why it does not go on from the run before: another dataset, judge, k."""
    changes: tuple[str, ...]
    """What else is new since the run before."""


def trend_json(metric: str, unit: Unit, better: str, points: Sequence[Point]) -> str:
    """Write the document, the oldest run first; ASCII only."""
    document = {
        "metric": metric,
        "unit": unit.value,
        "better": better,
        "runs": [asdict(one) for one in points],
    }
    return json.dumps(document, ensure_ascii=True, allow_nan=False, indent=2)


def print_trend(console: Console, metric: str, unit: Unit, points: Sequence[Point]) -> None:
    """Print a line a run, the oldest first; a ruled line where figures cannot be compared."""
    page = Page(console)
    page.line(metric, "bold")
    titles = ("run", "started (UTC)", "mean", "95 % interval", "scored")
    rows = [
        (
            one.run_id,
            one.started_at[:16].replace("T", " "),
            figure(one.mean, unit),
            "" if one.ci95 is None else f"[{', '.join(figure(end, unit) for end in one.ci95)}]",
            f"{one.scored:,}",
        )
        for one in points
    ]
    widths = page.fitted([titles, *rows])
    page.cells([(title, "dim") for title in titles], widths)
    for one, (name, *rest) in zip(points, rows, strict=True):
        for why in one.breaks:
            page.entry("--- ", one_line(why, 300), "yellow", label_style="yellow")
        page.cells([(name, "bold"), *[(cell, "") for cell in rest]], widths)
        if one.why:
            page.entry("    no figure: ", one_line(one.why, 300), "dim", label_style="dim")
        about = [one_line(one.label, 200)] if one.label else []
        about += [one_line(change, 200) for change in one.changes]
        about += [one.status] if one.status != "completed" else []
        if one.completion is not None and one.completion < 1:
            about.append(f"completion {figure(one.completion, Unit.FRACTION)}")
        if about:
            page.line("; ".join(about), "dim", indent=4)
