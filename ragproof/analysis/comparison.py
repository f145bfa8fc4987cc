"""Two runs compared on the cases that both have. Pure: two records in, a table out."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ragproof.analysis.comparable import changes_told, why_apart
from ragproof.analysis.detail import CaseDetail
from ragproof.analysis.holm import holm
from ragproof.analysis.joining import Join, Pairs, scores
from ragproof.analysis.paired import Change, changes
from ragproof.analysis.power import SIGNIFICANT, cases_needed, detectable
from ragproof.analysis.same_candidates import SameCandidates
from ragproof.core.header import Declared
from ragproof.core.record import Column, RunRecord
from ragproof.core.spec import Better, Unit

MOST_CHANGED = 5
"""So many cases are shown."""


@dataclass(frozen=True, kw_only=True)
class Compared:
    """One metric in both runs."""

    key: str
    declared: Declared
    change: Change
    p_adjusted: float | None
    """The p-value, adjusted over all that are tested together (Holm)."""
    exploratory: bool = False
    """Whether it is not one of those: its p-value is then not adjusted."""

    @property
    def wins(self) -> int:
        """Pairs in which the candidate is better; where no way is better, those that rose."""
        lower = self.declared.better is Better.LOWER
        return self.change.falls if lower else self.change.rises

    @property
    def losses(self) -> int:
        """Pairs in which the candidate is worse."""
        lower = self.declared.better is Better.LOWER
        return self.change.rises if lower else self.change.falls

    @property
    def gain(self) -> float | None:
        """The change for the better; None where there is no better."""
        delta = self.change.delta
        if delta is None or self.declared.better is Better.NEITHER:
            return None
        return -delta if self.declared.better is Better.LOWER else delta

    @property
    def is_found(self) -> bool:
        """Whether the adjusted test finds a change."""
        return self.p_adjusted is not None and self.p_adjusted <= SIGNIFICANT

    @property
    def is_beyond(self) -> bool:
        """Whether the interval lies to one side of no change; where there is none, so it counts."""
        ends = self.change.bounds.ends
        return ends is None or not ends[0] <= 0 <= ends[1]

    @property
    def is_shown(self) -> bool:
        """Whether a change is shown: test and interval, which part near their edges, agree."""
        return self.is_found and self.is_beyond

    @property
    def detectable(self) -> float | None:
        """The smallest true change that would have been seen in 4 comparisons of 5."""
        return detectable(self.change)

    @property
    def cases_needed(self) -> int | None:
        """So many cases would show a change of the observed size in 4 comparisons of 5."""
        return cases_needed(self.change, self.change.delta or 0.0)


@dataclass(frozen=True, slots=True)
class JoinedCases:
    """How the cases of two runs match."""

    common: int
    only_baseline: int
    only_candidate: int
    failed: int
    """Common cases of which a trial failed in either run."""
    failed_baseline: int = 0
    failed_candidate: int = 0


@dataclass(frozen=True, slots=True)
class ChangedCase:
    """A case that came out otherwise."""

    id: str
    amount: float
    """The average change for the better, over the fractions that have a better end."""
    figures: Mapping[str, tuple[float, float]]
    """Metric key to baseline and candidate, of those metrics that changed."""


@dataclass(frozen=True)
class UpClose:
    """A case in both runs."""

    baseline: CaseDetail
    candidate: CaseDetail


@dataclass(frozen=True, slots=True)
class Confirmatory:
    """Metrics chosen before the figures were seen; p-values are adjusted over them alone."""

    keys: frozenset[str]
    chosen: str
    """Which these are, in words: `the headline ones`."""

    def has(self, key: str, declared: Declared) -> bool:
        """Whether it holds a figure, by its own key or by the metric whose label it is."""
        return key in self.keys or (declared.each is not None and declared.id in self.keys)


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """What two runs show side by side."""

    baseline: RunRecord
    candidate: RunRecord
    cases: JoinedCases
    metrics: tuple[Compared, ...]
    """In order of the metric's key."""
    confirmatory: Confirmatory
    """Those of the metrics that are tested together."""
    apart: Mapping[str, str]
    """Metric key to the reason why it is not compared."""
    changed: tuple[ChangedCase, ...]
    """Those that changed most, the worse first of equals."""
    told: tuple[str, ...]
    """In what the runs differ."""
    doubts: tuple[str, ...] = ()
    """Differences that forbid a comparison, unless the user tolerates them."""
    candidates: SameCandidates | None = None
    """Whether the rerankers were given the same; None where no metric of them is compared."""
    details: Mapping[str, UpClose] = field(default_factory=dict[str, UpClose])
    """Case id to the case up close, of those that changed most."""

    @property
    def tested(self) -> int:
        """Over so many p-values each is adjusted."""
        return sum(not one.exploratory and one.p_adjusted is not None for one in self.metrics)


