"""TREC files: fields parted by white space, the columns of which mean what they always did."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from math import inf, nextafter
from pathlib import Path

from ragproof.core import UsageError
from ragproof.rankings.blocks import blocks
from ragproof.rankings.decimals import numbers
from ragproof.rankings.lines import BLANK, WrongCount, split
from ragproof.rankings.origin import Kind, Origin, shown
from ragproof.rankings.rows import Bytes, Fields, Rows, cut

COLUMNS: Mapping[Kind, tuple[str, ...]] = {
    Kind.QRELS: ("query", "0", "document", "relevance"),
    Kind.RUN: ("query", "Q0", "document", "rank", "score", "tag"),
}
WANTED: Mapping[Kind, tuple[int, int, int]] = {Kind.QRELS: (0, 2, 3), Kind.RUN: (0, 2, 4)}
"""Query, document and value. A run's rank is not looked at: the score decides."""


def trec(path: Path, kind: Kind) -> Iterator[Rows]:
    """Read a qrels or run file; raises UsageError that names the line at fault."""
    columns, origin = COLUMNS[kind], Origin(str(path), kind)
    for block in blocks(path):
        try:
            (query, document, value), lines = split(block, len(columns), WANTED[kind])
        except WrongCount as fault:
            said = f"{fault.count} fields; a TREC {kind} line has {len(columns)}"
            origin.wrong(fault.line, f"{said}: {' '.join(columns)}")
        if lines.size:
            rows = Rows(block.text, query, document, numbers(block.text, value), lines)
            yield origin.checked(rows, partial(_given, block.text, value))


def _given(text: Bytes, fields: Fields, at: int) -> str:
    return shown(cut(text, fields[at : at + 1])[0])


def trec_lines(query: bytes, ranked: Iterable[tuple[bytes, float]], tag: str) -> bytes:
    """Write a query's list, the best first, as lines of a run file.

    Whoever reads a run puts equal scores in order of ids. So that the order stays what it is for
    readers of doubles, each of a tie is written as the next smaller one. Raises UsageError for an
    id with a blank in it.
    """
    _refuse_blanks(query, query)
    lines, last = list[bytes](), inf
    for rank, (document, score) in enumerate(ranked, 1):
        _refuse_blanks(document, query)
        last = score if score < last else nextafter(last, -inf)
        lines.append(b"%b Q0 %b %d %b %b\n" % (query, document, rank, _text(last), tag.encode()))
    return b"".join(lines)


def _text(score: float) -> bytes:
    return repr(score).encode()


def _refuse_blanks(identifier: bytes, query: bytes) -> None:
    if not identifier or min(identifier) <= BLANK:
        said = f"the id {shown(identifier)} has a blank, which TREC's format parts fields by"
        raise UsageError(f"query {shown(query)}: {said}")
