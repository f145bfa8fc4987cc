"""Verdicts on runs, from Python: what changed, and whether it may be merged."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

from ragproof.analysis.comparison import Comparison
from ragproof.analysis.falling_short import case_figures, falling_short
from ragproof.analysis.gate import Check, Gate, Verdict
from ragproof.analysis.requirements import Limit
from ragproof.analysis.slicing import sliced
from ragproof.api.shelf import Shelf
from ragproof.core import Better, Unit, UsageError
from ragproof.core.record import RunRecord
from ragproof.reports.decision_json import comparison_json, gate_json
from ragproof.reports.decision_markdown import comparison_markdown, gate_markdown
from ragproof.reports.decision_wording import asked_for, more_on, outcome, run_name, verdicts
from ragproof.reports.junit import gate_junit
from ragproof.reports.wording import figure, one_line
from ragproof.text.files import write_whole
from ragproof.wiring.baselines import Tolerated
from ragproof.wiring.comparing import compare_kept
from ragproof.wiring.gating import Asked, gate
from ragproof.wiring.looking import Kept, Looking
from ragproof.wiring.schema import Config, GateConfig
from ragproof.wiring.wish import Wish

Thresholds: TypeAlias = Mapping[str, Any] | str | Path
"""Metric key to rules, a whole `gate` section, or the path of a config that has one."""
WORST = 5
"""So many cases are named beneath a check that does not pass."""


@dataclass(frozen=True)
class Compared:
    """What changed between two runs."""

    comparison: Comparison

    def to_dict(self) -> dict[str, Any]:
        """Give what `ragproof compare --json` prints."""
        document: dict[str, Any] = json.loads(comparison_json(self.comparison))
        return document

    @property
    def metrics(self) -> Mapping[str, Mapping[str, Any]]:
        """Metric key to `delta`, `ci95`, `p_value_adjusted`, `wins`, `losses`, ..."""
        figures: dict[str, dict[str, Any]] = self.to_dict()["metrics"]
        return figures

    def to_markdown(self) -> str:
        """Give what `ragproof compare --markdown` writes."""
        return comparison_markdown(self.comparison)

    def __repr__(self) -> str:
        return f"<ragproof comparison: {verdicts(self.comparison)}>"

    def _repr_markdown_(self) -> str:
        return self.to_markdown()


@dataclass(frozen=True)
class Gated:
    """The verdict of a gate. True where nothing stops the merge."""

    verdict: Gate

    @property
    def passed(self) -> bool:
        """Whether nothing stops the merge."""
        return self.verdict.passed

    def __bool__(self) -> bool:
        return self.passed

    @property
    def checks(self) -> tuple[Check, ...]:
        """Each requirement and its verdict."""
        return self.verdict.checks

    def to_dict(self) -> dict[str, Any]:
        """Give what `ragproof gate --json` prints."""
        document: dict[str, Any] = json.loads(gate_json(self.verdict))
        return document

    def to_markdown(self) -> str:
        """Give what `ragproof gate --markdown` writes."""
        return gate_markdown(self.verdict)

    def write_junit(self, path: str | Path) -> None:
        """Write what `ragproof gate --junit` writes."""
        write_whole(Path(path), gate_junit(self.verdict))

    def explained(self) -> str:
        """Say of each check what was asked and what was found, and which cases are the worst."""
        return "\n".join(_explained(self.verdict))

    def __repr__(self) -> str:
        return f"<ragproof gate: {outcome(self.verdict)}>"

    def _repr_markdown_(self) -> str:
        return self.to_markdown()


def compared(
    baseline: Shelf, candidate: Shelf, *, common_cases: bool, allow_mixed_judges: bool
) -> Compared:
    """Compare two runs, each in a store of its own perhaps."""
    if baseline.run_id == candidate.run_id:
        raise UsageError(f"{baseline.run_id} is compared with itself; give two results")
    with baseline.opened() as before, candidate.opened() as after:
        return Compared(compare_kept(before, after, Tolerated(allow_mixed_judges, common_cases)))


def held(
    shelf: Shelf,
    thresholds: Thresholds | None,
    baseline: Shelf | str | Path | None,
    *,
    common_cases: bool,
    allow_mixed_judges: bool,
) -> Gated:
    """Hold a run to thresholds; a check that cannot be made as it is written is a UsageError."""
    config = _config(thresholds, shelf)
    with ExitStack() as stack:
        kept = stack.enter_context(shelf.opened())
        reference: str | Kept | None = None
        if isinstance(baseline, Shelf):
            reference = stack.enter_context(baseline.opened())
        elif baseline is not None:
            reference = str(baseline)
        project = kept.store.find(kept.id).header.project
        looking = Looking(kept.store, config.model_copy(update={"project": project}))
        asked = Asked(kept.id, reference, Tolerated(allow_mixed_judges, common_cases))
        verdict = gate(looking, asked, datetime.now(UTC).date())
    if verdict.errors:
        told = dict.fromkeys(f"{one.asked.metric}: {one.detail}" for one in verdict.errors)
        raise UsageError("\n".join(told))
    return Gated(verdict)


def section_of(thresholds: Mapping[str, Any]) -> dict[str, Any]:
    """The `gate` section that is meant: a whole one, or only its thresholds."""
    is_section = not thresholds.keys().isdisjoint(GateConfig.model_fields)
    return dict(thresholds) if is_section else {"thresholds": dict(thresholds)}


def _config(thresholds: Thresholds | None, shelf: Shelf) -> Config:
    if isinstance(thresholds, Mapping):
        settings = {"gate": section_of(thresholds)}
        return Wish(ignore_config=True, settings=settings).load_config(os.environ)
    path = shelf.config if thresholds is None else Path(thresholds)
    if path is None:
        raise UsageError(
            "there are no thresholds: give them, as in "
            '{"retrieval.recall_at_k": {"min": 0.85}}, or the path of a config'
        )
    return Wish(config=path).load_config(os.environ)


def _explained(verdict: Gate) -> Iterator[str]:
    against = f" against {run_name(verdict.baseline.header)}" if verdict.baseline else ""
    yield f"{outcome(verdict)}; run {one_line(run_name(verdict.run.header), 200)}{against}"
    for note in verdict.notes:
        yield f"note: {one_line(note, 300)}"
    for check in sorted(verdict.checks, key=lambda one: (not one.blocks, one.verdict)):
        yield f"{check.verdict.upper()} {check.asked.metric}: {asked_for(check)}"
        yield f"    {one_line(check.detail, 600)}"
        for more in (*_interval(check), *more_on(check)):
            yield f"    {one_line(more, 300)}"
        if check.verdict not in (Verdict.PASS, Verdict.SKIP) and (worst := _worst(verdict, check)):
            yield f"    worst cases: {worst}"


def _interval(check: Check) -> Iterator[str]:
    """The figure and its interval, or the change and its."""
    unit, evidence, asked = _unit(check), check.evidence, check.asked
    value = evidence.value(asked)
    if value is not None and not asked.limit.is_relative:
        ends = evidence.ends(asked)
        told = f"found {figure(value, unit)}"
        if ends is not None and ends.ends is not None:
            told += f", 95 % interval [{', '.join(figure(end, unit) for end in ends.ends)}]"
        yield told


def _unit(check: Check) -> Unit:
    line = check.evidence.line
    if line is None or check.asked.statistic == "completion":
        return Unit.FRACTION
    return line.column.declared.unit


def _worst(verdict: Gate, check: Check) -> str:
    """The cases beyond a bound, or those that changed most for the worse."""
    unit, asked = _unit(check), check.asked
    if not asked.limit.is_relative:
        short = sorted(falling_short(verdict.run, asked), key=lambda one: (-one.distance, one.case))
        return ", ".join(
            f"{one_line(one.case, 60)} {figure(one.value, unit)}" for one in short[:WORST]
        )
    before, now = _figures(verdict.baseline, check), _figures(verdict.run, check)
    line = check.evidence.line
    falls = asked.limit is Limit.MAX_DROP and (
        line is None or line.column.declared.better is not Better.LOWER
    )
    loss = {
        name: (before[name] - now[name]) * (1 if falls else -1)
        for name in before.keys() & now.keys()
    }
    worse = sorted((name for name in loss if loss[name] > 0), key=lambda one: (-loss[one], one))
    return ", ".join(
        f"{one_line(name, 60)} {figure(before[name], unit)} -> {figure(now[name], unit)}"
        for name in worse[:WORST]
    )


def _figures(record: RunRecord | None, check: Check) -> dict[str, float]:
    column = None if record is None else record.columns.get(check.asked.metric)
    if record is None or column is None or column.subjects is not None:
        return {}
    if check.asked.statistic == "completion":
        return {}
    part = sliced(record, check.asked.slice)
    return dict(case_figures(part, part.columns[check.asked.metric]))
