"""Windows, guardrails and back-tests on the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ragproof.analysis.monitor_backtest import WITHIN, Calibrated, Tried
from ragproof.analysis.monitor_check import Checked
from ragproof.analysis.monitor_guardrails import Held, Standing
from ragproof.analysis.monitor_windows import Monitored, Series
from ragproof.core.spec import Unit
from ragproof.reports.decision_wording import signed
from ragproof.reports.monitor_wording import (
    NAME,
    NO_CAUSE,
    URGENT,
    WORDS,
    asked_for,
    band_told,
    called,
    change_told,
    course_told,
    direction,
    facts,
    held_told,
    laid,
    moved,
    on_review,
    outcome,
    pointed,
    slice_told,
    sureness,
    tested,
    title,
    told_of,
    unit_of,
)
from ragproof.reports.page import GAP, Page
from ragproof.reports.wording import figure, one_line
from ragproof.text.counting import counted

if TYPE_CHECKING:
    from rich.console import Console

STYLES: Mapping[Standing, str] = {
    Standing.PASS: "green",
    Standing.ALERT: "bold red",
    Standing.INCONCLUSIVE: "yellow",
    Standing.TOO_FEW: "yellow",
    Standing.NOT_MEASURED: "dim",
}
LEVELS = "▁▂▃▄▅▆▇█"
NOT_ENDED = "*"


def print_windows(console: Console, found: Monitored, last: int) -> None:
    """Print traffic by windows, the newest `last` of them."""
    page = Page(console)
    _facts(page, facts(found.traffic, laid(found)), found.notes)
    page.entry(f"{'drift':<11}", "of questions or embeddings between windows: ragproof drift")
    if found.absent:
        page.entry(f"{'absent':<11}", ", ".join(found.absent))
    for some in _fitting(page, found):
        page.line()
        _table(page, found, some, last)
    if any(not one.finished for one in found.windows[-last:]):
        page.line(f"{NOT_ENDED} had not ended when the traffic was read", "dim")
    for one in found.series:
        _series(page, found, one)
    if found.slices:
        _slices(page, found)
    page.line()
    page.line("Intervals are 95 % each. Failed cases are in no mean.", "dim")
    if any(one.latest is not None for one in found.series):
        page.line(NO_CAUSE, "dim")


def _facts(page: Page, told: Iterable[tuple[str, str]], notes: Sequence[str]) -> None:
    for name, text in told:
        page.entry(f"{name:<11}", text)
    for note in notes:
        page.entry("warning: ", one_line(note, 300), label_style="yellow")


def _fitting(page: Page, found: Monitored) -> Iterator[list[Series]]:
    """The metrics, as many at a time as there is room for beside the windows."""
    room = page.width - 18 - 2 * (6 + GAP)
    some: list[Series] = []
    for one in (each for each in found.series if each.latest is not None):
        if some and sum(max(len(title(each)), 7) + GAP for each in (*some, one)) > room:
            yield some
            some = []
        some.append(one)
    if some or all(one.latest is None for one in found.series):
        yield some


def _table(page: Page, found: Monitored, series: Sequence[Series], last: int) -> None:
    titles = ("window", "cases", "failed", *(title(one) for one in series))
    rows = []
    for at, (window, load) in enumerate(zip(found.windows, found.loads, strict=True)):
        name = window.name if window.finished else f"{window.name}{NOT_ENDED}"
        told = [figure(one.rows[at].figure.value, unit_of(one)) for one in series]
        rows.append((name, f"{load.cases:,}", f"{load.failed:,}", *told))
    shown = rows[-last:]
    widths = page.fitted([titles, *shown])
    page.cells([(one, "dim") for one in titles], widths)
    for row in shown:
        style = "red" if row[2] != "0" else ""
        page.cells(
            [(row[0], ""), (row[1], ""), (row[2], style), *((c, "") for c in row[3:])], widths
        )
    if len(rows) > last:
        page.line(f"{len(rows) - last:,} older ones: --last {len(rows)}, or --json", "dim")


def _series(page: Page, found: Monitored, one: Series) -> None:
    page.heading(called(found.traffic, one))
    if told := on_review(found.traffic, one.key):
        page.line(told, "dim", indent=2)
    drawn = _sparkline(page, one)
    if drawn:
        page.entry("  course           ", drawn)
    if one.latest is None:
        why = next((row.figure.why for row in one.rows[::-1] if row.figure.why), "no window")
        page.entry("  not measured     ", one_line(why, 200), "yellow")
        return
    row, unit = one.rows[one.latest], unit_of(one)
    lost = f", {row.figure.lost:,} failed" if row.figure.lost else ""
    number = counted(row.figure.n, "case")
    told = f"{told_of(row.figure, unit)}, {number}{lost} ({found.windows[one.latest].name})"
    page.entry("  latest           ", told)
    for name, change in (("previous", row.from_before), ("reference", row.from_reference)):
        style = "bold" if moved(change) else ""
        page.entry(f"  since {name:<11}", change_told(change, unit), style)
    names = [window.name for window in found.windows]
    page.entry("  shape            ", course_told(one, names, tested(found.series)))


def _sparkline(page: Page, one: Series) -> str:
    """The figures as bars of eight heights, none where there is no figure."""
    room = max(page.width - 20, 8)
    values = [row.figure.value for row in one.rows][-room:]
    there = [value for value in values if value is not None]
    if len(there) < 2 or not page.has_blocks:
        return ""
    low, high = min(there), max(there)
    scale = (len(LEVELS) - 1) / (high - low) if high > low else 0.0
    return "".join(" " if one is None else LEVELS[round((one - low) * scale)] for one in values)


def _slices(page: Page, found: Monitored) -> None:
    page.heading(f"By {one_line(found.by or '', NAME)}")
    titles = ("", "cases", "latest", "reference", "since reference")
    for key in dict.fromkeys((one.key, one.statistic) for one in found.slices):
        mine = [one for one in found.slices if (one.key, one.statistic) == key]
        page.line(f"{key[0]}, {key[1]}", indent=2)
        rows, styles = [], []
        for one in mine:
            unit, row = unit_of(one), one.rows[one.latest] if one.latest is not None else None
            there = "-" if one.reference is None else figure(one.reference.value, unit)
            change = None if row is None else row.from_reference
            cells = (
                ("0", "-", there, "-")
                if row is None
                else (f"{row.figure.n:,}", figure(row.figure.value, unit), there)
            )
            told = cells if row is None else (*cells, change_told(change, unit))
            rows.append((f"    {one_line(one.value_of or '', NAME)}", *told))
            styles.append("bold" if moved(change) else "")
        widths = page.fitted([titles, *rows])
        page.cells([(cell, "dim") for cell in titles], widths)
        for row_, style in zip(rows, styles, strict=True):
            page.cells([(cell, style) for cell in row_], widths)


def print_check(console: Console, found: Checked) -> None:
    """Print how the guardrails stand, alerts first."""
    page = Page(console)
    style = "bold red" if found.alerts else "bold yellow" if found.unmeasured else "bold green"
    page.line(outcome(found), style)
    _facts(page, facts(found.traffic), found.notes)
    page.entry(f"{'sureness':<11}", sureness(found))
    page.line()
    places = sorted(range(len(found.held)), key=lambda at: URGENT.index(found.held[at].standing))
    for at in places:
        _held(page, found, at)


def _held(page: Page, found: Checked, at: int) -> None:
    one = found.held[at]
    unit = _unit(found, one)
    label = f"{WORDS[one.standing]:<14}"
    page.entry(label, f"{one.guardrail.metric}: {asked_for(one)}", label_style=STYLES[one.standing])
    page.line(held_told(one, unit), indent=len(label))
    if one.band is not None:
        page.line(band_told(one, unit), "dim", indent=len(label))
    if told := on_review(found.traffic, one.guardrail.metric):
        page.line(told, "dim", indent=len(label))
    if at in found.triages:
        for line in triage_lines(found, at):
            page.line(line, indent=len(label))


def triage_lines(found: Checked, at: int) -> Iterator[str]:
    """What to look at first after an alert."""
    one, triage = found.held[at], found.triages[at]
    when = found.watch.clock.told(triage.releases[0].at) if triage.releases else ""
    yield pointed(triage, when)
    unit = _unit(found, one)
    if triage.slices:
        yield f"slices that moved most since {triage.against} (95 % each, not adjusted):"
        yield from (f"  {slice_told(each, unit, above=one.above)}" for each in triage.slices)
    if triage.traces:
        ids = ", ".join(one_line(name, 40) for name in triage.traces)
        yield f"traces to read: {ids}"


def _unit(found: Checked, one: Held) -> Unit:
    measure = found.traffic.measure(one.guardrail.metric)
    completes = one.guardrail.statistic == "completion"
    return Unit.FRACTION if measure is None or completes else measure.declared.unit


def print_calibrated(console: Console, found: Calibrated) -> None:
    """Print how control bands would have done."""
    page, unit = Page(console), found.declared.unit
    unit = Unit.FRACTION if found.statistic == "completion" else unit
    page.line(f"{found.key}, {found.statistic}, {direction(found.traffic, found.key)}", "bold")
    _facts(page, facts(found.traffic), ())
    shared = counted(found.guardrails, "guardrail")
    page.entry(f"{'budget':<11}", f"{found.false_alerts} false alerts, {shared}")
    for one in found.tried:
        page.heading(f"Windows of {one.length}")
        if not isinstance(one, Tried):
            page.entry("  no band    ", one.why, "yellow")
            continue
        _tried(page, one, unit)
    page.line()
    page.line(
        "Alerts on history count as false: look whether something did happen then. Each window is "
        "held to the band that the others make.",
        "dim",
    )


def _tried(page: Page, one: Tried, unit: Unit) -> None:
    lost = f", {one.unmeasured:,} with too few cases" if one.unmeasured else ""
    page.entry("  history    ", f"{counted(one.windows, 'window')}{lost}; {one.season}")
    low, high = (figure(limit, unit) for limit in one.limits)
    told = f"{low} to {high}, centre {figure(one.centre, unit)}, sigma z {one.sigma:.2f}"
    page.entry("  band       ", told)
    fewest, most = one.per_month_ends
    alerts = f"{one.per_month:.2g} in 30 days [{fewest:.2g}, {most:.2g}]"
    named = f": {', '.join(one.outside[:8])}" if one.outside else ""
    more = f" and {len(one.outside) - 8} more" if len(one.outside) > 8 else ""
    page.entry("  alerts     ", f"{alerts}{named}{more}")
    titles = ("  shift", *(f"in {number}" for number in WITHIN), "4 of 5 times in")
    rows = []
    for each in one.detections:
        needed = "-" if each.windows_needed is None else counted(each.windows_needed, "window")
        chances = [f"{chance:.0%}" for chance in each.within]
        rows.append((f"  {signed(each.shift, unit)}", *chances, needed))
    widths = page.fitted([titles, *rows])
    page.cells([(cell, "dim") for cell in titles], widths)
    for row in rows:
        page.cells([(cell, "") for cell in row], widths)
    if not any(each.within[-1] for each in one.detections):
        page.line("none of them is caught: --shift X tries a larger one", "dim", indent=2)
