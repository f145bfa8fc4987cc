"""Guardrails over windows of traffic: what is beyond a bound, and beyond chance. Pure.

A budget of false alerts sets the confidence of every look. With B false alerts allowed in a time
P, looks a step s apart and G guardrails (one a value, where a guardrail is held by a tag), each
look of each guardrail may err with a chance of B s / (P G), at most 0.05; a guardrail shares it
equally among its tests: each bound, and completion. Expectations add up whatever depends on what,
so B is kept for overlapping windows and related metrics, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Literal

from ragproof.analysis.by_tag import MANY
from ragproof.analysis.gate import exceeds
from ragproof.analysis.intervals import Indices, Sample
from ragproof.analysis.monitor_band import Band, BandRule
from ragproof.analysis.monitor_clock import AlertRate, Clock, Span, Window
from ragproof.analysis.monitor_figures import Figure, Part, by_value, figure, limit, part
from ragproof.analysis.monitor_history import History
from ragproof.analysis.monitor_traffic import Traffic
from ragproof.analysis.requirements import PERCENTILES
from ragproof.analysis.slicing import Slice
from ragproof.core.record import Flags
from ragproof.core.spec import Unit
from ragproof.text.counting import counted
from ragproof.text.nearest import nearest

WIDEST = 0.05
"""No look errs more often, whatever the budget."""
Statistic = Literal["mean", "rate", "p50", "p95", "p99", "completion"]
Priority = Literal["high", "medium", "low"]


class Standing(StrEnum):
    """How a guardrail stands in a window."""

    PASS = "pass"  # noqa: S105
    ALERT = "alert"
    """The figure is beyond the bound, and so is its interval."""
    INCONCLUSIVE = "inconclusive"
    """The figure is beyond, its interval is not; or too many cases failed to tell."""
    TOO_FEW = "too_few"
    NOT_MEASURED = "not_measured"


@dataclass(frozen=True, kw_only=True)
class Guardrail:
    """A bound on one statistic of one metric."""

    metric: str
    statistic: Statistic = "mean"
    min: float | None = None
    max: float | None = None
    band: BandRule | None = None
    """In place of the two: limits from history."""
    slice: Slice = field(default_factory=dict[str, tuple[str, ...]])
    by: str | None = None
    """Tag, each value of which is held to it."""
    window: Span
    min_samples: int = 30
    priority: Priority = "medium"
    required: bool = True
    """Whether it is an error that it could not be measured."""

    @property
    def tests(self) -> int:
        """How many tests share the chance to err: each bound, and completion."""
        bounds = 2 if self.band is not None else (self.min is not None) + (self.max is not None)
        return bounds + (self.statistic != "completion")

    @property
    def asked(self) -> str:
        """Write what is asked: `p95 max 4, intent=refund`."""
        limits = [
            f"{name} {bound:g}"
            for name in ("min", "max")
            if (bound := getattr(self, name)) is not None
        ]
        told = [" ".join([self.statistic, *(limits or ["in its band"])])]
        told += [f"{tag}={'|'.join(values)}" for tag, values in self.slice.items()]
        return ", ".join([*told, f"window {self.window}"])


@dataclass(frozen=True, slots=True)
class Release:
    """A change that was rolled out."""

    at: float
    name: str
    kind: str


@dataclass(frozen=True, kw_only=True)
class Watch:
    """How production is watched."""

    clock: Clock
    step: Span
    false_alerts: AlertRate
    guardrails: tuple[Guardrail, ...]
    min_completion: float = 0.95
    releases: tuple[Release, ...] = ()
    after_release: Span | None = None
    """So long after a release an alert is laid to it; None for one window."""


@dataclass(frozen=True, kw_only=True)
class Held:
    """A guardrail in one window, over all its cases or those with one value of a tag."""

    guardrail: Guardrail
    value_of: str | None
    """Of the tag `by`."""
    window: Window
    standing: Standing
    detail: str
    figure: Figure | None = None
    limits: tuple[float | None, float | None] = (None, None)
    """One-sided confidence limits of the figure, lower and upper, where a bound asks for one."""
    band: Band | None = None
    above: bool | None = None
    """Which way it is beyond; None where it is not, or where completion is what fails."""
    tail: float


@dataclass(frozen=True)
class Looker:
    """Holds guardrails to windows of one stretch of traffic."""

    traffic: Traffic
    watch: Watch
    _histories: dict[tuple[int, str | None], History] = field(
        default_factory=dict[tuple[int, "str | None"], History], repr=False
    )

    def windows(self, guardrail: Guardrail) -> list[Window]:
        """The windows of a guardrail that have ended."""
        if not self.traffic.size:
            return []
        first, last = float(self.traffic.asked_at[0]), float(self.traffic.asked_at[-1])
        laid = self.watch.clock.windows(
            first, last, self.traffic.until, guardrail.window, self.watch.step
        )
        return [one for one in laid if one.finished]

    def values(self, guardrail: Guardrail) -> tuple[str | None, ...]:
        """The values of its tag, each of which is held; None where it has no tag."""
        if guardrail.by is None:
            return (None,)
        names = self.traffic.codes(guardrail.by)[0]
        return names if len(names) <= MANY else ()

    @property
    def held(self) -> int:
        """How many guardrails share the budget."""
        return max(1, sum(len(self.values(one)) for one in self.watch.guardrails))

    @property
    def chance(self) -> float:
        """With which chance one look of one guardrail may err."""
        budget = self.watch.false_alerts
        share = self.watch.step.minutes / budget.period.minutes
        return min(WIDEST, budget.alerts * share / self.held)

    def look(self, guardrail: Guardrail, window: Window) -> Iterator[Held]:
        """Hold a guardrail to one window, each value of its tag by itself."""
        if guardrail.by is not None and not self.values(guardrail):
            names = len(self.traffic.codes(guardrail.by)[0])
            why = f"the tag {guardrail.by} has {names:,} values; between 1 and {MANY} can be held"
            yield self._told(guardrail, window, None, Standing.NOT_MEASURED, why)
        for value in self.values(guardrail):
            yield self.hold(guardrail, window, value)

    def hold(self, guardrail: Guardrail, window: Window, value: str | None) -> Held:
        """Hold one guardrail, or one value of its tag, to one window."""
        measure = self.traffic.measure(guardrail.metric)
        if measure is None:
            why = f"no run has this metric.{nearest(guardrail.metric, self.traffic.keys)}"
            return self._told(guardrail, window, value, Standing.NOT_MEASURED, why)
        cases = self.cases(guardrail, window, value)
        assert cases is not None
        found = figure(cases, guardrail.statistic)
        tail = self.chance / guardrail.tests
        lost = self._lost(guardrail, cases, found, tail)
        if lost is not None and lost[0] is Standing.ALERT:
            return self._told(guardrail, window, value, *lost, found)
        if found.value is None:
            why = f"nothing was scored: {found.why}"
            return self._told(guardrail, window, value, Standing.NOT_MEASURED, why, found)
        if found.n < guardrail.min_samples:
            told = counted(found.n, "scored case")
            why = f"{told}, at least {guardrail.min_samples:,} wanted"
            return self._told(guardrail, window, value, Standing.TOO_FEW, why, found)
        held = self._bounded(guardrail, window, value, cases, found, tail)
        if lost is None or held.standing is not Standing.PASS:
            return held
        return self._told(guardrail, window, value, *lost, found)

    def cases(self, guardrail: Guardrail, window: Window, value: str | None) -> Part | None:
        """The cases that are meant; None where no run has the metric."""
        measure = self.traffic.measure(guardrail.metric)
        if measure is None:
            return None
        cases = part(self.traffic, measure, self.traffic.rows(window.start, window.end))
        for tag, values in guardrail.slice.items():
            cases = cases.only(self._has(tag, values))
        if value is not None:
            assert guardrail.by is not None
            cases = dict(by_value(cases, guardrail.by))[value]
        return cases

    def _has(self, tag: str, values: tuple[str, ...]) -> Flags:
        names, codes = self.traffic.codes(tag)
        wanted = [at for at, name in enumerate(names) if name in values]
        has: Flags = (codes[:, None] == wanted).any(axis=1)
        return has

    def _lost(
        self, guardrail: Guardrail, cases: Part, found: Figure, tail: float
    ) -> tuple[Standing, str] | None:
        """What failures make of it: a figure of the rest alone would hide them."""
        share, least = found.completion, self.watch.min_completion
        if guardrail.statistic == "completion" or share is None or not exceeds(least, share):
            return None
        told = f"completion {share:.3g} is below {least:g}: {found.lost:,} failed"
        top = limit(cases.completed(), Unit.FRACTION, tail, upper=True)
        covered = found.scored + found.lost  # the rest was skipped: it says nothing of failures
        shown = top is not None and exceeds(least, top) and covered >= guardrail.min_samples
        why = next(iter(cases.measure.reasons(_failed(cases))), None)
        told = f"{told}, {found.scored:,} scored" + (f" ({why})" if why else "")
        return (Standing.ALERT if shown else Standing.INCONCLUSIVE), told

    def _bounded(
        self,
        guardrail: Guardrail,
        window: Window,
        value: str | None,
        cases: Part,
        found: Figure,
        tail: float,
    ) -> Held:
        band: Band | None = None
        bounds: Mapping[bool, float | None] = {False: guardrail.min, True: guardrail.max}
        if guardrail.band is not None:
            fitted = self._band(guardrail, window, value, found.n, tail)
            if isinstance(fitted, str):
                return self._told(guardrail, window, value, Standing.NOT_MEASURED, fitted, found)
            band, bounds = fitted, {False: fitted.low, True: fitted.high}
        assert found.value is not None
        limits: list[float | None] = [None, None]
        standing, above, more = Standing.PASS, None, ""
        for upwards, bound in bounds.items():
            if bound is None:
                continue
            test = (
                _INSIDE if band else _test(cases, guardrail.statistic, bound, tail, upwards=upwards)
            )
            limits[not upwards] = test.edge
            if _beyond(found.value, bound, upwards=upwards):
                above, more = upwards, test.told
                standing = Standing.ALERT if band or test.shown else Standing.INCONCLUSIVE
        told = self._told(guardrail, window, value, standing, more, found)
        return replace(told, limits=(limits[0], limits[1]), band=band, above=above)

    def _band(
        self, guardrail: Guardrail, window: Window, value: str | None, n: int, tail: float
    ) -> Band | str:
        assert guardrail.band is not None
        key = id(guardrail), value
        if key not in self._histories:
            self._histories[key] = History(
                guardrail.statistic,
                guardrail.band,
                guardrail.window,
                lambda one: self.cases(guardrail, one, value),
                guardrail.min_samples,
            )
        past = self.watch.clock.before(window, guardrail.window, guardrail.band.history)
        fitted = self._histories[key].chart(past, window)
        return fitted if isinstance(fitted, str) else fitted.band(window, n, tail)

    def _told(
        self,
        guardrail: Guardrail,
        window: Window,
        value: str | None,
        standing: Standing,
        detail: str,
        found: Figure | None = None,
    ) -> Held:
        return Held(
            guardrail=guardrail,
            value_of=value,
            window=window,
            standing=standing,
            detail=detail,
            figure=found,
            tail=self.chance / guardrail.tests,
        )


def _failed(cases: Part) -> Indices:
    lost: Indices = cases.places[cases.measure.lost[cases.places]]
    return lost


def _beyond(value: float, bound: float, *, upwards: bool) -> bool:
    return exceeds(value, bound) if upwards else exceeds(bound, value)


@dataclass(frozen=True, slots=True)
class _Test:
    """Whether a figure is shown to be beyond a bound."""

    shown: bool
    edge: float | None = None
    """The confidence limit on the side of the bound."""
    told: str = ""


_INSIDE = _Test(shown=False)


def _test(cases: Part, statistic: str, bound: float, tail: float, *, upwards: bool) -> _Test:
    """Test a figure by its confidence limit on the side of the bound."""
    if statistic in PERCENTILES:
        fraction = PERCENTILES[statistic]  # type: ignore[index]
        return _of_percentile(cases, fraction, bound, tail, upwards=upwards)
    completes = statistic == "completion"
    sample = cases.completed() if completes else cases.sample()
    unit = Unit.FRACTION if completes else cases.measure.declared.unit
    edge = limit(sample, unit, tail, upper=not upwards)
    if edge is None:
        return _Test(shown=False, told="the scores show no spread that tells how sure it is")
    return _Test(_beyond(edge, bound, upwards=upwards), edge)


def _of_percentile(
    cases: Part, fraction: float, bound: float, tail: float, *, upwards: bool
) -> _Test:
    """Test a percentile by the share beyond: p95 lies above where more than 5 % of answers do."""
    values = cases.values
    over: Flags = values > bound if upwards else values >= bound
    sample: Sample = cases.share(over)
    edge = limit(sample, Unit.FRACTION, tail, upper=not upwards)
    assert sample.figure is not None
    told = f"{sample.figure:.1%} of answers are {'above' if upwards else 'at least'} {bound:g}"
    if edge is None:
        return _Test(shown=False, told=told)
    shown = exceeds(edge, 1 - fraction) if upwards else exceeds(1 - fraction, edge)
    sure = f", {'no less' if upwards else 'no more'} than {edge:.1%} with this confidence"
    return _Test(shown, told=told + sure)
