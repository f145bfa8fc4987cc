"""All that is told of two samples, of a calibration, and of neighbours: what reports read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ragproof.analysis.drift import TOGETHER, Findings, Verdict
from ragproof.analysis.drift_neighbours import Stability
from ragproof.analysis.drift_shifts import POWER, Noticed
from ragproof.analysis.drift_slices import Slice, Word
from ragproof.analysis.drift_texts import SideFigure


@dataclass(frozen=True, slots=True)
class Side:
    """One of the samples."""

    source: str
    rows: int
    units: int
    """Independent ones: rows of one group count once."""
    repeated: int
    """Rows whose vector an earlier row of the sample has."""
    zero: int
    """Vectors that are all 0."""


@dataclass(frozen=True, slots=True)
class Example:
    """A row of the current sample that the reference has least of."""

    id: str
    text: str | None
    score: float


@dataclass(frozen=True, kw_only=True)
class Drift:
    """Two samples, held against each other."""

    reference: Side
    current: Side
    representation: str
    dimensions: int
    metric: str
    findings: Findings
    yardstick: Noticed | None
    """What a known shift does to samples like these; None where an alarm was raised."""
    slices: Sequence[Slice]
    words: Sequence[Word]
    examples: Sequence[Example]
    figures: Sequence[SideFigure]
    warnings: Sequence[str]

    @property
    def verdict(self) -> Verdict:
        """Drift where a detector raises an alarm; else what the yardstick allows to be said."""
        if self.findings.is_alarm:
            return Verdict.DRIFT
        if self.yardstick is None or self.yardstick.share(TOGETHER) < POWER:
            return Verdict.INCONCLUSIVE
        return Verdict.NONE

    @property
    def moved(self) -> tuple[Slice, ...]:
        """The slices whose share changed, all considered."""
        alpha = self.findings.setup.alpha
        return tuple(one for one in self.slices if one.p_adjusted <= alpha)


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """What known shifts of one sample show of the detectors."""

    source: str
    representation: str
    rows: int
    """Independent ones that samples are drawn from."""
    alpha: float
    deals: int
    seed: int
    noticed: Sequence[Noticed]
    notes: Sequence[str]

    @property
    def detectors(self) -> tuple[str, ...]:
        """In order, the last is all of them together."""
        return tuple(self.noticed[0].alarms) if self.noticed else ()

    def soonest(self, shift: str, size: float) -> tuple[str, int] | None:
        """The detector that needs fewest rows alone, of equals the surest; None where none does."""
        reached = [
            (one.rows[0], -one.share(name), name)
            for one in self.noticed
            for name in one.alarms
            if (one.shift, one.size) == (shift, size)
            and name != TOGETHER
            and one.share(name) >= POWER
        ]
        return (min(reached)[2], min(reached)[0]) if reached else None

    def enough(self, shift: str, size: float, detector: str) -> int | None:
        """The fewest rows a sample at which this shift is noticed often enough; None if at none."""
        rows = [
            one.rows[0]
            for one in self.noticed
            if (one.shift, one.size) == (shift, size) and one.share(detector) >= POWER
        ]
        return min(rows, default=None)


class Held(StrEnum):
    """What became of a bound."""

    PASS = "pass"  # noqa: S105  no password
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, kw_only=True)
class Neighbours:
    """The neighbours of fixed probes in two versions of an index."""

    before: str
    now: str
    dimensions: tuple[int, int]
    metric: str
    documents: int
    """That both versions have."""
    missing: tuple[int, int]
    """Documents that the first, and the second, does not have."""
    probes: Sequence[str]
    stability: Stability
    least: float | None
    """What the overlap must reach."""

    @property
    def verdict(self) -> Held | None:
        """Pass or fail where the whole interval of the overlap says so; None without a bound."""
        if self.least is None:
            return None
        figure = self.stability.overlap
        low, high = figure.bounds.ends or (figure.mean, figure.mean)
        if figure.bounds.ends is None and figure.values.size < 2:
            return Held.INCONCLUSIVE
        if low >= self.least:
            return Held.PASS
        return Held.FAIL if high < self.least else Held.INCONCLUSIVE

    @property
    def least_stable(self) -> tuple[tuple[str, float], ...]:
        """The probes that kept fewest neighbours, with their overlap."""
        values = self.stability.overlap.values.tolist()
        pairs = zip(self.probes, values, strict=True)
        return tuple(sorted((one for one in pairs if one[1] < 1), key=lambda one: one[1]))
