"""How far a judge agrees with people. Scores are compared in three bands: 0, 0.5 and 1."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ragproof.analysis.intervals import Z, wilson

BANDS = (0.0, 0.5, 1.0)
NOT_APPLICABLE = 3
"""The category, beside the three bands, of answers where the question does not arise."""
CATEGORIES = ("0", "0.5", "1", "not applicable")
Floats: TypeAlias = NDArray[np.float64]
Counts: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What a person and the judge made of one answer."""

    human: float | None
    """The score; None where the question does not arise."""
    judge: float | None
    failed: bool = False
    """Whether the judge gave no usable reply."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A value, and the ends of its 95 % interval where there is an honest one."""

    value: float
    ends: tuple[float, float] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How a judge compares with people on the same answers."""

    items: int
    failed: int
    """Without a usable reply: they count against agreement, and are no verdicts."""
    exact: Figure
    """Share of all items in the same band."""
    within: Figure
    """Share of all items at most one band apart."""
    kappa: Figure | None
    """Cohen's, over what was judged; None where chance agreement is complete."""
    weighted_kappa: Figure | None
    """With linear weights, over what both put into a band."""
    confusion: tuple[tuple[int, ...], ...]
    """Rows are the person's category, columns the judge's, in the order of CATEGORIES."""
    false_passes: int
    """The judge gives the highest band, the person does not."""
    false_failures: int
    """The person gives the highest band, the judge does not."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The least agreement with which a judge is trusted."""

    exact: float = 0.70
    within: float = 0.90

    def shortfalls(self, found: Agreement) -> list[str]:
        """Say which of them are not reached."""
        shares = (
            ("are in the same band", found.exact.value, self.exact),
            ("are at most one band apart", found.within.value, self.within),
        )
        return [
            f"{round(share * found.items)} of {found.items} {name}, at least {least:.0%} must be"
            for name, share, least in shares
            if share < least
        ]


def category(score: float | None) -> int:
    """The band next to a score, as its place in BANDS; half-way it is the middle one.

    >>> [category(score) for score in (0.2, 0.25, 2 / 3, 0.75, 0.8, None)]
    [0, 1, 1, 1, 2, 3]
    """
    if score is None:
        return NOT_APPLICABLE
    return 0 if score < 0.25 else 2 if score > 0.75 else 1


def agreement(labels: Sequence[Label]) -> Agreement:
    """Compare. Raises ValueError where there is nothing to compare."""
    if not labels:
        raise ValueError("there are no labels to compare")
    table = np.zeros((4, 4), dtype=np.int64)
    for one in labels:
        if not one.failed:
            table[category(one.human), category(one.judge)] += 1
    bands = table[:3, :3]
    near = int(sum(bands.diagonal(offset).sum() for offset in (-1, 0, 1)) + table[3, 3])
    return Agreement(
        items=len(labels),
        failed=sum(one.failed for one in labels),
        exact=share(int(table.trace()), len(labels)),
        within=share(near, len(labels)),
        kappa=kappa(table),
        weighted_kappa=kappa(bands, linear_weights(3)),
        confusion=tuple(tuple(int(n) for n in row) for row in table),
        false_passes=int(bands[:2, 2].sum()),
        false_failures=int(bands[2, :2].sum()),
    )


def agreements(labels: Iterable[tuple[str, str, Label]]) -> Mapping[tuple[str, str], Agreement]:
    """Agreement by metric and annotation condition: figures under two conditions are two."""
    groups: dict[tuple[str, str], list[Label]] = {}
    for metric, condition, label in labels:
        groups.setdefault((metric, condition), []).append(label)
    return {key: agreement(group) for key, group in groups.items()}


def share(hits: int, of: int) -> Figure:
    """A share of independent items, with Wilson's interval."""
    return Figure(hits / of, wilson(hits / of, of))


def linear_weights(categories: int) -> Floats:
    """1 where both agree, 0 at the far ends, in even steps between."""
    places = np.arange(categories)
    weights: Floats = 1.0 - np.abs(places[:, None] - places[None, :]) / (categories - 1)
    return weights


def kappa(table: Counts, weights: Floats | None = None) -> Figure | None:
    """Agreement beyond chance, from a table of counts; weights of 1 on the diagonal.

    The interval is from the asymptotic variance of Fleiss, Cohen and Everitt, Psychological
    Bulletin 1969. None where nothing was counted, or where chance alone agrees on everything;
    without an interval where all agree, since that shows no spread.
    """
    n = int(table.sum())
    weights = np.eye(len(table)) if weights is None else weights
    if not n:
        return None
    cells = table / n
    rows, columns = cells.sum(axis=1), cells.sum(axis=0)
    observed = float((weights * cells).sum())
    by_chance = float(rows @ weights @ columns)
    if math.isclose(by_chance, 1.0):
        return None
    value = (observed - by_chance) / (1 - by_chance)
    means = (weights @ columns)[:, None] + (weights.T @ rows)[None, :]
    spread = float((cells * (weights * (1 - by_chance) - means * (1 - observed)) ** 2).sum())
    spread -= (observed * by_chance - 2 * by_chance + observed) ** 2
    if spread <= 1e-12:
        return Figure(value, None)
    margin = Z * math.sqrt(spread / n) / (1 - by_chance) ** 2
    return Figure(value, (max(-1.0, value - margin), min(1.0, value + margin)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """Two judges on the same labels: may the one replace the other?"""

    current: Agreement
    candidate: Agreement
    only_current: int
    """Items on which the current one alone agrees with the person."""
    only_candidate: int
    p_value: float
    """Exact, two-sided, of McNemar's test: how likely so uneven a split is between equals."""


def replacement(current: Sequence[Label], candidate: Sequence[Label]) -> Replacement:
    """Compare two judges, item by item; both lists are in one order."""
    right = [
        tuple(not one.failed and category(one.judge) == category(one.human) for one in pair)
        for pair in zip(current, candidate, strict=True)
    ]
    ahead, behind = right.count((True, False)), right.count((False, True))
    return Replacement(
        current=agreement(current),
        candidate=agreement(candidate),
        only_current=ahead,
        only_candidate=behind,
        p_value=even_split(ahead, behind),
    )


def even_split(one: int, other: int) -> float:
    """How likely a fair coin splits at least as unevenly as this; 1 where it was not thrown.

    >>> even_split(5, 0)
    0.0625
    """
    n = one + other
    tail = sum(math.comb(n, k) for k in range(min(one, other) + 1))
    return min(1.0, float(2 * tail / 2**n))
