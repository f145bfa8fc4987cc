"""Build indexes, search them with more and more effort, and measure recall and speed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Protocol, TypeAlias

import numpy as np

from ragproof.core import UsageError
from ragproof.core.record import Floats
from ragproof.index.exact import Distance
from ragproof.index.recall import Truth
from ragproof.index.settings import Grid, Kind, Setting
from ragproof.index.vectors import Places, Values, Vectors

LIBRARIES = ("usearch", "faiss")
FILTERS: Mapping[str, str] = {
    "usearch": "after the search: more is fetched until k are allowed, for it takes no filter",
    "faiss": "during the search",
}
"""When each library looks at a filter."""
TIMED = 1_000
"""Queries of which speed is measured, at most."""
LONGEST = 1e18
"""Of a vector, so that 32-bit floats hold the square of a distance."""
PATIENCE = 2
"""So many rungs without an improvement end the climb."""

Build: TypeAlias = Callable[[Setting, Values, Distance], "Index"]
Improves: TypeAlias = Callable[[Floats, Floats], bool]
"""Whether the second recalls, of the same queries, are shown to be better than the first."""


class Index(Protocol):
    """An index that is built."""

    @property
    def bytes(self) -> int:
        """The size of the index as it is saved."""
        ...

    def prepared(self, allowed: Places) -> object:
        """A set of allowed rows in the library's own form."""
        ...

    def search(self, query: Values, k: int, effort: int | None, allowed: object) -> Places:
        """The k nearest of a query of shape (1, dimensions), best first; -1 for none."""
        ...


@dataclass(frozen=True, kw_only=True)
class Point:
    """An index searched with one effort."""

    setting: Setting
    effort: int | None
    recall: Floats
    """Of each query; NaN where nothing is eligible."""
    speeds: tuple[float, ...]
    """Queries per second of CPU, of each timed pass."""

    @property
    def mean(self) -> float:
        """Mean recall."""
        return float(np.nanmean(self.recall))

    @property
    def qps(self) -> float:
        """The median speed."""
        return float(np.median(self.speeds))


