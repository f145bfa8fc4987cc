"""A run with all that is beside it as one comment on a pull request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ragproof.analysis.findings import Findings
from ragproof.reports.beside import Beside, Section
from ragproof.reports.decision_markdown import comparison_blocks, gate_blocks
from ragproof.reports.markdown import TEXT, Block, cell, code, folded, run_markdown


def comment_markdown(found: Findings, beside: Beside) -> str:
    """Write the report of a run: the gate's verdict first, then what changed, then the figures."""
    return run_markdown(found, _between(beside))


def _between(beside: Beside) -> Iterator[Block]:
    if beside.warnings:
        told = [f"- warning: {code(one, TEXT)}\n" for one in beside.warnings]
        yield Block("", [*told, "\n"])
    if beside.gate is not None:
        yield from gate_blocks(beside.gate)
    if beside.comparison is not None:
        yield from comparison_blocks(beside.comparison)
    for section in beside.sections:
        yield folded(section.title, [_table(section)])


def _table(section: Section) -> str:
    note = f"{code(section.note, TEXT)}\n\n" if section.note else ""
    head = f"{_row(section.head)}|{'---|' * len(section.head)}\n"
    return f"{note}{head}{''.join(map(_row, section.rows))}\n"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell(one, TEXT) if one else '' for one in cells)} |\n"
