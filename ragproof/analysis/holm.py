"""Several tests at once: p-values adjusted so that one false alarm stays as rare as for one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

K = TypeVar("K")


def holm(p_values: Mapping[K, float]) -> dict[K, float]:
    """Adjust by Holm's step-down method; Holm 1979, Scand. J. Statist. 6:65.

    >>> holm({"a": 0.01, "b": 0.04, "c": 0.03})
    {'a': 0.03, 'c': 0.06, 'b': 0.06}
    """
    adjusted: dict[K, float] = {}
    largest, left = 0.0, len(p_values)
    for key, p in sorted(p_values.items(), key=lambda one: one[1]):
        largest = max(largest, min(1.0, left * p))
        adjusted[key] = largest
        left -= 1
    return adjusted
