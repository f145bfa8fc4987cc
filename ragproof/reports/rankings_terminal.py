"""Scored rankings on the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ragproof.rankings.evaluation import Evaluated
from ragproof.reports.page import Page
from ragproof.reports.wording import one_line
from ragproof.text.counting import counted

if TYPE_CHECKING:
    from rich.console import Console

    from ragproof.analysis.comparison import Compared
    from ragproof.rankings.lists import FusedRun


def print_rankings(console: Console, run: Evaluated, path: Path, without_relevant: int) -> None:
    """Print the figures of a run."""
    page = Page(console)
    _print_head(page, run, {"run": (path, run)}, without_relevant)
    page.line()
    wide = max(map(len, run.figures))
    for name, value in run.figures.items():
        page.line(f"  {name:<{wide}}  {shown(value)}")


def print_fused(console: Console, fused: FusedRun) -> None:
    """Print how runs became one, and which queries each of them had no vote in."""
    page = Page(console)
    params = ", ".join(f"{name} {_param(value)}" for name, value in fused.params.items())
    size = f"{counted(fused.queries, 'query')}, {counted(fused.documents, 'document')}"
    page.entry("fused    ", f"{size}; {fused.way}, {params}", "", "bold")
    for path, missing in zip(fused.runs, fused.missing, strict=True):
        lacks = f": {counted(missing, 'query')} missing (no vote)" if missing else ""
        page.entry("  of     ", f"{one_line(str(path), 300)}{lacks}", "", "bold")
    if fused.path is not None:
        page.entry("  in     ", one_line(str(fused.path), 300), "", "bold")


def _param(value: object) -> str:
    if isinstance(value, list):
        return ",".join(map(_param, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def print_compared_rankings(
    console: Console,
    runs: Mapping[str, tuple[Path, Evaluated]],
    without_relevant: int,
    changes: Sequence[Compared],
) -> None:
    """Print two runs side by side: `runs` holds the baseline, `against`, and the `run`."""
    from ragproof.reports.decision_terminal import STYLES  # noqa: PLC0415  only with two runs
    from ragproof.reports.decision_wording import found_to_be, p_values  # noqa: PLC0415

    page = Page(console)
    _print_head(page, runs["run"][1], runs, without_relevant)
    page.line()
    titles = ("measure", "against", "run", "change", "95 % interval", "p (adj.)", "+/-/=")
    rows = [
        (
            f"  {one.key}",
            shown(one.change.baseline),
            shown(one.change.candidate),
            signed(one.change.delta),
            _interval(one),
            p_values(one),
            f"{one.wins:,}/{one.losses:,}/{one.change.ties:,}",
        )
        for one in changes
    ]
    widths = page.fitted([(f"  {titles[0]}", *titles[1:]), *rows])
    page.cells([(f"  {titles[0]}", "dim"), *[(one, "dim") for one in titles[1:]]], widths)
    for one, row in zip(changes, rows, strict=True):
        style = STYLES[found_to_be(one)]
        page.cells(list(zip(row, ("", "", "", style, style, style, "dim"), strict=True)), widths)
    _print_others(page, runs, changes)
    page.line()
    page.line(
        "p: randomisation test; adj.: over all measures (Holm); +/-/=: queries better,", "dim"
    )
    page.line("worse, equal. A query that a run lacks counts as 0.", "dim")


def _print_others(
    page: Page, runs: Mapping[str, tuple[Path, Evaluated]], changes: Sequence[Compared]
) -> None:
    """Print the figures that are no means, which nothing is tested of."""
    tested = {one.key for one in changes}
    before, after = (runs[side][1].figures for side in ("against", "run"))
    others = [name for name in after if name not in tested]
    if others:
        page.heading("Not tested: no mean over queries")
    for name in others:
        page.line(f"{name}: {shown(before[name])}, {shown(after[name])}", indent=2)


def _print_head(
    page: Page, run: Evaluated, runs: Mapping[str, tuple[Path, Evaluated]], without_relevant: int
) -> None:
    told = counted(len(run.queries), "query")
    if without_relevant:
        told += f", {without_relevant:,} without a relevant document (they score 0)"
    page.entry("judged   ", told, label_style="bold")
    for name, (path, one) in runs.items():
        facts = [f"{int(one.returned.sum()):,} documents for them"]
        facts += [f"{counted(one.missing, 'query')} missing (they score 0)"] if one.missing else []
        if one.unjudged_queries:
            facts.append(f"{counted(one.unjudged_queries, 'query')} without judgments (left out)")
        page.entry(f"{name:<9}", f"{one_line(str(path), 300)}: {', '.join(facts)}", "", "bold")


def shown(value: float | None) -> str:
    """Write a figure with four decimals, as trec_eval does; a count without.

    >>> shown(0.5), shown(71.0), shown(0.00001), shown(None)
    ('0.5000', '71', '1e-05', '-')
    """
    if value is None:
        return "-"
    if value > 1 and value.is_integer():
        return f"{value:,.0f}"
    return f"{value:.4f}" if value == 0 or value >= 0.00005 else f"{value:.0e}"


def signed(value: float | None) -> str:
    """Write a change with its sign.

    >>> signed(-0.01234), signed(0.0), signed(-0.00001)
    ('-0.0123', '0', '~0')
    """
    if value is None or value == 0:
        return "-" if value is None else "0"
    return f"{value:+.4f}" if abs(value) >= 0.00005 else "~0"


def _interval(one: Compared) -> str:
    ends = one.change.bounds.ends
    return "" if ends is None else f"[{signed(ends[0])}, {signed(ends[1])}]"
