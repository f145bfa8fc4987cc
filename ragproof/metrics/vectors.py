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
    a, b = math.hypot(*one), math.hypot(*other)
    if not (a and b):
        return 0.0
    return math.fsum((x / a) * (y / b) for x, y in zip(one, other, strict=True))
