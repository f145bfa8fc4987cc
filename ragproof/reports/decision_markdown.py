"""A comparison and a gate as Markdown, short enough for a comment on a pull request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ragproof.analysis.comparison import ChangedCase, Compared, Comparison
from ragproof.analysis.gate import Check, Gate, Verdict
from ragproof.reports.decision_wording import (
    apart,
    asked_for,
    called,
    figures_of,
    interval_of,
    joined,
    more_on,
    outcome,
    p_values,
    reach,
    run_name,
    signed,
    tested_over,
    verdicts,
    warnings,
    without_a_better,
)
from ragproof.reports.markdown import TEXT, Block, cell, code, folded, written
from ragproof.reports.wording import figure

KEYS = 4_000
"""A longer list of metrics that were not compared is cut."""
MARKS = {
    Verdict.PASS: ":white_check_mark:",
    Verdict.FAIL: ":x:",
    Verdict.WARN: ":warning:",
    Verdict.INCONCLUSIVE: ":grey_question:",
    Verdict.SKIP: ":fast_forward:",
    Verdict.ERROR: ":no_entry:",
}


def gate_markdown(gate: Gate) -> str:
    """Write a gate's verdict, what blocks first."""
    return written(gate_blocks(gate))


def comparison_markdown(found: Comparison) -> str:
    """Write a comparison."""
    return written(comparison_blocks(found))


def gate_blocks(gate: Gate) -> Iterator[Block]:
    """The parts of a gate's verdict."""
    against = f" against {code(run_name(gate.baseline.header))}" if gate.baseline else ""
    yield Block(f"### {outcome(gate)}\n\nrun {code(run_name(gate.run.header))}{against}\n\n", [])
    if gate.notes:
        yield Block("", [*(f"- note: {code(one, TEXT)}\n" for one in gate.notes), "\n"])
    checks = sorted(gate.checks, key=lambda one: (not one.blocks, one.verdict is Verdict.PASS))
    head = "| | metric | asked for | found |\n|---|---|---|---|\n"
    yield Block(head, [_row(one) for one in checks], "\n")


def _row(check: Check) -> str:
    found = "<br>".join(cell(one, TEXT) for one in (check.detail, *more_on(check)))
    mark = f"{MARKS[check.verdict]} {check.verdict}"
    return f"| {mark} | {cell(check.asked.metric)} | {cell(asked_for(check), TEXT)} | {found} |\n"


def comparison_blocks(found: Comparison) -> Iterator[Block]:
    """The parts of a comparison."""
    names = [code(run_name(one.header)) for one in (found.baseline, found.candidate)]
    told = f"{verdicts(found)}. {joined(found)}. p adjusted {tested_over(found)}."
    told += without_a_better(found)
    yield Block(f"### {names[0]} -> {names[1]}\n\n{told}\n\n", [])
    if doubts := warnings(found):
        yield Block("", [*(f"- warning: {code(one, TEXT)}\n" for one in doubts), "\n"])
    titles = ("metric", "before", "after", "change", "95 % interval", "p (adjusted)")
    head = f"| {' | '.join(titles)} | better / worse / equal | |\n"
    rule = "|---|--:|--:|--:|:-:|--:|:-:|---|\n"
    yield Block(head + rule, [_compared(one) for one in found.metrics], "\n")
    if found.changed:
        yield folded("The cases that changed most", [_case(one, found) for one in found.changed])
    for title, lines in (
        ("What differs between the runs", [f"- {code(one, TEXT)}\n" for one in found.told]),
        (
            "Not compared",
            [f"- {code(why, TEXT)}: {code(keys, KEYS)}\n" for why, keys in apart(found)],
        ),
    ):
        if lines:
            yield folded(title, lines)


def _compared(one: Compared) -> str:
    unit, change = one.declared.unit, one.change
    word = called(one)
    cells: Sequence[str] = (
        cell(one.key),
        figure(change.baseline, unit),
        figure(change.candidate, unit),
        signed(change.delta, unit),
        interval_of(one),
        p_values(one),
        f"{one.wins:,} / {one.losses:,} / {change.ties:,}",
        f"**{word}**" if word else reach(one),
    )
    return f"| {' | '.join(cells)} |\n"


def _case(case: ChangedCase, found: Comparison) -> str:
    figures = ", ".join(f"{code(key) if key else ''} {told}" for key, told in figures_of(case))
    told = f"- {code(case.id)}: {figures}\n"
    if (seen := found.details.get(case.id)) is None:
        return told
    told += f"  - question: {code(seen.candidate.question, TEXT)}\n"
    for label, side in (("before", seen.baseline), ("after", seen.candidate)):
        if side.answer is not None:
            told += f"  - {label}: {code(side.answer, TEXT)}\n"
    return told
