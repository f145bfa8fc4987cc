"""The independent units behind a figure: repeats belong to one case, grouped cases together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ragproof.analysis.intervals import Indices, Sample
from ragproof.core.record import CaseRow, Column, Flags, Floats
from ragproof.core.spec import Pool


@dataclass(frozen=True)
class Units:
    """Which trials are repeats of one case, and which cases form a cluster."""

    case_of: Indices | None
    """Trial to case, None where each case was tried once."""
    cluster_of: Indices | None
    """Case to cluster, None where no two cases share a group."""

    @classmethod
    def of(cls, cases: Sequence[CaseRow]) -> Units:
        """Number the cases and the clusters."""
        numbers: dict[str, int] = {}
        case_of = [numbers.setdefault(case.id, len(numbers)) for case in cases]
        repeated = len(numbers) < len(cases)
        groups = dict.fromkeys(numbers, "") | groups_of(cases)
        return cls(np.array(case_of) if repeated else None, clusters(groups))

    def sample(self, column: Column, scored: Flags) -> Sample:
        """What each independent unit contributes to the metric's figure."""
        upper, lower = parts(column, scored)
        if column.subjects is not None:  # groups and sets are units of their own
            return Sample(upper, lower)
        unit = np.flatnonzero(scored)
        if self.case_of is not None:
            unit, (upper, lower), times = summed(self.case_of[unit], upper, lower)
            upper, lower = upper / times, lower / times
        if self.cluster_of is None:
            return Sample(upper, lower)
        _, (upper, lower), _ = summed(self.cluster_of[unit], upper, lower)
        return Sample(upper, lower, clustered=True)


def parts(column: Column, scored: Flags) -> tuple[Floats, Floats]:
    """Numerators and denominators of the scores: of a plain mean these are values and ones."""
    ratio = column.declared.pool is Pool.RATIO
    lower = column.weights[scored] if ratio else np.ones(int(scored.sum()))
    return column.values[scored] * lower, lower


def groups_of(cases: Sequence[CaseRow]) -> dict[str, str]:
    """Case id to group, of the cases that have one."""
    return {case.id: case.group for case in cases if case.group}


def clusters(groups: Mapping[str, str]) -> Indices | None:
    """Case to the number of its cluster, None where no two share a group; `""` is no group."""
    if not any(groups.values()):
        return None
    named: dict[tuple[str, str], int] = {}
    cluster_of = [
        named.setdefault(("group", group) if group else ("case", case), len(named))
        for case, group in groups.items()
    ]
    return np.array(cluster_of) if len(named) < len(groups) else None


def summed(
    unit: Indices, upper: Floats, lower: Floats
) -> tuple[Indices, tuple[Floats, Floats], Indices]:
    """The units that occur, the sums of both columns by unit, and how often each occurs."""
    found, place, times = np.unique(unit, return_inverse=True, return_counts=True)

    def sums(column: Floats) -> Floats:
        return np.bincount(place, column, minlength=found.size).astype(np.float64)

    return found, (sums(upper), sums(lower)), times
