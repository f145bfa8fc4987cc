"""Drift on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ragproof.analysis.drift import TOGETHER, Verdict
from ragproof.analysis.drift_neighbours import PERSISTENCE
from ragproof.analysis.drift_result import Calibration, Drift, Held, Neighbours
from ragproof.reports.drift_wording import (
    NAMES,
    detector_row,
    divergence_rows,
    ends_of,
    held,
    p,
    percent,
    points,
    shift_name,
    side,
    side_figure,
    slice_name,
    span,
    value,
    verdict,
    windows,
)
from ragproof.reports.page import Page
from ragproof.reports.wording import one_line
from ragproof.text.counting import counted

if TYPE_CHECKING:
    from rich.console import Console

STYLES = {Verdict.DRIFT: "red", Verdict.NONE: "green", Verdict.INCONCLUSIVE: "yellow"}
HELD_STYLES = {Held.PASS: "green", Held.FAIL: "red", Held.INCONCLUSIVE: "yellow", None: ""}
SLICES = 8
"""That are shown."""
WORST = 5


def print_drift(console: Console, found: Drift) -> None:
    """Print what was found of two samples: the verdict, then where it is from."""
    page = Page(console)
    page.entry("reference  ", side(found.reference), "", "bold")
    page.entry("current    ", side(found.current), "", "bold")
    told = f"{found.representation}; {found.dimensions} dimensions, {found.metric}"
    page.entry("vectors    ", one_line(told, 300), "", "bold")
    page.line()
    page.line(verdict(found), STYLES[found.verdict])
    for warning in found.warnings:
        page.entry("  - ", one_line(warning, 400), "yellow")
    _print_detectors(page, found)
    _print_slices(page, found)
    _print_texts(page, found)


def _table(page: Page, titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    widths = page.fitted([titles, *rows])
    page.cells([(one, "dim") for one in titles], widths)
    for row in rows:
        page.cells([(one, "") for one in row], widths)


def _print_detectors(page: Page, found: Drift) -> None:
    setup = found.findings.setup
    page.heading("Detectors")
    rows = []
    for one in found.findings.detected:
        name, *cells = detector_row(one)
        rows.append((f"  {name}", *cells, "alarm" if one.is_alarm else ""))
    for name, *cells in divergence_rows(found.findings):
        rows.append((f"    {name}", *cells, ""))
    _table(page, ("", "found", "95 % interval", "by chance", "p adj.", ""), rows)
    discrepancy = found.findings.discrepancy
    page.line()
    for line in (
        f"By chance: what {setup.deals} new deals of the rows to both samples give, median .. 95 "
        "%. p adj.: how rarely chance gives what was found, adjusted for "
        f"{len(found.findings.detected)} tests (Holm; within KL by the greatest).",
        "MMD: squared distance of the distributions, about 0 where they are the same; kernel width "
        f"{value(discrepancy.width)}, {counted(discrepancy.blocks, 'block')}, "
        f"{discrepancy.rows:,} rows. Classifier: how often it tells a current row from one of the "
        "reference, 0.5 is guessing (area under the ROC curve, out of fold). KL: the greatest of "
        "those below it, in nats. Slices: the smallest p of any tag's share.",
    ):
        page.line(line, "dim")
    indexes = [f"{name} {value(one.index)}" for name, one in found.findings.divergences.items()]
    page.line(
        f"PSI: {', '.join(indexes)}. Rules of thumb of monitoring tools, not tests: from 0.1 look, "
        f"from 0.25 act. Seed {setup.seed}.",
        "dim",
    )


def _print_slices(page: Page, found: Drift) -> None:
    if not found.slices:
        return
    moved = found.moved
    page.heading(
        f"Slices whose share changed: {len(moved)} of {len(found.slices)}"
        if moved
        else f"No slice is shown to have changed its share, of {len(found.slices)}"
    )
    shown = (moved or found.slices)[:SLICES]
    rows = [
        (
            f"  {slice_name(one)}",
            percent(one.shares[0]),
            percent(one.shares[1]),
            points(one.ends),
            p(one.p_adjusted),
        )
        for one in shown
    ]
    _table(page, ("", "before", "now", "change, points", "p adj."), rows)
    if len(moved) > len(shown):
        page.line(f"and {len(moved) - len(shown):,} more (--json)", "dim", indent=2)


def _print_texts(page: Page, found: Drift) -> None:
    if found.figures:
        page.heading("Plain figures")
        figures = [(f"  {one.name}", *side_figure(one)) for one in found.figures]
        _table(page, ("", "before", "now"), figures)
    if found.verdict is not Verdict.DRIFT:
        return
    if found.words:
        page.heading("Words of more texts than before")
        rows = [
            (f"  {one_line(one.word, 40)}", *(percent(share) for share in one.shares))
            for one in found.words
        ]
        _table(page, ("", "before", "now"), rows)
    if found.examples:
        page.heading("Most unlike the reference, by the classifier")
    for example in found.examples:
        text = "" if example.text is None else f": {one_line(example.text, 200)}"
        page.entry("  - ", f"{one_line(example.id, 60)}{text}")


def print_calibration(console: Console, found: Calibration) -> None:
    """Print how often known shifts were noticed, size by size."""
    page = Page(console)
    page.entry("sample   ", f"{one_line(found.source, 300)}: {found.rows:,} rows", "", "bold")
    page.entry("vectors  ", one_line(found.representation, 300), "", "bold")
    told = (
        f"alpha {found.alpha:g} for each detector alone, and for all together (Holm); "
        f"{found.deals} deals, seed {found.seed}"
    )
    page.entry("tests    ", told, "", "bold")
    for note in found.notes:
        page.entry("  - ", one_line(note, 300), "yellow")
    for rows in dict.fromkeys(one.rows for one in found.noticed):
        some = [one for one in found.noticed if one.rows == rows]
        page.heading(
            f"Share of {some[0].tries} tries with an alarm, {counted(rows[0], 'row')} a sample"
        )
        shares = [
            (
                f"  {shift_name(one)}",
                *(f"{one.share(name):.2f}" for name in found.detectors),
                ends_of(one, TOGETHER),
            )
            for one in some
        ]
        _table(page, ("", *(NAMES[name] for name in found.detectors), ""), shares)
    page.line()
    page.line("The interval is that of the last share, 95 %, Wilson's; --json has all.", "dim")
    page.heading("Noticed in 80 % of tries, all detectors together")
    for line in windows(found):
        page.line(line, indent=2)


def print_neighbours(console: Console, found: Neighbours) -> None:
    """Print how stable the neighbours of the probes are."""
    page = Page(console)
    for label, source, dimensions in (
        ("before     ", found.before, found.dimensions[0]),
        ("now        ", found.now, found.dimensions[1]),
    ):
        told = f"{one_line(source, 300)}: {dimensions} dimensions, {found.metric}"
        page.entry(label, told, "", "bold")
    page.entry("documents  ", f"{found.documents:,} in both", "", "bold")
    page.entry("probes     ", f"{len(found.probes):,}", "", "bold")
    for count, where in zip(found.missing, ("first", "second"), strict=True):
        if count:
            told = f"{counted(count, 'document')} not in the {where}, left out of both"
            page.entry("  - ", told, "yellow")
    stable = found.stability
    page.line()
    page.line(held(found), HELD_STYLES[found.verdict])
    page.heading(f"Of the {stable.k} nearest, mean over the probes")
    figures = [
        (f"  {one.name}", f"{one.mean:.4f}", span(one.bounds.ends)) for one in stable.figures
    ]
    _table(page, ("", "found", "95 % interval"), figures)
    page.line()
    page.line(
        f"By chance the overlap would be {stable.chance:.4f}. rbo: rank-biased overlap, "
        f"persistence {PERSISTENCE:g}. Vectors of two versions are never compared with each "
        "other. Whether what is found now is better needs judgments: ragproof rankings --qrels",
        "dim",
    )
    worst = found.least_stable
    if worst:
        page.heading(f"Least stable, of {len(worst):,} that lost any")
    for name, overlap in worst[:WORST]:
        page.line(f"{one_line(name, 60)}: {overlap:.2f}", indent=2)
