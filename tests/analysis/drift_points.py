"""Samples for tests of drift."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ragproof.analysis.drift_pool import Points, Pool, Values


def points(values: Values, first: int = 0, groups: Sequence[int] | None = None) -> Points:
    """Rows that are units of their own, or of these groups; numbered from `first`."""
    units = np.array(groups if groups is not None else range(len(values)), dtype=np.intp) + first
    return Points(np.asarray(values), {}, units, units)


def pool(reference: Values, current: Values) -> Pool:
    return Pool(points(reference), points(current, len(reference)))


def blob(rows: int, dimensions: int = 8, seed: int = 0, shift: float = 0.0) -> Values:
    """Normal in every dimension; `shift` moves the first."""
    found = np.random.default_rng(seed).normal(size=(rows, dimensions))
    found[:, 0] += shift
    return found
