"""What a detector finds at each score from which on it is believed. Pure: scores and labels in."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """Believing what scores at least `threshold`."""

    threshold: float
    found: int
    right: int
    """Of what is found."""
    labelled: int
    hit: int | None = None
    """Of what is labelled, how much is found; None where each right find is another thing."""

    @property
    def precision(self) -> float:
        """Of what is found, the share that is right."""
        return self.right / self.found

    @property
    def recall(self) -> float | None:
        """Of what there is, the share that is found; None where there is nothing."""
        hit = self.right if self.hit is None else self.hit
        return hit / self.labelled if self.labelled else None

    def f(self, beta: float = 1.0) -> float | None:
        """Their weighted harmonic mean: with beta 2 recall counts twice as much as precision."""
        precision, recall = self.precision, self.recall
        if recall is None:
            return None
        under = beta**2 * precision + recall
        return (1 + beta**2) * precision * recall / under if under else 0.0


def operating_points(
    scored: Iterable[tuple[float, bool]], labelled: int, hits: Iterable[float] | None = None
) -> tuple[OperatingPoint, ...]:
    """One point for each distinct score, the highest first.

    `scored` has the score of each find and whether it is right; `labelled` counts all that there
    is. Where several finds may be of one thing, `hits` has for each thing that is found the highest
    score of those finds; without it each right find is another thing. Raises ValueError for a score
    that is no number, and for more things found than there are.
    """
    finds = sorted(scored, key=lambda one: -one[0])
    if any(not math.isfinite(score) for score, _ in finds):
        raise ValueError("a score must be a finite number")
    told = None if hits is None else sorted(-score for score in hits)
    points: list[OperatingPoint] = []
    right = 0
    for at, (score, is_right) in enumerate(finds, 1):
        right += is_right
        if at == len(finds) or finds[at][0] != score:
            hit = None if told is None else bisect_right(told, -score)
            points.append(OperatingPoint(score, at, right, labelled, hit))
    if (most := right if told is None else len(told)) > labelled:
        raise ValueError(f"{most} finds are right, but only {labelled} things are labelled")
    return tuple(points)


def at_least(
    points: Iterable[OperatingPoint], recall: float, beta: float = 1.0
) -> OperatingPoint | None:
    """Of the points with so much recall the most precise, then the best by F; None if none has."""
    reached = [one for one in points if one.recall is not None and one.recall >= recall]
    return max(reached, key=lambda one: (one.precision, one.f(beta)), default=None)
