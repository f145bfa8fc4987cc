"""A metric's threshold against people: JSON and terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ragproof.analysis.threshold import Calibrated, Cut, Thresholding
from ragproof.reports.page import Page
from ragproof.text.counting import counted

if TYPE_CHECKING:
    from rich.console import Console

SHOWN = 11
"""Thresholds that a terminal shows: the chosen one and its neighbours."""


def threshold_json(found: Sequence[Calibrated], least: float) -> list[dict[str, Any]]:
    """One entry an annotation condition."""
    return [
        {
            "metric": one.metric,
            "condition": one.condition,
            "source": one.source,
            "passed": one.found.held_out.value >= least,
            "labels": one.labels,
            "compared": one.found.chosen.items,
            "people_pass": one.passed,
            "not_compared": dict(one.without),
            "better": one.found.better,
            "threshold": one.found.chosen.threshold,
            "passes": f"{one.found.passes} threshold",
            "threshold_ci95": list(one.found.ends),
            "chosen": _cut(one.found.chosen),
            "held_out_accuracy": {
                "value": one.found.held_out.value,
                "ci95": list(one.found.held_out.ends or ()) or None,
            },
            "cuts": [_cut(cut) for cut in one.found.cuts],
        }
        for one in found
    ]


def print_threshold(console: Console, found: Sequence[Calibrated], least: float) -> None:
    """Print the chosen threshold and its neighbours, a table a condition."""
    page = Page(console)
    for one in found:
        told = one.found
        page.entry("metric  ", f"{one.metric}, {one.source}", label_style="bold")
        labels = f"{counted(one.labels, 'answer')}, {one.condition}"
        page.entry("labels  ", labels, "dim", label_style="bold")
        for reason, count in one.without.items():
            page.entry("        ", f"{count:,} not compared: {reason}", "dim")
        page.line()
        _print_cuts(page, told)
        low, high = told.ends
        page.line()
        page.entry(
            "threshold  ",
            f"{told.passes} {told.chosen.threshold:.4g} [{low:.4g}, {high:.4g}]",
            label_style="bold",
        )
        accuracy = told.held_out
        ends = "" if accuracy.ends is None else " [{:.2f}, {:.2f}]".format(*accuracy.ends)
        text = f"agrees with people on {accuracy.value:.2f}{ends} of answers left out in turn"
        page.entry("           ", text)
        if accuracy.value < least:
            why = f"{one.metric}: {accuracy.value:.1%} of answers, at least {least:.0%} must be"
            page.entry("falls short  ", why, label_style="red")
        page.line()
    page.line(
        "Chosen by kappa. People pass an answer whose score is in the highest band; ranges are 95 "
        "% intervals, of the threshold from resampling the answers.",
        "dim",
    )


def _print_cuts(page: Page, told: Thresholding) -> None:
    titles = ("threshold", "precision", "recall", "F1", "accuracy", "kappa", "false +", "false -")
    at = told.cuts.index(told.chosen)
    first = max(0, min(at - SHOWN // 2, len(told.cuts) - SHOWN))
    shown = told.cuts[first : first + SHOWN]
    rows = [
        (
            f"{'> ' if cut is told.chosen else '  '}{told.passes} {cut.threshold:.4g}",
            *(_two(one) for one in (cut.precision, cut.recall, cut.f1, cut.accuracy, cut.kappa)),
            f"{cut.false_passes:,}",
            f"{cut.false_failures:,}",
        )
        for cut in shown
    ]
    widths = page.fitted([titles, *rows])
    page.cells([(title, "dim") for title in titles], widths)
    for row, cut in zip(rows, shown, strict=True):
        page.cells([(cell, "bold" if cut is told.chosen else "") for cell in row], widths)
    if hidden := len(told.cuts) - len(shown):
        page.line(f"and {counted(hidden, 'other threshold')}: see --json", "dim")


def _two(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _cut(cut: Cut) -> dict[str, Any]:
    return {
        "threshold": cut.threshold,
        "precision": cut.precision,
        "recall": cut.recall,
        "f1": cut.f1,
        "accuracy": cut.accuracy,
        "kappa": cut.kappa,
        "true_passes": cut.true_passes,
        "false_passes": cut.false_passes,
        "false_failures": cut.false_failures,
        "true_failures": cut.true_failures,
    }
