"""Windows and guardrails as Markdown, for a page or a message to those on call."""

from __future__ import annotations

from collections.abc import Iterator

from ragproof.analysis.monitor_check import Checked
from ragproof.analysis.monitor_guardrails import Standing
from ragproof.analysis.monitor_windows import Monitored, Series
from ragproof.core.spec import Unit
from ragproof.reports.markdown import TEXT, Block, cell, code, written
from ragproof.reports.monitor_terminal import triage_lines
from ragproof.reports.monitor_wording import (
    NO_CAUSE,
    URGENT,
    WORDS,
    asked_for,
    band_told,
    change_told,
    course_told,
    direction,
    ends_told,
    facts,
    held_told,
    laid,
    on_review,
    outcome,
    sureness,
    tested,
    told_of,
    unit_of,
)
from ragproof.reports.wording import figure

MARKS = {
    Standing.PASS: ":white_check_mark:",
    Standing.ALERT: ":rotating_light:",
    Standing.INCONCLUSIVE: ":grey_question:",
    Standing.TOO_FEW: ":grey_question:",
    Standing.NOT_MEASURED: ":fast_forward:",
}


def windows_markdown(found: Monitored) -> str:
    """Write traffic by windows, the newest first."""
    return written(_windows(found))


def check_markdown(found: Checked) -> str:
    """Write how the guardrails stand, alerts first."""
    return written(_check(found))


def _facts(told: Iterator[tuple[str, str]], notes: tuple[str, ...]) -> Block:
    lines = [f"- {name}: {code(text, TEXT)}\n" for name, text in told]
    return Block("", [*lines, *(f"- warning: {code(one, TEXT)}\n" for one in notes), "\n"])


def _windows(found: Monitored) -> Iterator[Block]:
    yield Block("### Traffic by windows\n\n", [])
    yield _facts(facts(found.traffic, laid(found)), found.notes)
    titles = ("window", "cases", "failed", *(f"{one.key} {one.statistic}" for one in found.series))
    head = f"| {' | '.join(titles)} |\n|---{'|--:' * (len(titles) - 1)}|\n"
    yield Block(head, [_row(found, at) for at in reversed(range(len(found.windows)))], "\n")
    head = (
        "| metric | latest | since previous | since reference | course |\n|---|--:|--:|--:|---|\n"
    )
    for title, series in (("", found.series), (f"By {found.by}", found.slices)):
        if series:
            named = f"#### {code(title, TEXT)}\n\n" if title else ""
            yield Block(named + head, [_latest(found, one, series) for one in series], "\n")
    yield Block(f"Intervals are 95 % each. {NO_CAUSE}\n", [])


def _row(found: Monitored, at: int) -> str:
    window, load = found.windows[at], found.loads[at]
    name = window.name if window.finished else f"{window.name} (not ended)"
    told = (
        figure(one.rows[at].figure.value, unit_of(one))
        + ends_told(one.rows[at].figure.bounds.ends, unit_of(one))
        for one in found.series
    )
    return f"| {' | '.join((name, f'{load.cases:,}', f'{load.failed:,}', *told))} |\n"


def _latest(found: Monitored, one: Series, series: tuple[Series, ...]) -> str:
    unit = unit_of(one)
    name = cell(f"{one.key} {one.statistic}")
    name += f" {cell(one.value_of)}" if one.value_of is not None else ""
    name += f"<br>{cell(direction(found.traffic, one.key), TEXT)}"
    name += f"<br>{cell(on_review(found.traffic, one.key), TEXT)}"
    if one.latest is None:
        why = next((row.figure.why for row in one.rows[::-1] if row.figure.why), "no window")
        return f"| {name} | - | - | - | {cell(f'not measured: {why}', TEXT)} |\n"
    row = one.rows[one.latest]
    names = [window.name for window in found.windows]
    cells = (
        told_of(row.figure, unit),
        change_told(row.from_before, unit),
        change_told(row.from_reference, unit),
        course_told(one, names, tested(series)),
    )
    return f"| {name} | {' | '.join(cells)} |\n"


def _check(found: Checked) -> Iterator[Block]:
    yield Block(f"### {outcome(found)}\n\n", [])
    yield _facts(facts(found.traffic, [("sureness", sureness(found))]), found.notes)
    places = sorted(range(len(found.held)), key=lambda at: URGENT.index(found.held[at].standing))
    head = "| | metric | guardrail | found |\n|---|---|---|---|\n"
    yield Block(head, [_held(found, at) for at in places], "\n")


def _held(found: Checked, at: int) -> str:
    one = found.held[at]
    measure = found.traffic.measure(one.guardrail.metric)
    completes = one.guardrail.statistic == "completion"
    unit = Unit.FRACTION if measure is None or completes else measure.declared.unit
    lines = [held_told(one, unit)]
    if one.band is not None:
        lines.append(band_told(one, unit))
    if told := on_review(found.traffic, one.guardrail.metric):
        lines.append(told)
    if at in found.triages:
        lines.extend(triage_lines(found, at))
    told = "<br>".join(cell(line, TEXT) for line in lines)
    mark = f"{MARKS[one.standing]} {WORDS[one.standing]}"
    return f"| {mark} | {cell(one.guardrail.metric)} | {cell(asked_for(one), TEXT)} | {told} |\n"
