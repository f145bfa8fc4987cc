"""Sweep the ways to build and search an index on the user's vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from ragproof.analysis.intervals import Sample, bounds
from ragproof.core import UsageError
from ragproof.core.record import Floats
from ragproof.core.spec import Interval, Unit
from ragproof.index.advice import Measured, Study
from ragproof.index.exact import exact
from ragproof.index.machine import machine, versions
from ragproof.index.recall import Truth
from ragproof.index.settings import Grid, Kind
from ragproof.index.tune import Point, Task, Tuned, built, installed, tune
from ragproof.index.vectors import Vectors
from ragproof.wiring.indexing import (
    Searched,
    filters_of,
    held_to,
    interval_of,
    vectors_and_queries,
)


@dataclass(frozen=True, kw_only=True)
class TuneRequest(Searched):
    """What was asked of `ragproof index tune`."""

    grid: Grid = field(default_factory=lambda: Grid(libraries=()))
    repeats: int = 3


def tuned(request: TuneRequest, environ: Mapping[str, str], told: Callable[[Tuned], None]) -> Study:
    """Build, search, measure; `told` hears of each index. Raises as `measure_recall` does."""
    grid = Grid(
        libraries=installed(request.grid.libraries),
        kinds=request.grid.kinds,
        m=request.grid.m,
        ef_construction=request.grid.ef_construction,
        nlist=request.grid.nlist,
        last_ef=request.grid.last_ef,
    )
    vectors, queries, _ = vectors_and_queries(request, environ)
    graphs = grid.m if Kind.HNSW in grid.kinds else ()
    depth = min(len(vectors), max(request.k, *graphs, 1))
    unfiltered = Searched(k=request.k, distance=request.distance, limit=request.limit)
    truth = held_to(unfiltered, vectors, queries, depth)
    filtered = _filtered(request, vectors, truth.queries)
    task = Task(
        truth=truth,
        k=request.k,
        filtered=filtered,
        repeats=request.repeats,
        improves=improves,
        build=built,
    )
    found = []
    for one in tune(task, grid):
        told(one)
        found.append(one)
    return _study(request, task, grid, found)


def improves(before: Floats, after: Floats) -> bool:
    """Whether recall rose: the interval of the mean change, query by query, lies above 0."""
    change = (after - before)[np.isfinite(after - before)]
    if not change.size or change.max() <= 0:
        return False
    if change.min() == change.max():
        return True
    sample = Sample(change, np.ones(change.size))
    ends = bounds(sample, Interval.AUTO, Unit.DIFFERENCE).ends
    return ends is not None and ends[0] > 0


def _filtered(request: TuneRequest, vectors: Vectors, queries: Vectors) -> Truth | None:
    filters = filters_of(request, vectors, queries)
    if filters.of is None:
        return None
    found = exact(vectors, queries, request.distance, request.k, filters)
    if not found.eligible.any():
        raise UsageError("no filter allows any vector: there is nothing to search for")
    return Truth(vectors, queries, request.distance, found, filters)


def _study(request: TuneRequest, task: Task, grid: Grid, found: list[Tuned]) -> Study:
    truth = task.truth
    lost = 0 if task.filtered is None else int((task.filtered.exact.eligible == 0).sum())
    return Study(
        tuned=tuple(found),
        plain=tuple(_measured((one, one.points) for one in found)),
        filtered=tuple(_measured((one, one.filtered) for one in found)),
        k=task.k,
        least=request.least,
        distance=truth.distance,
        source=truth.vectors.source,
        vectors=len(truth.vectors),
        dimensions=truth.vectors.dimensions,
        queries=len(truth.queries),
        without_eligible=lost,
        repeats=task.repeats,
        machine=machine(),
        versions=versions(grid.libraries),
    )


def _measured(all_points: Iterable[tuple[Tuned, tuple[Point, ...]]]) -> Iterable[Measured]:
    for one, points in all_points:
        for point in points:
            yield Measured(point, interval_of(point.recall).ends, one.bytes)
