"""A run as Markdown, short enough for a comment on a pull request, whatever the run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby

from ragproof.analysis.by_value import CLASSES, parted
from ragproof.analysis.detail import CaseDetail, evidence
from ragproof.analysis.findings import Findings
from ragproof.analysis.summary import Line
from ragproof.analysis.worst import RankedCase
from ragproof.reports.facts import run_facts, state_sentence
from ragproof.reports.judged import warning_of_replies
from ragproof.reports.parts import NOTE, part_cell
from ragproof.reports.refusals import refusal_rows
from ragproof.reports.wording import (
    LAYERS,
    by_family,
    figure,
    interval,
    one_line,
    the_worst,
    unmeasured_because,
)

LONGEST = 60_000
"""Characters of the whole; the sites that show comments take some 65,000."""
CASES = 10
TEXT = 400
"""A longer question, answer or message is cut after so many characters."""
NAME = 120
CUT = "\nThe rest does not fit into a comment; `ragproof report --html FILE` shows all of it.\n"
RESERVED = 40
"""Room for the line that says how much was left out."""


@dataclass(frozen=True)
class Block:
    """A part of the page: what stands around its entries, and the entries, cut where need be."""

    before: str
    entries: Sequence[str]
    after: str = ""


def run_markdown(found: Findings, between: Iterable[Block] = ()) -> str:
    """Write the report of a run: GitHub's Markdown, foreign text as code that nothing obeys.

    `between` stands below the head and above the figures.
    """
    return written(_blocks(found, between))


def written(blocks: Iterable[Block]) -> str:
    """Put blocks together, as much of each as there is room for; say so where one is left out."""
    page, room, left_out = "", LONGEST - len(CUT), False
    for block in blocks:
        part = _fitted(block, room)
        left_out = left_out or not part
        page, room = page + part, room - len(part)
    return page + CUT if left_out else page


def _fitted(block: Block, room: int) -> str:
    """The block with as many entries as there is room for; says how many it leaves out."""
    room -= len(block.before) + len(block.after) + RESERVED
    if room < 0:
        return ""
    taken = 0
    for entry in block.entries:
        if (room := room - len(entry)) < 0:
            break
        taken += 1
    rest = len(block.entries) - taken
    more = f"\n... and {rest:,} more\n" if rest else ""
    return f"{block.before}{''.join(block.entries[:taken])}{more}{block.after}"


def _blocks(found: Findings, between: Iterable[Block]) -> Iterator[Block]:
    """The parts, the most important first."""
    header, lines = found.record.header, found.summary.lines
    told = [*found.warnings, *filter(None, [warning_of_replies(header)])]
    warnings = [f"- warning: {code(one, TEXT)}\n" for one in told]
    yield Block(f"### {code(header.label or header.project)}\n\n{state_sentence(found)}\n\n", [])
    if warnings:
        yield Block("", [*warnings, "\n"])
    yield from between
    measured = [line for line in lines if not line.unmeasured]
    yield from _figures(measured)
    yield from _by_class(found)
    yield from _refusals(found)
    yield from _errors(found)
    worst = [one for one in found.listed if one.lowest][:CASES]
    if worst:
        cases = [_case(one, found) for one in worst]
        yield folded(the_worst(len(worst)), cases)
    for title, reasons in (
        ("Skipped", {line.key: line.skip_reasons for line in measured}),
        ("Not applicable", {line.key: line.not_applicable_reasons for line in measured}),
    ):
        if any(reasons.values()):
            yield folded(title, _reasons(reasons))
    if never := [line for line in lines if line.unmeasured]:
        yield folded("Not measured", _never(never))
    facts = [f"- {name}: {code(text, TEXT)}\n" for name, text in run_facts(found)]
    yield folded("Run", facts)


def _figures(lines: Sequence[Line]) -> Iterator[Block]:
    order = list(LAYERS)
    declared = {line.key: line.column.declared for line in lines}
    ordered = sorted(
        lines,
        key=lambda one: (order.index(declared[one.key].layer), not declared[one.key].headline),
    )
    for layer, mine in groupby(ordered, key=lambda one: declared[one.key].layer):
        head = "metric | mean | 95 % interval | scored | skipped | n/a | errors"
        ruler = "|---|--:|:-:|--:|--:|--:|--:|"
        yield Block(f"**{LAYERS[layer]}**\n\n| {head} |\n{ruler}\n", [*map(_row, mine)], "\n")


def _row(line: Line) -> str:
    declared = line.column.declared
    name, mean = cell(line.key), figure(line.mean, declared.unit)
    counts = (line.scored, line.skipped, line.not_applicable, line.errors)
    cells = [
        f"**{name}**" if declared.headline else name,
        f"**{mean}**" if declared.headline else mean,
        interval(line),
        *[f"{count:,}" for count in counts],
    ]
    return f"| {' | '.join(cells)} |\n"


def _by_class(found: Findings) -> Iterator[Block]:
    """A row a metric, a column a class of documents; nothing where there is one class."""
    if not (by_metric := parted(found.record, CLASSES)):
        return
    names = list(next(iter(by_metric.values())).figures)
    head = f"| metric | {' | '.join(cell(one) for one in names)} |"
    rows = [
        f"| {code(key)} | {' | '.join(part_cell(of.figures[one], of.unit) for one in names)} |\n"
        for key, of in by_metric.items()
    ]
    before = f"**By document class**\n\n{head}\n|---{'|--:' * len(names)}|\n"
    yield Block(before, rows, f"\n{NOTE}\n\n")


def _refusals(found: Findings) -> Iterator[Block]:
    """Where it declined and where not; what is wrong is bold."""
    rows = []
    for name, row, wrong in refusal_rows(found.record):
        counts = {"answered": row.answered, "refused": row.refused}
        told = [
            f"**{count:,}**" if count and column == wrong else f"{count:,}"
            for column, count in counts.items()
        ]
        rows.append(f"| {name} | {' | '.join(told)} | {row.errors:,} |\n")
    if rows:
        head = "the question | answered | refused | failed"
        before = f"**Refusals** (bold: wrong)\n\n| {head} |\n|---|--:|--:|--:|\n"
        yield Block(before, rows, "\n")


def _errors(found: Findings) -> Iterator[Block]:
    """Why cases and metrics failed; they are in no mean."""
    messages = [
        f"- {count:,} x {code(message, TEXT)}\n"
        for message, count in found.summary.cases.failure_reasons.items()
    ]
    messages += [
        f"- {code(line.key)}: {count:,} x {code(message, TEXT)}\n"
        for line in found.summary.lines
        for message, count in line.error_reasons.items()
    ]
    if messages:
        yield Block("**Errors (in no mean)**\n\n", messages, "\n")


def _reasons(reasons: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Each reason once, with the metrics that give it."""
    by_reason: dict[str, list[str]] = {}
    for key, told in reasons.items():
        for reason, count in told.items():
            by_reason.setdefault(reason, []).append(f"{code(key)} ({count:,})")
    return [f"- {code(why, TEXT)}: {', '.join(metrics)}\n" for why, metrics in by_reason.items()]


