"""Where a run lost its gold, on the terminal: counts a stage, then the cases behind each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragproof.analysis.gold_case import CaseTrace, SourcePath
from ragproof.analysis.gold_cases import LostThere
from ragproof.analysis.gold_sight import STAGES, GoldStage
from ragproof.analysis.gold_trace import GoldTrace
from ragproof.core.header import RunHeader
from ragproof.reports.gold_trace_words import (
    LOST_AT,
    asides,
    headline,
    metrics,
    named,
    nothing_followed,
    remaining,
    sight,
)
from ragproof.reports.page import GAP, Page
from ragproof.reports.wording import one_line
from ragproof.text.counting import counted

if TYPE_CHECKING:
    from rich.console import Console

BAR = 20
CASES = 5
"""So many cases are shown a stage."""


def print_gold_trace(
    console: Console, header: RunHeader, found: GoldTrace, place: str = ""
) -> None:
    """Print the counts, and the worst cases of each stage; options in `place` find the run."""
    page = Page(console)
    _print_head(page, header, found)
    if not found.tally.number:
        page.line(nothing_followed(found))
        return
    page.line()
    _print_stages(page, found)
    for stage in STAGES:
        _print_lost(page, found, stage)
    page.heading("Next")
    for step in (
        f"one case, stage by stage: ragproof trace-gold {header.id}{place} --case ID",
        f"all cases on a page: ragproof trace-gold {header.id}{place} --html gold.html",
    ):
        page.entry("  - ", step)


def print_gold_case(console: Console, header: RunHeader, found: GoldTrace) -> None:
    """Print every source of a case, stage by stage; each repeat apart."""
    page = Page(console)
    page.line(header.label or header.project, "bold")
    for warning in found.warnings:
        page.entry("warning: ", warning, label_style="yellow")
    for lost in found.failed:
        told = f"failed: {one_line(lost.failure.message, 300)}"
        page.entry(f"{one_line(lost.case_id, 60)}  ", told, "red")
    for case in found.cases:
        page.heading(one_line(case.name, 80))
        page.line(one_line(case.question, 3 * page.width), indent=2)
        page.line(_verdict(case), "bold", indent=2)
        for path in case.sources:
            _print_path(page, path, found)


def _print_head(page: Page, header: RunHeader, found: GoldTrace) -> None:
    page.line(header.label or header.project, "bold")
    page.line(headline(found))
    for aside in asides(found):
        page.line(aside, "dim")
    for warning in found.warnings:
        page.entry("warning: ", warning, label_style="yellow")


def _print_stages(page: Page, found: GoldTrace) -> None:
    titles = ["stage", "lost here", "in part", "not observed", "lost nothing so far"]
    rows = []
    for stage, left in remaining(found):
        lost = found.lost(stage)
        counts = (lost.number, lost.partly, found.unseen[stage], left)
        rows.append([f"  {stage}", *[f"{count:,}" for count in counts]])
    titles[0] = f"  {titles[0]}"
    widths = page.fitted([titles, *rows])
    most = max(found.tally.number, 1)
    bars = page.width - sum(widths) - GAP * (len(widths) - 1) >= GAP + BAR
    page.cells([(title, "dim") for title in titles], widths)
    for row in rows:
        styles = ["bold", "red" if row[1] != "0" else "dim", "dim", "dim", ""]
        cells = list(zip(row, styles, strict=True))
        if bars:
            cells.append((_bar(page, int(row[-1].replace(",", "")) / most), "cyan"))
        page.cells(cells, [*widths, BAR] if bars else widths)


def _bar(page: Page, share: float) -> str:
    full, empty = "█░" if page.has_blocks else "#."
    filled = round(BAR * share)
    return full * filled + empty * (BAR - filled)


def _print_lost(page: Page, found: GoldTrace, stage: GoldStage) -> None:
    if not (lost := found.lost(stage)).number:
        return
    page.heading(f"Lost at {stage}: {counted(lost.number, 'case')} ({LOST_AT[stage]})")
    told = metrics(found, stage) or "no metric covers this stage yet"
    page.entry("  look at    ", told, "dim", "dim")
    if doubt := _doubt(lost):
        page.entry("  or before  ", doubt, "dim", "dim")
    for case in lost.worst[:CASES]:
        page.entry(f"  {one_line(case.name, 40)}  ", one_line(case.question, 2 * page.width), "")
        page.entry("    missing  ", _missing(case), label_style="dim")
    if lost.number > CASES:
        page.line(f"and {lost.number - CASES:,} more", "dim", indent=2)


def _doubt(lost: LostThere) -> str:
    """Say for how many cases an earlier stage, not observed, may have been the one."""
    blind = lost.open_to
    return ", ".join(
        f"{stage}: not observed for {blind[stage]:,}" for stage in STAGES if blind[stage]
    )


def _missing(case: CaseTrace) -> str:
    partly = f" ({len(case.missing)} of {len(case.sources)})" if case.partial else ""
    return named(case.missing) + partly


def _verdict(case: CaseTrace) -> str:
    if case.lost_at is None:
        if case.became == "not_observed":
            return "not observed: the trace tells nothing of the question's stages"
        return f"kept, as far as is observed: last seen at {case.last_seen}"
    sources = counted(len(case.sources), "source")
    partly = f", {len(case.missing)} of {sources}" if case.partial else ""
    earlier = ", ".join(case.open_to)
    doubt = f"; or before, at {earlier}, not observed" if earlier else ""
    return f"lost at {case.lost_at}{partly}: {LOST_AT[case.lost_at]}{doubt}"


def _print_path(page: Page, path: SourcePath, found: GoldTrace) -> None:
    page.line()
    grade = f" (grade {path.gold.grade})" if path.gold.grade != 1 else ""
    page.line(one_line(path.gold.name, 100) + grade, indent=2)
    for stage, seen in zip(STAGES, path.sights, strict=True):
        told = sight(seen, path, found.least)
        style = "dim" if seen.share is None else "" if seen.share >= found.least else "red"
        if stage is path.lost_at:
            told += f" <- lost here; look at {metrics(found, stage) or 'the stage itself'}"
        if stage in path.disputed:
            told += ", though a later stage has it"
        page.entry(f"    {stage:<11}", told, style, "dim")
    if path.elsewhere:
        page.line("other cases were given it: it is in the index", "dim", indent=4)