@dataclass(frozen=True, kw_only=True)
class Tuned:
    """One index and all efforts that were tried."""

    setting: Setting
    seconds: float
    """Of CPU, to build it."""
    bytes: int
    points: tuple[Point, ...]
    settled: int | None
    """The point after which recall stops improving; None where it still does at the last."""
    filtered: tuple[Point, ...] = ()
    filtered_settled: int | None = None
    graph_recall: float | None = None
    """HNSW: recall of M neighbours at efSearch = efConstruction."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """What every index is held to."""

    truth: Truth
    """At least as deep as k and as the largest M."""
    k: int
    filtered: Truth | None
    repeats: int
    improves: Improves
    build: Build


def installed(wanted: Sequence[str]) -> tuple[str, ...]:
    """The libraries that are wanted, or all that are there; raises UsageError without any."""
    found = tuple(one for one in wanted or LIBRARIES if find_spec(one) is not None)
    if missing := set(wanted) - set(found):
        raise UsageError(f"{min(missing)} is not installed. Run: pip install 'ragproof[ann]'")
    if not found:
        raise UsageError(
            "tuning an index needs usearch or faiss. Install them: pip install 'ragproof[ann]'"
        )
    return found


def tune(task: Task, grid: Grid) -> Iterator[Tuned]:
    """Build and measure one index after the other; only one is in memory."""
    vectors = task.truth.vectors
    values = _ready(vectors, task.truth.distance)
    queries = _ready(task.truth.queries, task.truth.distance)
    for setting in grid.settings(len(vectors)):
        efforts = grid.efforts(setting, task.k, len(vectors))
        yield _tuned(task, setting, efforts, values, queries)


def _tuned(
    task: Task, setting: Setting, efforts: Sequence[int | None], values: Values, queries: Values
) -> Tuned:
    started = time.process_time()
    index = task.build(setting, values, task.truth.distance)
    seconds = time.process_time() - started
    plain = _climb(task, task.truth.top(task.k), index, setting, efforts, queries)
    filtered = None
    if task.filtered is not None:
        filtered = _climb(task, task.filtered, index, setting, efforts, queries)
    return Tuned(
        setting=setting,
        seconds=seconds,
        bytes=index.bytes,
        points=plain[0],
        settled=plain[1],
        filtered=filtered[0] if filtered else (),
        filtered_settled=filtered[1] if filtered else None,
        graph_recall=_graph_recall(task.truth, index, setting, queries),
    )


def _climb(
    task: Task,
    truth: Truth,
    index: Index,
    setting: Setting,
    efforts: Sequence[int | None],
    queries: Values,
) -> tuple[tuple[Point, ...], int | None]:
    """Raise the effort until recall stops improving; say at which point that was."""
    sets = [index.prepared(one) for one in truth.filters.allowed]
    of = truth.filters.of
    allowed = [None if of is None else sets[int(of[at])] for at in range(len(queries))]
    points: list[Point] = []
    best = 0
    for effort in efforts:
        asked = _Asked(index, queries, task.k, effort, allowed)
        recall = truth.recall(asked.places())
        speeds = tuple(asked.speed() for _ in range(task.repeats))
        points.append(Point(setting=setting, effort=effort, recall=recall, speeds=speeds))
        last = len(points) - 1
        if task.improves(points[best].recall, recall):
            best = last
        if points[best].mean == 1 or last - best >= PATIENCE:
            return tuple(points), best
    is_whole = setting.kind is not Kind.HNSW  # all cells, or everything, were looked at
    return tuple(points), best if is_whole or best < len(points) - 1 else None


@dataclass(frozen=True)
class _Asked:
    """All queries, one after the other, as a service gets them."""

    index: Index
    queries: Values
    k: int
    effort: int | None
    allowed: Sequence[object]

    def places(self) -> Places:
        return np.stack([self._search(at) for at in range(len(self.queries))])

    def speed(self) -> float:
        """Queries per second of CPU time, which a busy machine does not spoil."""
        number = min(TIMED, len(self.queries))
        started = time.process_time()
        for at in range(number):
            self._search(at)
        return number / max(time.process_time() - started, 1e-9)

    def _search(self, at: int) -> Places:
        return self.index.search(self.queries[at : at + 1], self.k, self.effort, self.allowed[at])


def _graph_recall(truth: Truth, index: Index, setting: Setting, queries: Values) -> float | None:
    if setting.kind is not Kind.HNSW or setting.m is None:
        return None
    nobody = [None] * len(queries)
    asked = _Asked(index, queries, setting.m, setting.ef_construction, nobody)
    return float(np.nanmean(truth.top(setting.m).recall(asked.places())))


def built(setting: Setting, values: Values, distance: Distance) -> Index:
    """Build an index of the library that the setting names."""
    if setting.library == "faiss":
        from ragproof.index.faiss_index import FaissIndex  # noqa: PLC0415  heavy, and an extra

        return FaissIndex(setting, values, distance)
    from ragproof.index.usearch_index import UsearchIndex  # noqa: PLC0415

    return UsearchIndex(setting, values, distance)


def _ready(vectors: Vectors, distance: Distance) -> Values:
    """As the libraries want them: 32-bit floats; for the cosine, each of length 1.

    Raises UsageError where those would not hold them, or their squares.
    """
    wide = np.asarray(vectors.values, dtype=np.float64)
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    if distance is Distance.COSINE:
        wide = wide / lengths
    elif lengths.max() > LONGEST:
        row = int(lengths.argmax())
        raise UsageError(
            f"{vectors.source}: row {row} (from 0) has the length {float(lengths.max()):.3g}; "
            f"allowed with --metric {distance}: {LONGEST:g} at most, as 32-bit floats hold no more"
        )
    return np.ascontiguousarray(wide, dtype=np.float32)
