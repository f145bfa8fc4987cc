"""What generating a dataset will take, and what came of it, on the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ragproof.reports.page import Page
from ragproof.text.counting import counted

if TYPE_CHECKING:
    from rich.console import Console

Forecast = tuple[str, int, int, int]
"""A kind, cases wanted, calls if all goes well, calls at most."""
Reached = tuple[str, int, int, Mapping[str, int]]
"""A kind, cases wanted, cases made, and reason to how many were turned down."""


def print_forecast(
    console: Console,
    kinds: Sequence[Forecast],
    about: tuple[int, int, int],
    usd: tuple[float | None, float | None],
) -> None:
    """Print calls by kind, then what they may cost."""
    page = Page(console)
    documents, passages, skipped = about
    page.line(
        f"{counted(documents, 'document')} in {counted(passages, 'passage')}, {skipped} skipped"
    )
    page.heading("The model will be asked")
    for name, wanted, calls, most in kinds:
        cases = counted(wanted, "case")
        all_well = f"{counted(calls, 'call')} if all succeed"
        page.entry(f"  {name:<14}", f"{cases}: {all_well}, {most:,} at most")
    if not kinds:
        page.line("nothing: injection cases need no model.", indent=2)
        return
    page.heading("That will cost")
    likely, most_usd = usd
    if likely is None or most_usd is None:
        page.line("unknown: set judge.prices (or RAGPROOF_JUDGE_*_COST_PER_MTOK)", indent=2)
        return
    page.line(f"${likely:,.4f} if all succeed, estimated; ${most_usd:,.4f} at most", indent=2)
    page.line("RAGPROOF_MAX_COST_USD (max_cost_usd) sets a limit that is never passed.", "dim")


def print_kinds(console: Console, kinds: Sequence[Reached], told: str) -> None:
    """Print what was reached by kind, and why attempts were turned down."""
    page = Page(console)
    for name, wanted, made, reasons in kinds:
        page.heading(f"{name}: {made} of {wanted}")
        for reason, count in sorted(reasons.items(), key=lambda one: (-one[1], one[0])):
            page.entry(f"  {count:>4}  ", reason)
    page.line()
    page.line(told)
