"""How an index can be built and searched: what a sweep tries."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

M_VALUES = (16, 32)
EF_CONSTRUCTIONS = (100, 200)
NLIST_FACTORS = (4, 8, 16)
"""Times the square root of the number of vectors."""
FIRST_EF, LAST_EF = 16, 1_024
GRAPH_CHECK = 0.9
"""Below this recall of M neighbours at efSearch = efConstruction, the graph can improve."""


class Kind(StrEnum):
    """A way to search."""

    FLAT = "flat"
    """Everything is looked at."""
    HNSW = "hnsw"
    """A layered graph of neighbours; Malkov and Yashunin 2018."""
    IVF = "ivf"
    """Cells around centres, of which the nearest are looked at."""

    @property
    def effort(self) -> str | None:
        """What raises recall at the cost of speed, after the index is built."""
        return {Kind.FLAT: None, Kind.HNSW: "efSearch", Kind.IVF: "nprobe"}[self]


@dataclass(frozen=True, kw_only=True)
class Setting:
    """How one index is built."""

    library: str
    kind: Kind
    m: int | None = None
    ef_construction: int | None = None
    nlist: int | None = None

    @property
    def params(self) -> dict[str, int]:
        """What is set, by the names of the literature."""
        named = {"M": self.m, "efConstruction": self.ef_construction, "nlist": self.nlist}
        return {name: value for name, value in named.items() if value is not None}

    @property
    def name(self) -> str:
        """What reports call it.

        >>> Setting(library="faiss", kind=Kind.IVF, nlist=64).name
        'faiss ivf nlist=64'
        """
        return " ".join([self.library, self.kind, *(f"{k}={v}" for k, v in self.params.items())])


@dataclass(frozen=True, kw_only=True)
class Grid:
    """What is tried; the starting values are those of the hnswlib guide and of faiss."""

    libraries: tuple[str, ...]
    kinds: tuple[Kind, ...] = (Kind.HNSW, Kind.IVF)
    m: tuple[int, ...] = M_VALUES
    ef_construction: tuple[int, ...] = EF_CONSTRUCTIONS
    nlist: tuple[int, ...] = ()
    """None for 4, 8 and 16 times the root of the number of vectors."""
    last_ef: int = LAST_EF

    def settings(self, vectors: int) -> Iterator[Setting]:
        """All indexes to build, for each library the flat one first."""
        for library in self.libraries:
            yield Setting(library=library, kind=Kind.FLAT)
            if Kind.HNSW in self.kinds:
                for m in self.m:
                    for ef in self.ef_construction:
                        yield Setting(library=library, kind=Kind.HNSW, m=m, ef_construction=ef)
            if Kind.IVF in self.kinds and library == "faiss":  # usearch has none
                for nlist in self.nlist or cells(vectors):
                    yield Setting(library=library, kind=Kind.IVF, nlist=min(nlist, vectors))

    def efforts(self, setting: Setting, k: int, vectors: int) -> Sequence[int | None]:
        """The rungs, each twice the one before; a search for k looks at k or more."""
        match setting.kind:
            case Kind.FLAT:
                return (None,)
            case Kind.HNSW:
                return rungs(max(FIRST_EF, k), max(k, min(self.last_ef, vectors)))
            case Kind.IVF:
                return rungs(1, setting.nlist or 1)


def cells(vectors: int) -> tuple[int, ...]:
    """Starting values for nlist.

    >>> cells(10_000)
    (400, 800, 1600)
    """
    root = math.sqrt(vectors)
    return tuple(dict.fromkeys(min(vectors, round(factor * root)) for factor in NLIST_FACTORS))


def rungs(first: int, last: int) -> tuple[int, ...]:
    """Double from the first to the last, which is there too.

    >>> rungs(10, 100)
    (10, 20, 40, 80, 100)
    """
    found = [first]
    while found[-1] * 2 < last:
        found.append(found[-1] * 2)
    return tuple(found) if found[-1] >= last else (*found, last)
