"""What watching traffic costs: `python -m bench.monitor_scale [CASES ...]` (10000 100000 1000000).

A run of traffic over 90 days with ten metrics, cases in sessions of three and tagged by one of five
intents, one in fifty failed. CPU seconds are those of the analysis alone, the run being in memory.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ragproof.analysis.monitor_backtest import Trial
from ragproof.analysis.monitor_band import BandRule
from ragproof.analysis.monitor_check import checked
from ragproof.analysis.monitor_clock import AlertRate, Clock, Span
from ragproof.analysis.monitor_guardrails import Guardrail, Looker, Watch
from ragproof.analysis.monitor_history import History
from ragproof.analysis.monitor_traffic import Traffic, joined
from ragproof.analysis.monitor_windows import Asked, monitored
from ragproof.core import (
    AdapterInfo,
    Better,
    CaseKind,
    Cause,
    DatasetInfo,
    Declared,
    Failed,
    Interval,
    Layer,
    Level,
    Pool,
    RunHeader,
    RunState,
    Status,
    Unit,
)
from ragproof.core.record import CaseRow, Column, Flags, RunRecord

T = TypeVar("T")
DAYS, SESSION, EVERY = 90, 3, 50
BEGUN = datetime(2026, 1, 5, tzinfo=UTC).timestamp()
INTENTS = ({"intent": "a"}, {"intent": "b"}, {"intent": "c"}, {"intent": "d"}, {"intent": "e"})
RATES = tuple(f"monitoring.rate_{number}" for number in range(5))
TIMES = tuple(f"system.seconds_{number}" for number in range(5))
DAY, CLOCK = Span.parse("1d"), Clock.of("UTC")


def main() -> None:
    """Print a row a size."""
    sizes = [int(one) for one in sys.argv[1:]] or [10_000, 100_000, 1_000_000]
    head = ("cases", "join", "report", "by tag", "check", "all", "calibrate", "peak MB")
    print("{:>9} {:>7} {:>7} {:>7} {:>7} {:>7} {:>9} {:>8}   CPU seconds".format(*head))
    for size in sizes:
        record = _record(size)
        spent, traffic = _took(lambda record=record: joined([record]))  # type: ignore[misc]
        metrics = (*((key, "rate") for key in RATES), *((key, "p95") for key in TIMES))
        asked = Asked(clock=CLOCK, length=DAY, step=DAY, metrics=metrics)
        parted = Asked(clock=CLOCK, length=DAY, step=DAY, metrics=metrics[:1], by="intent")
        watch = _watch()
        figures = [
            spent,
            _took(lambda: monitored(traffic, asked))[0],  # noqa: B023
            _took(lambda: monitored(traffic, parted))[0],  # noqa: B023
            _took(lambda: checked(traffic, watch))[0],  # noqa: B023
            _took(lambda: checked(traffic, watch, all_windows=True))[0],  # noqa: B023
            _took(lambda: _calibrated(traffic, watch))[0],  # noqa: B023
        ]
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{size:>9} {' '.join(f'{one:>7.2f}' for one in figures[:5])} "
            f"{figures[5]:>9.2f} {peak:>8.0f}"
        )


def _took(work: Callable[[], T]) -> tuple[float, T]:
    begun = time.process_time()
    found = work()
    return time.process_time() - begun, found


def _watch() -> Watch:
    band = Guardrail(metric=RATES[0], statistic="rate", band=BandRule(), by="intent", window=DAY)
    limit = Guardrail(metric=TIMES[0], statistic="p95", max=4.0, window=DAY)
    rate = AlertRate.parse("1 per 30d")
    return Watch(clock=CLOCK, step=DAY, false_alerts=rate, guardrails=(band, limit))


def _calibrated(traffic: Traffic, watch: Watch) -> object:
    looker, guardrail = Looker(traffic, watch), watch.guardrails[0]

    def history(length: Span) -> History:
        rule = BandRule()
        return History("rate", rule, length, lambda one: looker.cases(guardrail, one, None), 30)

    ends = float(traffic.asked_at[0]), float(traffic.asked_at[-1]), traffic.until
    trial = Trial(CLOCK, ends, history, watch.false_alerts)
    return [trial.of(Span.parse(one)) for one in ("6h", "1d", "7d")]


def _record(size: int) -> RunRecord:
    draw = np.random.default_rng(0)
    times = BEGUN + np.sort(draw.uniform(0, DAYS * 86_400, size))
    down = Failed(Cause.ADAPTER, "down")
    intents = draw.integers(0, len(INTENTS), size)
    cases = tuple(
        CaseRow(
            *(f"c{at:07d}", 0, CaseKind.QA, INTENTS[intents[at]], f"s{at // SESSION}"),
            *(down if at % EVERY == 0 else None, float(times[at])),
        )
        for at in range(size)
    )
    lost = np.arange(size) % EVERY == 0
    columns = {key: _column(key, Unit.FRACTION, draw.random(size) < 0.1, lost) for key in RATES}
    columns |= {
        key: _column(key, Unit.SECONDS, draw.lognormal(0, 0.6, size), lost) for key in TIMES
    }
    header = RunHeader(
        id="run",
        project="bench",
        started_at=datetime.fromtimestamp(BEGUN + DAYS * 86_400 + 60, UTC).isoformat(),
        dataset=DatasetInfo(name="d", path="/d", hash="0", total=size, cases=size),
        adapter=AdapterInfo(type="recorded", target="/o"),
        metrics={key: one.declared for key, one in columns.items()},
    )
    return RunRecord(header, RunState.COMPLETED, cases, columns)


def _column(key: str, unit: Unit, values: NDArray[Any], lost: Flags) -> Column:
    declared = Declared(
        id=key,
        params={},
        version=1,
        unit=unit,
        better=Better.NEITHER if unit is Unit.FRACTION else Better.LOWER,
        pool=Pool.MEAN,
        interval=Interval.AUTO,
        level=Level.CASE,
        kinds=(CaseKind.QA,),
        each=None,
        layer=Layer.SYSTEM,
        headline=False,
    )
    reasons = tuple("adapter: down" if one else None for one in lost.tolist())
    status = np.where(lost, Status.ERROR, Status.SCORED).astype(np.int8)
    scores = np.where(lost, np.nan, values.astype(np.float64))
    applies = np.ones(values.size, np.bool_)
    return Column(declared, None, status, scores, np.where(lost, 0.0, 1.0), applies, reasons)


if __name__ == "__main__":
    main()
