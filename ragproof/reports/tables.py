"""The lists of `ragproof runs` and `ragproof metrics`, and the page of one metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ragproof.core.spec import Layer
from ragproof.reports.page import Page
from ragproof.reports.wording import LAYERS, one_line

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True, kw_only=True)
class RunRow:
    """A run in the list of runs."""

    id: str
    started_at: str
    """ISO 8601."""
    status: str
    cases: int
    dataset: str
    label: str | None = None


@dataclass(frozen=True, kw_only=True)
class MetricRow:
    """A metric in the list of metrics."""

    id: str
    layer: Layer
    summary: str


@dataclass(frozen=True, kw_only=True)
class MetricPage:
    """A metric explained."""

    id: str
    summary: str
    sections: Mapping[str, str]
    """Title to text, as in the docstring: Question, Formula, Range, Edge cases."""
    facts: Mapping[str, str] = field(default_factory=dict[str, str])
    """Name to value: unit, direction, parameters, needs."""


def print_runs(console: Console, runs: Sequence[RunRow]) -> None:
    """Print the runs in the order given; label and data set below each."""
    page = Page(console)
    if not runs:
        page.line("There is no run in this store yet. Make one: ragproof run, or ragproof demo")
        return
    titles = ("run", "started (UTC)", "status", "cases")
    rows = [
        (one.id, one.started_at[:16].replace("T", " "), one.status, f"{one.cases:,}")
        for one in runs
    ]
    widths = page.fitted([titles, *rows])
    page.cells([(title, "dim") for title in titles], widths)
    for one, (name, *rest) in zip(runs, rows, strict=True):
        page.cells([(name, "bold"), *[(cell, "") for cell in rest]], widths)
        about = [one_line(one.label, 200)] if one.label else []
        page.line(", ".join([*about, one_line(one.dataset, 200)]), "dim", indent=4)


def print_metrics(console: Console, metrics: Sequence[MetricRow]) -> None:
    """Print the metrics by layer, each with its one sentence."""
    page = Page(console)
    longest = max((len(one.id) for one in metrics), default=0)
    beside = page.width - longest - 4 >= 30
    for layer, title in LAYERS.items():
        mine = [one for one in metrics if one.layer is layer]
        if mine:
            page.heading(title)
        for one in mine:
            if beside:
                page.entry(f"  {one.id:<{longest}}  ", one.summary, label_style="bold")
            else:
                page.line(one.id, "bold", indent=2)
                page.line(one.summary, indent=6)
    page.line()
    page.line("Explain one: ragproof metrics ID", "dim")


def print_metric(console: Console, metric: MetricPage) -> None:
    """Print what there is to know of a metric."""
    page = Page(console)
    page.line(metric.id, "bold")
    page.line(metric.summary)
    for title, text in metric.sections.items():
        page.heading(title)
        page.line(text, indent=2)
    if metric.facts:
        page.heading("Declared")
        wide = max(map(len, metric.facts))
        for name, value in metric.facts.items():
            page.entry(f"  {name:<{wide}}  ", value, label_style="dim")


def print_step(console: Console, name: str, detail: str) -> None:
    """Print one thing that was looked at."""
    Page(console).entry(f"{name:<9}", detail, label_style="bold")
