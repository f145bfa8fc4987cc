"""Hold an index to exact search: from files, or through the adapter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ragproof.analysis.intervals import UNKNOWN, Bounds, Sample, bounds
from ragproof.core import UsageError
from ragproof.core.record import Floats
from ragproof.core.spec import Interval, Unit
from ragproof.index.exact import Distance, exact
from ragproof.index.filters import NO_FILTER, Filters, by_column, by_ids
from ragproof.index.recall import ABSENT, Found, Truth, found_among, placed
from ragproof.index.retrieved import read_retrieved
from ragproof.index.vectors import Vectors, read_vectors, refuse_mismatch
from ragproof.index.verdict import IndexRecall, QueryRecall
from ragproof.text.counting import counted
from ragproof.wiring.index_calls import Called, called


@dataclass(frozen=True, kw_only=True)
class Searched:
    """What is searched, and by which queries; where a file is None the adapter is asked."""

    config: Path | None = None
    dataset: Path | None = None
    vectors: Path | None = None
    ids: Path | None = None
    queries: Path | None = None
    k: int = 10
    distance: Distance = Distance.COSINE
    least: float = 0.95
    limit: int | None = None
    """So many of the queries, from the first."""
    filter: Path | None = None
    filter_column: str | None = None


@dataclass(frozen=True, kw_only=True)
class RecallRequest(Searched):
    """What was asked of `ragproof index recall`."""

    retrieved: Path | None = None


def measure_recall(request: RecallRequest, environ: Mapping[str, str]) -> IndexRecall:
    """Read or ask for what is needed, and compare.

    Raises UsageError for whatever the caller can mend, RunError for a pipeline that does not load,
    AdapterError where texts cannot be embedded.
    """
    is_filtered = request.filter is not None or request.filter_column is not None
    if is_filtered and request.retrieved is None:
        raise UsageError(
            "the adapter's search(vector, k) takes no filter. Give --retrieved FILE with what the "
            "index found under its filters"
        )
    k = request.k if request.retrieved is None else None
    vectors, queries, there = vectors_and_queries(request, environ, k)
    lists = None if request.retrieved is None else read_retrieved(request.retrieved, queries)
    truth = held_to(request, vectors, queries)
    return _compared(request, truth, _found(request, there, lists, vectors), there)


def vectors_and_queries(
    request: Searched, environ: Mapping[str, str], k: int | None = None
) -> tuple[Vectors, Vectors, Called]:
    """Those of the files, else those that the adapter makes; all checked.

    With a `k` the adapter also searches for each query.
    """
    if request.ids is not None and request.vectors is None:
        raise UsageError("--ids names the rows of --vectors, which is not given")
    vectors = None if request.vectors is None else read_vectors(request.vectors, request.ids)
    queries = None if request.queries is None else read_vectors(request.queries)
    if vectors is not None and queries is not None:
        refuse_mismatch(vectors, queries)
    few = None if queries is None else _first(queries, request.limit)
    there = called(request, environ, few, k)
    vectors, queries = vectors or there.vectors, queries or there.queries
    if vectors is None or queries is None:  # `called` has said so before
        raise UsageError("there are no vectors")
    refuse_mismatch(vectors, queries)
    if request.k > len(vectors):
        raise UsageError(
            f"--k: got {request.k}, but {vectors.source} has {counted(len(vectors), 'vector')}; "
            f"allowed: 1 to {len(vectors):,}"
        )
    return vectors, queries, there


def held_to(
    request: Searched, vectors: Vectors, queries: Vectors, depth: int | None = None
) -> Truth:
    """Search exactly, under the filters if there are any."""
    few = _first(queries, request.limit)
    filters = filters_of(request, vectors, few)
    depth = depth or request.k
    found = exact(vectors, few, request.distance, depth, filters)
    return Truth(vectors, few, request.distance, found, filters)


def filters_of(request: Searched, vectors: Vectors, queries: Vectors) -> Filters:
    """The filters that were asked for."""
    if request.filter is not None and request.filter_column is not None:
        raise UsageError("--filter and --filter-column both say what is allowed; give one of them")
    if request.filter is not None:
        return by_ids(vectors, queries, request.filter)
    if request.filter_column is not None:
        return by_column(vectors, queries, request.filter_column)
    return NO_FILTER


def interval_of(recall: Floats) -> Bounds:
    """The interval of the mean, over queries that have a recall."""
    values = recall[np.isfinite(recall)]
    if not values.size:
        return UNKNOWN
    return bounds(Sample(values, np.ones(values.size)), Interval.AUTO, Unit.FRACTION)


def _first(queries: Vectors, limit: int | None) -> Vectors:
    if limit is None or limit >= len(queries):
        return queries
    columns = {name: values[:limit] for name, values in queries.columns.items()}
    return Vectors(
        ids=queries.ids[:limit],
        values=queries.values[:limit],
        source=queries.source,
        columns=columns,
        named=queries.named,
    )


def _found(
    request: RecallRequest,
    there: Called,
    lists: Sequence[list[str] | None] | None,
    vectors: Vectors,
) -> Sequence[Found]:
    row_of = {name: row for row, name in enumerate(vectors.ids)}
    if lists is not None:
        return [
            ABSENT if ids is None else found_among(ids, row_of, request.k)
            for ids in lists[: request.limit]
        ]
    return [
        Found(places=(), returned=0, error=ids)
        if isinstance(ids, str)
        else found_among(ids, row_of, request.k)
        for ids in there.answers
    ]


def _compared(
    request: RecallRequest, truth: Truth, found: Sequence[Found], there: Called
) -> IndexRecall:
    places = placed(found, request.k)
    recall, hits, wanted = truth.recall(places), truth.hits(places), truth.wanted
    recall[[one.error is not None for one in found]] = np.nan
    values, known = recall[np.isfinite(recall)], interval_of(recall)
    names = truth.vectors.ids
    queries = tuple(
        QueryRecall(
            query_id=query,
            recall=float(recall[at]) if np.isfinite(recall[at]) else None,
            hits=int(hits[at]),
            wanted=int(wanted[at]),
            found=found[at],
            missed=tuple(
                names[row]
                for row in truth.exact.places[at].tolist()
                if row >= 0 and row not in found[at].places
            ),
        )
        for at, query in enumerate(truth.queries.ids)
    )
    return IndexRecall(
        k=request.k,
        distance=request.distance,
        vectors=len(truth.vectors),
        dimensions=truth.vectors.dimensions,
        source=truth.vectors.source,
        results=str(request.retrieved) if request.retrieved else there.name,
        queries=queries,
        mean=float(values.mean()) if values.size else None,
        ends=known.ends,
        interval=known.method,
        least=request.least,
        filtered=truth.filters.of is not None,
    )
