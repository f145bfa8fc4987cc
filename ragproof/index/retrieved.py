"""What an index gave each query, read from a file."""

from __future__ import annotations

from pathlib import Path

from ragproof.core import UsageError
from ragproof.index.lines import values
from ragproof.index.vectors import Vectors, array
from ragproof.text.counting import counted
from ragproof.text.faults import shown

FORMS = 'a list of ids, or {"query_id": ..., "ids": [...]}'
NOTHING = -1
"""What libraries write in place of an id when they found too few."""


def read_retrieved(path: Path, queries: Vectors) -> list[list[str] | None]:
    """Give the ids of each query, best first; None for one of which the file says nothing.

    A `.npy` file has a row of whole numbers for each query, in order; -1 is nothing. A JSONL file
    has a line for each: a list in the order of the queries, or with the query's id. Raises
    UsageError that names the row or line at fault.
    """
    match path.suffix.casefold():
        case ".npy":
            return _of_array(path, queries)
        case ".jsonl":
            return _of_lines(path, queries)
        case _:
            raise UsageError(f"{path}: the name must end in .npy or .jsonl")


def _of_array(path: Path, queries: Vectors) -> list[list[str] | None]:
    found = array(path)
    if found.ndim != 2 or found.dtype.kind not in "iu":
        raise UsageError(
            f"{path}: got an array of {found.dtype} with shape {found.shape}; "
            "allowed: whole numbers with shape (queries, k)"
        )
    _refuse_other_number(path, len(found), queries)
    return [[str(one) for one in row if one != NOTHING] for row in found.tolist()]


def _of_lines(path: Path, queries: Vectors) -> list[list[str] | None]:
    named: dict[str, list[str]] = {}
    plain: list[list[str]] = []
    known = set(queries.ids)
    for number, line in values(path):
        if isinstance(line, list):
            plain.append(_ids(line, path, number))
        elif isinstance(line, dict) and "query_id" in line:
            query = str(line["query_id"])
            if query not in known:
                raise UsageError(
                    f"{path}:{number}: query_id: {shown(query)} is not a query of {queries.source}"
                )
            if query in named:
                raise UsageError(f"{path}:{number}: query_id: {shown(query)} is there twice")
            named[query] = _ids(line.get("ids"), path, number)
        else:
            raise UsageError(f"{path}:{number}: got {shown(line)}; allowed: {FORMS}")
        if named and plain:
            raise UsageError(f"{path}:{number}: some lines have a query_id and some have none")
    if named:
        return [named.get(one) for one in queries.ids]
    _refuse_other_number(path, len(plain), queries)
    return [*plain]


def _ids(given: object, path: Path, number: int) -> list[str]:
    if not isinstance(given, list) or not all(
        isinstance(one, str | int) and not isinstance(one, bool) for one in given
    ):
        raise UsageError(f"{path}:{number}: ids: got {shown(given)}; allowed: a list of ids")
    return [str(one) for one in given if one != NOTHING]


def _refuse_other_number(path: Path, found: int, queries: Vectors) -> None:
    if found != len(queries):
        raise UsageError(
            f"{path}: got {counted(found, 'list')} for the {counted(len(queries), 'query')} of "
            f"{queries.source}. Write one for each, in order, or name them by query_id"
        )
