"""The classifier test: can a row's sample be told from its vector better than by chance?

Lopez-Paz, Oquab 2017, ICLR ("Revisiting classifier two-sample tests"), with the area under the ROC
curve in place of the accuracy. The classifier is linear: ridge regression on the label. Every row
is scored by a model that has seen neither it nor its kin (rows that are alike, or of one group),
and compared with rows of its own fold only. Models are fitted anew for every deal of the labels.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ragproof.analysis.drift_pool import Pool, deals
from ragproof.analysis.intervals import Indices
from ragproof.analysis.tails import TAIL, t_quantile
from ragproof.core.arrays import Flags, Floats

Vectors: TypeAlias = NDArray[np.float32]
FOLDS = 5
SHRINKAGE = 3.0
"""The penalty, in mean variances of a dimension: vectors of hundreds of dimensions need much."""
MOST = 10_000
"""Rows of each sample that are looked at; more would not move the third digit."""


@dataclass(frozen=True)
class Separation:
    """How well the samples are told apart."""

    areas: Floats
    """Under the ROC curve: for the labels as they are, then for each deal; 0.5 is chance."""
    ends: tuple[float, float] | None
    """95 % interval of the first; None where all rows are told apart."""
    rows: Indices
    """The rows of the pool that were looked at."""
    scores: Floats
    """Of each of them, out of fold; the greater, the more like the current sample."""


@dataclass(frozen=True)
class _Known:
    """What is known of the rows that are looked at."""

    labels: Flags
    units: Indices
    kin: Indices


@dataclass(frozen=True)
class _Fold:
    """The rows that are held out, each of the different ones once."""

    rows: Indices
    vectors: Vectors
    """Of the different rows. Shape (different, dimensions)."""
    same: Indices
    """Which of them each row is."""


def separation(pool: Pool, number: int, draw: np.random.Generator) -> Separation:
    """Tell the samples apart, as they are and under `number` new deals."""
    at = pool.drawn(MOST, draw)
    rows, known = pool.rows(at), _known(pool, at)
    vectors = _rotated(rows)
    folds = list(_folds(known.kin, vectors, _identical(rows), draw))
    grams = [vectors[one.rows].T @ vectors[one.rows] for one in folds]
    whole = np.sum(grams, axis=0)
    inverses = [_inverse(whole - gram) for gram in grams]
    areas, scores = [], np.empty(at.size)
    for some in deals(known.labels, known.units, number, draw):
        found = list(_scored(vectors, folds, inverses, some))
        areas.append(_areas(folds, found, some))
        if len(areas) == 1:
            for fold, values in zip(folds, found, strict=True):
                scores[fold.rows] = values[fold.same, 0]
    together = np.concatenate(areas)
    return Separation(together, _interval(together, known, folds, scores), at, scores)


def _known(pool: Pool, at: Indices) -> _Known:
    units, kin = (np.unique(one[at], return_inverse=True)[1] for one in (pool.units, pool.kin))
    return _Known(pool.labels[at], units, kin)


def _rotated(rows: Floats) -> Vectors:
    """Centred; of more dimensions than rows only those that the rows span: the rest are all 0.

    In single precision, to a greatest number of 1; the penalty keeps rounding small.
    """
    centred = rows - rows.mean(axis=0)
    centred /= float(np.abs(centred).max()) or 1.0
    if centred.shape[1] > len(centred):
        centred = centred @ np.linalg.qr(centred.T)[0]
    return np.asarray(centred, dtype=np.float32)


def _identical(rows: Floats) -> Indices:
    """The first place of each row's numbers."""
    firsts: dict[bytes, int] = {}
    return np.array([firsts.setdefault(one.tobytes(), at) for at, one in enumerate(rows + 0.0)])


def _folds(
    kin: Indices, vectors: Vectors, identical: Indices, draw: np.random.Generator
) -> Iterator[_Fold]:
    """Deal kin to folds, the largest first and each to the fold that has least yet."""
    sizes = np.bincount(kin)
    shuffled = draw.permutation(sizes.size)
    fold_of, held = np.empty(sizes.size, dtype=np.intp), [0] * FOLDS
    for one in shuffled[np.argsort(-sizes[shuffled], kind="stable")].tolist():
        fold_of[one] = held.index(min(held))
        held[fold_of[one]] += int(sizes[one])
    for fold in range(FOLDS):
        rows = np.flatnonzero(fold_of[kin] == fold)
        if rows.size:
            different, same = np.unique(identical[rows], return_inverse=True)
            yield _Fold(rows, vectors[different], same)