def compare(
    baseline: RunRecord, candidate: RunRecord, chosen: Sequence[Confirmatory] = ()
) -> Comparison:
    """Join two runs and find what changed.

    Tested together are the first of `chosen` of which any metric is compared, else the headline
    metrics, else all; every other one is exploratory.
    """
    join = Join.of_cases(baseline, candidate)
    together, apart = _sorted_out(baseline, candidate)
    pairs = {}
    for key in together:
        one = paired(join, baseline.columns[key], candidate.columns[key])
        if one.both.any():
            pairs[key] = one
        else:
            apart[key] = _unpaired(one)
    widest = [greatest_change(candidate.columns[key].declared) for key in pairs]
    found = dict(zip(pairs, changes([*pairs.values()], widest), strict=True))
    confirmatory = _confirmatory({key: candidate.columns[key].declared for key in pairs}, chosen)
    adjusted = _adjusted(found, confirmatory)
    return Comparison(
        baseline=baseline,
        candidate=candidate,
        cases=_counted(baseline, candidate, join),
        metrics=tuple(
            Compared(
                key=key,
                declared=candidate.columns[key].declared,
                change=change,
                p_adjusted=adjusted[key],
                exploratory=key not in confirmatory.keys,
            )
            for key, change in found.items()
        ),
        confirmatory=confirmatory,
        apart=dict(sorted(apart.items())),
        changed=_most_changed(join, pairs, candidate),
        told=tuple(changes_told(baseline.header, candidate.header)),
    )


def _adjusted(found: Mapping[str, Change], confirmatory: Confirmatory) -> dict[str, float | None]:
    """The p-value of each metric; of an exploratory one it is left as it is."""
    p_values = {key: one.p_value for key, one in found.items()}
    tested = {key: p for key, p in p_values.items() if p is not None and key in confirmatory.keys}
    return {**p_values, **holm(tested)}


def _confirmatory(compared: Mapping[str, Declared], chosen: Sequence[Confirmatory]) -> Confirmatory:
    headline = frozenset(key for key, one in compared.items() if one.headline)
    every = Confirmatory(frozenset(compared), "all that were compared")
    for one in (*chosen, Confirmatory(headline, "the headline ones")):
        if here := frozenset(key for key, declared in compared.items() if one.has(key, declared)):
            return Confirmatory(here, one.chosen)
    return every


def paired(join: Join, baseline: Column, candidate: Column) -> Pairs:
    """Lay a metric's scores side by side; figures of groups and sets are joined on their names."""
    if baseline.subjects is not None and candidate.subjects is not None:
        join = Join.of_names(baseline.subjects, candidate.subjects)
    return join.pairs(scores(baseline), scores(candidate))


def greatest_change(declared: Declared) -> float:
    """How far apart two figures of the metric can be."""
    low, high = declared.unit.range
    return high - low


def only(record: RunRecord, keys: Iterable[str]) -> RunRecord:
    """The run with these columns alone, as far as it has them."""
    wanted = set(keys)
    columns = {key: one for key, one in record.columns.items() if key in wanted}
    return dataclasses.replace(record, columns=columns)


def _sorted_out(baseline: RunRecord, candidate: RunRecord) -> tuple[list[str], dict[str, str]]:
    """The keys of the metrics to compare, and why others are not."""
    together, apart = [], {}
    for key in sorted({*baseline.columns, *candidate.columns}):
        why = why_apart(baseline.columns.get(key), candidate.columns.get(key))
        if why is None:
            together.append(key)
        else:
            apart[key] = why
    return together, apart


def _counted(baseline: RunRecord, candidate: RunRecord, join: Join) -> JoinedCases:
    runs = (baseline, candidate)
    before, after = (
        {case.id for case in run.cases if case.failure is not None}.intersection(join.names)
        for run in runs
    )
    sizes = [len({case.id for case in run.cases}) for run in runs]
    common = len(join.names)
    return JoinedCases(
        common=common,
        only_baseline=sizes[0] - common,
        only_candidate=sizes[1] - common,
        failed=len(before | after),
        failed_baseline=len(before),
        failed_candidate=len(after),
    )


def _unpaired(found: Pairs) -> str:
    """Say why nothing is compared: to lose all scores is not to have had none."""
    before, after = (int(side.there.sum()) for side in (found.baseline, found.candidate))
    if before and not after:
        return "scored in the baseline, in no case of the candidate"
    if after and not before:
        return "scored in the candidate, in no case of the baseline"
    return "no case was scored in both runs"


def _most_changed(
    join: Join, pairs: Mapping[str, Pairs], candidate: RunRecord
) -> tuple[ChangedCase, ...]:
    total, times = np.zeros(len(join.names)), np.zeros(len(join.names))
    moved = {key: one for key, one in pairs.items() if _ranks(candidate.columns[key])}
    for key, one in moved.items():
        better = candidate.columns[key].declared.better
        rise = np.where(one.both, one.candidate.upper - one.baseline.upper, 0.0)
        total += -rise if better is Better.LOWER else rise
        times += one.both
    amount = np.round(total / np.maximum(times, 1), 12)
    order = np.lexsort((np.arange(amount.size), amount, -np.abs(amount)))[:MOST_CHANGED]
    return tuple(
        ChangedCase(join.names[at], float(amount[at]), _figures(moved, at))
        for at in order.tolist()
        if amount[at] != 0
    )


def _ranks(column: Column) -> bool:
    """Whether a metric says of a case how good it is, on the scale from 0 to 1."""
    declared = column.declared
    is_scale = declared.unit is Unit.FRACTION and declared.better is not Better.NEITHER
    return column.subjects is None and is_scale and declared.blames and declared.pool == "mean"


def _figures(pairs: Mapping[str, Pairs], at: int) -> dict[str, tuple[float, float]]:
    return {
        key: (float(one.baseline.upper[at]), float(one.candidate.upper[at]))
        for key, one in pairs.items()
        if one.both[at] and one.baseline.upper[at] != one.candidate.upper[at]
    }
