"""Figures that only decision rules ask for, made columns and changes like all others."""

from __future__ import annotations

import dataclasses
import math
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from ragproof.analysis.agreement import category
from ragproof.analysis.comparison import greatest_change
from ragproof.analysis.intervals import FEW, T_QUANTILES, UNKNOWN, Bounds, Sample, Z
from ragproof.analysis.joining import completed
from ragproof.analysis.paired import ROUNDING, Change
from ragproof.analysis.percentiles import percentile_draws
from ragproof.analysis.prediction_powered import HumanScore
from ragproof.analysis.requirements import PERCENTILES, Statistic
from ragproof.analysis.summary import nearest_rank
from ragproof.analysis.units import Units
from ragproof.core.outcome import Status
from ragproof.core.record import Column, Flags, Floats, RunRecord
from ragproof.core.spec import Better, Interval, Pool, Unit

NO_LABEL = "people did not score this case"
SEED = 20_270_115
"""Sets the resamples of one arm against those of the other at random."""


def completion_column(column: Column) -> Column:
    """1 for each subject that was scored, 0 for each that should have been."""
    rows, scored, _ = completed(column)
    where = np.zeros(column.status.size, dtype=np.bool_)
    where[rows] = True
    values = np.full(column.status.size, np.nan)
    values[rows] = scored
    return _share(column, where, values, "the metric is not about this case")


def agreement_column(record: RunRecord, key: str, labels: Sequence[HumanScore]) -> Column:
    """1 for each labelled case that the judge puts into the people's band, else 0.

    A case that the judge failed on stays a failure: it lowers the completion, not the agreement.
    """
    column, told = record.columns[key], defaultdict[str, list[float]](list)
    for one in labels:
        if one.metric == key and one.run in (None, record.header.id):
            told[one.case_id].append(one.score)
    labelled = np.array([case.id in told for case in record.cases], dtype=np.bool_)
    scored = labelled & (column.status == Status.SCORED)
    values = np.full(column.status.size, np.nan)
    for at in np.flatnonzero(scored).tolist():
        scores = told[record.cases[at].id]
        people = category(math.fsum(scores) / len(scores))
        values[at] = float(category(float(column.values[at])) == people)
    keeps = labelled & (column.status >= Status.JUDGE_ERROR)
    return _share(column, scored, values, NO_LABEL, keeps)


def _share(
    column: Column, where: Flags, values: Floats, otherwise: str, keeps: Flags | None = None
) -> Column:
    status = np.where(where, np.int8(Status.SCORED), np.int8(Status.SKIPPED))
    reasons = [None if here else otherwise for here in where.tolist()]
    if keeps is not None:
        status = np.where(keeps, column.status, status)
        reasons = [
            column.reasons[at] if kept else reasons[at] for at, kept in enumerate(keeps.tolist())
        ]
    declared = dataclasses.replace(
        column.declared,
        unit=Unit.FRACTION,
        better=Better.HIGHER,
        pool=Pool.MEAN,
        interval=Interval.WILSON,
    )
    return dataclasses.replace(
        column,
        declared=declared,
        status=status.astype(np.int8),
        values=values,
        weights=where.astype(np.float64),
        reasons=tuple(reasons),
    )


def percentile_bounds(record: RunRecord, column: Column, fraction: float) -> Bounds:
    """The interval of a run's percentile: a percentile bootstrap over its units."""
    drawn = percentile_draws(record, column, fraction)
    if drawn is None:
        return UNKNOWN
    low, high = np.percentile(drawn[np.isfinite(drawn)], (2.5, 97.5))
    return Bounds((float(low), float(high)), "bootstrap") if low < high else UNKNOWN


def between(before: RunRecord, after: RunRecord, key: str, statistic: Statistic) -> Change:
    """The difference of a figure in two runs of different cases: the arms of an experiment.

    Of means it is Welch's t on linearised ratios, whose units are the clusters of each arm; of
    percentiles a bootstrap of either arm. `pairs` and `units` are those of the smaller arm.
    """
    columns = [arm.columns[key] for arm in (before, after)]
    scored = [column.status == Status.SCORED for column in columns]
    samples = [
        Units.of(arm.cases).sample(column, where)
        for arm, column, where in zip((before, after), columns, scored, strict=True)
    ]
    was, now = (sample.figure for sample in samples)
    if statistic in PERCENTILES:
        fraction = PERCENTILES[statistic]
        ordered = [np.sort(one.values[where]) for one, where in zip(columns, scored, strict=True)]
        was, now = (nearest_rank(one, fraction) for one in ordered)
        bounds = _percentiles_apart(before, after, key, fraction)
        error = None if bounds.ends is None else (bounds.ends[1] - bounds.ends[0]) / (2 * Z)
    else:
        widest = greatest_change(columns[1].declared)
        error, bounds = _means_apart(samples[0], samples[1], widest)
    return Change(
        baseline=was,
        candidate=now,
        delta=None if was is None or now is None else now - was,
        bounds=bounds,
        error=error,
        p_value=None,
        pairs=min(int(where.sum()) for where in scored),
        units=min(sample.numerators.size for sample in samples),
        rises=0,
        falls=0,
        ties=0,
    )


def _means_apart(before: Sample, after: Sample, widest: float) -> tuple[float | None, Bounds]:
    was, now = before.figure, after.figure
    variances = [_variance(before), _variance(after)]
    if was is None or now is None or None in variances:
        return None, UNKNOWN
    parts = [one for one in variances if one is not None]
    error = math.sqrt(sum(parts))
    if error == 0:
        return 0.0, UNKNOWN
    sizes = (before.numerators.size, after.numerators.size)
    below = sum(part**2 / (size - 1) for part, size in zip(parts, sizes, strict=True))
    freedom = int(sum(parts) ** 2 / below + 1e-9)  # a whole number may come out a hair below
    margin = (T_QUANTILES[freedom - 1] if freedom < FEW - 1 else Z) * error
    delta = now - was
    ends = (max(-widest, delta - margin), min(widest, delta + margin))
    clustered = before.clustered or after.clustered
    return error, Bounds(ends, "cluster welch t" if clustered else "welch t")


def _variance(sample: Sample) -> float | None:
    """Of a ratio of sums, linearised; 0 where all units are alike."""
    figure, n = sample.figure, sample.numerators.size
    if figure is None or n < 2:
        return None
    spread = sample.numerators - figure * sample.denominators
    if np.abs(spread).max() <= ROUNDING * np.abs(sample.numerators).max(initial=1e-300):
        return 0.0
    return n / (n - 1) * float(spread @ spread) / float(sample.denominators.sum()) ** 2


def _percentiles_apart(before: RunRecord, after: RunRecord, key: str, fraction: float) -> Bounds:
    drawn = [percentile_draws(arm, arm.columns[key], fraction) for arm in (before, after)]
    was, now = drawn
    if was is None or now is None:
        return UNKNOWN
    deltas = np.random.default_rng(SEED).permutation(now) - was
    low, high = np.percentile(deltas[np.isfinite(deltas)], (2.5, 97.5))
    return Bounds((float(low), float(high)), "bootstrap of both arms") if low < high else UNKNOWN
