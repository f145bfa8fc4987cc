"""Traffic made by hand: some answers a day, each with its outcomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from hand_made import case, column, declared, record

from ragproof.analysis.monitor_clock import AlertRate, Clock, Span
from ragproof.analysis.monitor_guardrails import Guardrail, Watch
from ragproof.core.header import Declared
from ragproof.core.outcome import Cause, Failed, Outcome
from ragproof.core.record import RunRecord
from ragproof.core.spec import Better, Interval, Unit

MONDAY = datetime(2026, 11, 2, tzinfo=UTC).timestamp()
HOUR, DAY = 3_600.0, 86_400.0
DOWN = Failed(Cause.ADAPTER, "down")
AGAIN = "monitoring.regeneration"
SECONDS = "system.latency_seconds"
USD = "system.cost_usd"
FAITHFUL = "generation.groundedness"
DECLARED: Mapping[str, Declared] = {
    AGAIN: declared(AGAIN, better=Better.NEITHER, interval=Interval.WILSON),
    SECONDS: declared(SECONDS, unit=Unit.SECONDS, better=Better.LOWER),
    USD: declared(USD, unit=Unit.USD, better=Better.LOWER),
    FAITHFUL: declared(FAITHFUL),
}
UTC_CLOCK, ONE_DAY = Clock.of("UTC"), Span.parse("1d")


def traffic(
    days: Sequence[Sequence[float | Outcome]],
    key: str = AGAIN,
    *,
    tags: Sequence[Mapping[str, str]] = ({},),
    until: float | None = None,
    **header: Any,
) -> RunRecord:
    """A run of so many answers a day, evenly over the day from a Monday on; `DOWN` is a failure.

    The tags go round the answers of a day in turn.
    """
    rows, outcomes = [], []
    for day, values in enumerate(days):
        for at, value in enumerate(values):
            asked_at = MONDAY + day * DAY + at * DAY / len(values)
            failure = value if isinstance(value, Failed) else None
            name = f"t{day:03d}-{at:04d}"
            told = dict(tags[at % len(tags)])
            rows.append(case(name, asked_at=asked_at, tags=told, failure=failure))
            outcomes.append(value)
    ended = MONDAY + len(days) * DAY if until is None else until
    begun = datetime.fromtimestamp(ended, UTC).isoformat()
    return record(rows, {key: column(DECLARED[key], outcomes)}, **{"started_at": begun, **header})


def share(ones: int, of: int) -> list[float]:
    """So many ones among zeros, spread evenly."""
    return [float((at + 1) * ones // of > at * ones // of) for at in range(of)]


def watch(*guardrails: Guardrail, **changed: Any) -> Watch:
    """Daily looks, one false alert in 30 days."""
    rest: dict[str, Any] = {
        "clock": UTC_CLOCK,
        "step": ONE_DAY,
        "false_alerts": AlertRate.parse("1 per 30d"),
    }
    return Watch(guardrails=guardrails, **(rest | changed))


def guardrail(metric: str = AGAIN, **changed: Any) -> Guardrail:
    """Over a day of at least ten answers."""
    rest: dict[str, Any] = {"window": ONE_DAY, "min_samples": 10}
    return Guardrail(metric=metric, **(rest | changed))
