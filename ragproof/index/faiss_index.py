"""Indexes of faiss, on one thread."""

from __future__ import annotations

from typing import Any

import numpy as np

from ragproof.index.exact import Distance
from ragproof.index.settings import Kind, Setting
from ragproof.index.vectors import Places, Values

SEED = 1234
"""Of the training of IVF; HNSW's levels have a fixed seed of their own."""


class FaissIndex:
    """A flat, HNSW or IVF index that keeps the vectors as they are."""

    def __init__(self, setting: Setting, values: Values, distance: Distance) -> None:
        """Build; `values` are 32-bit floats, of length 1 for the cosine."""
        import faiss  # noqa: PLC0415  heavy, and an extra

        faiss.omp_set_num_threads(1)
        self._faiss, self._kind = faiss, setting.kind
        self._index = _empty(faiss, setting, values.shape[1], distance)
        if setting.kind is Kind.IVF:
            self._index.train(values)
        self._index.add(values)
        self._rows = len(values)

    @property
    def bytes(self) -> int:
        """The size of the index as it is saved, vectors included."""
        sizes: list[int] = []

        def count(block: bytes) -> int:
            sizes.append(len(block))
            return len(block)

        self._faiss.write_index(self._index, self._faiss.PyCallbackIOWriter(count))
        return sum(sizes)

    def prepared(self, allowed: Places) -> object:
        """A filter in faiss's own form: a bit for each row, looked at during the search."""
        bits = np.zeros(self._rows, dtype=np.bool_)
        bits[allowed] = True
        return self._faiss.IDSelectorBitmap(np.packbits(bits, bitorder="little"))

    def search(self, query: Values, k: int, effort: int | None, allowed: object) -> Places:
        """The rows nearest to a query of shape (1, dimensions), best first; -1 for none."""
        kind: dict[Kind, Any] = {
            Kind.FLAT: lambda: self._faiss.SearchParameters(sel=allowed),
            Kind.HNSW: lambda: self._faiss.SearchParametersHNSW(efSearch=effort, sel=allowed),
            Kind.IVF: lambda: self._faiss.SearchParametersIVF(nprobe=effort, sel=allowed),
        }
        found: Places = self._index.search(query, k, params=kind[self._kind]())[1][0]
        return found


def _empty(faiss: Any, setting: Setting, dimensions: int, distance: Distance) -> Any:  # noqa: ANN401
    by = faiss.METRIC_L2 if distance is Distance.L2 else faiss.METRIC_INNER_PRODUCT
    match setting.kind:
        case Kind.FLAT:
            return faiss.IndexFlat(dimensions, by)
        case Kind.HNSW:
            index = faiss.IndexHNSWFlat(dimensions, setting.m, by)
            index.hnsw.efConstruction = setting.ef_construction
            return index
        case Kind.IVF:
            index = faiss.IndexIVFFlat(
                faiss.IndexFlat(dimensions, by), dimensions, setting.nlist, by
            )
            index.cp.seed = SEED
            index.cp.min_points_per_centroid = 1  # or faiss warns on stderr; the report says it
            return index
