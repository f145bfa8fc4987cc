"""The figures of a run by the values of each tag: where a good average hides a bad part. Pure.

What is shown is bounded, whatever the run: the most frequent values of a tag, and the metrics
whose parts differ most beyond chance. The order is no test: of many metrics some differ anyway.
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ragproof.analysis.intervals import BLOCKS, DISTINCT, Bounds, Indices, Sample, Z, bounds
from ragproof.analysis.units import Units
from ragproof.core.outcome import Status
from ragproof.core.record import Column, Flags, Floats, RunRecord
from ragproof.core.spec import Interval, Layer, Unit

TAGS = 8
VALUES = 12
METRICS = 12
MANY = 40
"""A tag of more values than this, or than half as many as there are trials, says which case it is,
not of which kind."""
ROUNDING = 1e-12
FEW = 20
"""A figure of fewer scored cases says little."""


@dataclass(frozen=True, slots=True)
class Part:
    """A metric over the cases with one value of a tag."""

    value: str | None
    """None for cases without the tag."""
    figure: float | None
    bounds: Bounds
    scored: int
    """Cases; trials of one case are averaged first."""

    @property
    def is_small(self) -> bool:
        """Whether too few cases were scored for the figure to say much."""
        return self.scored < FEW


@dataclass(frozen=True, slots=True)
class Parted:
    """A metric by the values of a tag."""

    key: str
    column: Column
    parts: tuple[Part, ...]
    contrast: float
    """How far the parts differ, over what scores differ within them (the F ratio)."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag by whose values the cases are parted."""

    name: str
    cases: tuple[tuple[str | None, int], ...]
    """Each value shown and its number of trials, the most frequent first."""
    other_values: int
    """Values that are not shown."""
    metrics: tuple[Parted, ...]
    """Those whose parts differ most beyond chance first, what the answer takes last."""
    other_metrics: int


@dataclass(frozen=True, slots=True)
class ByTag:
    """The parts of a run."""

    tags: tuple[Tag, ...]
    unshown: tuple[tuple[str, int], ...]
    """Tags that are not shown, with their number of values."""


def by_tag(record: RunRecord) -> ByTag:
    """Part the cases by each tag that tells them apart."""
    names = sorted({name for case in record.cases for name in case.tags})
    units = Units.of(record.cases)
    tags: list[Tag] = []
    unshown: list[tuple[str, int]] = []
    for name in names:
        values = [case.tags.get(name) for case in record.cases]
        counts = Counter(values)
        if len(counts) < 2:
            continue
        if len(counts) > min(MANY, max(2, len(values) // 2)) or len(tags) == TAGS:
            unshown.append((name, len(counts)))
            continue
        tags.append(_tag(record, units, name, values, counts))
    return ByTag(tuple(tags), tuple(unshown))


def _tag(
    record: RunRecord,
    units: Units,
    name: str,
    values: Sequence[str | None],
    counts: Counter[str | None],
) -> Tag:
    order = sorted(counts.items(), key=lambda one: (one[0] is None, -one[1], one[0] or ""))
    shown = order[:VALUES]
    number = {value: at for at, (value, _) in enumerate(shown)}
    code = np.array([number.get(value, -1) for value in values], dtype=np.intp)
    found = {
        key: contrast
        for key, column in record.columns.items()
        if column.subjects is None and (contrast := _contrast(column, code, len(shown))) is not None
    }
    ordered = sorted(found, key=lambda key: (_is_of_the_system(record, key), -found[key], key))
    metrics = tuple(
        Parted(
            key, record.columns[key], _parts(record.columns[key], units, code, shown), found[key]
        )
        for key in ordered[:METRICS]
    )
    return Tag(name, tuple(shown), len(order) - len(shown), metrics, len(ordered) - len(metrics))


def _is_of_the_system(record: RunRecord, key: str) -> bool:
    return record.columns[key].declared.layer is Layer.SYSTEM


def _contrast(column: Column, code: Indices, size: int) -> float | None:
    """The F ratio of the scores by part, 0 of too few; None where at most one part has a score."""
    scored = (column.status == Status.SCORED) & (code >= 0)
    values, part = column.values[scored], code[scored]
    times = np.bincount(part, minlength=size)
    there = times > 0
    parts, cases = int(there.sum()), values.size
    if parts < 2:
        return None
    means = np.bincount(part, values, minlength=size)[there] / times[there]
    between = float((times[there] * np.square(means - values.mean())).sum()) / (parts - 1)
    filled = np.zeros(size)
    filled[there] = means
    within = float(np.square(values - filled[part]).sum())
    if between <= ROUNDING or cases < max(FEW, parts + 1):
        return 0.0
    return between * (cases - parts) / within if within > ROUNDING else math.inf


def _parts(
    column: Column, units: Units, code: Indices, shown: Sequence[tuple[str | None, int]]
) -> tuple[Part, ...]:
    scored = column.status == Status.SCORED
    return tuple(
        _part(column, units, scored & (code == at), value) for at, (value, _) in enumerate(shown)
    )


def _part(column: Column, units: Units, here: Flags, value: str | None) -> Part:
    sample = units.sample(column, here)
    alone = dataclasses.replace(units, cluster_of=None)
    cases = alone.sample(column, here).numerators.size
    declared = column.declared
    ends = bounds_of_part(sample, declared.interval, declared.unit)
    return Part(value, sample.figure, ends, int(cases))


def bounds_of_part(sample: Sample, wanted: Interval, unit: Unit) -> Bounds:
    """As of the whole run; of very many different values by the normal approximation.

    There the two are the same to what is shown, and a page of many parts must not take a minute.
    """
    n = sample.numerators.size
    if n <= BLOCKS or wanted is not Interval.AUTO or not _is_varied(sample.numerators):
        return bounds(sample, wanted, unit)
    figure, whole = sample.figure, float(sample.denominators.sum())
    assert figure is not None
    spread = sample.numerators - figure * sample.denominators
    margin = Z * math.sqrt(n / (n - 1) * float(np.square(spread).sum())) / whole
    low, high = unit.range
    return Bounds((max(low, figure - margin), min(high, figure + margin)), "normal")


def _is_varied(values: Floats) -> bool:
    return np.unique(values[: 4 * DISTINCT]).size > DISTINCT
