"""Indexes of usearch, on one thread."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ragproof.core.record import Flags
from ragproof.index.exact import Distance
from ragproof.index.settings import Kind, Setting
from ragproof.index.vectors import Places, Values

NAMES = {Distance.COSINE: "cos", Distance.IP: "ip", Distance.L2: "l2sq"}


class UsearchIndex:
    """A flat or HNSW index that keeps the vectors as 32-bit floats.

    Its Python package takes no filter: the nearest are fetched and those that are not allowed are
    dropped, as its users have to. Where fewer than k are left, twice as many are fetched.
    """

    def __init__(self, setting: Setting, values: Values, distance: Distance) -> None:
        """Build; `values` are 32-bit floats."""
        from usearch.index import Index  # noqa: PLC0415  an extra

        self._is_flat, self._rows = setting.kind is Kind.FLAT, len(values)
        self._index = Index(
            ndim=values.shape[1],
            metric=NAMES[distance],
            dtype="f32",
            connectivity=setting.m,
            expansion_add=setting.ef_construction,
        )
        self._index.add(np.arange(len(values)), values, threads=1)

    @property
    def bytes(self) -> int:
        """The size of the index as it is saved, vectors included."""
        return int(self._index.serialized_length)

    def prepared(self, allowed: Places) -> object:
        """A filter as it is applied after a search."""
        flags = np.zeros(self._rows, dtype=np.bool_)
        flags[allowed] = True
        return _Allowed(flags, len(allowed))

    def search(self, query: Values, k: int, effort: int | None, allowed: object) -> Places:
        """The rows nearest to a query of shape (1, dimensions), best first; -1 for none."""
        if effort is not None:
            self._index.expansion_search = effort
        found = (
            self._among(query, k, effort or k, allowed)
            if isinstance(allowed, _Allowed)
            else self._nearest(query, k)
        )
        padded = np.full(k, -1, dtype=np.intp)
        padded[: found.size] = found
        return padded

    def _among(self, query: Values, k: int, least: int, allowed: _Allowed) -> Places:
        wanted = min(k, allowed.count)
        if not wanted:
            return np.zeros(0, dtype=np.intp)
        number = max(least, math.ceil(wanted * self._rows / allowed.count))
        while True:
            nearest = self._nearest(query, min(number, self._rows))
            found = nearest[allowed.flags[nearest]]
            if found.size >= wanted or nearest.size < number or number >= self._rows:
                return found[:k]
            number *= 2

    def _nearest(self, query: Values, number: int) -> Places:
        found = self._index.search(query[0], number, threads=1, exact=self._is_flat)
        return np.asarray(found.keys, dtype=np.intp)


@dataclass(frozen=True, slots=True)
class _Allowed:
    """A filter."""

    flags: Flags
    """Shape (rows,)."""
    count: int
