"""Reduce a run to one line per metric. Pure: a record in, a table out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ragproof.analysis.intervals import Bounds, bounds, effective
from ragproof.analysis.units import Units
from ragproof.core.outcome import Cause, Status
from ragproof.core.record import Column, Flags, Floats, RunRecord
from ragproof.core.spec import Interval

MESSAGES = 10
"""So many different error messages of a metric are told apart; the rest are counted together."""
MESSAGE_LENGTH = 200
OTHERS = "other errors"


@dataclass(frozen=True, kw_only=True)
class Line:
    """One metric over a run. Figures are None where nothing was scored.

    Counts and percentiles are over trials. For the mean and its interval the repeats of a case
    are averaged first, and cases that share a `group` are resampled together.
    """

    key: str
    column: Column
    mean: float | None
    bounds: Bounds
    p50: float | None
    p95: float | None
    p99: float | None
    scored: int
    skipped: int
    not_applicable: int
    errors: int
    """All failures: of the pipeline, the judge and the metric."""
    completion: float | None
    """Scored / (scored + errors) over the cases that the metric applies to, if there are any."""
    skip_reasons: Mapping[str, int]
    """Reason to count, the most frequent first; so are the two below."""
    not_applicable_reasons: Mapping[str, int]
    error_reasons: Mapping[str, int]
    """Messages of the judge and of the metric, shortened; past the ten most frequent they are
    counted as `other errors`. Why the pipeline failed stands with the cases, once."""

    @property
    def unmeasured(self) -> bool:
        """Whether every case was skipped, or came to no end before the metric could look.

        So is a metric of the whole run, until the run has come to its end.
        """
        return not (self.scored or self.not_applicable or self.error_reasons)


@dataclass(frozen=True, kw_only=True)
class CaseCounts:
    """How the trials of a run ended; `total` is the sum of the next four."""

    total: int
    """Trials that were to be made: cases selected times repeats."""
    ok: int
    errors: int
    """Failures other than timeouts."""
    timeouts: int
    missing: int
    """Not tried yet."""
    kinds: Mapping[str, int]
    """Case kind to the number of trials made."""
    failure_reasons: Mapping[str, int]
    """Cause and message to count, as with a line's `error_reasons`."""


@dataclass(frozen=True)
class Summary:
    """A run in figures."""

    cases: CaseCounts
    lines: tuple[Line, ...]
    """In order of the metric's key."""


def summarise(record: RunRecord) -> Summary:
    """Count the cases and reduce every metric to its line."""
    units = Units.of(record.cases)
    broken = np.array([case.failure is not None for case in record.cases], dtype=np.bool_)
    lines = tuple(
        _line(key, column, units, broken)
        if column.subjects is None
        else _with_losses(_line(key, column, units, np.False_), record)
        for key, column in sorted(record.columns.items())
    )
    return Summary(_counted(record), lines)


def _with_losses(line: Line, record: RunRecord) -> Line:
    """The line of a group's or a set's figure, the failed cases that are not in it told as errors.

    They are lost to it as they are to a figure of cases, and completion says so.
    """
    kinds = line.column.declared.kinds
    tried = [case for case in record.cases if case.kind in kinds]
    lost = sum(1 for case in tried if case.failure is not None)
    if not lost:
        return line
    completion = line.completion and line.completion * (len(tried) - lost) / len(tried)
    return replace(line, errors=line.errors + lost, completion=completion)


def nearest_rank(ordered: Floats, fraction: float) -> float | None:
    """The value at position max(1, ceil(fraction * n)) of the sorted scores."""
    if ordered.size == 0:
        return None
    # the product of a decimal and a whole number may lie a hair above the whole it stands for
    position = max(1, math.ceil(round(fraction * ordered.size, 9)))
    return float(ordered[position - 1])


def _counted(record: RunRecord) -> CaseCounts:
    failures = [case.failure for case in record.cases if case.failure is not None]
    causes = Counter(failure.cause for failure in failures)
    failed, timeouts, tried = causes.total(), causes[Cause.TIMEOUT], len(record.cases)
    total = max(tried, record.header.trials)
    return CaseCounts(
        total=total,
        ok=tried - failed,
        errors=failed - timeouts,
        timeouts=timeouts,
        missing=total - tried,
        kinds=dict(sorted(Counter(str(case.kind) for case in record.cases).items())),
        failure_reasons=_merged(_frequent(f"{one.cause}: {one.message}" for one in failures)),
    )


def _line(key: str, column: Column, units: Units, broken: Flags | np.bool_) -> Line:
    status, scored = column.status, column.status == Status.SCORED
    failed = status >= Status.JUDGE_ERROR
    ordered = np.sort(column.values[scored])
    covered = ordered.size + int(column.lost.sum())
    sample = units.sample(column, scored)
    declared = column.declared
    return Line(
        key=key,
        column=column,
        mean=sample.figure,
        bounds=effective(sample.figure, float(column.weights[scored].sum()))
        if declared.interval is Interval.EFFECTIVE
        else bounds(sample, declared.interval, declared.unit),
        p50=nearest_rank(ordered, 0.50),
        p95=nearest_rank(ordered, 0.95),
        p99=nearest_rank(ordered, 0.99),
        scored=int(ordered.size),
        skipped=int((status == Status.SKIPPED).sum()),
        not_applicable=int((status == Status.NOT_APPLICABLE).sum()),
        errors=int(failed.sum()),
        completion=ordered.size / covered if covered else None,
        skip_reasons=_frequent(_reasons(column, status == Status.SKIPPED)),
        not_applicable_reasons=_frequent(_reasons(column, status == Status.NOT_APPLICABLE)),
        error_reasons=_merged(_frequent(_reasons(column, failed & ~broken))),
    )


def _reasons(column: Column, where: Flags) -> Iterable[str]:
    return (column.reasons[at] or "no reason given" for at in np.flatnonzero(where).tolist())


def _frequent(found: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(found).items(), key=lambda one: (-one[1], one[0])))


def _merged(messages: Mapping[str, int]) -> dict[str, int]:
    """Shortened messages, those past the most frequent under one name."""
    short: Counter[str] = Counter()
    for message, count in messages.items():
        line = " ".join(message[: 4 * MESSAGE_LENGTH].split())
        short[line if len(line) <= MESSAGE_LENGTH else f"{line[: MESSAGE_LENGTH - 3]}..."] += count
    ordered = list(short.items())
    kept = dict(ordered[:MESSAGES])
    if others := sum(count for _, count in ordered[MESSAGES:]):
        kept[OTHERS] = kept.get(OTHERS, 0) + others
    return kept
