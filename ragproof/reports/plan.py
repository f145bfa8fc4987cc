"""What a run will ask of its judge, on the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ragproof.analysis.forecast import Forecast, Range
from ragproof.reports.page import Page
from ragproof.text.counting import counted

if TYPE_CHECKING:
    from rich.console import Console


RUNS = 3
"""So many runs are named."""


def print_plan(
    console: Console, calls: Mapping[str, int], told: Forecast, runs: Sequence[str]
) -> None:
    """Print calls by metric, then the sums."""
    page = Page(console)
    page.heading("The judge will be asked")
    wide = max((len(f"{count:,}") for count in calls.values()), default=1)
    for name, count in calls.items():
        page.entry(f"  {count:>{wide},}  ", name)
    extra = told.calls - sum(calls.values())
    repairs = (
        f", {extra:,} of them to repair a reply" if extra else ", and one for each faulty reply"
    )
    page.entry("  = ", counted(told.calls, "call") + repairs)
    page.heading("That will take")
    if told.input_tokens is None or told.output_tokens is None:
        page.line("unknown: this judge has not answered these prompts yet.", indent=2)
        page.line("Run a few cases for their sizes: ragproof run --plan --pilot 20", indent=2)
        return
    page.entry("  input   ", f"{_between(told.input_tokens)} tokens")
    page.entry("  output  ", f"{_between(told.output_tokens)} tokens")
    if told.usd is None:
        page.entry("  cost    ", "unknown: set judge.prices (or RAGPROOF_JUDGE_*_COST_PER_MTOK)")
    else:
        page.entry("  cost    ", f"${told.usd.low:,.4f} to ${told.usd.high:,.4f}")
    page.line()
    named = ", ".join(runs[:RUNS]) + (f" and {len(runs) - RUNS} more" if len(runs) > RUNS else "")
    basis = f"95 % ranges, from {counted(told.seen, 'call')} of this judge in {named}"
    page.line(f"{basis}; what is in the cache costs nothing.", "dim")


def _between(one: Range) -> str:
    return f"{one.low:,.0f} to {one.high:,.0f}"
