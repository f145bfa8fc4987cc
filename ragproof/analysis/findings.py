"""All that a report of one run shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ragproof.analysis.detail import CaseDetail
from ragproof.analysis.never_found import never_found
from ragproof.analysis.summary import Summary, summarise
from ragproof.analysis.worst import FailedCase, RankedCase, failures, ranked
from ragproof.core.record import RunRecord

LISTED = 200
"""So many cases a report lists one by one."""


@dataclass(frozen=True, slots=True)
class JudgeUse:
    """What a run asked of its judge."""

    model: str | None = None
    calls: int = 0
    cache_hits: int = 0
    cost_usd: float | None = 0.0
    """None when a price is unknown."""
    card: tuple[Mapping[str, Any], ...] = ()
    """How far it was found to agree with people: figures a metric, the newest."""
    unanswered_usd: float = 0.0
    """Of the cost, for calls that brought no reply: the most that they may have cost."""


NO_JUDGE = JudgeUse()


@dataclass(frozen=True, kw_only=True)
class Findings:
    """A run and what was found in it."""

    record: RunRecord
    summary: Summary
    worst: tuple[RankedCase, ...]
    listed: tuple[RankedCase, ...]
    """The worst first, possibly not all."""
    failures: tuple[FailedCase, ...]
    """Possibly not all; the summary has the counts."""
    details: Mapping[str, CaseDetail] = field(default_factory=dict[str, CaseDetail])
    """Case id to detail, for as many cases as the caller wants shown up close."""
    judge: JudgeUse = NO_JUDGE
    warnings: tuple[str, ...] = ()


def find(
    record: RunRecord,
    *,
    details: Mapping[str, CaseDetail] | None = None,
    judge: JudgeUse = NO_JUDGE,
    warnings: Iterable[str] = (),
    worst_count: int = 3,
) -> Findings:
    """Reduce a run to what its reports show. `worst` says beforehand whose details to read."""
    listed = ranked(record, max(LISTED, worst_count))
    return Findings(
        record=record,
        summary=summarise(record),
        worst=tuple(one for one in listed[:worst_count] if one.lowest),
        listed=listed[:LISTED],
        failures=failures(record, LISTED),
        details=details or {},
        judge=judge,
        warnings=(*warnings, *never_found(record, details or {})),
    )
