"""Which vectors a query may be given."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ragproof.core import UsageError
from ragproof.core.record import Flags
from ragproof.index.lines import objects
from ragproof.index.vectors import Places, Vectors
from ragproof.text.faults import shown
from ragproof.text.nearest import nearest


@dataclass(frozen=True)
class Filters:
    """The sets of rows that filters allow, and which of them holds for each query."""

    allowed: tuple[Places, ...] = ()
    """Rows in ascending order."""
    of: Places | None = None
    """For each query its set; None where nothing is filtered."""

    def groups(self, queries: int) -> Iterator[tuple[Places, Places | None]]:
        """Yield queries that have a set in common, and the set; None for no filter."""
        if self.of is None:
            yield np.arange(queries), None
            return
        for at, allowed in enumerate(self.allowed):
            yield np.flatnonzero(self.of == at), allowed

    def permits(self, places: Places) -> Flags:
        """Whether each place, a row a query, is among those that its query's filter allows."""
        fine = places >= 0
        for asked, allowed in self.groups(len(places)):
            if allowed is not None:
                fine[asked] &= _are_among(places[asked], allowed)
        return fine


NO_FILTER = Filters()


def _are_among(places: Places, allowed: Places) -> Flags:
    """Whether each is one of these, which are in ascending order."""
    if not allowed.size:
        return np.zeros(places.shape, dtype=np.bool_)
    at = np.minimum(np.searchsorted(allowed, places), allowed.size - 1)
    found: Flags = allowed[at] == places
    return found


def by_column(vectors: Vectors, queries: Vectors, name: str) -> Filters:
    """Allow a query the vectors that have its own value in a column of both."""
    for side in (vectors, queries):
        if name not in side.columns:
            there = sorted(side.columns)
            raise UsageError(
                f"{side.source}: there is no column {shown(name)};{nearest(name, there)} "
                f"it has: {', '.join(there) or 'none but the vectors'}"
            )
    wanted, values = queries.columns[name], [_hashable(one) for one in vectors.columns[name]]
    rows: dict[Hashable, list[int]] = {}
    for row, value in enumerate(values):
        rows.setdefault(value, []).append(row)
    return _grouped([_hashable(one) for one in wanted], rows)


def by_ids(vectors: Vectors, queries: Vectors, path: Path) -> Filters:
    """Read what each query is allowed: a line each, `{"query_id", "ids": [...]}`."""
    row_of = {name: row for row, name in enumerate(vectors.ids)}
    sets: dict[str, tuple[int, ...]] = {}
    for number, line in objects(path):
        ids = line.get("ids")
        if not isinstance(ids, list) or "query_id" not in line:
            raise UsageError(
                f'{path}:{number}: got {shown(line)}; allowed: {{"query_id": ..., "ids": [...]}}'
            )
        query = str(line["query_id"])
        if query in sets:
            raise UsageError(f"{path}:{number}: query_id: {shown(query)} is there twice")
        unknown = [one for one in ids if str(one) not in row_of]
        if unknown:
            raise UsageError(
                f"{path}:{number}: ids: {shown(unknown[0])} is not the id of any vector in "
                f"{vectors.source}"
            )
        sets[query] = tuple(sorted({row_of[str(one)] for one in ids}))
    lacking = [one for one in queries.ids if one not in sets]
    if lacking:
        raise UsageError(f"{path}: there is no line for query {shown(lacking[0])}")
    wanted = [sets[one] for one in queries.ids]
    return _grouped(wanted, {one: list(one) for one in wanted})


def _grouped(wanted: Sequence[Hashable], rows: Mapping[Hashable, list[int]]) -> Filters:
    kinds = {one: at for at, one in enumerate(dict.fromkeys(wanted))}
    allowed = tuple(np.array(rows.get(one, []), dtype=np.intp) for one in kinds)
    return Filters(allowed, np.array([kinds[one] for one in wanted], dtype=np.intp))


def _hashable(value: object) -> Hashable:
    return value if isinstance(value, Hashable) else repr(value)
