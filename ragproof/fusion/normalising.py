"""Scores of one list brought to a scale on which another list's can be added.

This takes away what lies between two scales of a straight line, and nothing else: a normalised
score is no probability of relevance. Outliers, the shape of the distribution and which candidates
the list happens to hold still decide what it is. Whether fusing them helps is to be measured on
labelled queries.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import frexp, fsum, isfinite, ldexp, sqrt
from types import MappingProxyType
from typing import Protocol

from ragproof.fusion.lists import T


class Normalise(Protocol):
    """A way to bring the scores of a list to a scale of its own."""

    def __call__(self, scores: Mapping[T, float], /) -> dict[T, float]:
        """The new score of each."""
        ...


def min_max(scores: Mapping[T, float]) -> dict[T, float]:
    """The lowest becomes 0 and the highest 1; where all are equal, all are at the top: 1.

    >>> min_max({"a": 17.4, "b": 8.7, "c": 0.0})
    {'a': 1.0, 'b': 0.5, 'c': 0.0}
    >>> min_max({"a": 3.0})
    {'a': 1.0}
    """
    if not scores:
        return {}
    low, high = min(scores.values()), max(scores.values())
    if low == high:
        return dict.fromkeys(scores, 1.0)
    if isfinite(high - low):
        return {one: (score - low) / (high - low) for one, score in scores.items()}
    half = high / 2 - low / 2  # halves, because the whole is more than a float holds
    return {one: (score / 2 - low / 2) / half for one, score in scores.items()}


def z_score(scores: Mapping[T, float]) -> dict[T, float]:
    """The mean becomes 0 and the standard deviation 1; where all are equal, all are at the mean: 0.

    >>> z_score({"a": 1.0, "b": 3.0})
    {'a': -1.0, 'b': 1.0}
    >>> z_score({"a": 3.0, "b": 3.0})
    {'a': 0.0, 'b': 0.0}
    """
    if not scores:
        return {}
    if min(scores.values()) == max(scores.values()):
        return dict.fromkeys(scores, 0.0)
    exponent = frexp(max(map(abs, scores.values())))[1]
    scaled = {one: ldexp(score, -exponent) for one, score in scores.items()}  # squares stay finite
    mean = fsum(scaled.values()) / len(scaled)
    spread = sqrt(fsum((one - mean) ** 2 for one in scaled.values()) / len(scaled))
    return {one: (score - mean) / spread if spread else 0.0 for one, score in scaled.items()}


NORMALISE: Mapping[str, Normalise] = MappingProxyType({"min-max": min_max, "z-score": z_score})
"""Name to the way."""
