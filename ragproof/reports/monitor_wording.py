"""How windows, guardrails and what they point to are put into words, the same on every page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from ragproof.analysis.monitor_check import Checked
from ragproof.analysis.monitor_figures import Figure
from ragproof.analysis.monitor_guardrails import Held, Standing
from ragproof.analysis.monitor_shape import Course, Shape
from ragproof.analysis.monitor_signals import is_candidate_signal
from ragproof.analysis.monitor_traffic import Traffic
from ragproof.analysis.monitor_triage import Moved, Triage
from ragproof.analysis.monitor_windows import Change, Monitored, Series
from ragproof.analysis.power import SIGNIFICANT
from ragproof.core.spec import Unit
from ragproof.reports.decision_wording import run_name, signed
from ragproof.reports.wording import figure, one_line
from ragproof.text.counting import counted

NAME = 60
RUNS = 5
"""So many are named."""
SUFFIXES = ("_seconds", "_usd")
NO_CAUSE = (
    "A shape is a hypothesis and proves no cause: inspect data, traffic, provider, policy and "
    "deployment at that time."
)
CANDIDATE = "a candidate signal, no figure of quality until reviews validate it: ragproof review"
URGENT = (Standing.ALERT, *(one for one in Standing if one is not Standing.ALERT))
WORDS = {
    Standing.PASS: "pass",
    Standing.ALERT: "alert",
    Standing.INCONCLUSIVE: "inconclusive",
    Standing.TOO_FEW: "too few",
    Standing.NOT_MEASURED: "not measured",
}


def moment(at: float) -> str:
    """Write a moment as ISO 8601 in UTC."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def facts(traffic: Traffic, told: Sequence[tuple[str, str]] = ()) -> Iterator[tuple[str, str]]:
    """What a reader should know of the traffic: name and text of each fact."""
    failed = int(traffic.failed.sum())
    lost = f", {failed:,} of them failed" if failed else ""
    yield "traffic", f"{counted(traffic.size, 'case')}{lost}"
    runs = [one_line(run_name(one.header), NAME) for one in traffic.records]
    more = f" and {len(runs) - RUNS} older ones" if len(runs) > RUNS else ""
    yield "runs", f"{', '.join(runs[:RUNS])}{more}"
    yield from told
    if traffic.left_out:
        reasons = "; ".join(
            f"{count:,} {one_line(why, 120)}" for why, count in traffic.left_out.items()
        )
        yield "left out", reasons


def laid(found: Monitored) -> list[tuple[str, str]]:
    """How the windows lie."""
    step = "" if found.step == found.length else f", one every {found.step}"
    number = counted(len(found.windows), "window")
    facts = [("windows", f"{number} of {found.length}{step}, clock of {found.clock.name}")]
    if found.windows:
        facts.append(("from", f"{found.windows[0].name} to {found.windows[-1].name}"))
    if found.reference is not None:
        facts.append(("reference", found.reference.name))
    return facts


def title(one: Series) -> str:
    """A metric's name as the head of a narrow column: `latency p95`."""
    name = one.key.partition(".")[2] or one.key
    name, _, label = name.partition("[")
    name += f" {label.rstrip(']').rpartition('=')[2]}" if label else ""
    for suffix in SUFFIXES:
        name = name.removesuffix(suffix)
    most = 18 if label else 12
    short = name if len(name) <= most else f"{name[: most - 3]}..."
    return f"{short} {one.statistic}" if one.statistic.startswith(("p", "c")) else short


def called(traffic: Traffic, one: Series) -> str:
    """A metric and what is shown of it: `system.latency_seconds, p95, lower is better`."""
    return f"{one.key}, {one.statistic}, {direction(traffic, one.key)}"