def _never(lines: Sequence[Line]) -> list[str]:
    """What no case was scored by, under its reasons: it says what else could be measured."""
    by_reason: dict[str, list[str]] = {}
    for line in lines:
        by_reason.setdefault("; ".join(unmeasured_because(line)), []).append(line.key)
    return [
        f"- {code(why, TEXT)}: {', '.join(code(one, TEXT) for one in by_family(keys))}\n"
        for why, keys in by_reason.items()
    ]


def _case(case: RankedCase, found: Findings) -> str:
    units = {key: found.record.columns[key].declared.unit for key in case.lowest}
    because = ", ".join(
        f"{code(key)} {figure(case.figures[key], unit)}" for key, unit in units.items()
    )
    detail = found.details.get(case.id)
    told = _detail(detail, found.record.header.settings.k) if detail is not None else {}
    entries = "".join(f"  - {name}: {text}\n" for name, text in told.items() if text)
    return f"- {code(case.id)}\n  - because: {because}\n{entries}"


def _detail(detail: CaseDetail, k: int) -> dict[str, str]:
    seen = evidence(detail.run)
    missed = {one.source for one in seen.missed(k)} if seen.retrieved is not None else set()
    return {
        "question": code(detail.question, TEXT),
        "expected": ", ".join(code(one, TEXT) for one in detail.expected_answers[:CASES]),
        "sources": ", ".join(
            code(one.source) + (" (missed)" if one.source in missed else "")
            for one in (seen.expected or ())[:CASES]
        ),
        "retrieved": ", ".join(
            code(one.chunk.id) + (" (hit)" if one.relevant else "")
            for one in (seen.retrieved or ())[:CASES]
        ),
        "answer": code(detail.answer, TEXT) if detail.answer is not None else "",
    }


def folded(title: str, entries: Sequence[str]) -> Block:
    """A block that a reader opens."""
    before = f"<details><summary>{escape(title)}</summary>\n\n"
    return Block(before, entries, "\n</details>\n\n")


def code(text: str, length: int = NAME) -> str:
    """Put foreign text into a code span: no markup, no link, no mention of anybody.

    >>> code("a <b> @all"), code("back`tick")
    ('`a <b> @all`', '``back`tick``')
    """
    line = one_line(text, length)
    if not line:
        return "(empty)"
    fence = "`"
    while re.search(f"(?<!`){fence}(?!`)", line):
        fence += "`"
    pad = " " if "`" in (line[0], line[-1]) else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def cell(text: str, length: int = NAME) -> str:
    """The same for a table, in which even in code a bar would end the cell.

    >>> cell("a|b")
    '<code>a&#124;b</code>'
    """
    if "|" not in text:
        return code(text, length)
    told = re.sub(r"[^\w ]|_", lambda it: f"&#{ord(it[0])};", one_line(text, length))
    return f"<code>{told}</code>"
