"""What the page of a run lays out, prepared so that its templates only place it."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from ragproof.analysis.by_tag import Part
from ragproof.analysis.comparison import ChangedCase, Compared, Comparison
from ragproof.analysis.detail import CaseDetail, Retrieved, evidence
from ragproof.analysis.findings import Findings
from ragproof.analysis.gate import Gate
from ragproof.analysis.requirements import Waiver
from ragproof.analysis.spread import Spread
from ragproof.analysis.summary import Line
from ragproof.analysis.worst import RankedCase
from ragproof.core.needs import CONTEXT
from ragproof.core.observation import Chunk
from ragproof.core.outcome import Failed, NotApplicable, Scored
from ragproof.core.spec import Unit
from ragproof.reports.account import Account, account
from ragproof.reports.judged import is_judged
from ragproof.reports.wording import LAYERS, figure

PAGE = 50
"""Cases on one leaf of the list."""


@dataclass(frozen=True)
class LayerView:
    """The metrics of one layer."""

    title: str
    lines: tuple[Line, ...]
    """Headlines first; those that nothing was scored for are apart."""
    unscored: tuple[Line, ...]

    @property
    def has_bars(self) -> bool:
        """Whether any of its figures lies between 0 and 1."""
        return any(line.column.declared.unit is Unit.FRACTION for line in self.lines)


@dataclass(frozen=True)
class Passage:
    """A chunk of a case."""

    rank: int | None
    """None for one that the model was given though retrieval did not list it."""
    chunk: Chunk
    source: str
    relevant: bool
    cited: bool
    given: bool | None
    """Whether the model was given it; None where that is the same for all."""


@dataclass(frozen=True)
class MetricEvidence:
    """What a metric has to say of one case."""

    key: str
    told: str
    """The figure, or why there is none."""
    account: Account
    judged: bool
    failed: bool

    @property
    def is_telling(self) -> bool:
        """Whether it says that something is wrong: what a reader looks for first."""
        votes = [row for _, _, own in self.account.jurors for row in own.rows]
        return self.failed or any(row.tone == "bad" for row in (*self.account.rows, *votes))


@dataclass(frozen=True)
class WaiverView:
    """A waiver and whether it holds."""

    waiver: Waiver
    active: bool
    used: bool
    """Whether a check would have stopped the gate without it."""


@dataclass(frozen=True)
class LayerChanges:
    """The changes of one layer."""

    title: str
    metrics: tuple[Compared, ...]


def by_layer(lines: Sequence[Line]) -> list[LayerView]:
    """Every layer, also one without a metric: what is not measured fails unnoticed."""
    views = []
    for layer, title in LAYERS.items():
        own = [line for line in lines if line.column.declared.layer is layer]
        own.sort(key=lambda line: not line.column.declared.headline)
        some = tuple(line for line in own if line.scored or line.errors)
        views.append(LayerView(title, some, tuple(line for line in own if line not in some)))
    return views


def reasons(lines: Sequence[Line]) -> list[tuple[str, str, list[tuple[str, int]]]]:
    """What became of cases without a score, why, and how often for which metric."""
    found: dict[tuple[str, str], list[tuple[str, int]]] = defaultdict(list)
    for line in lines:
        for status, told in (
            ("skipped", line.skip_reasons),
            ("not applicable", line.not_applicable_reasons),
            ("error", line.error_reasons),
        ):
            for reason, count in told.items():
                found[status, reason].append((line.key, count))
    order = ["error", "not applicable", "skipped"]
    listed = sorted(found.items(), key=lambda one: order.index(one[0][0]))
    return [(status, reason, metrics) for (status, reason), metrics in listed]


def leaves(listed: Sequence[RankedCase]) -> list[tuple[int, Sequence[RankedCase]]]:
    """The number of the first case on each leaf, and its cases."""
    return [(at + 1, listed[at : at + PAGE]) for at in range(0, len(listed), PAGE)]


def passages(detail: CaseDetail) -> list[Passage]:
    """The chunks of a case in order of rank, then those that only the model was given."""
    run = detail.run
    seen = evidence(run)
    retrieved: Sequence[Retrieved] = seen.retrieved or ()
    context = run.get(CONTEXT) or ()
    given = {chunk.id for chunk in context}
    same = given == {one.chunk.id for one in retrieved}
    wanted = {one.source for one in seen.expected or ()}
    cited = {one.chunk_id for one in seen.cited or ()}
    listed = [
        Passage(
            rank=one.rank,
            chunk=one.chunk,
            source=one.source,
            relevant=one.relevant,
            cited=one.cited,
            given=None if same else one.chunk.id in given,
        )
        for one in retrieved
    ]
    known = {one.chunk.id for one in retrieved}
    for chunk in context:
        if chunk.id not in known:
            source = run.source_match.source(chunk)
            named = bool(cited & {chunk.id, source})
            listed.append(
                Passage(
                    rank=None,
                    chunk=chunk,
                    source=source,
                    relevant=source in wanted,
                    cited=named,
                    given=True,
                )
            )
    return listed


def evidence_of(detail: CaseDetail, found: Findings) -> list[MetricEvidence]:
    """What each metric left to be read of a case: the judged first, then the others."""
    told = []
    for key, outcome in detail.rows.items():
        judged = is_judged(found.record.header, key)
        if isinstance(outcome, Failed):
            told.append(MetricEvidence(key, outcome.message, Account(), judged, failed=True))
        elif isinstance(outcome, Scored | NotApplicable):
            made = account(outcome.evidence)
            if not made.is_empty:
                said = _outcome(outcome, key, found)
                told.append(MetricEvidence(key, said, made, judged, failed=False))
    return sorted(told, key=lambda one: (not one.judged, one.failed))


def _outcome(outcome: Scored | NotApplicable, key: str, found: Findings) -> str:
    if isinstance(outcome, NotApplicable):
        return f"not applicable: {outcome.reason}"
    column = found.record.columns.get(key)
    return figure(outcome.value, column.declared.unit if column else Unit.RATIO)


def answers(case: ChangedCase, found: Comparison) -> list[tuple[str, CaseDetail]]:
    """A changed case before and after, where both are known."""
    seen = found.details.get(case.id)
    if seen is None:
        return []
    return [("Before", seen.baseline), ("After", seen.candidate)]


def waivers(gate: Gate | None) -> list[WaiverView]:
    """Every waiver of the config, expired ones too."""
    if gate is None:
        return []
    used = {check.waiver for check in gate.checks if check.waiver is not None}
    return [
        WaiverView(one, one.expires >= gate.policy.today, one in used)
        for one in gate.policy.waivers
    ]


def changes(found: Comparison | None) -> list[LayerChanges]:
    """The changes by layer, what the answer costs last: the gain stands beside its price."""
    if found is None:
        return []
    layers = (
        LayerChanges(title, tuple(one for one in found.metrics if one.declared.layer is layer))
        for layer, title in LAYERS.items()
    )
    return [one for one in layers if one.metrics]


def marks(line: Line, told: Spread) -> list[tuple[str, float]]:
    """What is marked on a distribution: the mean of a share, percentiles of anything else."""
    unit = line.column.declared.unit
    if unit in (Unit.FRACTION, Unit.DIFFERENCE):
        named = {"mean": line.mean}
    else:
        named = {"p50": line.p50, "p95": line.p95, "p99": line.p99}
    return [(name, at) for name, at in named.items() if at is not None and at <= told.high]


def scale(parts: Sequence[Part], unit: Unit) -> tuple[float, float]:
    """The ends of the scale on which the parts of a metric are drawn."""
    low, high = unit.range
    if math.isfinite(high):
        return low, high
    ends = [end for part in parts if part.bounds.ends for end in part.bounds.ends]
    figures = [part.figure for part in parts if part.figure is not None]
    return low, max([*ends, *figures], default=1.0) or 1.0


def widest(found: Comparison, unit: Unit) -> float:
    """The largest change that is drawn of a unit: all of one unit have one scale."""
    mine = [one.change for one in found.metrics if one.declared.unit is unit]
    ends = [abs(end) for change in mine if change.bounds.ends for end in change.bounds.ends]
    return max([*ends, *(abs(one.delta) for one in mine if one.delta)], default=1.0) or 1.0