def _inverse(gram: Vectors) -> Vectors:
    size = len(gram)
    penalty = SHRINKAGE * float(np.trace(gram)) / size or 1.0
    penalised = gram + np.float32(penalty) * np.eye(size, dtype=np.float32)
    return np.asarray(np.linalg.inv(penalised), dtype=np.float32)


def _scored(
    vectors: Vectors, folds: list[_Fold], inverses: list[Vectors], some: Flags
) -> Iterator[Vectors]:
    """Scores of the different rows of each fold, by models of all others. Shape (rows, deals)."""
    wanted = (some.T - some.mean(axis=1)).astype(np.float32)
    parts = [vectors[fold.rows].T @ wanted[fold.rows] for fold in folds]
    whole = np.sum(parts, axis=0)
    for fold, inverse, part in zip(folds, inverses, parts, strict=True):
        yield np.asarray(fold.vectors @ (inverse @ (whole - part)), dtype=np.float32)


def _areas(folds: list[_Fold], scores: list[Vectors], some: Flags) -> Floats:
    """Of all pairs of a current and a reference row of one fold, the share that is in order.

    A pair of equal scores is half in order. Without any such pair it is 0.5: nothing is told.
    """
    won, pairs = np.zeros(len(some)), np.zeros(len(some))
    for fold, values in zip(folds, scores, strict=True):
        order = np.argsort(values, axis=0, kind="stable")
        current, rest = (
            np.take_along_axis(_counted(fold, label[:, fold.rows]), order, 0)
            for label in (some, ~some)
        )
        won += (current * (np.cumsum(rest, axis=0) - rest / 2)).sum(axis=0)
        pairs += current.sum(axis=0) * rest.sum(axis=0)
    return np.where(pairs > 0, won / np.maximum(pairs, 1), 0.5)


def _counted(fold: _Fold, labels: Flags) -> Floats:
    """How many rows of each different one have the label. Shape (different, deals)."""
    order = np.argsort(fold.same, kind="stable")
    starts = np.searchsorted(fold.same[order], np.arange(len(fold.vectors)))
    return np.add.reduceat(labels[:, order].T.astype(np.float64), starts, axis=0)


def _interval(
    areas: Floats, known: _Known, folds: list[_Fold], scores: Floats
) -> tuple[float, float] | None:
    """By what each unit contributes (DeLong 1988, Biometrics 44: 837), on the scale of log-odds.

    That takes the models as given. The spread over new deals does not; it is a spread about 1/2,
    and shrinks towards 0 and 1 as that of a share does. The greater of the two counts.
    """
    area = float(areas[0])
    influence, pairs = np.zeros(scores.size), 0
    for fold in folds:
        labels, values = known.labels[fold.rows], scores[fold.rows]
        mine, theirs = np.sort(values[labels]), np.sort(values[~labels])
        pairs += mine.size * theirs.size
        below = _placed(theirs, values)
        above = mine.size - _placed(mine, values)
        influence[fold.rows] = np.where(
            labels, below - area * theirs.size, above - area * mine.size
        )
    by_unit = np.bincount(known.units, influence / max(pairs, 1))
    error = math.sqrt(by_unit.size / (by_unit.size - 1) * float(by_unit @ by_unit))
    if error == 0 or not 0 < area < 1:
        return None
    by_deals = float(areas[1:].std()) if areas.size > 1 else 0.0
    error = max(error, 2 * math.sqrt(area * (1 - area)) * by_deals)
    fewest = min(np.unique(known.units[known.labels == one]).size for one in (False, True))
    middle = math.log(area / (1 - area))
    margin = t_quantile(TAIL, fewest - 1) * error / (area * (1 - area))
    low, high = (1 / (1 + math.exp(-one)) for one in (middle - margin, middle + margin))
    return (low, high)


def _placed(ordered: Floats, values: Floats) -> Floats:
    """How many are below each value, equal ones half."""
    below = np.searchsorted(ordered, values, "left")
    found: Floats = (below + np.searchsorted(ordered, values, "right")) / 2
    return found
