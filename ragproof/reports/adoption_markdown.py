"""Decisions as Markdown, short enough for a comment on a pull request."""

from __future__ import annotations

from collections.abc import Iterator

from ragproof.analysis.decide import Adoption, Decided, Decisions, Finding, State
from ragproof.reports.adoption_wording import (
    asked_for,
    found_to_be,
    more_on,
    outcome,
    plan,
    registration,
    verdict,
)
from ragproof.reports.decision_wording import run_name
from ragproof.reports.markdown import TEXT, Block, cell, code, folded, written

MARKS = {
    Adoption.ADOPT: ":white_check_mark:",
    Adoption.REJECT: ":x:",
    Adoption.INCONCLUSIVE: ":grey_question:",
    State.MET: ":white_check_mark:",
    State.NOT_MET: ":x:",
    State.UNDECIDED: ":grey_question:",
    State.MISSING: ":no_entry:",
    State.SHOWN: ":mag:",
}


def decisions_markdown(found: Decisions) -> str:
    """Write what came of every rule, clause by clause."""
    return written(_blocks(found))


def _blocks(found: Decisions) -> Iterator[Block]:
    names = [code(run_name(one.header)) for one in (found.baseline, found.candidate)]
    yield Block(f"### {outcome(found)}\n\n{names[0]} -> {names[1]}\n\n", [])
    remarks = [*(f"- warning: {code(one, TEXT)}\n" for one in found.doubts)]
    remarks += [f"- note: {code(one, TEXT)}\n" for one in found.notes]
    if remarks:
        yield Block("", [*remarks, "\n"])
    for one in found.decided:
        yield from _rule(one)
    if found.told:
        yield folded("What differs between the runs", [f"- {code(t, TEXT)}\n" for t in found.told])


def _rule(one: Decided) -> Iterator[Block]:
    head = f"**{MARKS[one.verdict]} {code(one.rule.name)}** {code(verdict(one), TEXT)}\n\n"
    lines = [registration(one), *(f"not to be decided: {why}" for why in one.holds), *one.notes]
    if one.progress is not None:
        lines += [f"experiment: {line}" for line in plan(one.progress)]
    yield Block(head, [*(f"- {code(line, TEXT)}\n" for line in lines), "\n"])
    table = "| | asked for | found |\n|---|---|---|\n"
    yield Block(table, [_row(finding) for finding in one.findings], "\n")


def _row(finding: Finding) -> str:
    unit = None if finding.measured is None else finding.measured.unit
    told = "<br>".join(cell(one, TEXT) for one in (found_to_be(finding), *more_on(finding)))
    mark = f"{MARKS[finding.state]} {finding.state}"
    return f"| {mark} | {cell(asked_for(finding.clause, unit), TEXT)} | {told} |\n"
