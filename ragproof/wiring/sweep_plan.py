"""What a sweep will take, before anything is paid."""

from __future__ import annotations

from collections.abc import Mapping

from ragproof.core import UsageError
from ragproof.reports.sweep_plan import SweepPlan
from ragproof.wiring.estimate import estimate
from ragproof.wiring.prepare import draft
from ragproof.wiring.sweeping import Sweep


def planned(sweep: Sweep, environ: Mapping[str, str]) -> SweepPlan:
    """Draft the first point that is not done; the others take as much.

    A judge is spared what two points answer alike, so its calls are the most there can be.
    """
    todo = sweep.todo(retry_errors=sweep.wish.retry_errors)
    if not todo:
        raise UsageError("every point is done; show them: ragproof sweep --show")
    drafted = draft(sweep.wish_for(todo[0]), environ)
    sweep.check(drafted.header)
    told = estimate(drafted) if drafted.judge is not None else None
    return SweepPlan(
        name=sweep.name,
        points=tuple(map(sweep.point_name, range(len(sweep.points)))),
        todo=tuple(todo),
        cases=len(drafted.cases),
        repeats=drafted.header.settings.repeats,
        judge=drafted.header.judge_model,
        forecast=None if told is None else told.forecast,
        max_cost_usd=sweep.config.max_cost_usd,
    )
