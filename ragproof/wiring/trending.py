"""Follow one metric through the runs of a project."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ragproof.analysis.comparable import changes_told, obstacles
from ragproof.core import Declared, RunHeader, UsageError
from ragproof.reports.trend import Point
from ragproof.store.listing import RunInfo
from ragproof.text.counting import counted
from ragproof.text.nearest import nearest
from ragproof.wiring.looking import Looking


@dataclass(frozen=True)
class Trend:
    """The points, the oldest first, and how to read them."""

    declared: Declared
    points: tuple[Point, ...]


def trend(looking: Looking, metric: str, newest: int) -> Trend:
    """Read the figures that were stored when each run was finished.

    Raises UsageError where no run has the metric.
    """
    found: list[tuple[RunInfo, Mapping[str, Any]]] = []
    known: set[str] = set()
    for info in looking.store.runs(looking.project):
        if len(found) == newest:
            break
        figures = looking.store.summaries(info.header.id)
        known.update(figures)
        if metric in figures:
            found.append((info, figures[metric]))
    if not found:
        raise UsageError(
            f"no finished run has the metric {metric!r}.{nearest(metric, known)} "
            "List those of a run: ragproof report"
        )
    return Trend(_declared(found[0][0].header, metric), tuple(_points(metric, found[::-1])))


def _declared(header: RunHeader, metric: str) -> Declared:
    """Of the metric; one of several figures is declared under the key without its label."""
    if metric in header.metrics:
        return header.metrics[metric]
    of = metric.partition("[")[0]
    return next(one for one in header.metrics.values() if one.id == of)


def _points(metric: str, found: list[tuple[RunInfo, Mapping[str, Any]]]) -> Iterator[Point]:
    before: RunHeader | None = None
    for info, figures in found:
        header, ends = info.header, figures["ci95"]
        yield Point(
            run_id=header.id,
            label=header.label,
            started_at=header.started_at,
            status=info.state.value,
            mean=figures["mean"],
            why=_why_none(figures),
            ci95=None if ends is None else (ends[0], ends[1]),
            scored=figures["scored"],
            completion=figures["completion"],
            breaks=() if before is None else tuple(_breaks(before, header, metric)),
            changes=() if before is None else tuple(changes_told(before, header)),
        )
        before = header


def _why_none(figures: Mapping[str, Any]) -> str | None:
    """Why a run has no mean; None where it has one."""
    if figures["mean"] is not None:
        return None
    if figures["scored"]:
        return f"there was nothing to divide by in any of {counted(figures['scored'], 'case')}"
    kinds = ("skip_reasons", "not_applicable_reasons", "error_reasons")
    reasons = {why: n for kind in kinds for why, n in figures.get(kind, {}).items()}
    if not reasons:
        failed = figures.get("errors", 0)
        return f"{counted(failed, 'case')} failed" if failed else "no case was tried"
    often = max(reasons, key=lambda one: reasons[one])
    others = f", and {counted(len(reasons) - 1, 'other reason')}" if len(reasons) > 1 else ""
    return f"{often} ({counted(reasons[often], 'case')}{others})"


def _about(header: RunHeader, metric: str) -> RunHeader:
    """The header without prompts and models of other metrics, no yardsticks of this one."""
    mine = _declared(header, metric).id
    prompts = {
        name: hashes
        for name, hashes in header.prompt_hashes.items()
        if name not in header.metrics or header.metrics[name].id == mine
    }
    models = {
        name: one for name, one in header.local_models.items() if header.metrics[name].id == mine
    }
    return replace(header, prompt_hashes=prompts, local_models=models)


def _breaks(before: RunHeader, now: RunHeader, metric: str) -> Iterator[str]:
    yield from (one.text for one in obstacles(_about(before, metric), _about(now, metric)))
    old, new = _declared(before, metric), _declared(now, metric)
    if old.version != new.version:
        yield f"the metric's version was {old.version}, now {new.version}"
