"""Which column is which in a table that someone else made, and its values as rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ragproof.core.arrays import Floats
from ragproof.rankings.origin import VALUE, Kind, Origin
from ragproof.rankings.rows import PAD, Fields, Ints, Rows

QUERY = ("query_id", "qid", "q_id", "query", "topic_id", "topic", "question_id")
DOCUMENT = (
    *("doc_id", "docid", "docno", "doc", "document_id", "document", "corpus_id"),
    *("passage_id", "pid", "chunk_id"),
)
VALUES: Mapping[Kind, tuple[str, ...]] = {
    Kind.QRELS: ("relevance", "rel", "label", "grade", "judgment", "score"),
    Kind.RUN: ("score", "similarity", "sim", "rank"),
}
"""Names of columns, the first that is there counts; `-` and capitals make no difference."""
RANK = "rank"
"""A column of this name holds places from 1: the smaller the better."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Where in each record query, document and value stand."""

    query: int
    document: int
    value: int
    ranked: bool = False
    """Whether the values are places."""

    @property
    def sign(self) -> float:
        """What makes the greater value the better one."""
        return -1.0 if self.ranked else 1.0


def by_name(names: Sequence[str], origin: Origin, line: int = 1) -> Columns:
    """Find the columns; raises UsageError that says which is not there, and what it may be called.

    >>> from ragproof.rankings.origin import Kind
    >>> by_name(["query-id", "corpus-id", "score"], Origin("qrels.tsv", Kind.QRELS))
    Columns(query=0, document=1, value=2, ranked=False)
    """
    plain = [_plain(name) for name in names]

    def place(what: str, allowed: Sequence[str]) -> int:
        for name in allowed:
            if name in plain:
                return plain.index(name)
        got = ", ".join(map(repr, names[:10]))
        return origin.wrong(
            line, f"no column for the {what}: got {got}; allowed: {', '.join(allowed)}"
        )

    value = place(VALUE[origin.kind], VALUES[origin.kind])
    ranked = origin.kind is Kind.RUN and plain[value] == RANK
    return Columns(place("query", QUERY), place("document", DOCUMENT), value, ranked)


def is_known(name: str) -> bool:
    """Whether a column of this name holds queries or documents."""
    return _plain(name) in (*QUERY, *DOCUMENT)


def _plain(name: str) -> str:
    return name.strip().casefold().replace("-", "_").replace(" ", "_")


def table_rows(
    ids: tuple[Sequence[str], Sequence[str]], values: Sequence[float], lines: Sequence[int] | Ints
) -> Rows:
    """Rows of ids (queries, documents), values and line numbers."""
    encoded = [[_encoded(one) for one in column] for column in ids]
    text = b"".join([*encoded[0], *encoded[1], bytes(PAD)])
    lengths = np.array([len(one) for column in encoded for one in column], dtype=np.int64)
    fields, size = Fields(np.cumsum(lengths) - lengths, lengths), len(values)
    return Rows(
        np.frombuffer(text, dtype=np.uint8),
        fields[:size],
        fields[size:],
        np.array(values, dtype=np.float64),
        np.asarray(lines, dtype=np.int64),
    )


def identifier(value: object, name: str, line: int, origin: Origin) -> str:
    """An id as text: a whole number stands for its digits, as it would in any text file."""
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return origin.wrong(line, f"the {name} {value!r} is neither text nor a whole number")


def given_by(values: Sequence[object] | Floats) -> Callable[[int], str]:
    """Show a value as it stood in the file."""
    return lambda at: repr(float(one) if isinstance(one := values[at], np.floating) else one)


def _encoded(name: str) -> bytes:
    """The bytes that were read, or UTF-8 of whatever a program made up."""
    try:
        return name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return name.encode("utf-8", "surrogatepass")
