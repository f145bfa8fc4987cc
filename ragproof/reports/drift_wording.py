"""How figures of drift are put into words."""

from __future__ import annotations

from collections.abc import Iterator

from ragproof.analysis.drift import (
    CLASSIFIER,
    KL,
    MMD,
    SLICES,
    TOGETHER,
    Detected,
    Findings,
    Verdict,
    by_chance,
)
from ragproof.analysis.drift_result import Calibration, Drift, Held, Neighbours, Side
from ragproof.analysis.drift_shifts import MOVED_BY, MOVED_SHARE, POWER, Noticed
from ragproof.analysis.drift_slices import Slice
from ragproof.analysis.drift_texts import SideFigure
from ragproof.core.spec import Unit
from ragproof.reports.wording import figure, one_line
from ragproof.text.counting import counted

NAMES = {
    MMD: "MMD",
    CLASSIFIER: "classifier",
    KL: "KL",
    SLICES: "slices",
    TOGETHER: "together",
}
NONE_AT = "not reached"


def value(one: float) -> str:
    """Three digits that count.

    >>> value(0.012345), value(-0.00021), value(0.0)
    ('0.0123', '-0.00021', '0')
    """
    return f"{one:.3g}"


def p(one: float) -> str:
    """A p-value.

    >>> p(0.0016666), p(0.0416)
    ('0.0017', '0.042')
    """
    return f"{one:.2g}" if one < 0.995 else "1"


def ends(one: tuple[float, float] | None) -> str:
    """An interval, empty where there is none."""
    return "" if one is None else f"[{value(one[0])}, {value(one[1])}]"


def chance(one: tuple[float, float] | None) -> str:
    """What the statistic is where labels mean nothing: median, and what 1 in 20 exceeds."""
    return "" if one is None else f"{value(one[0])} .. {value(one[1])}"


def detector_row(one: Detected) -> tuple[str, ...]:
    """A detector, what it found, interval, what chance does, p-value."""
    found = (value(one.value), ends(one.ends), chance(one.chance), p(one.p_adjusted))
    return (NAMES[one.name], *found)


def divergence_rows(found: Findings) -> Iterator[tuple[str, ...]]:
    """The same of the KL of each number."""
    for name, one in found.divergences.items():
        numbers = value(float(one.values[0])), ends(one.ends), chance(by_chance(one.values))
        yield (f"of {one_line(name, 40)}", *numbers, p(found.p_of(name)))


def side(one: Side) -> str:
    """A sample in a line."""
    rows = counted(one.rows, "row")
    of = f", {one.units:,} independent" if one.units != one.rows else ""
    repeated = f", {one.repeated:,} repeated" if one.repeated else ""
    return f"{one_line(one.source, 300)}: {rows}{of}{repeated}"


def verdict(found: Drift) -> str:
    """Say in a sentence what may be said."""
    alpha = found.findings.setup.alpha
    match found.verdict:
        case Verdict.DRIFT:
            names = [NAMES[one.name] for one in found.findings.detected if one.is_alarm]
            told = (
                f"drift: the samples differ by more than chance, say {', '.join(names)} "
                f"(adjusted for {len(found.findings.detected)} tests)"
            )
        case Verdict.NONE:
            told = f"no drift shown at {alpha:g}. {yardstick(found.yardstick)}"
        case Verdict.INCONCLUSIVE:
            told = (
                f"inconclusive: no alarm at {alpha:g}, but the samples are too small to say more. "
                f"{yardstick(found.yardstick)}"
            )
    return told


def yardstick(one: Noticed | None) -> str:
    """What a known shift would have done."""
    if one is None:
        return ""
    rows = f"{one.rows[0]:,} and {one.rows[1]:,} of these rows"
    return (
        f"A known shift, {MOVED_SHARE:.0%} of the current rows moved by {MOVED_BY:g} standard "
        f"deviations along the first axis, was noticed in {one.alarms[TOGETHER]} of {one.tries} "
        f"tries with {rows} ({POWER:.0%} is enough)"
    )


def slice_name(one: Slice) -> str:
    """A tag and its value."""
    return f"{one_line(one.tag, 40)}={one_line(one.value, 40)}"


def percent(share: float) -> str:
    """A share.

    >>> percent(0.1234), percent(0.00012), percent(0.0)
    ('12.3 %', '0.012 %', '0 %')
    """
    return f"{100 * share:.3g} %" if share < 1 else "100 %"


def points(one: tuple[float, float]) -> str:
    """An interval of a difference of shares, in percentage points."""
    return f"[{100 * one[0]:+.1f}, {100 * one[1]:+.1f}]"


def side_figure(one: SideFigure) -> tuple[str, str]:
    """A plain figure of both samples, each with its interval."""
    first, second = (
        f"{_amount(mean, one.unit)} {_span(bounds.ends, one.unit)}".rstrip()
        for mean, bounds in (one.reference, one.current)
    )
    return first, second


def _amount(mean: float, unit: Unit) -> str:
    return percent(mean) if unit is Unit.FRACTION else figure(mean, unit)


def _span(found: tuple[float, float] | None, unit: Unit) -> str:
    return "" if found is None else f"[{_amount(found[0], unit)}, {_amount(found[1], unit)}]"


def shift_name(one: Noticed) -> str:
    """A shift and its size."""
    return f"{one_line(one.shift, 60)} {one.size:g}" if one.size else "no shift: false alarms"


def rate(one: Noticed, detector: str) -> str:
    """How often it was noticed, with the interval: `0.94 [0.84, 0.98]`."""
    return f"{one.share(detector):.2f} {ends_of(one, detector)}"


def ends_of(one: Noticed, detector: str) -> str:
    """The interval alone."""
    low, high = one.ends(detector)
    return f"[{low:.2f}, {high:.2f}]"


def tried(one: Noticed) -> str:
    """A line of progress."""
    rows, alarms = counted(one.rows[0], "row"), counted(one.alarms[TOGETHER], "alarm")
    return f"{shift_name(one)}, {rows} a sample: {alarms} in {counted(one.tries, 'try')}"


def windows(found: Calibration) -> Iterator[str]:
    """From how many rows a sample on each shift is noticed often enough."""
    shifts = dict.fromkeys((one.shift, one.size) for one in found.noticed if one.size)
    names = {(one.shift, one.size): shift_name(one) for one in found.noticed}
    for key in shifts:
        rows = found.enough(*key, TOGETHER)
        best = found.soonest(*key)
        told = NONE_AT if rows is None else f"from {counted(rows, 'row')} a sample"
        alone = "" if best is None else f"; {NAMES[best[0]]} alone from {best[1]:,}"
        yield f"{names[key]}: {told}{alone}"


def held(found: Neighbours) -> str:
    """Say in a sentence what became of the bound."""
    overlap = found.stability.overlap
    told = f"overlap {overlap.mean:.4f} {span(overlap.bounds.ends)}".rstrip()
    match found.verdict:
        case None:
            return f"{told}. No bound was given (--min-overlap)"
        case Held.PASS:
            return f"pass: {told}, all of it at least {found.least:g}"
        case Held.FAIL:
            return f"fail: {told}, all of it below {found.least:g}"
        case Held.INCONCLUSIVE:
            return f"inconclusive: {told} holds {found.least:g}; more probes would settle it"


def span(one: tuple[float, float] | None) -> str:
    """An interval of a share, four decimals."""
    return "" if one is None else f"[{one[0]:.4f}, {one[1]:.4f}]"