def direction(traffic: Traffic, key: str) -> str:
    """Which way is better, or what a signal points to."""
    measure = traffic.measure(key)
    assert measure is not None
    if not is_candidate_signal(measure.declared):
        return f"{measure.declared.better} is better"
    validated = traffic.reviewed.signals.get(key)
    if validated is None:
        return "neither way is better"
    return f"higher points to {' and '.join(one_line(to, NAME) for to in validated.points_to)}"


def on_review(traffic: Traffic, key: str) -> str:
    """On which reviews the direction of a signal rests, or that it has none; else empty."""
    measure = traffic.measure(key)
    if measure is None or not is_candidate_signal(measure.declared):
        return ""
    found = traffic.reviewed.signals.get(key)
    if found is None:
        return CANDIDATE
    runs = ", ".join(one_line(one, NAME) for one in found.runs)
    return (
        f"validated by blind review of {counted(found.measured, 'answer')} of {runs}, drawn "
        f"{one_line(found.drawn_at, NAME)[:10]}, decided {one_line(found.decided_at, NAME)[:10]}"
    )


def unit_of(one: Series) -> Unit:
    """The unit of what is shown."""
    return Unit.FRACTION if one.statistic == "completion" else one.declared.unit


def ends_told(ends: tuple[float, float] | None, unit: Unit) -> str:
    """Write an interval: ` [0.1, 0.2]`; empty where there is none."""
    return "" if ends is None else f" [{figure(ends[0], unit)}, {figure(ends[1], unit)}]"


def told_of(one: Figure, unit: Unit) -> str:
    """Write a figure with its interval, or why it has none."""
    ends = one.bounds.ends
    why = f" (no interval: {one.why})" if ends is None and one.why else ""
    return f"{figure(one.value, unit)}{ends_told(ends, unit)}{why}"


def change_told(change: Change | None, unit: Unit) -> str:
    """Write a change with its interval."""
    if change is None:
        return "-"
    delta, ends = change
    told = "" if ends is None else f" [{signed(ends[0], unit)}, {signed(ends[1], unit)}]"
    return f"{signed(delta, unit)}{told}"


def moved(change: Change | None) -> bool:
    """Whether the interval of a change leaves out 0."""
    return change is not None and change[1] is not None and not change[1][0] <= 0 <= change[1][1]


def course_told(one: Series, windows: Sequence[str], tested: int) -> str:
    """Say how a figure went over the windows."""
    course = one.course
    if isinstance(course, str):
        return course
    p = course.p_value if one.p_adjusted is None else one.p_adjusted
    told = f"(p {p:.2g}, Holm over {tested})"
    if p > SIGNIFICANT:
        return f"no change shown over {counted(course.windows, 'window')} {told}"
    return f"{_shape(course, windows, unit_of(one))} {told}"


def _shape(course: Course, windows: Sequence[str], unit: Unit) -> str:
    before, after = (figure(level, unit) for level in (course.before, course.after))
    apart = f" ({signed(course.after - course.before, unit)})" if before == after else ""
    levels = f"{before} -> {after}{apart}"
    match course.shape:
        case Shape.SUDDEN:
            return f"sudden around {windows[course.at]}: {levels}"
        case Shape.GRADUAL:
            return f"gradual, by halves {levels}"
        case _:
            return f"changed, at once or bit by bit, around {windows[course.at]}: {levels}"


def tested(series: Sequence[Series]) -> int:
    """Over how many p-values are adjusted."""
    return sum(one.p_adjusted is not None for one in series)


def outcome(found: Checked) -> str:
    """Say in one line how the guardrails stand."""
    counts = Counter(one.standing for one in found.held)
    word = "Alert" if found.alerts else "Not measured" if found.unmeasured else "No alert"
    told = {one: f"{counts[one]:,} {WORDS[one]}" for one in URGENT if counts[one]}
    if Standing.ALERT in told:
        told[Standing.ALERT] = counted(counts[Standing.ALERT], WORDS[Standing.ALERT])
    return f"{word}: {', '.join(told.values())}"


