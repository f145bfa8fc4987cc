"""Judgments and runs that are in memory, scored as files are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import SupportsFloat

import numpy as np

from ragproof.rankings.columns import given_by, table_rows
from ragproof.rankings.decimals import double
from ragproof.rankings.evaluation import Evaluated, evaluate
from ragproof.rankings.judgments import judgments
from ragproof.rankings.measures import Asked
from ragproof.rankings.notation import measures
from ragproof.rankings.origin import VALUE, Kind, Origin
from ragproof.rankings.rows import Rows

AT_ONCE = 500
"""Queries that become rows together."""


def score(
    qrels: Mapping[str, Mapping[str, int]],
    run: Mapping[str, Mapping[str, float]],
    names: Sequence[str],
    *,
    relevance_level: int = 1,
    exponential: bool = False,
) -> Evaluated:
    """Score a run: query to document to grade, and query to document to score.

    A query with no document in `qrels` has no judgments and counts nowhere. Raises TypeError for
    an id that is no text or a value that is none of Python's or numpy's numbers, UsageError for NaN
    or a measure that is none.

    >>> found = score({"1": {"a": 1, "b": 1}}, {"1": {"a": 0.9, "x": 0.8}}, ["R@10", "RR"])
    >>> dict(found.figures)
    {'R@10': 0.5, 'RR': 1.0}
    """
    asked = Asked(level=relevance_level, exponential=exponential)
    wanted = list(chain.from_iterable(measures(name, asked) for name in names))
    told, ranked = Origin("qrels", Kind.QRELS, "row"), Origin("run", Kind.RUN, "row")
    judged = judgments(_rows(qrels, told), told)
    return evaluate(judged, lambda: _rows(run, ranked), ranked, wanted)


def _rows(table: Mapping[str, Mapping[str, float]], origin: Origin) -> Iterator[Rows]:
    left, row = iter(table.items()), 1
    while some := list(islice(left, AT_ONCE)):
        queries = [_text(query, "query", origin) for query, given in some for _ in given]
        documents = [_text(one, "document", origin) for _, given in some for one in given]
        found = [value for _, given in some for value in given.values()]
        values = [_number(*pair, origin) for pair in zip(found, documents, strict=True)]
        if values:
            lines = range(row, row + len(values))
            yield origin.checked(table_rows((queries, documents), values, lines), given_by(found))
        row += len(values)


def _text(value: object, what: str, origin: Origin) -> str:
    if not isinstance(value, str):
        kind = type(value).__name__
        raise TypeError(f"{origin.name}: the {what} id {value!r} is {kind}; ids are str")
    return value


def _number(value: object, document: str, origin: Origin) -> float:
    if type(value) is float:
        return value
    if isinstance(value, SupportsFloat) and not isinstance(value, bool | np.bool_):
        return double(value)
    what = f"the {VALUE[origin.kind]} of document {document!r}"
    kind = type(value).__name__
    raise TypeError(f"{origin.name}: {what} is {value!r}, {kind}; it must be a number")
