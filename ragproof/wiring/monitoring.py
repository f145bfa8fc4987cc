"""Watch production: runs of traffic read, joined, and held to what the config asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from ragproof.analysis.monitor_backtest import Calibrated, Trial
from ragproof.analysis.monitor_band import BandRule
from ragproof.analysis.monitor_check import Checked, checked
from ragproof.analysis.monitor_clock import AlertRate, Clock, Span, Window, within
from ragproof.analysis.monitor_figures import STATISTICS, Part
from ragproof.analysis.monitor_guardrails import Guardrail, Looker, Release, Watch
from ragproof.analysis.monitor_history import History
from ragproof.analysis.monitor_traffic import Traffic, joined
from ragproof.analysis.monitor_windows import Asked, Monitored, monitored
from ragproof.core import Declared, Interval, Status, Unit, UsageError
from ragproof.text.faults import faults, raise_all
from ragproof.text.files import at_home
from ragproof.text.jsonl import read_lines
from ragproof.text.nearest import nearest
from ragproof.text.strict_json import parse
from ragproof.wiring.config import DEFAULT
from ragproof.wiring.looking import Looking
from ragproof.wiring.reviewed_signals import reviewed_signals
from ragproof.wiring.schema import Config
from ragproof.wiring.schema_monitor import BandConfig, ReleaseConfig, WatchedConfig
from ragproof.wiring.traffic_runs import MEANING, is_traffic, traffic_run

T = TypeVar("T")
TABLE: tuple[tuple[tuple[str, ...], str], ...] = (
    (("monitoring.regeneration",), "rate"),
    (("monitoring.fallback",), "rate"),
    (("system.latency_seconds",), "p95"),
    (("system.cost_usd",), "mean"),
    (
        (
            *("generation.groundedness", "generation.claim_support"),
            *("generation.nli_support", "generation.citation_support"),
        ),
        "mean",
    ),
)
"""What is shown unless metrics are named: of several keys the first that has figures."""
LENGTHS = ("6h", "1d", "7d")


@dataclass(frozen=True, kw_only=True)
class MonitorRequest:
    """What the command line says of the traffic and its windows; None as the config has it."""

    runs: tuple[str, ...] = ()
    window: str | None = None
    step: str | None = None
    timezone: str | None = None
    since: str | None = None
    until: str | None = None


def monitor_report(
    looking: Looking,
    request: MonitorRequest,
    metrics: Sequence[str] | None = None,
    by: str | None = None,
    reference: str | None = None,
) -> Monitored:
    """Lay traffic out by windows; UsageError for what makes no sense."""
    config = looking.config.monitor
    clock, length, step = _clock(looking.config, request)
    stretch = reference or config.reference
    asked = Asked(
        clock=clock,
        length=length,
        step=step,
        reference=None if stretch is None else _read("--reference", lambda: within(stretch, clock)),
        by=by,
    )
    traffic = _traffic(looking, request, clock, strict=False)
    wanted = _of_table(traffic) if metrics is None else _named(traffic, metrics)
    if by is not None and by not in traffic.tags:
        raise UsageError(f"--by: no case has the tag {by!r}.{nearest(by, traffic.tags)}")
    shown = Asked(**{**vars(asked), "metrics": tuple(wanted)})
    return _read("", lambda: monitored(traffic, shown))


def monitor_check(looking: Looking, request: MonitorRequest, *, all_windows: bool) -> Checked:
    """Hold traffic to the guardrails of the config."""
    config = looking.config
    if not config.monitor.guardrails:
        there = "" if config.source_path else f"There is no {DEFAULT} here; -c names one. "
        raise UsageError(
            f"{there}monitor.guardrails is empty: nothing can be checked. Write what must hold, "
            "such as `- {metric: system.latency_seconds, statistic: p95, max: 4}`"
        )
    clock, length, step = _clock(config, request)
    traffic = _traffic(looking, request, clock)
    watch = watched(config, clock, length, step, given=request.window is not None)
    for index, one in enumerate(watch.guardrails):
        measure = traffic.measure(one.metric)
        if one.statistic == "rate" and measure and measure.declared.unit is not Unit.FRACTION:
            place = config.where("monitor", "guardrails", index, "statistic")
            unit = measure.declared.unit
            raise UsageError(
                f"{place}: {one.metric} has the unit {unit}; only a fraction has a rate"
            )
    return _read("", lambda: checked(traffic, watch, all_windows=all_windows))


def watched(
    config: Config, clock: Clock, length: Span, step: Span, *, given: bool = False
) -> Watch:
    """The guardrails of a config; `given` where the command line has the last word on windows."""
    monitor = config.monitor

    def length_of(one: WatchedConfig) -> Span:
        return length if one.window is None or given else Span.parse(one.window)

    after = monitor.after_release
    return Watch(
        clock=clock,
        step=step,
        false_alerts=AlertRate.parse(monitor.false_alerts),
        guardrails=tuple(
            Guardrail(
                metric=one.metric,
                statistic=one.statistic,
                min=one.min,
                max=one.max,
                band=_band(one.band),
                slice={
                    tag: (held,) if isinstance(held, str) else held
                    for tag, held in one.slice.items()
                },
                by=one.by,
                window=length_of(one),
                min_samples=one.min_samples,
                priority=one.priority,
                required=(one.on_missing or monitor.on_missing) == "fail",
            )
            for one in monitor.guardrails
        ),
        min_completion=monitor.min_completion,
        releases=tuple(_releases(config, clock)),
        after_release=None if after is None else Span.parse(after),
    )


def monitor_calibrate(
    looking: Looking,
    request: MonitorRequest,
    metric: str,
    *,
    lengths: Sequence[str] = (),
    false_alerts: str | None = None,
    shifts: tuple[float, ...] = (),
) -> Calibrated:
    """Try control bands on the history of one metric."""
    config = looking.config.monitor
    clock, length, _ = _clock(looking.config, request)
    traffic = _traffic(looking, request, clock)
    ((key, statistic),) = _named(traffic, [metric], globs=False)
    measure = traffic.measure(key)
    assert measure is not None
    held = next((one for one in config.guardrails if one.metric == key and one.band), None)
    rule = _band(None if held is None else held.band) or BandRule()
    fewest = 1 if held is None else held.min_samples
    watch = watched(looking.config, clock, length, length)
    looker = Looker(traffic, watch)
    figure = Guardrail(metric=key, band=rule, window=length)

    def cases(window: Window) -> Part | None:
        return looker.cases(figure, window, None)

    asked = false_alerts or config.false_alerts
    rate = _read("--false-alerts", lambda: AlertRate.parse(asked))
    if not traffic.size:
        raise UsageError("the runs have no case whose time is known: nothing to calibrate on")
    trial = Trial(
        clock=clock,
        stretch=(float(traffic.asked_at[0]), float(traffic.asked_at[-1]), traffic.until),
        history=lambda one: History(statistic, rule, one, cases, fewest),
        false_alerts=rate,
        guardrails=looker.held,
        shifts=shifts,
    )
    tried = tuple(trial.of(one) for one in _lengths(lengths or (*LENGTHS, str(length))))
    return Calibrated(traffic, measure.declared, key, statistic, rate, looker.held, rule, tried)


def _lengths(texts: Sequence[str]) -> list[Span]:
    """Lengths of windows, the shortest first, each once."""
    return sorted({_read("--window", lambda one=one: Span.parse(one)) for one in texts})  # type: ignore[misc]


def _band(config: BandConfig | None) -> BandRule | None:
    if config is None:
        return None
    return BandRule(history=Span.parse(config.history), seasons=config.seasons)


def _clock(config: Config, request: MonitorRequest) -> tuple[Clock, Span, Span]:
    """The clock, the length of a window and the step: the command line's, else the config's."""
    monitor = config.monitor
    clock = _read("--timezone", lambda: Clock.of(request.timezone or monitor.timezone))
    length = _read("--window", lambda: Span.parse(request.window or monitor.window))
    asked = request.step or (None if request.window else monitor.step)
    step = length if asked is None else _read("--step", lambda: Span.parse(asked))
    if step > length:
        raise UsageError(f"--step: got {step}, longer than the window of {length}")
    return clock, length, step


def _traffic(
    looking: Looking, request: MonitorRequest, clock: Clock, *, strict: bool = True
) -> Traffic:
    """The traffic that is meant; UsageError for a run of anything else, or a warning of it."""
    runs, strange = _runs(looking, request)
    if strange and strict:
        raise UsageError(f"{strange[0]}. {MEANING}")
    since, until = (
        None if text is None else _read(name, lambda text=text: clock.moment(text))  # type: ignore[misc]
        for name, text in (("--since", request.since), ("--until", request.until))
    )
    records = [looking.store.record(one) for one in dict.fromkeys(runs)]
    traffic, signals = joined(records, since, until), looking.config.monitor.signals
    traffic = replace(traffic, warnings=tuple(strange))
    if signals is None:
        return traffic
    path = looking.config.folder / at_home(signals)
    return replace(traffic, reviewed=reviewed_signals(path, traffic))


def _runs(looking: Looking, request: MonitorRequest) -> tuple[list[str], list[str]]:
    """Ids of the runs that are named, else the newest of traffic, and what is none of traffic."""
    if not request.runs:
        return [traffic_run(looking).id], []
    found = [looking.store.find(one, looking.project).header for one in request.runs]
    strange = [one.id for one in found if not is_traffic(looking.store, one)]
    told = "is no run of traffic: it says nothing of how production does"
    return [one.id for one in found], [f"{one} {told}" for one in strange]


def _of_table(traffic: Traffic) -> Iterable[tuple[str, str]]:
    found = [
        (next(iter(sorted(keys, key=lambda key: not _scored(traffic, key))), None), statistic)
        for keys, statistic in (
            ([key for key in keys if key in traffic.keys], one) for keys, one in TABLE
        )
    ]
    shown = [(key, statistic) for key, statistic in found if key is not None]
    return shown or [(key, "mean") for key in traffic.keys[: len(TABLE)]]


def _scored(traffic: Traffic, key: str) -> bool:
    """Whether any case has a figure of a metric."""
    measure = traffic.measure(key)
    return measure is not None and bool((measure.status == Status.SCORED).any())


def _named(
    traffic: Traffic, metrics: Sequence[str], *, globs: bool = True
) -> list[tuple[str, str]]:
    """Keys and statistics of `key`, `glob` or `key:p95`; UsageError for what matches none."""
    found: dict[tuple[str, str], None] = {}
    for one in metrics:
        name, colon, told = one.rpartition(":")
        name, statistic = (name, told) if colon and told in STATISTICS else (one, "")
        keys = [key for key in traffic.keys if key == name or (globs and fnmatchcase(key, name))]
        if not keys:
            known = f"Statistics: {', '.join(STATISTICS)}" if colon else "List: ragproof report"
            close = nearest(name, traffic.keys) or f" {known}"
            raise UsageError(f"the runs have no metric {one!r}.{close}")
        for key in keys:
            measure = traffic.measure(key)
            assert measure is not None
            found[key, statistic or _usual(measure.declared)] = None
    return [*found]


def _usual(declared: Declared) -> str:
    """What is shown of a metric unless said: the tail of times, the rate of yes and no."""
    if declared.unit is Unit.SECONDS:
        return "p95"
    return "rate" if declared.interval is Interval.WILSON else "mean"


def _releases(config: Config, clock: Clock) -> Iterable[Release]:
    releases = config.monitor.releases
    if not isinstance(releases, Path):
        for one in releases:
            yield Release(clock.moment(one.at), one.name, one.kind)
        return
    path, wrong = config.folder / at_home(releases), list[str]()
    for number, raw in read_lines(path):
        try:
            parse(raw.decode())
            one = ReleaseConfig.model_validate_json(raw)
        except ValidationError as error:
            wrong += [f"{path}:{number}: {fault}" for fault in faults(error, ReleaseConfig)]
            continue
        except ValueError as fault:
            wrong.append(f"{path}:{number}: {fault}")
            continue
        try:
            yield Release(clock.moment(one.at), one.name, one.kind)
        except ValueError as fault:
            wrong.append(f"{path}:{number}: at: {fault}")
    raise_all(wrong)


def _read(name: str, reader: Callable[[], T]) -> T:
    """Read what was said, or raise UsageError that names who said it."""
    try:
        return reader()
    except ValueError as fault:
        if isinstance(fault, UsageError):
            raise
        raise UsageError(f"{name}: {fault}" if name else str(fault)) from None
