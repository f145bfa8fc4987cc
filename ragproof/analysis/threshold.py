"""From which value of a metric on people call an answer good. Pure: values and labels in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ragproof.analysis.agreement import Figure, share
from ragproof.analysis.intervals import SEED
from ragproof.core.record import Floats
from ragproof.core.spec import Better

MOST_CUTS = 100
"""So many thresholds are tried; of more distinct values, those at even shares of the answers."""
RESAMPLES = 1_000
Counts: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """One threshold, and how it agrees with people."""

    threshold: float
    true_passes: int
    false_passes: int
    false_failures: int
    true_failures: int

    @property
    def precision(self) -> float | None:
        """Of the answers that pass, the share that people pass; None where none passes."""
        return _ratio(self.true_passes, self.true_passes + self.false_passes)

    @property
    def recall(self) -> float | None:
        """Of the answers that people pass, the share that passes."""
        return _ratio(self.true_passes, self.true_passes + self.false_failures)

    @property
    def f1(self) -> float | None:
        """Their harmonic mean."""
        missed = self.false_passes + self.false_failures
        return _ratio(2 * self.true_passes, 2 * self.true_passes + missed)

    @property
    def items(self) -> int:
        """Answers that were compared."""
        wrong = self.false_passes + self.false_failures
        return self.true_passes + self.true_failures + wrong

    @property
    def accuracy(self) -> float:
        """Share on which the threshold and people agree."""
        return (self.true_passes + self.true_failures) / self.items

    @property
    def kappa(self) -> float | None:
        """Cohen's: agreement beyond chance; None where chance agrees on everything."""
        table = (self.true_passes, self.false_passes, self.false_failures, self.true_failures)
        value = float(_kappas(*(np.array([float(one)]) for one in table))[0])
        return None if np.isneginf(value) else value


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholding:
    """What came of the search for a threshold."""

    better: Better
    cuts: tuple[Cut, ...]
    """In the order of the thresholds."""
    chosen: Cut
    """The highest kappa; of equals the highest accuracy, then the strictest."""
    ends: tuple[float, float]
    """Where the chosen threshold lies in 95 % of resamples of the answers."""
    held_out: Figure
    """Accuracy on answers that had no part in the choice: each is left out in turn."""

    @property
    def passes(self) -> str:
        """How a value is held to the threshold."""
        return ">=" if self.better is Better.HIGHER else "<="


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibrated:
    """A metric's threshold under one annotation condition."""

    metric: str
    condition: str
    source: str
    labels: int
    """Answers that people labelled."""
    passed: int
    """Those that people pass, of the ones that are compared."""
    without: Mapping[str, int]
    """Why others are not compared, and how many."""
    found: Thresholding


def thresholding(
    values: Sequence[float], passes: Sequence[bool], better: Better = Better.HIGHER
) -> Thresholding:
    """Find the threshold that agrees best with people.

    Raises ValueError where there is nothing to choose by: no direction, too few answers, people
    who pass all of them or none, or one value for all.
    """
    good = np.asarray(passes, bool)
    sign = 1.0 if better is Better.HIGHER else -1.0
    scores = sign * np.asarray(values, float)
    if (why_not := _hopeless(scores, good, better)) is not None:
        raise ValueError(why_not)
    cuts = _cuts(scores)
    bins = np.searchsorted(cuts, scores, side="right") - 1
    of = [bins[good], bins[~good]]
    cells = np.stack([np.bincount(one, minlength=len(cuts)) for one in of]).astype(np.float64)
    tables = _tables(cells[None])
    found = tuple(
        Cut(
            threshold=sign * float(cut) + 0.0,
            true_passes=int(tables[0][0, at]),
            false_passes=int(tables[1][0, at]),
            false_failures=int(tables[2][0, at]),
            true_failures=int(tables[3][0, at]),
        )
        for at, cut in enumerate(cuts)
    )
    low, high = np.sort(sign * cuts[_resampled(cells)])[[24, 974]]
    return Thresholding(
        better=better,
        cuts=found,
        chosen=found[int(_best(cells[None])[0])],
        ends=(float(low), float(high)),
        held_out=_held_out(cells),
    )


def _hopeless(scores: Floats, good: NDArray[np.bool_], better: Better) -> str | None:
    """Why there is nothing to choose by."""
    if better is Better.NEITHER:
        return "of this metric neither higher nor lower is better"
    if good.all() or not good.any():
        verdict = "pass" if good.all() and len(good) else "fail"
        return f"people {verdict} all {len(good)} answers; label some of the other kind"
    if scores.min() == scores.max():
        value = scores[0] if better is Better.HIGHER else -scores[0]
        return f"all {len(scores)} answers have the value {value:g}"
    return None


def _cuts(scores: Floats) -> Floats:
    """Thresholds half-way between neighbouring values, and the lowest value, which all reach."""
    distinct = np.unique(scores)
    if len(distinct) > MOST_CUTS:
        wanted = np.linspace(0, 1, MOST_CUTS)
        distinct = np.unique(np.quantile(scores, wanted, method="inverted_cdf"))
    halves = (distinct[1:] + distinct[:-1]) / 2
    return np.concatenate([distinct[:1], halves])


def _tables(cells: Counts) -> tuple[Counts, Counts, Counts, Counts]:
    """True passes, false passes, false failures, true failures: a row a resample, a column a cut.

    `cells` holds the answers by resample, people's verdict (pass, fail) and bin: the last cut that
    the value reaches.
    """
    reaching = np.flip(np.flip(cells, -1).cumsum(-1), -1)
    whole = reaching[..., :1]
    missing = whole - reaching
    return reaching[:, 0], reaching[:, 1], missing[:, 0], missing[:, 1]


def _best(cells: Counts) -> NDArray[np.intp]:
    """The best cut of each resample."""
    hits, false, missed, rejected = _tables(cells)
    kappas = np.round(_kappas(hits, false, missed, rejected), 12)
    right = hits + rejected
    ranks = np.arange(cells.shape[-1])
    return np.array(
        [np.lexsort((ranks, right[row], kappas[row]))[-1] for row in range(len(cells))], np.intp
    )


def _kappas(hits: Counts, false: Counts, missed: Counts, rejected: Counts) -> Counts:
    """Cohen's kappa of tables of two by two; minus infinity where it is not defined."""
    n = hits + false + missed + rejected
    passed, meant = hits + false, hits + missed
    chance = (passed * meant + (n - passed) * (n - meant)) / n**2
    with np.errstate(divide="ignore", invalid="ignore"):
        values: Counts = ((hits + rejected) / n - chance) / (1 - chance)
    return np.where(chance < 1, values, -np.inf)


def _resampled(cells: Counts) -> NDArray[np.intp]:
    n = int(cells.sum())
    drawn = np.random.default_rng(SEED).multinomial(n, cells.ravel() / n, size=RESAMPLES)
    return _best(drawn.reshape(RESAMPLES, *cells.shape).astype(np.float64))


def _held_out(cells: Counts) -> Figure:
    """Leave each answer out, choose by the others, and see whether people agree on it."""
    right = 0
    for verdict, at in zip(*np.nonzero(cells), strict=True):
        others = cells.copy()
        others[verdict, at] -= 1
        passes = at >= _best(others[None])[0]
        right += int(cells[verdict, at]) if passes == (verdict == 0) else 0
    return share(right, int(cells.sum()))


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
