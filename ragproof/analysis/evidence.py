"""What two runs have to say on each requirement of a gate."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ragproof.analysis.comparable import why_apart
from ragproof.analysis.comparison import greatest_change, only, paired
from ragproof.analysis.holm import holm
from ragproof.analysis.intervals import Bounds
from ragproof.analysis.joining import Join, Pairs, completed
from ragproof.analysis.paired import Change, changes
from ragproof.analysis.percentiles import fewest, percentile_change
from ragproof.analysis.power import ALIKE, settled
from ragproof.analysis.prediction_powered import HumanScore, PredictionPowered, prediction_powered
from ragproof.analysis.requirements import PERCENTILES, Requirement, Role, Statistic
from ragproof.analysis.slicing import Slice, sliced
from ragproof.analysis.summary import Line, summarise
from ragproof.core.header import Declared
from ragproof.core.record import Column, RunRecord


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """What is known of the figure that a requirement is about."""

    line: Line | None
    """The metric over the cases that are meant; None where the run does not have it."""
    change: Change | None = None
    baseline_completion: float | None = None
    p_adjusted: float | None = None
    """Adjusted over all figures whose change can fail the gate."""
    why_unknown: str | None = None
    """Why the change is not known."""
    corrected: PredictionPowered | str | None = None
    """The mean as human labels correct it, or why they cannot; None where there are none at all."""

    def value(self, asked: Requirement) -> float | None:
        """The figure itself, never the corrected one."""
        return None if self.line is None else getattr(self.line, asked.statistic)

    def ends(self, asked: Requirement) -> Bounds | None:
        """The interval of the figure, which only means have."""
        return self.line.bounds if self.line is not None and asked.statistic == "mean" else None


def gather(
    run: RunRecord,
    baseline: RunRecord | str,
    asked: Sequence[Requirement],
    labels: Sequence[HumanScore] = (),
) -> list[Evidence]:
    """Find the evidence on each requirement; `baseline` may be the reason why there is none."""
    found: dict[int, Evidence] = {}
    by_slice: dict[tuple[tuple[str, tuple[str, ...]], ...], list[int]] = defaultdict(list)
    for at, one in enumerate(asked):
        by_slice[one.figure[2]].append(at)
    for part, places in by_slice.items():
        some = [asked[at] for at in places]
        known = _of_slice(run, baseline, dict(part), some)
        if labels:
            known = _corrected(known, sliced(run, dict(part)), some, labels)
        found.update(zip(places, known, strict=True))
    return _adjusted([found[at] for at in range(len(asked))], asked)


def _of_slice(
    run: RunRecord, baseline: RunRecord | str, part: Slice, asked: Sequence[Requirement]
) -> list[Evidence]:
    here = sliced(only(run, {one.metric for one in asked}), part)
    lines = {line.key: line for line in summarise(here).lines}
    found = [Evidence(line=lines.get(one.metric)) for one in asked]
    wanted = [at for at, one in enumerate(asked) if one.limit.is_relative and found[at].line]
    if isinstance(baseline, str):
        for at in wanted:
            found[at] = replace(found[at], why_unknown=baseline)
    elif wanted:
        there = sliced(only(baseline, {asked[at].metric for at in wanted}), part)
        known = _changes(there, here, [asked[at] for at in wanted])
        for at, one in zip(wanted, known, strict=True):
            found[at] = replace(one, line=found[at].line)
    return found


def _corrected(
    found: Sequence[Evidence],
    here: RunRecord,
    asked: Sequence[Requirement],
    labels: Sequence[HumanScore],
) -> list[Evidence]:
    """With what human labels make of the mean of each metric that has some."""
    known = {one.metric for one in labels} & {one.metric for one in asked}
    corrected = {key: prediction_powered(here, key, labels) for key in known}
    return [
        replace(evidence, corrected=corrected.get(one.metric))
        for evidence, one in zip(found, asked, strict=True)
    ]


def _changes(there: RunRecord, here: RunRecord, asked: Sequence[Requirement]) -> list[Evidence]:
    """The change in each figure; those of means and completion from one round of draws."""
    join = Join.of_cases(there, here)
    found: list[Evidence] = []
    waiting: dict[int, tuple[Pairs, float]] = {}
    for at, one in enumerate(asked):
        before, after = there.columns.get(one.metric), here.columns[one.metric]
        why = why_apart(before, after)
        if before is None or why is not None:
            found.append(Evidence(line=None, why_unknown=f"it cannot be compared: {why}"))
            continue
        change = None
        if one.statistic == "completion":
            waiting[at] = join.pairs(completed(before), completed(after)), 1.0
        elif one.statistic in PERCENTILES:
            fraction = PERCENTILES[one.statistic]
            change = percentile_change(paired(join, before, after), before, after, fraction)
        else:
            waiting[at] = paired(join, before, after), greatest_change(after.declared)
        found.append(Evidence(line=None, change=change, baseline_completion=_completion(before)))
    if waiting:
        pairs, widest = zip(*waiting.values(), strict=True)
        for at, change in zip(waiting, changes(pairs, widest), strict=True):
            found[at] = replace(found[at], change=change)
    return found


def _completion(column: Column) -> float | None:
    _, scored, covered = completed(column)
    return float(scored.mean()) if covered.size else None


def _adjusted(found: Sequence[Evidence], asked: Sequence[Requirement]) -> list[Evidence]:
    """Adjust over what can fail the gate; a figure with two limits on it is tested once."""
    adjusted = holm(
        {
            one.figure: p
            for one, evidence in zip(asked, found, strict=True)
            if one.role is not Role.EXPLORATORY and (p := _p_value(evidence)) is not None
        }
    )
    return [
        replace(evidence, p_adjusted=adjusted.get(one.figure, _p_value(evidence)))
        for one, evidence in zip(asked, found, strict=True)
    ]


def _p_value(evidence: Evidence) -> float | None:
    return evidence.change.p_value if evidence.change is not None else None


def widest_change(declared: Declared, statistic: Statistic) -> float:
    """How far apart two such figures can be; of percentiles nothing that pairs could bound."""
    if statistic in PERCENTILES:
        return math.inf
    return 1.0 if statistic == "completion" else greatest_change(declared)


def ends_of_change(
    change: Change, declared: Declared, statistic: Statistic
) -> tuple[float, float] | None:
    """The interval of a change, the same for gates and decisions; see `power.settled`."""
    alike = fewest(PERCENTILES[statistic]) if statistic in PERCENTILES else ALIKE
    return settled(change, widest_change(declared, statistic), change.p_value, alike)
