"""A run on the terminal: what came out, why some of it did not, and where to look first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ragproof.analysis.detail import CaseDetail, Evidence, Retrieved, evidence
from ragproof.analysis.findings import Findings
from ragproof.analysis.summary import Line
from ragproof.analysis.worst import RankedCase
from ragproof.core.record import RunRecord
from ragproof.core.spec import Better, Layer, Unit
from ragproof.reports.beside import NOTHING, Beside
from ragproof.reports.decision_terminal import print_comparison, print_gate
from ragproof.reports.decision_wording import outcome
from ragproof.reports.facts import run_facts, state_sentence
from ragproof.reports.judged import warning_of_replies
from ragproof.reports.page import GAP, Page
from ragproof.reports.refusals import refusal_lines
from ragproof.reports.wording import (
    LAYERS,
    by_family,
    figure,
    interval,
    one_line,
    the_worst,
    unmeasured_because,
)

if TYPE_CHECKING:
    from rich.console import Console

HEADLINE = "* "
OTHER_KIND = "case is of a kind that the metric does not cover"
BAR = 20
CHUNKS = 10
MESSAGES = 5


def print_run(
    console: Console,
    found: Findings,
    next_steps: Sequence[str] = (),
    beside: Beside = NOTHING,
) -> None:
    """Print a run, at any width, without colour where the console has none."""
    page = Page(console)
    _print_head(page, found, beside)
    _print_figures(page, found.summary.lines)
    _print_refusals(page, found.record)
    _print_errors(page, found)
    _print_gaps(page, found.summary.lines)
    _print_worst(page, found)
    page.heading("Run")
    for label, text in run_facts(found):
        page.entry(f"  {label:<9}", text, label_style="dim")
    _print_beside(console, page, beside)
    if next_steps:
        page.heading("Next")
        for step in next_steps:
            page.entry("  - ", step)


def _print_head(page: Page, found: Findings, beside: Beside) -> None:
    header = found.record.header
    page.line(one_line(header.label or header.project, 200), "bold")
    page.line(state_sentence(found))
    if beside.gate is not None:
        page.line(outcome(beside.gate), "bold green" if beside.gate.passed else "bold red")
    for warning in (*found.warnings, *beside.warnings):
        page.entry("warning: ", warning, label_style="yellow")
    if (told := warning_of_replies(header)) is not None:
        page.entry("warning: ", told, label_style="yellow")


def _print_figures(page: Page, lines: Sequence[Line]) -> None:
    if not lines:
        page.line("No metric was asked for.")
        return
    lines = [line for line in lines if not line.unmeasured]  # the others stand below
    titles = ("metric", "mean", "95 % interval", "scored", "skip", "n/a", "err")
    rows = {line.key: _cells(line) for line in lines}
    widths = page.fitted(
        [[f"  {title}" for title in titles[:1]] + list(titles[1:]), *rows.values()]
    )
    room = page.width - sum(widths) - GAP * (len(widths) - 1)
    for layer, title in LAYERS.items():
        if not (mine := [line for line in lines if line.column.declared.layer is layer]):
            continue
        page.heading(title)
        if room >= 0:
            page.cells([(f"  {titles[0]}", "dim"), *[(one, "dim") for one in titles[1:]]], widths)
        for line in sorted(mine, key=lambda one: not one.column.declared.headline):
            if room >= 0:
                _print_row(page, line, rows[line.key], widths, bars=room >= GAP + BAR)
            else:
                _print_words(page, line, rows[line.key], titles)
            if notes := "; ".join(_notes(line)):
                page.line(notes, "dim", indent=4)
    if any(line.column.declared.headline for line in lines):
        page.line()
        page.entry(
            HEADLINE, "says whether the whole works; the others say where it does not", "dim"
        )


def _print_beside(console: Console, page: Page, beside: Beside) -> None:
    """The gate and the comparison as their own commands print them, and further sections."""
    if beside.gate is not None:
        page.line()
        print_gate(console, beside.gate)
    if beside.comparison is not None:
        page.line()
        print_comparison(console, beside.comparison)
    for section in beside.sections:
        page.heading(one_line(section.title, 200))
        if section.note:
            page.line(section.note, "dim", indent=2)
        rows = [[f"  {one_line(row[0], 60)}", *(one_line(cell, 60) for cell in row[1:])]
                for row in (section.head, *section.rows)]  # fmt: skip
        widths = page.fitted(rows)
        for at, row in enumerate(rows):
            page.cells([(cell, "" if at else "dim") for cell in row], widths)


def _cells(line: Line) -> list[str]:
    declared = line.column.declared
    counts = (line.scored, line.skipped, line.not_applicable, line.errors)
    return [
        (HEADLINE if declared.headline else "  ") + line.key,
        figure(line.mean, declared.unit),
        interval(line),
        *[f"{count:,}" for count in counts],
    ]


def _print_words(page: Page, line: Line, cells: list[str], titles: Sequence[str]) -> None:
    """Say in a sentence what a page is too narrow to show in columns."""
    page.line(cells[0], "bold" if line.column.declared.headline else "")
    told = zip(titles[1:], cells[1:], strict=True)
    page.line(", ".join(f"{title} {cell}" for title, cell in told if cell not in ("", "0")), "", 4)


def _print_row(page: Page, line: Line, cells: list[str], widths: list[int], *, bars: bool) -> None:
    styles = ["bold" if line.column.declared.headline else "", "bold", ""]
    styles += ["dim" if cell == "0" else "" for cell in cells[3:6]]
    styles += ["red" if line.errors else "dim"]
    row = list(zip(cells, styles, strict=True))
    if bars:
        row.append((_bar(page, line), "cyan"))
        widths = [*widths, BAR]
    page.cells(row, widths)


def _bar(page: Page, line: Line) -> str:
    if line.mean is None or line.column.declared.unit is not Unit.FRACTION:
        return ""
    full, empty = "█░" if page.has_blocks else "#."
    filled = round(BAR * min(max(line.mean, 0.0), 1.0))
    return full * filled + empty * (BAR - filled)


def _notes(line: Line) -> Iterator[str]:
    declared = line.column.declared
    if line.scored > 1 and declared.unit is not Unit.FRACTION:
        ranks = {"p50": line.p50, "p95": line.p95, "p99": line.p99}
        yield ", ".join(f"{name} {figure(at, declared.unit)}" for name, at in ranks.items())
    if declared.better is Better.LOWER and declared.layer is not Layer.SYSTEM:
        yield "lower is better"
    if line.scored and line.bounds.ends is None and line.column.subjects is None:
        yield "no interval: " + ("one case" if line.scored == 1 else "all scores are equal")


def _print_refusals(page: Page, record: RunRecord) -> None:
    """Where it declined and where not."""
    rows = list(refusal_lines(record))
    if rows:
        page.heading("Refusals")
    for title, text in rows:
        page.entry(title, text)


def _print_gaps(page: Page, lines: Sequence[Line]) -> None:
    """Say why there is no score, each reason once; what no case was skipped for comes last."""
    never = [line for line in lines if line.unmeasured]
    partly = [line for line in lines if not line.unmeasured]
    for title, reasons in (
        ("Skipped", {line.key: line.skip_reasons for line in partly}),
        ("Not applicable", {line.key: line.not_applicable_reasons for line in partly}),
    ):
        by_reason: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
        for key, found in reasons.items():
            for reason, count in found.items():
                told = OTHER_KIND if reason.startswith("case is not of kind") else reason
                by_reason[told][count].append(key)
        if by_reason:
            page.heading(title)
        for reason, metrics in by_reason.items():
            page.line(one_line(reason, 300), indent=2)
            for count, keys in sorted(metrics.items(), reverse=True):
                page.entry(f"{count:>9,}  ", ", ".join(by_family(keys)), "dim")
    _print_never(page, never)


def _print_never(page: Page, lines: Sequence[Line]) -> None:
    """What no case was scored by: it says what else could be measured, and takes little."""
    by_reason: dict[str, list[str]] = defaultdict(list)
    for line in lines:
        reasons = (OTHER_KIND if one.startswith("case is not of kind") else one
                   for one in unmeasured_because(line))  # fmt: skip
        by_reason["; ".join(dict.fromkeys(reasons))].append(line.key)
    if by_reason:
        page.heading("Not measured (what a metric needs: ragproof metrics ID)")
    for reason, keys in by_reason.items():
        page.line(one_line(reason, 300), indent=2)
        page.entry("           ", ", ".join(by_family(keys)), "dim")


def _print_errors(page: Page, found: Findings) -> None:
    failed = found.summary.cases.failure_reasons
    metrics = [line for line in found.summary.lines if line.error_reasons]
    if not failed and not metrics:
        return
    page.heading("Errors (in no mean)")
    _print_messages(page, failed)
    if found.failures:
        names = [one_line(one.id, 40) for one in found.failures[:MESSAGES]]
        more = ", ..." if len(found.failures) > MESSAGES else ""
        page.entry("           ", f"cases: {', '.join(names)}{more}", "dim")
    for line in metrics:
        page.line(line.key, indent=2)
        _print_messages(page, line.error_reasons)
    _print_completion(page, found.summary.lines)


def _print_completion(page: Page, lines: Sequence[Line]) -> None:
    """Say which share of the cases that a metric covers was scored, where it was not all."""
    by_share: dict[float, list[str]] = defaultdict(list)
    for line in lines:
        if line.completion is not None and line.completion < 1:
            by_share[line.completion].append(line.key)
    if by_share:
        page.line("completion: scored / (scored + failed)", indent=2)
    covering = sum(line.completion is not None for line in lines)
    for share, keys in sorted(by_share.items()):
        told = "every metric" if len(keys) == covering > 1 else ", ".join(by_family(keys))
        page.entry(f"{figure(share, Unit.FRACTION):>9}  ", told, "dim")


def _print_messages(page: Page, messages: Mapping[str, int]) -> None:
    for message, count in list(messages.items())[:MESSAGES]:
        page.entry(f"{count:>9,}  ", one_line(message, 300), label_style="red")
    if rest := sum(list(messages.values())[MESSAGES:]):
        page.entry(f"{rest:>9,}  ", "with other messages", label_style="red")


def _print_worst(page: Page, found: Findings) -> None:
    if not found.worst:
        return
    page.heading(the_worst(len(found.worst)))
    for case in found.worst:
        detail = found.details.get(case.id)
        question = one_line(detail.question, 2 * page.width) if detail is not None else ""
        page.entry(f"  {one_line(case.id, 40)}  ", question, label_style="bold")
        page.entry("    because    ", _lowest(case, found), label_style="dim")
        if detail is not None:
            _print_detail(page, detail, found.record.header.settings.k)


def _lowest(case: RankedCase, found: Findings) -> str:
    def said(key: str) -> str:
        return f"{key} {figure(case.figures[key], found.record.columns[key].declared.unit)}"

    return ", ".join(said(key) for key in case.lowest)


def _print_detail(page: Page, detail: CaseDetail, k: int) -> None:
    seen, length = evidence(detail.run), 3 * page.width
    entries = {
        "expected": "; ".join(detail.expected_answers),
        "sources": _expected(seen, k),
        "retrieved": _retrieved(seen),
        "answer": detail.answer,
        "cited": ", ".join(
            one_line(one.chunk_id, 60) + ("" if one.known else " (not retrieved)")
            for one in seen.cited or ()
        ),
    }
    for label, text in entries.items():
        if text:
            page.entry(f"    {label:<11}", one_line(text, length), label_style="dim")


def _expected(seen: Evidence, k: int) -> str:
    missed = {one.source for one in seen.missed(k)} if seen.retrieved is not None else set()
    return ", ".join(
        one_line(one.source, 60) + (" (missed)" if one.source in missed else "")
        for one in seen.expected or ()
    )


def _named(one: Retrieved) -> str:
    """The chunk's id, and its document where it is matched by that and the id does not tell."""
    known = one.chunk.id == one.source or one.chunk.id.startswith(f"{one.source}#")
    matched = "" if known else f" of {one_line(one.source, 60)}"
    return one_line(one.chunk.id, 60) + matched + (" (hit)" if one.relevant else "")


def _retrieved(seen: Evidence) -> str:
    if seen.retrieved is None:
        return ""
    shown = [_named(one) for one in seen.retrieved[:CHUNKS]]
    return ", ".join(shown) + (", ..." if len(seen.retrieved) > CHUNKS else "") or "nothing"