def sureness(found: Checked) -> str:
    """Say how sure each look has to be, and by which rule."""
    budget = found.watch.false_alerts
    shared = counted(found.guardrails, "guardrail")
    return (
        f"{budget} false alerts, {shared}, a look every {found.watch.step}: "
        f"a look of one may err with a chance of {found.chance:.2g}"
    )


def asked_for(one: Held) -> str:
    """Write a guardrail: `p95 max 4, window 1d, intent=refund, high`."""
    part = "" if one.value_of is None else f", {one.guardrail.by}={one_line(one.value_of, NAME)}"
    priority = "" if one.guardrail.priority == "medium" else f", {one.guardrail.priority} priority"
    return f"{one.guardrail.asked}{part}{priority}"


def held_told(one: Held, unit: Unit) -> str:
    """Say what was found in the window."""
    parts = []
    if one.figure is not None and one.figure.value is not None:
        parts.append(_figured(one, unit))
    if one.detail:
        parts.append(one_line(one.detail, 300))
    if one.figure is not None and one.figure.lost and "completion" not in one.detail:
        parts.append(f"{one.figure.lost:,} failed")
    return f"{one.window.name}: {'; '.join(parts)}"


def _figured(one: Held, unit: Unit) -> str:
    assert one.figure is not None
    unit = Unit.FRACTION if one.guardrail.statistic == "completion" else unit
    told = f"{one.guardrail.statistic} {figure(one.figure.value, unit)}"
    if one.above is not None:
        told += f" is {'above' if one.above else 'below'}"
    if one.band is not None:
        band = f"{figure(one.band.low, unit)} to {figure(one.band.high, unit)}"
        told += f"{' the' if one.above is not None else ', in its'} band {band}"
    elif one.above is not None:
        told += f" {figure(one.guardrail.max if one.above else one.guardrail.min, unit)}"
    for name, limit in zip(("at least", "at most"), one.limits, strict=True):
        if limit is not None:
            told += f", {name} {figure(limit, unit)} with {1 - one.tail:.4g} confidence"
    return f"{told} ({counted(one.figure.scored, 'case')})"


def band_told(one: Held, unit: Unit) -> str:
    """Say on what a band rests."""
    assert one.band is not None
    band = one.band
    out = f", left out as outlying: {', '.join(band.excluded)}" if band.excluded else ""
    return (
        f"band from {counted(band.windows, 'window')}, centre {figure(band.centre, unit)}, "
        f"sigma z {band.sigma:.2f}{out}; {band.season}"
    )


def pointed(triage: Triage, told: str) -> str:
    """Say what an alert points to; `told` is the clock's way to write a release's time."""
    match triage.points_to:
        case "regression":
            one = triage.releases[0]
            more = f" (and {len(triage.releases) - 1} more)" if len(triage.releases) > 1 else ""
            return (
                f"points to a regression: release {one_line(one.name, NAME)} ({one.kind}) at "
                f"{told}{more}; the alert began {triage.began.name}. They may coincide: confirm it"
            )
        case "drift":
            return (
                "points to drift: no release is known shortly before it began, "
                f"{triage.began.name}. A provider or the data may have changed without one: "
                "confirm it"
            )
        case _:
            return "it was so in the first window already: no change is in this traffic"


def slice_told(one: Moved, unit: Unit, *, above: bool | None) -> str:
    """Write a slice that moved."""
    name = f"{one_line(one.tag, NAME)}={one_line(one.value, NAME)}"
    what = ""
    if one.beyond is not None:
        what = f" of answers {'above' if above else 'below'} {figure(one.beyond, unit)}"
        unit = Unit.FRACTION
    before, after = (figure(part.value, unit) for part in (one.before, one.after))
    share = f"{one.share[0]:.0%} -> {one.share[1]:.0%} of cases"
    return f"{name} {before} -> {after}{what}, {change_told((one.delta, one.ends), unit)}; {share}"
