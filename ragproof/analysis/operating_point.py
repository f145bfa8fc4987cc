"""What a detector finds at each score from which on it is believed. Pure: scores and labels in."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """Believing what scores at least `threshold`."""

    threshold: float
    found: int
    right: int
    labelled: int

    @property
    def precision(self) -> float:
        """Of what is found, the share that is right."""
        return self.right / self.found

    @property
    def recall(self) -> float | None:
        """Of what there is, the share that is found; None where there is nothing."""
        return self.right / self.labelled if self.labelled else None

    def f(self, beta: float = 1.0) -> float | None:
        """Their weighted harmonic mean: with beta 2 recall counts twice as much as precision."""
        weighed = beta**2 * self.labelled + self.found
        return (1 + beta**2) * self.right / weighed if self.labelled else None


def operating_points(
    scored: Iterable[tuple[float, bool]], labelled: int
) -> tuple[OperatingPoint, ...]:
    """One point for each distinct score, the highest first.

    `scored` has the score of each find and whether it is right, each labelled thing found once at
    most; `labelled` counts all that there is. Raises ValueError for a score that is no number, and
    for more right finds than there are things.
    """
    finds = sorted(scored, key=lambda one: -one[0])
    if any(not math.isfinite(score) for score, _ in finds):
        raise ValueError("a score must be a finite number")
    points: list[OperatingPoint] = []
    right = 0
    for at, (score, is_right) in enumerate(finds, 1):
        right += is_right
        if at == len(finds) or finds[at][0] != score:
            points.append(OperatingPoint(score, at, right, labelled))
    if right > labelled:
        raise ValueError(f"{right} finds are right, but only {labelled} things are labelled")
    return tuple(points)


def at_least(
    points: Iterable[OperatingPoint], recall: float, beta: float = 1.0
) -> OperatingPoint | None:
    """Of the points with so much recall the most precise, then the best by F; None if none has."""
    reached = [one for one in points if one.recall is not None and one.recall >= recall]
    return max(reached, key=lambda one: (one.precision, one.f(beta)), default=None)
