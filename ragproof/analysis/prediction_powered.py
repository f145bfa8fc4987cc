"""A judged mean, corrected by the part of the cases that people scored too.

Angelopoulos, Bates, Fannjiang, Jordan, Zrnic 2023, Science 382:669 (PPI) and Angelopoulos, Duchi,
Zrnic 2023, arXiv 2311.01453 (PPI++). With f the judge's scores and y the people's, of all N cases
and of the n labelled ones among them:

    estimate(t) = mean(y, labelled) + t * (mean(f, all) - mean(f, labelled))

t = 1 is the judge's mean less its mean error, t = 0 the people's mean alone; PPI++ takes the t that
makes the variance least, here within [0, 1]. The labelled cases must have been drawn at random.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ragproof.analysis.intervals import FEW, T_QUANTILES, Indices, Z, wilson
from ragproof.analysis.units import Units
from ragproof.core.outcome import Status
from ragproof.core.record import Column, Floats, RunRecord
from ragproof.core.spec import Pool

STRANGE = 2.5758293035489004
"""Standard errors between labelled and other cases that chance reaches once in 100 times."""
ALIKE = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanScore:
    """What a person made of the answer to a case."""

    case_id: str
    metric: str
    """Its key."""
    score: float
    run: str | None = None
    """The run whose answer was scored; None where that is taken on trust."""


@dataclass(frozen=True, slots=True)
class Estimated:
    """A mean and its 95 % interval, where there is one."""

    value: float
    ends: tuple[float, float] | None
    error: float | None
    """Standard error."""


@dataclass(frozen=True, kw_only=True)
class PredictionPowered:
    """A judged mean, the people's on their part of it, and what the two say together."""

    judged: float
    """The judge's mean over all cases that it scored: the usual figure."""
    human: float
    """The people's mean over the labelled cases."""
    plain: Estimated
    """The judge's mean less its mean error on the labelled cases (PPI)."""
    tuned: Estimated
    """With the weight of the judge that makes the variance least (PPI++)."""
    weight: float
    """That weight: 0 where the judge is of no use, 1 where its whole mean counts."""
    cases: int
    labelled: int
    units: int
    """Independent units among the labelled cases: fewer where cases share a group."""
    unused: int
    """Labels that are of no case that the judge scored, or of another run's answers."""
    doubt: str | None
    """Why the labelled cases do not look drawn at random."""


def prediction_powered(
    record: RunRecord, key: str, labels: Sequence[HumanScore]
) -> PredictionPowered | str:
    """Correct a metric's mean; a text says why that cannot be done."""
    column = record.columns.get(key)
    if column is None:
        return "the run has no such metric"
    if column.subjects is not None or column.declared.pool is not Pool.MEAN:
        return "only the mean of a metric that scores each case can be corrected by labels"
    mine = [one for one in labels if one.metric == key]
    if not mine:
        return "there are no human labels of this metric"
    both = _Both.of(record, column, [one for one in mine if one.run in (None, record.header.id)])
    if not both.labelled.any():
        return "no human label is of a case that the judge scored"
    unused = len(mine) - both.used
    return both.estimate(unused, column.declared.unit.range)


