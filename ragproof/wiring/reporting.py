"""Gather what a report of a run shows: the run, its gate, a comparison, further sections."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from ragproof.analysis.comparable import obstacles
from ragproof.analysis.comparison import Comparison, UpClose, compare
from ragproof.analysis.detail import CaseDetail
from ragproof.analysis.findings import Findings
from ragproof.analysis.gate import Gate
from ragproof.core import RagproofError, UsageError
from ragproof.core.record import RunRecord
from ragproof.metrics.page import page
from ragproof.reports.beside import Beside, Section
from ragproof.reports.sarif import RuleText, Where
from ragproof.store.open import RunStore
from ragproof.text.jsonl import read_lines
from ragproof.wiring.baselines import NOTHING_TOLERATED, Tolerated, baseline_of
from ragproof.wiring.comparing import chosen
from ragproof.wiring.gating import Asked, gate
from ragproof.wiring.human_labels import labels_section, labels_told
from ragproof.wiring.looking import Looking
from ragproof.wiring.perform import WORST, findings

SECTIONS: tuple[Callable[[Looking, Findings], Section | None], ...] = (labels_section,)
"""What else is told of a run: each looks at it and gives a section, or None where there is
nothing to tell."""


@dataclass(frozen=True)
class Reported:
    """A run and what is told beside it."""

    findings: Findings
    beside: Beside


@dataclass(frozen=True)
class Report:
    """What is asked of a report."""

    run: str = "latest"
    baseline: str | None = None
    tolerated: Tolerated = NOTHING_TOLERATED
    up_close: int = WORST
    """How many cases are shown with question, answer and sources."""


def reported(looking: Looking, asked: Report, today: date) -> Reported:
    """Read a run and all that is shown of it.

    Raises UsageError where the run or the baseline that was named is not there or does not fit;
    a gate that cannot be applied is a warning.
    """
    info = looking.store.find(asked.run, looking.project)
    found = findings(looking.store, info.header.id, up_close=asked.up_close)
    weighed, warnings = _gate(looking, asked, found, today)
    labelled = labels_told(looking, found)
    beside = Beside(
        gate=weighed,
        comparison=_comparison(looking, asked, found.record),
        sections=tuple(
            section for make in SECTIONS if (section := make(looking, found)) is not None
        ),
        corrected={} if isinstance(labelled, str) else labelled,
        warnings=(*warnings, *([labelled] if isinstance(labelled, str) else [])),
    )
    return Reported(found, beside)


def _gate(
    looking: Looking, asked: Report, found: Findings, today: date
) -> tuple[Gate | None, tuple[str, ...]]:
    """The verdict where the config has thresholds, else why there is none though it has."""
    if not looking.config.gate.thresholds:
        return None, ()
    wanted = Asked(found.record.header.id, asked.baseline, asked.tolerated)
    try:
        return gate(looking, wanted, today, found.record), ()
    except UsageError as fault:
        return None, (f"the gate is not shown: {fault}",)


def _comparison(looking: Looking, asked: Report, run: RunRecord) -> Comparison | None:
    if asked.baseline is None:
        return None
    baseline = baseline_of(run, asked.baseline, looking.store, Path.cwd(), asked.tolerated)
    found = compare(baseline.record, run, tuple(chosen(looking.config, run.header)))
    if not found.cases.common:
        raise UsageError(
            f"runs {baseline.record.header.id} and {run.header.id} have no case in common"
        )
    details: dict[str, UpClose] = {}
    for case in found.changed:
        sides = [_detail(looking.store, one, case.id) for one in (found.baseline, found.candidate)]
        if sides[0] is not None and sides[1] is not None:
            details[case.id] = UpClose(sides[0], sides[1])
    doubts = [one.text for one in obstacles(baseline.record.header, run.header)]
    doubts += [note for note in baseline.notes if note not in doubts]
    return replace(found, details=details, doubts=tuple(doubts))


def _detail(store: RunStore, record: RunRecord, case_id: str) -> CaseDetail | None:
    """The case's first trial; None where the run lies in another store."""
    repeat = next(case.repeat for case in record.cases if case.id == case_id)
    with suppress(UsageError):
        saved = store.detail(record.header.id, case_id, repeat)
        if saved.run is not None:
            return CaseDetail(saved.run, {row.key: row.outcome for row in saved.rows})
    return None


def where_cases_are(found: Findings, folder: Path) -> Where:
    """The dataset's file, and the line of each case in it.

    The path is relative to the repository that holds it, else to the current folder or to the
    config's. Lines are those of the file as it is now, which is what a reader has before him; a
    file that is gone or no longer readable has none.
    """
    path = Path(found.record.header.dataset.path)
    lines: dict[str, int] = {}
    with suppress(RagproofError):
        for number, raw in read_lines(path):
            with suppress(ValueError):  # of a frozen file the first line and the last are no cases
                told = json.loads(raw.strip().removesuffix(b","))
                if isinstance(told, dict) and isinstance(told.get("id"), str):
                    lines.setdefault(told["id"], number)
    roots = [parent for parent in path.parents if (parent / ".git").exists()][:1]
    for base in (*roots, Path.cwd(), folder):
        with suppress(ValueError):
            return Where(path.relative_to(base).as_posix(), lines, is_relative=True)
    return Where(os.fspath(path), lines, is_relative=False)


def rule_texts(found: Findings) -> dict[str, RuleText]:
    """What the page of each metric of a run says of it; nothing of one that is not there now."""
    texts: dict[str, RuleText] = {}
    for declared in found.record.header.metrics.values():
        if declared.id in texts:
            continue
        with suppress(RagproofError):
            told = page(declared.id)
            texts[declared.id] = RuleText(told.summary, told.sections)
    return texts
