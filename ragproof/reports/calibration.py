"""How far a judge agrees with people, and where it leans: JSON and terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ragproof.analysis.agreement import CATEGORIES, Agreement, Figure, Thresholds
from ragproof.analysis.leaning import Injectability, Length, Position, SelfPreference
from ragproof.reports.page import Page
from ragproof.text.counting import counted

if TYPE_CHECKING:
    from rich.console import Console

Found = Mapping[tuple[str, str], Agreement]


def agreement_json(found: Found, least: Thresholds) -> list[dict[str, Any]]:
    """One entry a metric and annotation condition."""
    return [
        {
            "metric": metric,
            "condition": condition,
            "passed": not least.shortfalls(one),
            "shortfalls": least.shortfalls(one),
            "items": one.items,
            "failed": one.failed,
            "exact": _plain(one.exact),
            "within": _plain(one.within),
            "kappa": _plain(one.kappa),
            "weighted_kappa": _plain(one.weighted_kappa),
            "categories": list(CATEGORIES),
            "confusion": [list(row) for row in one.confusion],
            "false_passes": one.false_passes,
            "false_failures": one.false_failures,
        }
        for (metric, condition), one in found.items()
    ]


SCRIPTED = "scripted: no model was asked, so these figures say nothing of any model"
RECORDED = "recorded: the replies were given before; no model was asked now"


@dataclass(frozen=True, kw_only=True)
class Asked:
    """Who was asked, and what came of the asking beside agreement."""

    judge: str
    scripted: bool = False
    recorded: bool = False
    calls: int = 0
    cache_hits: int = 0
    usd: float | None = None
    errors: int = 0
    left_out: Mapping[str, str] = field(default_factory=dict[str, str])
    """Metric to why it could not be measured."""


def print_judge(page: Page, asked: Asked) -> None:
    """Print who was asked, and mark replies that nobody gave now."""
    page.entry("judge  ", asked.judge, label_style="bold")
    if asked.scripted or asked.recorded:
        page.entry("       ", SCRIPTED if asked.scripted else RECORDED, "yellow")


def print_cost(page: Page, asked: Asked) -> None:
    """Print what was asked and paid now, and what could not be asked."""
    for metric, why in asked.left_out.items():
        page.entry("left out  ", f"{metric}: {why}", label_style="yellow")
    if asked.recorded:
        return
    known = f" and {counted(asked.cache_hits, 'question')} answered before"
    told = "unknown" if asked.usd is None else f"${asked.usd:.4f}"
    calls = f"{counted(asked.calls, 'call')}{known if asked.cache_hits else ''}"
    page.line(f"{calls}; cost: {told}", "dim")


def print_agreement(console: Console, asked: Asked, found: Found, least: Thresholds) -> None:
    """Print a line a metric, and what falls short."""
    page = Page(console)
    print_judge(page, asked)
    for condition in dict.fromkeys(condition for _, condition in found):
        mine = {metric: one for (metric, under), one in found.items() if under == condition}
        page.line()
        page.entry("labels ", condition, "dim", label_style="bold")
        _print_table(page, mine)
        for metric, one in mine.items():
            for shortfall in least.shortfalls(one):
                page.entry("falls short  ", f"{metric}: {shortfall}", label_style="red")
    page.line()
    page.line("exact: the same band as people; within one: at most one band apart; kappa is", "dim")
    page.line("weighted; false +: the judge passes what people do not; false -: the reverse", "dim")
    if asked.errors:
        page.line(f"{counted(asked.errors, 'item')} without a usable reply count against agreement")
    print_cost(page, asked)


def _print_table(page: Page, found: Mapping[str, Agreement]) -> None:
    titles = ("metric", "items", "exact", "within one", "kappa", "false +", "false -")
    rows = [
        (
            metric,
            f"{one.items:,}",
            f"{one.exact.value:.2f}",
            f"{one.within.value:.2f}",
            "-" if one.weighted_kappa is None else f"{one.weighted_kappa.value:.2f}",
            f"{one.false_passes:,}",
            f"{one.false_failures:,}",
        )
        for metric, one in found.items()
    ]
    widths = page.fitted([titles, *rows])
    page.cells([(title, "dim") for title in titles], widths)
    for row in rows:
        page.cells([(cell, "") for cell in row], widths)


def leanings_json(
    position: Position, length: Length, own: SelfPreference | None, moved: Injectability
) -> dict[str, Any]:
    """What order, length, family and orders inside answers do to a judge."""
    return {
        "position": {
            "pairs": position.pairs,
            "invalid": position.invalid,
            "consistency": _plain(position.consistency),
            "bias": _plain(position.bias),
            "agreement_one_order": _plain(position.one_order),
            "agreement_both_orders": _plain(position.both_orders),
            "swapping_helps": position.swapping_helps,
        },
        "length": {
            "pairs": length.pairs,
            "longer_wins": length.longer_wins,
            "longer_deserves": length.longer_deserves,
            "agreement": length.agreement,
            "controlled": length.controlled,
            "expansion": length.expansion,
            "truncation": length.truncation,
        },
        "self_preference": None
        if own is None
        else {
            "pairs": own.pairs,
            "wins": own.wins,
            "deserves": own.deserves,
            "excess": own.excess,
        },
        "injectability": {
            "answers": moved.answers,
            "failed": moved.failed,
            "moved": _plain(moved.moved),
            "mean_shift": moved.mean_shift,
        },
    }


def print_leanings(console: Console, asked: Asked, told: Mapping[str, Any]) -> None:
    """Print the same, a line a figure."""
    page = Page(console)
    print_judge(page, asked)
    for name, figures in told.items():
        page.heading(name.replace("_", " ").capitalize())
        if figures is None:
            page.line(
                "not measured: name the judge's model family with --family, and pairs whose "
                "writers are known with --pairs",
                indent=2,
            )
            continue
        for label, value in _lines(figures):
            page.entry(f"  {label:<24}", value, label_style="dim")
    page.line()
    print_cost(page, asked)


def _lines(figures: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for label, value in figures.items():
        match value:
            case None:
                told = "-"
            case {"value": one, "ci95": [low, high]}:
                told = f"{one:.2f} [{low:.2f}, {high:.2f}]"
            case {"value": one}:
                told = f"{one:.2f}"
            case float():
                told = f"{value:.2f}"
            case _:
                told = str(value)
        yield label.replace("_", " "), told


def _plain(one: Figure | None) -> dict[str, Any] | None:
    if one is None:
        return None
    return {"value": one.value, "ci95": None if one.ends is None else list(one.ends)}
