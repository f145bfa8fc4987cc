"""Directions of vectors, as metrics that embed compare them."""

from __future__ import annotations

import math

from ragproof.core.pipeline import Vector


def cosine(one: Vector, other: Vector) -> float:
    """Of two vectors of one length; 0 where one is of zeros.

    Example:
        >>> cosine((3.0, 4.0), (4.0, 3.0))
        0.96
    """
    one, other = _bounded(one), _bounded(other)
    a, b = math.hypot(*one), math.hypot(*other)
    if not (a and b):
        return 0.0
    return math.fsum((x / a) * (y / b) for x, y in zip(one, other, strict=True))


def _bounded(one: Vector) -> Vector:
    """Of the same direction, and no longer than a float can say."""
    if math.isfinite(math.hypot(*one)):
        return one
    largest = max(map(abs, one))
    return [x / largest for x in one]
