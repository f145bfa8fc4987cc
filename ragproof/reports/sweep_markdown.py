"""A sweep as Markdown, short enough for a comment on a pull request."""

from __future__ import annotations

from collections.abc import Iterator

from ragproof.analysis.sweep import Study
from ragproof.reports.markdown import TEXT, Block, cell, code, folded, written
from ragproof.reports.sweep_parts import part_tables, parts_note
from ragproof.reports.sweep_wording import (
    cells,
    compared,
    edge,
    evidence,
    facts,
    place,
    reference,
    verdict,
    warnings,
)


def sweep_markdown(study: Study) -> str:
    """Write it: the choice first, then the points."""
    return written(_blocks(study))


def _blocks(study: Study) -> Iterator[Block]:
    yield Block(f"### Sweep {code(study.name)}\n\nchoice: {code(verdict(study), TEXT)}\n\n", [])
    if study.choice is not None:
        told = [study.choice.reason, *filter(None, [edge(study)])]
        yield Block("", [f"{code(one, 2 * TEXT)}\n\n" for one in told])
    lines = [f"- warning: {code(one, TEXT)}\n" for one in warnings(study)]
    yield Block("", [*lines, "\n"] if lines else [])
    head = "| | point | quality | 95 % interval | p95 | cost | tokens | |\n"
    rule = "|---|---|--:|:-:|--:|--:|--:|---|\n"
    rows = [_row(study, at) for at in range(len(study.points))]
    over = " and ".join(study.frontier.axes) or "nothing else"
    yield Block(head + rule, rows, f"\n&ast;: on the frontier of quality against {over}\n\n")
    yield from _parts(study)
    found = [row for at in range(len(study.points)) if (row := compared(study, at)) is not None]
    if found:
        titles = "| point | change | 95 % interval | p (adjusted) | better / worse / equal |\n"
        before = f"**Compared with** {code(reference(study), TEXT)}\n\n{titles}"
        entries = [f"| {cell(row[0], TEXT)} | {' | '.join(row[1:])} |\n" for row in found]
        yield Block(f"{before}|---|--:|:-:|--:|:-:|\n", entries, "\n")
    if told := evidence(study):
        yield folded("What the choice rests on", [f"- {code(one, TEXT)}\n" for one in told])
    yield folded("Sweep", [f"- {name}: {code(text, TEXT)}\n" for name, text in facts(study)])


def _parts(study: Study) -> Iterator[Block]:
    tables = part_tables(study)
    for table in tables:
        head = "".join(f"| {cell(one, TEXT)} " for one in table.columns)
        rule = f"|---{'|--:' * (len(table.columns) - 1)}|"
        rows = [f"| {cell(row[0], TEXT)} | {' | '.join(row[1:])} |\n" for row in table.rows]
        yield Block(f"**{cell(table.title, TEXT)}**\n\n{head}|\n{rule}\n", rows, "\n")
    if tables:
        yield Block(f"{parts_note(study)}\n\n", [])


def _row(study: Study, at: int) -> str:
    name, *rest = cells(study, at)
    mark = "&ast;" if study.frontier.places[at].on_frontier else ""
    if study.choice is not None and study.choice.chosen == at:
        mark += " **chosen**"
    told = place(study, at)
    note = cell(told, TEXT) if told else ""
    return f"| {mark} | {cell(name, TEXT)} | {' | '.join(rest)} | {note} |\n"