@dataclass(frozen=True)
class _Both:
    """Scores by case: of the judge, and of people where there are any."""

    judge: Floats
    human: Floats
    """NaN where there is no label."""
    unit: Indices
    """Case to the cluster that it belongs to."""
    used: int

    @classmethod
    def of(cls, record: RunRecord, column: Column, labels: Iterable[HumanScore]) -> _Both:
        """Average the repeats of a case, and the labels of several people."""
        units = Units.of(record.cases)
        scored = np.flatnonzero(column.status == Status.SCORED)
        case_of = units.case_of if units.case_of is not None else np.arange(len(record.cases))
        found, place, times = np.unique(case_of[scored], return_inverse=True, return_counts=True)
        judge = np.bincount(place, column.values[scored], minlength=found.size) / times
        ids = list(dict.fromkeys(case.id for case in record.cases))
        at = {ids[number]: spot for spot, number in enumerate(found.tolist())}
        told: dict[int, list[float]] = defaultdict(list)
        for one in labels:
            if one.case_id in at:
                told[at[one.case_id]].append(one.score)
        human = np.full(found.size, np.nan)
        for spot, scores in told.items():
            human[spot] = math.fsum(scores) / len(scores)
        unit = found if units.cluster_of is None else units.cluster_of[found]
        return cls(judge, human, unit, sum(map(len, told.values())))

    @cached_property
    def labelled(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Where people scored."""
        where: np.ndarray[tuple[int], np.dtype[np.bool_]] = ~np.isnan(self.human)
        return where

    def estimate(self, unused: int, within: tuple[float, float]) -> PredictionPowered:
        """Put it together; see the module for the formula."""
        here = self.labelled
        n, size = int(here.sum()), self.judge.size
        human, ahead = float(self.human[here].mean()), 0.0
        if n < size:
            ahead = float(self.judge.mean() - self.judge[here].mean())
        people, judge = self._influence(self.human[here], None), self._judged()
        square = float(judge @ judge)
        best = float(people @ judge) / square if square > 0 else 0.0
        weight = min(1.0, max(0.0, best)) if n < size else 0.0
        units = int(np.unique(self.unit[here]).size)
        return PredictionPowered(
            judged=float(self.judge.mean()),
            human=human,
            plain=self._estimated(human + ahead, people - judge, units, within),
            tuned=self._estimated(human + weight * ahead, people - weight * judge, units, within),
            weight=weight,
            cases=size,
            labelled=n,
            units=units,
            unused=unused,
            doubt=self._doubt(judge),
        )

    def _judged(self) -> Floats:
        """What each unit does to the judge's labelled mean less its mean over all.

        That difference is (1 - n/N) times the one between labelled and other cases, which are two
        samples.
        """
        here = self.labelled
        if here.all():
            return np.zeros(int(self.unit.max()) + 1)
        others = float((~here).mean())
        return others * self._influence(self.judge[here], self.judge[~here])

    def _influence(self, labelled: Floats, others: Floats | None) -> Floats:
        """By unit, what it does to the labelled mean, less what it does to the others'.

        Each part is scaled so that the squares add up to the unbiased variance of its mean.
        """
        found = np.zeros(int(self.unit.max()) + 1)
        for values, where, sign in (
            (labelled, self.labelled, 1.0),
            (others, ~self.labelled, -1.0),
        ):
            if values is None:
                continue
            units = np.unique(self.unit[where]).size
            scale = math.sqrt(units / (units - 1)) if units > 1 else 1.0
            spread = sign * scale * (values - values.mean()) / values.size
            found += np.bincount(self.unit[where], spread, minlength=found.size)
        return found

    def _estimated(
        self, value: float, influence: Floats, units: int, within: tuple[float, float]
    ) -> Estimated:
        error = math.sqrt(float(influence @ influence))
        low, high = within
        if units < 2:
            return Estimated(value, None, None)
        margin = (T_QUANTILES[units - 2] if units < FEW else Z) * error
        if self._agree and not self.labelled.all():
            # that no label differs does not show that none ever would
            margin += wilson(0.0, units)[1] * (high - low)
        if not math.isfinite(margin) or margin <= ALIKE:
            return Estimated(value, None, error)
        return Estimated(value, (max(low, value - margin), min(high, value + margin)), error)

    @property
    def _agree(self) -> bool:
        """Whether the judge errs by the same amount on every labelled case."""
        off = self.judge[self.labelled] - self.human[self.labelled]
        return bool(np.ptp(off) <= ALIKE)

    def _doubt(self, judge: Floats) -> str | None:
        """Labels that were drawn at random are of cases like the others."""
        here, error = self.labelled, math.sqrt(float(judge @ judge))
        if here.all() or error <= ALIKE or here.sum() < 2:
            return None
        means = [float(self.judge[where].mean()) for where in (here, ~here)]
        if abs(means[0] - means[1]) * float((~here).mean()) <= STRANGE * error:
            return None
        told = "the judge gives the labelled cases {:.3g} and the others {:.3g}"
        return f"{told.format(*means)}: were they drawn at random?"
