"""What a sweep will take: points, cases, calls."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragproof.analysis.forecast import Forecast, Range
from ragproof.core.spec import Unit
from ragproof.reports.page import Page
from ragproof.reports.wording import figure
from ragproof.text.counting import counted

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True, kw_only=True)
class SweepPlan:
    """A sweep before it is run."""

    name: str
    points: tuple[str, ...]
    todo: tuple[int, ...]
    """Those that have no finished run."""
    cases: int
    repeats: int
    judge: str | None
    forecast: Forecast | None
    """Of one point; None without a judge."""
    max_cost_usd: float | None

    @property
    def trials(self) -> int:
        """How often a case will be put to the pipeline."""
        return len(self.todo) * self.cases * self.repeats

    @property
    def calls(self) -> int:
        """The most calls of the judge that there can be."""
        return 0 if self.forecast is None else self.forecast.calls * len(self.todo)

    @property
    def usd(self) -> Range | None:
        """What they will cost; None where that is not known."""
        one, times = None if self.forecast is None else self.forecast.usd, len(self.todo)
        return None if one is None else Range(one.low * times, one.high * times)


def print_sweep_plan(console: Console, plan: SweepPlan) -> None:
    """Print it."""
    page = Page(console)
    done = len(plan.points) - len(plan.todo)
    already = f", {done:,} of them done already" if done else ""
    page.entry("sweep   ", f"{plan.name}: {counted(len(plan.points), 'point')}{already}")
    for at in plan.todo:
        page.line(plan.points[at], indent=8)
    each = f" {plan.repeats:,} times" if plan.repeats > 1 else ""
    page.entry("cases   ", f"{plan.cases:,} at each point{each}: {counted(plan.trials, 'trial')}")
    if plan.forecast is None:
        page.entry("judge   ", "none: nothing is paid for judging")
        return
    page.entry(
        "judge   ",
        f"{plan.judge}, at the most {counted(plan.calls, 'call')}; what two "
        "points answer alike is asked once",
    )
    if plan.usd is None:
        page.entry(
            "cost    ",
            "unknown: the judge has no prices, or has not answered these "
            "prompts yet (ragproof run --plan --pilot 20)",
        )
    else:
        ends = " to ".join(figure(end, Unit.USD) for end in (plan.usd.low, plan.usd.high))
        page.entry("cost    ", ends)
    if plan.max_cost_usd is not None:
        page.entry("budget  ", f"{figure(plan.max_cost_usd, Unit.USD)} for all points together")


def plan_json(plan: SweepPlan) -> str:
    """Write it as a JSON document; ASCII only."""
    usd = plan.usd
    document = {
        "plan": True,
        "sweep": plan.name,
        "points": list(plan.points),
        "todo": [plan.points[at] for at in plan.todo],
        "cases": plan.cases,
        "repeats": plan.repeats,
        "trials": plan.trials,
        "judge": plan.judge,
        "calls": plan.calls,
        "cost_usd": None if usd is None else [usd.low, usd.high],
        "max_cost_usd": plan.max_cost_usd,
    }
    return json.dumps(document, ensure_ascii=True, allow_nan=False, indent=2)
