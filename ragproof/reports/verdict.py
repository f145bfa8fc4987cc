"""What stands at the top of a report: may it be merged, and if nobody asked, what matters most."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ragproof.analysis.findings import Findings
from ragproof.analysis.gate import Check, Gate
from ragproof.analysis.summary import Line
from ragproof.core.header import RunState
from ragproof.core.spec import Better, Unit
from ragproof.reports.beside import NOTHING, Beside
from ragproof.reports.decision_wording import asked_for, outcome, verdicts
from ragproof.reports.facts import state_sentence
from ragproof.reports.judged import warning_of_replies
from ragproof.reports.wording import figure, interval
from ragproof.text.counting import counted

NAMED = 5
FEW = 30
"""Figures of fewer cases are said to be of few."""


@dataclass(frozen=True)
class Lead:
    """The first words of a report."""

    tone: Literal["good", "bad", "neutral"]
    title: str
    points: tuple[str, ...]


def lead(found: Findings, beside: Beside = NOTHING) -> Lead:
    """Say the verdict of the gate, or else how the run stands; then what a reader must know."""
    points = [*_of_gate(beside.gate), *_of_comparison(beside), *_of_run(found)]
    if beside.gate is not None:
        passed = beside.gate.passed
        return Lead("good" if passed else "bad", outcome(beside.gate), tuple(points))
    fine = found.record.state is RunState.COMPLETED and not found.summary.cases.failure_reasons
    title = state_sentence(found)
    return Lead("neutral" if fine else "bad", title[:1].upper() + title[1:], tuple(points))


def _of_gate(gate: Gate | None) -> Iterator[str]:
    if gate is None:
        return
    blocking = [check for check in gate.checks if check.blocks]
    yield from (_said(check) for check in blocking[:NAMED])
    if len(blocking) > NAMED:
        yield f"not met besides: {counted(len(blocking) - NAMED, 'requirement')}"


def _said(check: Check) -> str:
    return f"{check.verdict}: {check.asked.metric} ({asked_for(check)}): {check.detail}"


def _of_comparison(beside: Beside) -> Iterator[str]:
    if beside.comparison is not None:
        yield f"against the baseline: {verdicts(beside.comparison)}"


def _of_run(found: Findings) -> Iterator[str]:
    """The worst first: what is missing from the figures, then the figures."""
    cases, lines = found.summary.cases, found.summary.lines
    if cases.total == 0 or not found.record.cases:
        yield "no case was tried, so there is no figure"
    for why, count in list(cases.failure_reasons.items())[:1]:
        failed = counted(cases.errors + cases.timeouts, "failure")
        yield f"{failed}, in no mean; {count:,} x {why}"
    lacking = [line for line in lines if line.error_reasons]
    if lacking:
        worst = min(lacking, key=lambda one: one.completion or 0.0)
        yield f"{worst.key} was scored for {figure(worst.completion, Unit.FRACTION)} of its cases"
    if (told := warning_of_replies(found.record.header)) is not None:
        yield told
    lowest = _lowest(lines)
    if lowest is not None:
        told = f"{figure(lowest.mean, Unit.FRACTION)} {interval(lowest)}".rstrip()
        of = f"of {counted(lowest.scored, 'score')}"
        yield f"the lowest end-to-end figure: {lowest.key} {told}, {of}"
        if lowest.scored < FEW:
            yield f"{counted(lowest.scored, 'score')} say little: read the intervals"
    if lines and not any(line.scored for line in lines):
        yield "no metric scored any case; why stands below"


def _lowest(lines: tuple[Line, ...]) -> Line | None:
    """Of the figures that say whether the whole works, the one furthest from its good end."""

    def goodness(line: Line) -> float:
        assert line.mean is not None
        return 1 - line.mean if line.column.declared.better is Better.LOWER else line.mean

    asked = [line for line in lines if line.mean is not None and line.column.declared.headline]
    shares = [line for line in asked if line.column.declared.unit is Unit.FRACTION]
    shares = [line for line in shares if line.column.declared.better is not Better.NEITHER]
    return min(shares, key=lambda one: (goodness(one), one.key), default=None)
