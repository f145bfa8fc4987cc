"""A run as read back, in columns: the only thing that analysis ever sees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ragproof.core.arrays import Codes as Codes
from ragproof.core.arrays import Flags as Flags
from ragproof.core.arrays import Floats as Floats
from ragproof.core.case import CaseKind
from ragproof.core.header import Declared, RunHeader, RunState
from ragproof.core.outcome import Failed, Status


@dataclass(frozen=True, slots=True)
class CaseRow:
    """What slices, clusters and "failed in either" ask of a case."""

    id: str
    repeat: int
    kind: CaseKind
    tags: Mapping[str, str]
    group: str | None
    failure: Failed | None
    asked_at: float | None = None
    """Seconds since 1970; None where it is not known."""


@dataclass(frozen=True)
class Column:
    """One metric over a run. For a metric of cases, row i is row i of the case table."""

    declared: Declared
    subjects: tuple[str, ...] | None
    """Shape (n,), like all below: names of the groups or sets; None for a metric of cases."""
    status: Codes
    """`Status` of each subject."""
    values: Floats
    """Finite where scored, NaN elsewhere."""
    weights: Floats
    """Denominators where the metric pools as a ratio of sums; 0 where not scored."""
    applies: Flags
    """False where a failed case is none that the metric would have scored anyway."""
    reasons: tuple[str | None, ...]
    """Why a subject was skipped, not applicable or failed."""

    @property
    def lost(self) -> Flags:
        """Where a failure kept the metric from a score that it would have given."""
        lost: Flags = (self.status >= Status.JUDGE_ERROR) & self.applies
        return lost


@dataclass(frozen=True)
class RunRecord:
    """The header, the case table and a column for each metric key."""

    header: RunHeader
    state: RunState
    cases: tuple[CaseRow, ...]
    """In order of case id and repeat."""
    columns: Mapping[str, Column]
