"""Drift as Markdown, short enough for a comment."""

from __future__ import annotations

from collections.abc import Iterator

from ragproof.analysis.drift import Verdict
from ragproof.analysis.drift_result import Calibration, Drift, Held, Neighbours
from ragproof.reports.drift_wording import (
    NAMES,
    detector_row,
    divergence_rows,
    held,
    p,
    percent,
    points,
    rate,
    shift_name,
    side,
    slice_name,
    span,
    verdict,
    windows,
)
from ragproof.reports.markdown import TEXT, Block, cell, code, folded, written

MARKS = {
    Verdict.DRIFT: ":x:",
    Verdict.NONE: ":white_check_mark:",
    Verdict.INCONCLUSIVE: ":grey_question:",
}
HELD_MARKS = {
    Held.PASS: ":white_check_mark:",
    Held.FAIL: ":x:",
    Held.INCONCLUSIVE: ":grey_question:",
    None: ":mag:",
}


def drift_markdown(found: Drift) -> str:
    """Write the verdict, the detectors and what moved."""
    return written(_drift(found))


def _drift(found: Drift) -> Iterator[Block]:
    yield Block(
        f"### {MARKS[found.verdict]} {found.verdict}\n\n{code(verdict(found), TEXT)}\n\n",
        [
            f"- reference {code(side(found.reference), TEXT)}\n",
            f"- current {code(side(found.current), TEXT)}\n",
            f"- vectors {code(found.representation, TEXT)}\n",
            *(f"- warning: {code(one, TEXT)}\n" for one in found.warnings),
        ],
        "\n",
    )
    titles = "| detector | found | 95 % interval | by chance | p, adjusted | |\n"
    table = f"{titles}|---|---|---|---|---|---|\n"
    rows = [
        f"| {' | '.join(detector_row(one))} | {'**alarm**' if one.is_alarm else ''} |\n"
        for one in found.findings.detected
    ]
    rows += [
        f"| KL {cell(name)} | {' | '.join(cells)} | |\n"
        for name, *cells in divergence_rows(found.findings)
    ]
    yield Block(table, rows, "\n")
    if found.slices:
        table = "| slice | before | now | change, points | p, adjusted |\n|---|---|---|---|---|\n"
        rows = [
            f"| {cell(slice_name(one))} | {percent(one.shares[0])} | {percent(one.shares[1])} "
            f"| {points(one.ends)} | {p(one.p_adjusted)} |\n"
            for one in found.moved or found.slices[:5]
        ]
        yield Block(table, rows, "\n")
    if found.examples:
        lines = [f"- {code(one.id)} {code(one.text or '', TEXT)}\n" for one in found.examples]
        yield folded("Most unlike the reference, by the classifier", lines)


def calibration_markdown(found: Calibration) -> str:
    """Write how often known shifts were noticed."""
    return written(_calibration(found))


def _calibration(found: Calibration) -> Iterator[Block]:
    yield Block(
        f"### Known shifts of {code(found.source)}\n\n",
        [
            *(f"- {code(line, TEXT)}\n" for line in windows(found)),
            *(f"- note: {code(one, TEXT)}\n" for one in found.notes),
        ],
        "\n",
    )
    titles = " | ".join(NAMES[name] for name in found.detectors)
    table = f"| shift | rows | {titles} |\n|---|---|{'---|' * len(found.detectors)}\n"
    rows = [
        f"| {cell(shift_name(one))} | {one.rows[0]:,} | "
        + " | ".join(rate(one, name) for name in found.detectors)
        + " |\n"
        for one in found.noticed
    ]
    yield Block(table, rows, "\n")


def neighbours_markdown(found: Neighbours) -> str:
    """Write how stable the neighbours of the probes are."""
    return written(_neighbours(found))


def _neighbours(found: Neighbours) -> Iterator[Block]:
    stable = found.stability
    yield Block(
        f"### {HELD_MARKS[found.verdict]} Neighbours of {len(found.probes):,} probes, "
        f"k {stable.k}\n\n{code(held(found), TEXT)}\n\n",
        [
            f"- before {code(found.before, TEXT)}: {found.dimensions[0]} dimensions\n",
            f"- now {code(found.now, TEXT)}: {found.dimensions[1]} dimensions\n",
            f"- {found.documents:,} documents in both\n",
        ],
        "\n",
    )
    table = "| | found | 95 % interval |\n|---|---|---|\n"
    rows = [
        f"| {one.name} | {one.mean:.4f} | {span(one.bounds.ends)} |\n" for one in stable.figures
    ]
    yield Block(table, rows, "\n")
    if worst := found.least_stable:
        lines = [f"- {code(name)} {overlap:.2f}\n" for name, overlap in worst]
        yield folded(f"Least stable, of {len(worst):,} that lost any", lines)
